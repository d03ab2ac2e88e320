import { createSecret } from '../../../server/api/transport/redact.ts';
import type { Credentials } from '../../infrastructure/session/session.ts';

/** Reads the one line with which the platform says where it is: `{"url","keyId","secret"}`, the account's id, and what else may come. */
export function parseAnnouncement(line: string): Credentials | undefined {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value !== 'object' || value === null) return undefined;
    const { url, keyId, secret, accountId }: Readonly<Record<string, unknown>> = { ...value };
    if (typeof url !== 'string' || typeof keyId !== 'string' || typeof secret !== 'string') return undefined;
    return {
      origin: new URL(url).origin,
      keyId,
      secret: createSecret(secret),
      ...(typeof accountId === 'string' ? { localAccountId: accountId } : {}),
    };
  } catch {
    return undefined;
  }
}
