import { Type } from 'typebox';
import {
  AgentAccessToken,
  AgentAccessTokenCreate,
  AgentAccessTokenUpdate,
  envelope,
  listEnvelope,
  PlainSearch,
} from '../../core/resources/index.ts';
import { defineEndpoint } from '../endpoint.ts';

export const agentAccessTokens = {
  create: defineEndpoint({
    id: 'agentAccessTokens.create',
    summary: 'Create an agent access token.',
    method: 'POST',
    path: '/AgentAccessTokens',
    body: AgentAccessTokenCreate,
    response: envelope(AgentAccessToken),
    success: 201,
    sensitive: ['request', 'response'],
  }),
  list: defineEndpoint({
    id: 'agentAccessTokens.list',
    summary: 'List the enabled agent access tokens.',
    method: 'GET',
    path: '/AgentAccessTokens',
    response: listEnvelope(AgentAccessToken),
    emptyAs204: true,
    sensitive: ['response'],
  }),
  search: defineEndpoint({
    id: 'agentAccessTokens.search',
    summary: 'Search agent access tokens.',
    method: 'POST',
    path: '/AgentAccessTokens/search',
    body: PlainSearch,
    response: listEnvelope(Type.Partial(AgentAccessToken)),
    emptyAs204: true,
    effect: 'read',
    sensitive: ['request', 'response'],
  }),
  get: defineEndpoint({
    id: 'agentAccessTokens.get',
    summary: 'Get one agent access token.',
    method: 'GET',
    path: '/AgentAccessTokens/{id}',
    response: envelope(AgentAccessToken),
    sensitive: ['path', 'response'],
  }),
  update: defineEndpoint({
    id: 'agentAccessTokens.update',
    summary: 'Enable, disable or describe an agent access token.',
    method: 'PATCH',
    path: '/AgentAccessTokens/{id}',
    body: AgentAccessTokenUpdate,
    response: envelope(AgentAccessToken),
    sensitive: ['path', 'request', 'response'],
  }),
};
