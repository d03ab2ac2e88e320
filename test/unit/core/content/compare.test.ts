import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compare, mergeFields } from '../../../../server/core/content/compare.ts';
import type { ContentFields, ContentObject, RemoteObject } from '../../../../server/core/content/content-object.ts';
import {
  canonicalPolicyId,
  idProblem,
  neutralPolicyId,
  remotePolicyId,
} from '../../../../server/core/content/identity.ts';
import {
  meaningOf,
  normalise,
  remoteAlertProfile,
  remotePolicy,
  remoteQuery,
} from '../../../../server/core/content/normalise.ts';

const names = { account: 'Acme', vendorPrefix: 'SVC' };
const runs = process.env['DEEP'] ? 10_000 : 500;

const policy = (fields: ContentFields): ContentObject => ({ kind: 'policy', id: '$account-a-1', fields });
const remote = (fields: ContentFields): RemoteObject => ({
  ...policy(fields),
  remoteId: 'acme-a-1',
  vendorOwned: false,
  updateTime: undefined,
  updateUser: undefined,
});
const key = { kind: 'policy', id: '$account-a-1' } as const;

describe('policy ids', () => {
  it('lose and regain the account, whatever its case', () => {
    expect(neutralPolicyId('acme-buckets-1', names)).toBe('$account-buckets-1');
    expect(remotePolicyId('$account-buckets-1', { ...names, account: 'acme' })).toBe('acme-buckets-1');
    expect(neutralPolicyId('lacework-global-1', names)).toBe('lacework-global-1');
  });
  it('mean one thing in their three spellings', () => {
    expect(['$account-x-1', 'x-1', 'acme-x-1'].map((id) => canonicalPolicyId(id, names))).toEqual(
      Array(3).fill('$account-x-1'),
    );
  });
  it('survive the round trip for every chosen id', () => {
    fc.assert(
      fc.property(
        fc.stringMatching(/^[a-z]{1,16}(-[0-9]{1,8})?$/),
        fc.stringMatching(/^[a-z][a-z0-9]{0,10}$/),
        (rest, account) => {
          const here = { account, vendorPrefix: 'SVC' };
          expect(neutralPolicyId(remotePolicyId(`$account-${rest}`, here), here)).toBe(`$account-${rest}`);
        },
      ),
      { numRuns: runs },
    );
  });
  it.each([
    ['policy', '$account-buckets-1', undefined],
    ['policy', '$account-default-1', 'given out by the service'],
    ['policy', 'lacework-global-1', 'needs an id like'],
    ['policy', '$account-Buckets', 'lower-case letters'],
    ['query', 'SVC_Global_X', 'belong to the vendor'],
    ['query', 'Acme_X', undefined],
    ['query', '1x', 'begins with a letter'],
    ['alertProfile', 'SVC_X', 'belong to the vendor'],
  ] as const)('of kind %s, %s, are judged before anything is sent', (kind, id, problem) => {
    if (problem === undefined) expect(idProblem(kind, id, names)).toBeUndefined();
    else expect(idProblem(kind, id, names)).toContain(problem);
  });
});

describe('meaning', () => {
  const query = (queryText: string): string => meaningOf({ kind: 'query', fields: { queryText } });
  it('of a query ignores layout, comments, keyword case and the old name', () => {
    const one = query("{ source { A } filter { B = 'x' } return { B } }");
    expect(query("Old {\n  SOURCE { A } -- where from\n  filter { B = 'x' }\r\n  return { B }\n}")).toBe(one);
    expect(query("{ source { a } filter { B = 'x' } return { B } }")).not.toBe(one);
    expect(query("{ source { A } filter { B = 'X' } return { B } }")).not.toBe(one);
  });
  it('of a text that is no LQL is the text', () => {
    expect(query('package x\r\nallow = true')).toBe(query('package x\nallow = true'));
    expect(query('package x')).not.toBe(query('package y'));
  });
  it('of a policy ignores what the service fills in or sets itself', () => {
    const authored = {
      queryId: 'Q',
      title: 'T',
      enabled: true,
      severity: 'high',
      description: 'D',
      remediation: 'R',
      alertEnabled: true,
    };
    const answered = {
      ...authored,
      policyId: 'acme-a-1',
      policyType: 'Violation',
      limit: 1000,
      tags: ['domain:AWS', 'b', 'a'],
      owner: 'ann',
      lastUpdateTime: '2026-01-01T00:00:00.000Z',
      somethingNew: { x: 1 },
    };
    expect(meaningOf(remotePolicy(answered, names))).toBe(
      meaningOf(policy(normalise('policy', { ...authored, tags: ['a', 'b'] }, names))),
    );
    expect(remotePolicy(answered, names).id).toBe('$account-a-1');
  });
  it('of a profile is its own part, not what it inherits', () => {
    const template = (name: string, subject: string) => ({ name, eventName: 'E', description: 'D', subject });
    const profile = remoteAlertProfile(
      { alertProfileId: 'P', extends: 'SVC_BASE', alerts: [template('A', 'changed'), template('B', 'same')] },
      { alerts: [template('A', 'old'), template('B', 'same')] },
      names,
    );
    expect(profile.fields['alerts']).toEqual([template('A', 'changed')]);
  });
  it('tells the vendor’s own things', () => {
    expect(remoteQuery({ queryId: 'SVC_Global_X', queryText: 'x' }, names).vendorOwned).toBe(true);
    expect(remoteQuery({ queryId: 'Mine', queryText: 'x', owner: 'ann' }, names).vendorOwned).toBe(false);
  });
});

describe('comparing three ways', () => {
  const a = policy({ title: 'a' });
  const b = policy({ title: 'b' });
  const c = policy({ title: 'c' });
  const there = (object: ContentObject | undefined): RemoteObject | undefined => object && remote(object.fields);
  it.each([
    [a, a, a, true, 'inSync'],
    [a, b, a, true, 'localAhead'],
    [a, a, b, true, 'remoteAhead'],
    [a, b, c, true, 'conflict'],
    [a, b, b, true, 'inSync'],
    [undefined, a, b, true, 'unknownBase'],
    [undefined, a, b, false, 'unknownBase'],
    [undefined, a, undefined, false, 'localOnly'],
    [undefined, undefined, a, false, 'remoteOnly'],
    [a, undefined, a, true, 'deletedLocally'],
    [a, undefined, b, true, 'conflict'],
    [a, a, undefined, true, 'deletedRemotely'],
    [a, b, undefined, true, 'conflict'],
    [undefined, undefined, a, true, 'conflict'],
  ] as const)('base %j, local %j, remote %j, synchronised %s: %s', (base, local, other, wasSynchronised, state) => {
    expect(compare(key, { base, local, remote: there(other), wasSynchronised }).state).toBe(state);
  });
  it('merges by field where each side touched its own', () => {
    const comparison = compare(key, {
      base: policy({ title: 'a', severity: 'low', description: 'd' }),
      local: policy({ title: 'b', severity: 'low', description: 'd' }),
      remote: remote({ title: 'a', severity: 'high' }),
      wasSynchronised: true,
    });
    expect(comparison.state).toBe('conflict');
    expect(comparison.changes.map(({ field, changedBy }) => [field, changedBy])).toEqual([
      ['title', 'local'],
      ['severity', 'remote'],
      ['description', 'remote'],
    ]);
    expect(mergeFields(comparison)?.fields).toEqual({ title: 'b', severity: 'high' });
  });
  it('leaves to the person what both sides changed', () => {
    const comparison = compare(key, { base: a, local: b, remote: there(c), wasSynchronised: true });
    expect(mergeFields(comparison)).toBeUndefined();
  });
  it('merges to the same whichever side is called local', () => {
    const fields = fc.record(
      {
        title: fc.constantFrom('a', 'b'),
        severity: fc.constantFrom('low', 'high'),
        description: fc.constantFrom('d', 'e'),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fields, fields, fields, (base, left, right) => {
        const one = mergeFields(
          compare(key, { base: policy(base), local: policy(left), remote: remote(right), wasSynchronised: true }),
        );
        const two = mergeFields(
          compare(key, { base: policy(base), local: policy(right), remote: remote(left), wasSynchronised: true }),
        );
        expect(one && meaningOf(one)).toBe(two && meaningOf(two));
      }),
      { numRuns: runs },
    );
  });
});
