import { expect, test, vi } from 'vitest';
import type { RemoteProfile } from '../../../../../client/infrastructure/session/profile.ts';

vi.mock('vscode', () => import('../../../../support/fake-vscode.ts'));

const { accountQuestion } = await import('../../../../../client/features/run-query/account-question.ts');
const { accountKey } = await import('../../../../../client/infrastructure/session/catalog-cache.ts');
const { localProfile } = await import('../../../../../client/infrastructure/session/profile.ts');

const staging: RemoteProfile = {
  kind: 'remote',
  name: 'staging',
  origin: 'https://staging.example.net',
  vendorPrefix: 'SVC',
  subAccount: undefined,
  organization: false,
  environment: 'staging',
  readOnly: false,
};
const acme: RemoteProfile = { ...staging, name: 'acme', origin: 'https://acme.example.net', environment: 'production' };
const all = [localProfile, staging, acme];

const ranOn = (profile: typeof localProfile | RemoteProfile, label = profile.name) => ({
  key: accountKey(profile),
  label,
});
type Question = Parameters<typeof accountQuestion>;
const titles = (run: Question[0], inUse: Question[1], profiles: Question[2] = all) =>
  accountQuestion(run, inUse, profiles)?.choices.map(({ title }) => title);

test('a run on the account in use asks nothing, whatever the account was called or marked as then', () => {
  for (const profile of all) expect(accountQuestion(ranOn(profile), profile, all)).toBeUndefined();
  expect(accountQuestion(ranOn(acme, 'the old name'), acme, all)).toBeUndefined();
  expect(accountQuestion(ranOn({ ...acme, readOnly: true }), acme, all)).toBeUndefined();
  // Remembered without a key: the name has to do.
  expect(accountQuestion({ key: undefined, label: 'acme (PRODUCTION)' }, acme, all)).toBeUndefined();
  expect(accountQuestion({ key: undefined, label: 'acme' }, acme, all)).toBeUndefined();
});

test('a run on another account names both, and offers the one in use first', () => {
  const question = accountQuestion(ranOn(staging), localProfile, all);
  expect(question?.text).toBe('It ran on staging. This window uses Local platform.');
  expect(question?.choices).toMatchObject([
    { kind: 'run', profile: localProfile, title: 'Run on Local platform' },
    { kind: 'run', profile: staging, title: 'Switch to staging and run', description: 'staging.example.net' },
  ]);
  expect(titles({ key: undefined, label: 'staging' }, localProfile)).toEqual([
    'Run on Local platform',
    'Switch to staging and run',
  ]);
});

test('production is named, and is never what Enter takes while there is another way', () => {
  expect(titles(ranOn(staging), acme)).toEqual(['Switch to staging and run', 'Run on acme (PRODUCTION)']);
  expect(titles(ranOn(acme), staging)).toEqual(['Run on staging', 'Switch to acme (PRODUCTION) and run']);
});

test('a sub-account is another account than the one it belongs to', () => {
  const sub = { ...staging, name: 'staging', subAccount: 'emea' };
  expect(titles(ranOn(sub, 'staging › emea'), staging, [staging, sub])).toEqual([
    'Run on staging',
    'Switch to staging › emea and run',
  ]);
});

test('of several profiles of one account the one with the name that the run shows is meant', () => {
  const reading = { ...staging, name: 'reading', readOnly: true };
  expect(titles(ranOn(reading), localProfile, [localProfile, staging, reading])?.[1]).toBe('Switch to reading and run');
});

test('an account that is gone is said to be gone, also where another one has its name now', () => {
  const question = accountQuestion(ranOn(staging), acme, [localProfile, acme]);
  expect(question?.text).toBe(
    'It ran on staging, which is not among your accounts any more. This window uses acme (PRODUCTION).',
  );
  expect(question?.choices.map(({ title }) => title)).toEqual([
    'Switch to another account…',
    'Run on acme (PRODUCTION)',
  ]);
  const moved = { ...staging, origin: 'https://other.example.net' };
  expect(accountQuestion(ranOn(staging), moved, [localProfile, moved])?.text).toBe(
    'It ran on another account named staging, which is not among your accounts any more. This window uses staging.',
  );
});
