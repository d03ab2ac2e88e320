import { inspect } from 'node:util';
import { expect, test, vi } from 'vitest';
import { createCredentialStore } from '../../../../../client/infrastructure/session/credentials.ts';
import type { RemoteProfile } from '../../../../../client/infrastructure/session/profile.ts';
import { createSecret, reveal } from '../../../../../server/api/transport/redact.ts';

const profile: RemoteProfile = {
  kind: 'remote',
  name: 'acme',
  origin: 'https://acme.example.net',
  vendorPrefix: 'SVC',
  subAccount: undefined,
  organization: false,
  environment: 'none',
  readOnly: false,
};

function setUp() {
  const stored = new Map<string, string>();
  const protect = vi.fn();
  const secrets = {
    get: async (key: string) => stored.get(key),
    store: async (key: string, value: string) => void stored.set(key, value),
    delete: async (key: string) => void stored.delete(key),
    keys: async () => [...stored.keys()],
    onDidChange: () => ({ dispose: () => undefined }),
  };
  return { stored, protect, store: createCredentialStore(secrets, { protect }) };
}

test('a key comes back for the origin it was stored for, and the log is told to hide it', async () => {
  const { store, protect } = setUp();
  await store.store(profile, { keyId: 'K', secret: createSecret('S3CRET-S3CRET') });
  const read = await store.read(profile);
  expect(read).toMatchObject({ origin: profile.origin, keyId: 'K' });
  expect(read && reveal(read.secret)).toBe('S3CRET-S3CRET');
  expect(inspect(read, { showHidden: true })).not.toContain('S3CRET');
  expect(protect).toHaveBeenCalledWith('S3CRET-S3CRET');
});

test('a profile that is pointed at another origin has no key there', async () => {
  const { store } = setUp();
  await store.store(profile, { keyId: 'K', secret: createSecret('S3CRET-S3CRET') });
  expect(await store.read({ ...profile, origin: 'https://evil.example.net' })).toBeUndefined();
});

test('an entry that says it belongs to another origin is not handed out', async () => {
  const { store, stored } = setUp();
  await store.store(profile, { keyId: 'K', secret: createSecret('S3CRET-S3CRET') });
  const [key = ''] = stored.keys();
  stored.set(key, JSON.stringify({ origin: 'https://evil.example.net', keyId: 'K', secret: 'S3CRET-S3CRET' }));
  expect(await store.read(profile)).toBeUndefined();
});

test.each(['', '[]', 'null', '{"origin":1}', 'no json'])('the damaged entry %j counts as none', async (text) => {
  const { store, stored } = setUp();
  await store.store(profile, { keyId: 'K', secret: createSecret('S3CRET-S3CRET') });
  const [key = ''] = stored.keys();
  stored.set(key, text);
  expect(await store.read(profile)).toBeUndefined();
});

test('a forgotten key is gone', async () => {
  const { store, stored } = setUp();
  await store.store(profile, { keyId: 'K', secret: createSecret('S3CRET-S3CRET') });
  await store.forget(profile);
  expect(stored.size).toBe(0);
});
