import { Type } from 'typebox';
import {
  AuditLogRecord,
  CloudActivityRecord,
  listEnvelope,
  pageEnvelope,
  TimedSearch,
} from '../../core/resources/index.ts';
import { defineEndpoint } from '../endpoint.ts';

const range = { startTime: Type.Optional(Type.String()), endTime: Type.Optional(Type.String()) };

export const auditLogs = {
  list: defineEndpoint({
    id: 'auditLogs.list',
    summary: 'List audit logs.',
    method: 'GET',
    path: '/AuditLogs',
    headers: 'Org',
    query: range,
    response: listEnvelope(AuditLogRecord),
    emptyAs204: true,
    rows: true,
  }),
  search: defineEndpoint({
    id: 'auditLogs.search',
    summary: 'Search audit logs.',
    method: 'POST',
    path: '/AuditLogs/search',
    headers: 'Org',
    body: TimedSearch,
    response: listEnvelope(Type.Partial(AuditLogRecord)),
    emptyAs204: true,
    rows: true,
    effect: 'read',
  }),
};

export const cloudActivities = {
  list: defineEndpoint({
    id: 'cloudActivities.list',
    summary: 'List cloud activities.',
    method: 'GET',
    path: '/CloudActivities',
    query: range,
    response: pageEnvelope(CloudActivityRecord),
    emptyAs204: true,
    paged: true,
    rows: true,
  }),
  search: defineEndpoint({
    id: 'cloudActivities.search',
    summary: 'Search cloud activities.',
    method: 'POST',
    path: '/CloudActivities/search',
    body: TimedSearch,
    response: pageEnvelope(CloudActivityRecord),
    emptyAs204: true,
    paged: true,
    rows: true,
    effect: 'read',
  }),
};
