import { AccessToken, TokenRequest } from '../../core/resources/index.ts';
import { defineEndpoint } from '../endpoint.ts';

export const tokens = {
  create: defineEndpoint({
    id: 'tokens.create',
    summary: 'Exchange a key id and its secret for a temporary bearer token.',
    method: 'POST',
    path: '/access/tokens',
    headers: 'token',
    body: TokenRequest,
    response: AccessToken,
    success: 201,
    // A token more does no harm, and a profile that may only read needs one too.
    effect: 'read',
    sensitive: ['request', 'response'],
  }),
};
