import { expect, test } from 'vitest';
import { parseOrigin, parseProfiles, profileLabel } from '../../../../../client/infrastructure/session/profile.ts';

test.each([
  ['https://acme.example.net', 'https://acme.example.net'],
  ['  acme.example.net  ', 'https://acme.example.net'],
  ['https://ACME.example.net/', 'https://acme.example.net'],
  ['https://acme.example.net/api/v2', 'https://acme.example.net'],
  ['http://127.0.0.1:4000', 'http://127.0.0.1:4000'],
  ['http://localhost:80', 'http://localhost'],
  ['http://[::1]:9', 'http://[::1]:9'],
])('the address %s means the origin %s', (text, origin) => {
  expect(parseOrigin(text)).toEqual({ kind: 'origin', origin });
});

test.each([
  ['http://acme.example.net', /https:\/\//],
  ['http://127.0.0.1.evil.example', /https:\/\//],
  ['https://user:pass@acme.example.net', /user name or password/],
  ['ftp://acme.example.net', /https:\/\//],
  ['https://acme.example.net/tenant', /Only the origin/],
  ['https://acme.example.net/?x=1', /Only the origin/],
  ['https://', /not an address/],
  ['javascript:alert(1)', /not an address|Only the origin/],
])('the address %s is refused', (text, reason) => {
  const parsed = parseOrigin(text);
  expect(parsed.kind === 'refused' ? parsed.reason : parsed).toMatch(reason);
});

test('a complete profile is read, and everything else has a safe default', () => {
  const { profiles, problems } = parseProfiles([
    { name: 'acme', baseUrl: 'acme.example.net' },
    {
      name: 'prod',
      baseUrl: 'https://prod.example.net',
      vendorPrefix: 'LW',
      subAccount: 'unit',
      environment: 'production',
      readOnly: true,
    },
  ]);
  expect(problems).toEqual([]);
  expect(profiles).toEqual([
    {
      kind: 'remote',
      name: 'acme',
      origin: 'https://acme.example.net',
      vendorPrefix: 'SVC',
      subAccount: undefined,
      organization: false,
      environment: 'none',
      readOnly: false,
    },
    {
      kind: 'remote',
      name: 'prod',
      origin: 'https://prod.example.net',
      vendorPrefix: 'LW',
      subAccount: 'unit',
      organization: false,
      environment: 'production',
      readOnly: true,
    },
  ]);
  expect(profiles.map(profileLabel)).toEqual(['acme', 'prod › unit']);
});

test('profiles that cannot be used are named with the reason', () => {
  const { profiles, problems } = parseProfiles([
    'text',
    null,
    { baseUrl: 'https://a.example.net' },
    { name: 'b' },
    { name: 'c', baseUrl: 'http://c.example.net' },
    { name: 'd', baseUrl: 'https://d.example.net', organization: true, subAccount: 'x' },
    { name: 'Local platform', baseUrl: 'https://e.example.net' },
    { name: 'f', baseUrl: 'https://f.example.net' },
    { name: 'f', baseUrl: 'https://g.example.net' },
  ]);
  expect(profiles.map(({ origin }) => origin)).toEqual(['https://f.example.net']);
  expect(problems.map(({ name }) => name)).toEqual([
    'profile 1',
    'profile 2',
    'profile 3',
    'b',
    'c',
    'd',
    'Local platform',
    'f',
  ]);
});

test.each([60, 3_600, 86_400])('tokens may be asked to live %i seconds', (tokenSeconds) => {
  const { profiles, problems } = parseProfiles([{ name: 'a', baseUrl: 'https://a.example.net', tokenSeconds }]);
  expect([profiles[0]?.tokenSeconds, problems]).toEqual([tokenSeconds, []]);
});

test.each([0, 59, 86_401, 60.5, '3600', null])('but not %j seconds', (tokenSeconds) => {
  const { profiles, problems } = parseProfiles([{ name: 'a', baseUrl: 'https://a.example.net', tokenSeconds }]);
  expect([profiles, problems[0]?.message]).toEqual([[], expect.stringContaining('from 60 to 86400')]);
});

test('an account may be called otherwise than its address begins, by a name that policy ids can begin with', () => {
  const parse = (account: unknown) => parseProfiles([{ name: 'a', baseUrl: 'https://lql.example.net', account }]);
  expect(parse(' Acme_1 ').profiles[0]?.account).toBe('Acme_1');
  expect(parse(undefined).profiles[0]?.account).toBeUndefined();
  expect(parse('acme.example').problems[0]?.message).toMatch(/policy ids begin with/);
});
