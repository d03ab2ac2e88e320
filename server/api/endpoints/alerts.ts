import { Type } from 'typebox';
import {
  AlertClose,
  AlertComment,
  AlertRecord,
  AlertScopeData,
  AlertTimelineEntry,
  alertScopes,
  envelope,
  pageEnvelope,
  TimedSearch,
} from '../../core/resources/index.ts';
import { defineEndpoint } from '../endpoint.ts';

export const alerts = {
  search: defineEndpoint({
    id: 'alerts.search',
    summary: 'Search alerts.',
    method: 'POST',
    path: '/Alerts/search',
    body: TimedSearch,
    response: pageEnvelope(Type.Partial(AlertRecord)),
    emptyAs204: true,
    paged: true,
    rows: true,
    effect: 'read',
  }),
  get: defineEndpoint({
    id: 'alerts.get',
    summary: 'Get one aspect of an alert.',
    method: 'GET',
    path: '/Alerts/{alertId}',
    query: { scope: Type.Enum(alertScopes) },
    response: envelope(AlertScopeData),
    emptyAs204: true,
  }),
  comment: defineEndpoint({
    id: 'alerts.comment',
    summary: 'Comment on an alert.',
    method: 'POST',
    path: '/Alerts/{alertId}/comment',
    body: AlertComment,
    response: envelope(Type.Union([AlertTimelineEntry, Type.Array(AlertTimelineEntry)])),
  }),
  close: defineEndpoint({
    id: 'alerts.close',
    summary: 'Close an alert, for good.',
    method: 'POST',
    path: '/Alerts/{alertId}/close',
    body: AlertClose,
  }),
  list: defineEndpoint({
    id: 'alerts.list',
    summary: 'List alerts.',
    method: 'GET',
    path: '/Alerts',
    query: { startTime: Type.Optional(Type.String()), endTime: Type.Optional(Type.String()) },
    response: pageEnvelope(Type.Partial(AlertRecord)),
    emptyAs204: true,
    paged: true,
    rows: true,
    source: 'public',
  }),
};
