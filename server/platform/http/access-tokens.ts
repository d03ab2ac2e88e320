import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { defaultTokenSeconds } from '../../core/resources/index.ts';

/** Who a token speaks for. */
export interface Session {
  readonly user: string;
  readonly account: string;
  readonly expiresAt: number;
}

/** A long-lived key of one account. A service user's key reaches its own account only. */
export interface ApiKey {
  readonly keyId: string;
  readonly secret: string;
  readonly account: string;
  readonly user: string;
  readonly kind: 'user' | 'service';
  readonly organizationAdmin: boolean;
  readonly enabled: boolean;
}

/** Keys one user can hold. */
export const maxKeysPerUser = 20;

export interface AccessTokens {
  /** Undefined when the pair is refused. Lifetime in seconds, `now` in milliseconds. */
  issue(
    keyId: string,
    secret: string,
    lifetime: number | undefined,
    now: number,
  ): { readonly token: string; readonly expiresAt: number } | undefined;
  /** The key behind a live token; undefined for one that is unknown or over. */
  verify(token: string, now: number): ApiKey | undefined;
}

/** Tokens of one platform process. They are kept in memory only, as hashes. */
export function createAccessTokens(keys: readonly ApiKey[]): AccessTokens {
  const live = new Map<string, { readonly key: ApiKey; readonly expiresAt: number }>();
  return {
    issue(keyId, secret, lifetime, now) {
      const key = keys.find((candidate) => candidate.keyId === keyId);
      // The comparison runs for unknown ids too, so that time does not tell which ids exist.
      const matches = sameText(secret, key?.secret ?? randomBytes(16).toString('hex'));
      if (key === undefined || !matches || !key.enabled) return undefined;
      for (const [digest, entry] of live) if (entry.expiresAt <= now) live.delete(digest);
      const token = `_${randomBytes(24).toString('hex')}`;
      const expiresAt = now + (lifetime ?? defaultTokenSeconds) * 1000;
      live.set(digestOf(token), { key, expiresAt });
      return { token, expiresAt };
    },
    verify(token, now) {
      const entry = live.get(digestOf(token));
      return entry === undefined || entry.expiresAt <= now ? undefined : entry.key;
    },
  };
}

/** A key as the console hands it out: account and hexadecimal digits, secret with a leading underscore. */
export function createApiKey(account: string, keyId?: string, secret?: string): ApiKey {
  return {
    keyId: keyId ?? `${account.toUpperCase().replaceAll('-', '')}_${randomBytes(24).toString('hex').toUpperCase()}`,
    secret: secret ?? `_${randomBytes(16).toString('hex')}`,
    account,
    user: `analyst@${account}.example`,
    kind: 'user',
    organizationAdmin: true,
    enabled: true,
  };
}

function sameText(left: string, right: string): boolean {
  const hash = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(hash(left), hash(right));
}

function digestOf(token: string): string {
  return createHash('sha256').update(token).digest('base64');
}
