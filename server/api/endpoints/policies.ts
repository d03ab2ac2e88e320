import { Type } from 'typebox';
import {
  envelope,
  listEnvelope,
  PolicyBulkChange,
  PolicyCreate,
  PolicyRecord,
  PolicyUpdate,
} from '../../core/resources/index.ts';
import { defineEndpoint } from '../endpoint.ts';

export const policies = {
  list: defineEndpoint({
    id: 'policies.list',
    summary: 'List the policies.',
    method: 'GET',
    path: '/Policies',
    response: listEnvelope(PolicyRecord),
    emptyAs204: true,
  }),
  create: defineEndpoint({
    id: 'policies.create',
    summary: 'Create a policy. The id in the answer is the one that counts: the service puts the account in front.',
    method: 'POST',
    path: '/Policies',
    body: PolicyCreate,
    response: envelope(PolicyRecord),
    success: 201,
  }),
  updateMany: defineEndpoint({
    id: 'policies.updateMany',
    summary: 'Switch many policies on or off, or change their severity.',
    method: 'PATCH',
    path: '/Policies',
    body: Type.Array(PolicyBulkChange, { minItems: 1 }),
    response: listEnvelope(PolicyRecord),
    source: 'public',
  }),
  listTags: defineEndpoint({
    id: 'policies.listTags',
    summary: 'List the tags of policies.',
    method: 'GET',
    path: '/Policies/Tags',
    response: listEnvelope(Type.String()),
    source: 'public',
  }),
  get: defineEndpoint({
    id: 'policies.get',
    summary: 'Get one policy.',
    method: 'GET',
    path: '/Policies/{policyId}',
    response: envelope(PolicyRecord),
    source: 'public',
  }),
  update: defineEndpoint({
    id: 'policies.update',
    summary: 'Change a policy.',
    method: 'PATCH',
    path: '/Policies/{policyId}',
    body: PolicyUpdate,
    response: envelope(PolicyRecord),
    source: 'public',
  }),
  delete: defineEndpoint({
    id: 'policies.delete',
    summary: 'Delete a policy.',
    method: 'DELETE',
    path: '/Policies/{policyId}',
    source: 'public',
  }),
};
