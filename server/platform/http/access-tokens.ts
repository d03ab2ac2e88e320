import { createHash, randomBytes } from 'node:crypto';
import { defaultTokenSeconds } from '../../core/resources/index.ts';
import type { ApiKey, ApiKeys } from './api-keys.ts';

export interface AccessTokens {
  /** Undefined when the pair is refused. Lifetime in seconds, `now` in milliseconds. */
  issue(
    keyId: string,
    secret: string,
    lifetime: number | undefined,
    now: number,
  ): { readonly token: string; readonly expiresAt: number } | undefined;
  /** The key behind a live token; undefined for one that is unknown or over, or whose key is disabled or deleted. */
  verify(token: string, now: number): ApiKey | undefined;
}

/** Tokens of one platform process. They are kept in memory only, as hashes. */
export function createAccessTokens(keys: ApiKeys): AccessTokens {
  const live = new Map<string, { readonly keyId: string; readonly expiresAt: number }>();
  return {
    issue(keyId, secret, lifetime, now) {
      if (keys.check(keyId, secret) === undefined) return undefined;
      for (const [digest, entry] of live) if (entry.expiresAt <= now) live.delete(digest);
      const token = `_${randomBytes(24).toString('hex')}`;
      const expiresAt = now + (lifetime ?? defaultTokenSeconds) * 1000;
      live.set(digestOf(token), { keyId, expiresAt });
      return { token, expiresAt };
    },
    verify(token, now) {
      const entry = live.get(digestOf(token));
      if (entry === undefined || entry.expiresAt <= now) return undefined;
      const key = keys.find(entry.keyId);
      return key?.enabled ? key : undefined;
    },
  };
}

function digestOf(token: string): string {
  return createHash('sha256').update(token).digest('base64');
}
