import { Type } from 'typebox';
import {
  ExceptionCreate,
  ExceptionRecord,
  ExceptionUpdate,
  envelope,
  listEnvelope,
} from '../../core/resources/index.ts';
import { defineEndpoint } from '../endpoint.ts';

const policyId = Type.String({ minLength: 1 });

export const exceptions = {
  create: defineEndpoint({
    id: 'exceptions.create',
    summary: 'Add an exception to a policy.',
    method: 'POST',
    path: '/Exceptions',
    query: { policyId },
    body: ExceptionCreate,
    response: envelope(ExceptionRecord),
    success: 201,
  }),
  list: defineEndpoint({
    id: 'exceptions.list',
    summary: 'List exceptions, of one policy or of all.',
    method: 'GET',
    path: '/Exceptions',
    query: { policyId: Type.Optional(policyId) },
    response: listEnvelope(ExceptionRecord),
    emptyAs204: true,
  }),
  get: defineEndpoint({
    id: 'exceptions.get',
    summary: 'Get one exception.',
    method: 'GET',
    path: '/Exceptions/{exceptionId}',
    query: { policyId },
    response: envelope(ExceptionRecord),
  }),
  update: defineEndpoint({
    id: 'exceptions.update',
    summary: 'Change an exception.',
    method: 'PATCH',
    path: '/Exceptions/{exceptionId}',
    query: { policyId },
    body: ExceptionUpdate,
    response: envelope(ExceptionRecord),
  }),
  delete: defineEndpoint({
    id: 'exceptions.delete',
    summary: 'Delete an exception.',
    method: 'DELETE',
    path: '/Exceptions/{exceptionId}',
    query: { policyId },
  }),
};
