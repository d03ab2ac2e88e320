import type * as vscode from 'vscode';
import { createSecret, reveal } from '../../../server/api/transport/redact.ts';
import type { Log } from '../log.ts';
import type { RemoteProfile } from './profile.ts';
import type { ApiKey, Credentials } from './session.ts';

/**
 * API keys in VS Code's SecretStorage. A key belongs to the origin it was typed for: it is stored under that origin, says
 * so itself, and is never handed out for another one, whatever becomes of the profile's address later.
 */
export interface CredentialStore {
  read(profile: RemoteProfile): Promise<Credentials | undefined>;
  store(profile: RemoteProfile, key: ApiKey): Promise<void>;
  forget(profile: RemoteProfile): Promise<void>;
}

export function createCredentialStore(secrets: vscode.SecretStorage, log: Pick<Log, 'protect'>): CredentialStore {
  return {
    async read(profile) {
      const stored = await secrets.get(storageKey(profile));
      const credentials = stored === undefined ? undefined : parseCredentials(stored);
      if (credentials?.origin !== profile.origin) return undefined;
      log.protect(reveal(credentials.secret));
      return credentials;
    },
    async store(profile, { keyId, secret }) {
      const text = reveal(secret);
      log.protect(text);
      await secrets.store(storageKey(profile), JSON.stringify({ origin: profile.origin, keyId, secret: text }));
    },
    async forget(profile) {
      await secrets.delete(storageKey(profile));
    },
  };
}

function storageKey(profile: RemoteProfile): string {
  return `lql.key ${profile.origin} ${profile.name}`;
}

/** Reads what `store` wrote; undefined for anything else. */
function parseCredentials(text: string): Credentials | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const { origin, keyId, secret }: Readonly<Record<string, unknown>> = { ...value };
  return typeof origin === 'string' && typeof keyId === 'string' && typeof secret === 'string'
    ? { origin, keyId, secret: createSecret(secret) }
    : undefined;
}
