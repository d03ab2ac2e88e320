import { type Static, Type } from 'typebox';
import { closedObject, jsonObject, openObject, timestamp } from './shapes.ts';

/** Names of fields that an agent access token search may filter on. */
export const agentTokenFilterFields = ['accessToken', 'createdTime', 'tokenAlias', 'tokenEnabled', 'version'] as const;

// The service says text; public clients send the number.
const tokenEnabled = Type.Union([Type.String({ minLength: 1 }), Type.Number()], {
  description: '`1` marks the token enabled.',
});

/** The token itself is the id in paths, so it counts as a secret wherever it stands. */
export const AgentAccessToken = openObject({
  accessToken: Type.String({ minLength: 1 }),
  createdTime: Type.Optional(timestamp()),
  tokenAlias: Type.Optional(Type.String()),
  tokenEnabled: Type.Optional(tokenEnabled),
  version: Type.Optional(Type.String()),
  props: Type.Optional(Type.Union([jsonObject(), Type.Null()])),
});
export type AgentAccessToken = Static<typeof AgentAccessToken>;

export const AgentAccessTokenCreate = closedObject({
  tokenAlias: Type.String({ minLength: 1, description: 'What the token is for.' }),
  tokenEnabled,
  props: Type.Optional(jsonObject()),
});
export type AgentAccessTokenCreate = Static<typeof AgentAccessTokenCreate>;

export const AgentAccessTokenUpdate = closedObject({
  tokenEnabled: Type.Optional(tokenEnabled),
  props: Type.Optional(jsonObject()),
});
export type AgentAccessTokenUpdate = Static<typeof AgentAccessTokenUpdate>;
