import { expect, test } from 'vitest';
import { accountNameOf } from '../../../server/api/content/account-identity.ts';
import { readProfile } from '../../../server/cli/profile.ts';
import { createMemoryIo, temporaryFolder } from './support/memory-io.ts';

const toml = '[default]\naccount = "acme.fra"\napi_key = "KEY"\napi_secret = "_secret"\n';

async function profileWith(env: Readonly<Record<string, string>>) {
  await using home = await temporaryFolder({ '.lacework.toml': toml });
  return readProfile('default', createMemoryIo({ homeDirectory: home.path, env }));
}

test('the account of a profile begins its address, and policy ids begin with it', async () => {
  const { origin, account } = await profileWith({});
  expect([origin, account]).toEqual(['https://acme.fra.lacework.net', undefined]);
  expect(accountNameOf(new URL(origin), undefined, account)).toBe('acme');
});

test('behind an address of one’s own policy ids begin with the account that the profile names', async () => {
  const { origin, account } = await profileWith({ LW_API_SERVER_URL: 'http://127.0.0.1:8080' });
  expect([origin, account]).toEqual(['http://127.0.0.1:8080', 'acme']);
  expect(accountNameOf(new URL(origin), undefined, account)).toBe('acme');
  const other = await profileWith({ LW_API_SERVER_URL: 'http://127.0.0.1:8080', LW_ACCOUNT: 'Beta' });
  expect(accountNameOf(new URL(other.origin), undefined, other.account)).toBe('beta');
});
