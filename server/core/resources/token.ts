import { type Static, Type } from 'typebox';
import { closedObject, openObject, timestamp } from './shapes.ts';
import { defaultTokenSeconds, maxTokenSeconds } from './token-lifetime.ts';

export { defaultTokenSeconds, maxTokenSeconds };

export const TokenRequest = closedObject({
  keyId: Type.String({ minLength: 1, description: 'Id of the API key; its secret travels in a header.' }),
  expiryTime: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: maxTokenSeconds,
      default: defaultTokenSeconds,
      description: 'Lifetime in seconds.',
    }),
  ),
});
export type TokenRequest = Static<typeof TokenRequest>;

/** The answer to a token request: flat, without `data`. */
export const AccessToken = openObject({
  token: Type.String({ minLength: 1 }),
  expiresAt: timestamp('When the token ends.'),
});
export type AccessToken = Static<typeof AccessToken>;

/** Name of the header that carries the secret key, e.g. `X-SVC-UAKS` for the prefix `SVC`. */
export function secretHeaderName(vendorPrefix: string): string {
  return `X-${vendorPrefix}-UAKS`;
}
