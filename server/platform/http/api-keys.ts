import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { conflict, notFound } from '../service-error.ts';

/** A long-lived key of one account. A service user's key reaches its own account only. */
export interface ApiKey {
  readonly keyId: string;
  readonly secret: string;
  readonly account: string;
  readonly user: string;
  readonly kind: 'user' | 'service';
  /** Whether tokens of the key may look at the whole organization. */
  readonly organizationAdmin: boolean;
  readonly enabled: boolean;
}

export interface NewKey {
  readonly account: string;
  readonly user: string;
  readonly kind?: 'user' | 'service';
  readonly organizationAdmin?: boolean;
  readonly keyId?: string | undefined;
  readonly secret?: string | undefined;
}

/** Keys one user can hold. */
const maxKeysPerUser = 20;

/** The keys of a platform: what an administrator does with them in the service's console. Kept in memory. */
export interface ApiKeys {
  /** @throws ServiceError 409 when the user holds twenty already */
  create(key: NewKey): ApiKey;
  /** Switches a key off or on again. Tokens made of it end at once. @throws ServiceError 404 */
  setEnabled(keyId: string, enabled: boolean): void;
  /** @throws ServiceError 404 */
  delete(keyId: string): void;
  find(keyId: string): ApiKey | undefined;
  /** The enabled key of that id, when the secret is its own. */
  check(keyId: string, secret: string): ApiKey | undefined;
}

export function createApiKeys(): ApiKeys {
  const keys = new Map<string, ApiKey>();
  const require = (keyId: string): ApiKey => {
    const key = keys.get(keyId);
    if (key === undefined) throw notFound(`API key ${keyId} not found`);
    return key;
  };
  return {
    create(plan) {
      const held = [...keys.values()].filter((key) => key.user === plan.user && key.account === plan.account).length;
      if (held >= maxKeysPerUser)
        throw conflict(`${plan.user} holds ${maxKeysPerUser} API keys already. Delete one first.`);
      const key: ApiKey = {
        // As the console hands them out: account and hexadecimal digits, the secret with a leading underscore.
        keyId:
          plan.keyId ??
          `${plan.account.toUpperCase().replaceAll('-', '')}_${randomBytes(24).toString('hex').toUpperCase()}`,
        secret: plan.secret ?? `_${randomBytes(16).toString('hex')}`,
        account: plan.account,
        user: plan.user,
        kind: plan.kind ?? 'user',
        organizationAdmin: plan.organizationAdmin ?? true,
        enabled: true,
      };
      keys.set(key.keyId, key);
      return key;
    },
    setEnabled: (keyId, enabled) => void keys.set(keyId, { ...require(keyId), enabled }),
    delete: (keyId) => void keys.delete(require(keyId).keyId),
    find: (keyId) => keys.get(keyId),
    check(keyId, secret) {
      const key = keys.get(keyId);
      // The comparison runs for unknown ids too, so that time does not tell which ids exist.
      const matches = sameText(secret, key?.secret ?? '');
      return key !== undefined && matches && key.enabled ? key : undefined;
    },
  };
}

function sameText(left: string, right: string): boolean {
  const hash = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(hash(left), hash(right));
}
