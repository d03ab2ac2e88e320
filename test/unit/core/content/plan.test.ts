import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Comparison, compare } from '../../../../server/core/content/compare.ts';
import {
  type ContentFields,
  type ContentKind,
  type ContentObject,
  contentKey,
  type RemoteObject,
} from '../../../../server/core/content/content-object.ts';
import { meaningOf } from '../../../../server/core/content/normalise.ts';
import { type Operation, type Plan, plan, referencesOf } from '../../../../server/core/content/plan.ts';
import { templateSteps } from '../../../../server/core/content/template-steps.ts';

const names = { account: 'acme', vendorPrefix: 'SVC' };
const runs = process.env['DEEP'] ? 10_000 : 500;

type Side = ReadonlyMap<string, ContentObject>;

const object = (kind: ContentKind, id: string, fields: ContentFields): ContentObject => ({ kind, id, fields });
const side = (...objects: readonly ContentObject[]): Side =>
  new Map(objects.map((entry) => [contentKey(entry), entry]));
const remoteOf = (entry: ContentObject): RemoteObject => ({
  ...entry,
  remoteId: entry.id.replace('$account', 'acme'),
  vendorOwned: false,
  updateTime: undefined,
  updateUser: undefined,
});

function comparisons(base: Side, local: Side, remote: Side): Comparison[] {
  return [...new Set([...base.keys(), ...local.keys(), ...remote.keys()])].map((key) => {
    const [kind, id] = key.split('\n') as [ContentKind, string];
    const there = remote.get(key);
    return compare(
      { kind, id },
      { base: base.get(key), local: local.get(key), remote: there && remoteOf(there), wasSynchronised: base.has(key) },
    );
  });
}

function planFor(
  base: Side,
  local: Side,
  remote: Side,
  options: { prune?: boolean; overwrite?: ReadonlySet<string> } = {},
): Plan {
  return plan(comparisons(base, local, remote), {
    names,
    prune: options.prune ?? false,
    overwrite: options.overwrite ?? new Set(),
    only: undefined,
    fingerprint: (text) => text,
  });
}

const steps = ({ operations }: Plan): string[] => operations.map(({ action, kind, id }) => `${action} ${kind} ${id}`);

const query = (id: string, text = 'x'): ContentObject =>
  object('query', id, { queryText: `{ source { ${text} } return { A } }` });
const policy = (id: string, queryId: string, more: ContentFields = {}): ContentObject =>
  object('policy', `$account-${id}`, {
    queryId,
    title: 't',
    enabled: true,
    severity: 'high',
    alertEnabled: true,
    ...more,
  });
const profile = (id: string): ContentObject => object('alertProfile', id, { extends: 'SVC_P', alerts: [] });
const exception = (policyId: string, name: string): ContentObject =>
  object('exception', `$account-${policyId}/${name}`, { policyId: `$account-${policyId}`, constraints: [] });

describe('a plan', () => {
  it('creates what others need first, and deletes it last', () => {
    const all = side(exception('p', 'e'), policy('p', 'Q', { alertProfile: 'P.T' }), profile('P'), query('Q'));
    expect(steps(planFor(side(), all, side()))).toEqual([
      'create query Q',
      'create alertProfile P',
      'create policy $account-p',
      'create exception $account-p/e',
    ]);
    expect(steps(planFor(all, side(), all, { prune: true }))).toEqual([
      'delete exception $account-p/e',
      'delete policy $account-p',
      'delete alertProfile P',
      'delete query Q',
    ]);
  });
  it('is empty when files and account mean the same', () => {
    const here = side(query('Q'), policy('p', 'Q'));
    const { operations, obstacles, writes } = planFor(side(), here, here);
    expect([operations, obstacles, writes]).toEqual([[], [], 0]);
  });
  it('names exactly the edit', () => {
    const before = side(query('Q'), query('R'), policy('p', 'Q'));
    const after = side(query('Q'), query('R', 'y'), policy('p', 'Q'));
    const made = planFor(before, after, before);
    expect(steps(made)).toEqual(['update query R']);
    expect(made.operations[0]?.changes.map(({ field }) => field)).toEqual(['queryText']);
  });
  it('never overwrites what nobody here has seen', () => {
    const made = planFor(side(), side(query('Q', 'here')), side(query('Q', 'there')));
    expect(steps(made)).toEqual([]);
    expect(made.obstacles[0]?.message).toContain('nothing here says what they had in common');
    expect(
      steps(planFor(side(), side(query('Q', 'here')), side(query('Q', 'there')), { overwrite: new Set(['query\nQ']) })),
    ).toEqual(['update query Q']);
  });
  it('does not delete without being told to', () => {
    const made = planFor(side(query('Q')), side(), side(query('Q')));
    expect(made.operations).toEqual([]);
    expect(made.obstacles[0]?.message).toContain('pruning');
  });
  it('refuses a policy whose query is neither here nor there, and a deletion that would leave one', () => {
    expect(planFor(side(), side(policy('p', 'GONE')), side()).obstacles[0]?.message).toContain('names the query GONE');
    const both = side(query('Q'), policy('p', 'Q'));
    const made = planFor(both, side(policy('p', 'Q')), both, { prune: true });
    expect(made.operations).toEqual([]);
    expect(made.obstacles.map(({ message }) => message)).toEqual(['The policy $account-p still uses it.']);
  });
  it('warns of everything that makes the account see less', () => {
    const before = side(query('Q'), policy('p', 'Q', { limit: 1000 }));
    const after = side(
      query('Q'),
      policy('p', 'Q', { severity: 'low', enabled: false, alertEnabled: false, limit: 5 }),
    );
    expect(planFor(before, after, before).operations[0]?.warnings).toEqual([
      'Severity is lowered from high to low.',
      'The policy is disabled.',
      'Its alerts are muted.',
      'Its limit is lowered from 1000 to 5 records.',
    ]);
  });
  it('changes an alert profile template by template and refuses another parent', () => {
    const template = (name: string, subject: string) => ({ name, eventName: 'e', description: 'd', subject });
    const before = side(
      object('alertProfile', 'P', { extends: 'B', alerts: [template('a', '1'), template('b', '1')] }),
    );
    const after = side(object('alertProfile', 'P', { extends: 'B', alerts: [template('a', '2'), template('c', '1')] }));
    const made = planFor(before, after, before);
    expect(made.operations[0]?.templates.map(({ action, name }) => `${action} ${name}`)).toEqual([
      'update a',
      'create c',
      'delete b',
    ]);
    expect(made.writes).toBe(3);
    const moved = side(object('alertProfile', 'P', { extends: 'C', alerts: [] }));
    expect(planFor(before, moved, before).obstacles[0]?.message).toContain('parent of an alert profile');
    expect(templateSteps(undefined, undefined)).toEqual([]);
  });
});

describe('any plan', () => {
  const ids = fc.constantFrom('A', 'B', 'C');
  const lower = fc.constantFrom('a', 'b', 'c');
  const anyObject = fc.oneof(
    fc.tuple(ids, ids).map(([id, text]) => query(id, text)),
    ids.map((id) => profile(`P${id}`)),
    fc
      .tuple(lower, ids, fc.option(ids))
      .map(([id, queryId, of]) => policy(id, queryId, of === null ? {} : { alertProfile: `P${of}.T` })),
    fc.tuple(lower, lower).map(([policyId, name]) => exception(policyId, name)),
  );
  const anySide = fc.array(anyObject, { maxLength: 9 }).map((objects) => side(...objects));
  /** An account never holds a policy without its query: the service would not have it. */
  const closed = (objects: Side): Side => {
    const kept = new Map(objects);
    for (let changed = true; changed; ) {
      changed = false;
      for (const [key, entry] of kept) {
        if (referencesOf(entry).every((reference) => kept.has(contentKey(reference)))) continue;
        kept.delete(key);
        changed = true;
      }
    }
    return kept;
  };
  const account = anySide.map(closed);

  function applyOne(state: Map<string, ContentObject>, operation: Operation): void {
    if (operation.desired) state.set(contentKey(operation), operation.desired);
    else state.delete(contentKey(operation));
  }

  it('leaves nothing dangling after any of its operations', () => {
    fc.assert(
      fc.property(anySide, anySide, account, fc.boolean(), (base, local, remote, prune) => {
        const state = new Map(remote);
        for (const operation of planFor(base, local, remote, { prune }).operations) {
          applyOne(state, operation);
          for (const entry of state.values()) {
            for (const reference of referencesOf(entry)) expect(state.has(contentKey(reference))).toBe(true);
          }
        }
      }),
      { numRuns: runs },
    );
  });
  it('leaves nothing to do when it is applied and planned again', () => {
    fc.assert(
      fc.property(anySide, anySide, account, fc.boolean(), (base, local, remote, prune) => {
        const state = new Map(remote);
        const synchronised = new Map(base);
        const first = planFor(base, local, remote, { prune });
        for (const operation of first.operations) {
          applyOne(state, operation);
          applyOne(synchronised, operation);
        }
        expect(planFor(synchronised, local, state, { prune }).operations).toEqual([]);
      }),
      { numRuns: runs },
    );
  });
  it('touches in the account only what it names, and never what is newer there', () => {
    fc.assert(
      fc.property(anySide, anySide, account, (base, local, remote) => {
        const made = planFor(base, local, remote, { prune: true });
        for (const operation of made.operations) {
          const there = remote.get(contentKey(operation));
          const before = base.get(contentKey(operation));
          if (there) expect(before && meaningOf(before)).toBe(meaningOf(there));
        }
      }),
      { numRuns: runs },
    );
  });
});

describe('a template that words the alerts of a policy', () => {
  const profile = (...names: readonly string[]): ContentObject =>
    object('alertProfile', 'Acme_P', {
      extends: 'SVC_X',
      alerts: names.map((name) => ({ name, eventName: 'e', description: 'd', subject: 's' })),
    });
  const parent = (...names: readonly string[]): ContentObject =>
    object('alertProfile', 'SVC_X', { alerts: names.map((name) => ({ name })) });
  const query = object('query', 'Acme_Q', { queryText: 'q' });
  const user = (alertProfile: string): ContentObject =>
    object('policy', '$account-p-1', { queryId: 'Acme_Q', alertProfile });

  interface Sides {
    readonly before: readonly ContentObject[];
    readonly after: readonly ContentObject[];
    readonly parent?: ContentObject;
  }
  function planned({ before, after, parent: vendors }: Sides): Plan {
    const [base, local] = [side(query, ...before), side(query, ...after)];
    const ofVendor = vendors
      ? [
          compare(vendors, {
            base: undefined,
            local: undefined,
            remote: { ...remoteOf(vendors), vendorOwned: true },
            wasSynchronised: false,
          }),
        ]
      : [];
    return plan([...comparisons(base, local, base), ...ofVendor], {
      names,
      prune: true,
      overwrite: new Set(),
      only: undefined,
      fingerprint: (it) => it,
    });
  }
  const shown = ({ operations, obstacles }: Plan): readonly string[] => [
    ...operations.map(({ action, id }) => `${action} ${id}`),
    ...obstacles.map(({ id, message }) => `${id}: ${message}`),
  ];
  const inTheWay =
    'Acme_P: The policy $account-p-1 words its alerts by Acme_P.T1, which this would delete. Give the policy another template, or delete it too.';

  it('is not deleted under the policy', () => {
    const sides = { before: [profile('T1', 'T2'), user('Acme_P.T1')], after: [profile('T2'), user('Acme_P.T1')] };
    expect(shown(planned({ ...sides, parent: parent('Other') }))).toEqual([inTheWay]);
    expect(shown(planned({ ...sides, parent: parent('Other', 'T2') }))).toEqual([inTheWay]);
  });

  it('goes where the policy inherits one of the same name, or nobody knows what it inherits', () => {
    const sides = { before: [profile('T1', 'T2'), user('Acme_P.T1')], after: [profile('T2'), user('Acme_P.T1')] };
    expect(shown(planned({ ...sides, parent: parent('T1') }))).toEqual(['update Acme_P']);
    expect(shown(planned(sides))).toEqual(['update Acme_P']);
  });

  it('goes after the policy is switched or deleted in the same plan', () => {
    const before = [profile('T1', 'T2'), user('Acme_P.T1')];
    const switched = planned({ before, after: [profile('T2'), user('Acme_P.T2')], parent: parent('Other') });
    expect(shown(switched)).toEqual(['update $account-p-1', 'update Acme_P']);
    expect(switched.operations[1]?.dependsOn).toEqual(['policy\n$account-p-1']);
    const deleted = planned({ before, after: [profile('T2')], parent: parent('Other') });
    expect(shown(deleted)).toEqual(['delete $account-p-1', 'update Acme_P']);
  });

  it('is there before a policy names it', () => {
    const before = [profile('T1')];
    const missing = planned({ before, after: [profile('T1'), user('Acme_P.T9')], parent: parent('Other') });
    expect(shown(missing)).toEqual([
      '$account-p-1: Its alerts are to be worded by Acme_P.T9, and there is no such template in the account or in this plan.',
    ]);
    const made = planned({ before, after: [profile('T1', 'T9'), user('Acme_P.T9')], parent: parent('Other') });
    expect(shown(made)).toEqual(['update Acme_P', 'create $account-p-1']);
  });

  it('goes with its profile only when no policy uses the profile', () => {
    const made = planned({ before: [profile('T1'), user('Acme_P.T1')], after: [user('Acme_P.T1')] });
    expect(shown(made)).toEqual(['Acme_P: The policy $account-p-1 still uses it.']);
  });
});
