import { expect, test } from 'vitest';
import {
  accountFromEnvironment,
  accountOfKey,
  accountsFromToml,
  readKeyFile,
} from '../../../../../client/infrastructure/session/vendor-cli-profiles.ts';
import { reveal } from '../../../../../server/api/transport/redact.ts';

const toml = `
[default]
account = "acme"
api_key = "ACME_KEY"
api_secret = "_secret"
version = 2

[eu]
account = "acme.fra"
subaccount = "unit"
api_key = "EU_KEY"
api_secret = "_secret2"

[full]
account = "beta.lacework.net"
api_key = "FULL_KEY"
api_secret = "_secret3"

[nokey]
account = "gamma"

[noaccount]
api_key = "X"
api_secret = "Y"

[evil]
account = "a@evil.example/?x=.lacework.net"
api_key = "X"
api_secret = "Y"
`;

test('every usable section of the profile file becomes an account, the others are named', () => {
  const { accounts, problems } = accountsFromToml(toml);
  expect(accounts.map(({ name, origin, subAccount, keyId }) => [name, origin, subAccount, keyId])).toEqual([
    ['default', 'https://acme.lacework.net', undefined, 'ACME_KEY'],
    ['eu', 'https://acme.fra.lacework.net', 'unit', 'EU_KEY'],
    ['full', 'https://beta.lacework.net', undefined, 'FULL_KEY'],
  ]);
  expect(problems).toHaveLength(3);
});

test('a problem never quotes the secret', () => {
  const { problems } = accountsFromToml('[a]\naccount = "x y"\napi_key = "K"\napi_secret = "_topsecret"');
  expect(problems).toHaveLength(1);
  expect(problems.join()).not.toContain('_topsecret');
});

test('a file that is not TOML is said to be so', () => {
  expect(accountsFromToml('account = = 1').problems[0]).toMatch(/not valid TOML/);
  expect(accountsFromToml('')).toEqual({ accounts: [], problems: [] });
});

test('the environment gives an account only when it is complete', () => {
  const complete = { LW_ACCOUNT: 'acme', LW_API_KEY: 'K', LW_API_SECRET: 'S', LW_SUBACCOUNT: 'unit' };
  expect(accountFromEnvironment(complete)).toMatchObject({ origin: 'https://acme.lacework.net', subAccount: 'unit' });
  expect(accountFromEnvironment({ ...complete, LW_API_SECRET: undefined })).toBeUndefined();
  expect(accountFromEnvironment({})).toBeUndefined();
});

test('the environment may lead to another server and to the whole organization, as the tool does it', () => {
  const key = { LW_API_KEY: 'K', LW_API_SECRET: 'S' };
  const server = { ...key, LW_ACCOUNT: 'acme.fra', LW_API_SERVER_URL: 'http://127.0.0.1:8080' };
  expect(accountFromEnvironment(server)).toMatchObject({ origin: 'http://127.0.0.1:8080', account: 'acme' });
  expect(accountFromEnvironment({ ...key, LW_API_SERVER_URL: 'http://10.0.0.1' })).toBeUndefined();
  const whole = { ...key, LW_ACCOUNT: 'acme', LW_SUBACCOUNT: 'unit', LW_ORGANIZATION: 'true' };
  expect(accountFromEnvironment(whole)).toMatchObject({ organization: true, subAccount: undefined });
});

test('a downloaded key file gives the account named in it', () => {
  const text = JSON.stringify({ keyId: 'K', secret: 'S', account: 'acme.lacework.net', subAccount: 'unit' });
  const account = readKeyFile(text);
  expect(account).toMatchObject({
    name: 'acme',
    origin: 'https://acme.lacework.net',
    subAccount: 'unit',
    keyId: 'K',
  });
  expect(typeof account === 'object' && reveal(account.secret)).toBe('S');
  expect(readKeyFile('{"keyId":"K"}')).toMatch(/names no account/);
});

test('a key file of text gives the key, and the account is told beside it', () => {
  const key = readKeyFile('Account key\r\napiId: ACME_1\r\npassword: _s3cret:x\r\n');
  if (typeof key === 'string') throw new Error(key);
  expect(key.keyId).toBe('ACME_1');
  expect(reveal(key.secret)).toBe('_s3cret:x');
  expect(accountOfKey('acme.fra', key)).toMatchObject({ name: 'acme', origin: 'https://acme.fra.lacework.net' });
  expect(accountOfKey('http://evil.example', key)).toMatch(/https/);
  expect(readKeyFile('apiId: ACME_1')).toMatch(/holds no key/);
});
