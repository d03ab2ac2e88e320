import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { behaviourChecks, compareHits } from '../../../../server/core/content/behaviour.ts';
import { compare } from '../../../../server/core/content/compare.ts';
import { type ContentObject, contentKey, type RemoteObject } from '../../../../server/core/content/content-object.ts';
import { describeBehaviour, hitSummary } from '../../../../server/core/content/describe-behaviour.ts';
import { type Plan, plan } from '../../../../server/core/content/plan.ts';
import type { Value } from '../../../../server/core/language/values/value.ts';
import type { ResultRow } from '../../../../server/core/resources/execution.ts';

const runs = process.env['DEEP'] ? 20_000 : 500;
const all = { sample: 1_000, cutAt: 5_000 };

describe('the hits of two results', () => {
  it('are matched by value, however often they occur, whatever the order of rows, columns and keys', () => {
    const before = [{ ARN: 'a', N: 1 }, { ARN: 'a', N: 1 }, { ARN: 'b', N: 9_007_199_254_740_993n }, { ARN: 'c' }];
    const after = [
      { N: 1, ARN: 'a' },
      { ARN: 'c', N: undefined },
      { ARN: 'b', N: 9_007_199_254_740_992n },
      { ARN: 'd', N: 1 },
    ];
    expect(compareHits(before, after, all)).toEqual({
      before: 4,
      after: 4,
      same: 2,
      added: 2,
      lost: 2,
      addedRows: [after[2], after[3]],
      lostRows: [before[1], before[2]],
      addedColumns: [],
      lostColumns: [],
      isCut: false,
    });
    expect(compareHits([{ C: { b: [1], a: null } }], [{ C: { a: null, b: [1] } }], all).same).toBe(1);
  });

  it('are matched however deep the service nests a value', () => {
    let deep: Value = 1;
    for (let level = 0; level < 20_000; level++) deep = level % 2 === 0 ? [deep] : { k: deep };
    expect(compareHits([{ A: deep }], [{ A: deep }, { A: [deep] }], all)).toMatchObject({ same: 1, added: 1 });
  });

  it('stay the same when a column comes or goes, which is said apart', () => {
    const hits = compareHits([{ ARN: 'a', OLD: 1 }], [{ arn: 'a', NEW: 2 }], all);
    expect(hits).toMatchObject({ same: 1, added: 0, lost: 0, addedColumns: ['NEW'], lostColumns: ['OLD'] });
    expect(compareHits([{ A: 1 }], [{ B: 1 }], all)).toMatchObject({ same: 0, added: 1, lost: 1 });
    // A column that is null in every row is a column all the same where the text says so.
    const columns = { before: ['ARN', 'X'], after: ['ARN', 'X'] };
    expect(compareHits([{ ARN: 'a' }], [{ ARN: 'a', X: 1 }], { ...all, columns })).toMatchObject({
      added: 1,
      lost: 1,
      addedColumns: [],
    });
    expect(compareHits([{ ARN: 'a' }], [{ ARN: 'a', X: 1 }], all)).toMatchObject({ added: 0, addedColumns: ['X'] });
  });

  it('say nothing of columns when a result is empty, and tell when a result is cut', () => {
    expect(compareHits([], [{ A: 1 }], all)).toMatchObject({ added: 1, lost: 0, addedColumns: [], lostColumns: [] });
    expect(compareHits([{ A: 1 }], [], all)).toMatchObject({ added: 0, lost: 1, addedColumns: [], lostColumns: [] });
    expect(compareHits([], [], all)).toMatchObject({ before: 0, after: 0, same: 0, isCut: false });
    expect(compareHits([{ A: 1 }, { A: 2 }], [{ A: 1 }], { sample: 1, cutAt: 2 }).isCut).toBe(true);
  });

  it('keep samples small and counts whole', () => {
    const rows = Array.from({ length: 100 }, (_, n) => ({ N: n }));
    const hits = compareHits(rows, [], { sample: 3, cutAt: 5_000 });
    expect([hits.lost, hits.lostRows]).toEqual([100, rows.slice(0, 3)]);
    expect(hitSummary(hits)).toBe('100 hits become 0: 0 added, 100 lost');
  });

  const value = fc.oneof(
    fc.constantFrom(undefined, null, true, 0, -0, 1, 1n, '', '1', 'null', 'a\u0000b'),
    fc.array(fc.nat(2), { maxLength: 2 }),
    fc.dictionary(fc.constantFrom('a', 'b'), fc.nat(2)),
  );
  const row = fc.tuple(value, value).map(([A, B]): ResultRow => ({ A, B }));
  const rows = fc.array(row, { maxLength: 12 });

  it('add up, turn round and do not depend on the order, for any results', () => {
    fc.assert(
      fc.property(rows, rows, fc.infiniteStream(fc.nat()), (before, after, random) => {
        const shuffled = (list: readonly ResultRow[]): ResultRow[] =>
          list
            .map((it) => ({ it, at: random.next().value }))
            .sort((a, b) => a.at - b.at)
            .map(({ it }) => it);
        const hits = compareHits(before, after, all);
        expect(hits.before).toBe(hits.same + hits.lost);
        expect(hits.after).toBe(hits.same + hits.added);
        expect([hits.addedRows.length, hits.lostRows.length]).toEqual([hits.added, hits.lost]);
        const back = compareHits(after, before, all);
        expect([back.added, back.lost, back.same]).toEqual([hits.lost, hits.added, hits.same]);
        const mixed = compareHits(shuffled(before), shuffled(after), all);
        expect([mixed.added, mixed.lost, mixed.same]).toEqual([hits.added, hits.lost, hits.same]);
        expect(compareHits(before, shuffled(before), all)).toMatchObject({ added: 0, lost: 0 });
        // What was added on top of what stayed is what there is now.
        const rebuilt = compareHits([...before, ...hits.addedRows], [...after, ...hits.lostRows], all);
        expect([rebuilt.added, rebuilt.lost]).toEqual([0, 0]);
      }),
      { numRuns: runs },
    );
  });
});

describe('what has to be run for a plan', () => {
  const query = (id: string, text: string): ContentObject => ({
    kind: 'query',
    id,
    fields: { queryText: `{ source { ${text} } return { A } }` },
  });
  const policy = (id: string, queryId: string, title = id): ContentObject => ({
    kind: 'policy',
    id: `$account-${id}`,
    fields: { queryId, title, severity: 'high', enabled: id !== 'off' },
  });
  const side = (...objects: readonly ContentObject[]): Map<string, ContentObject> =>
    new Map(objects.map((object) => [contentKey(object), object]));
  const planOf = (account: Map<string, ContentObject>, files: Map<string, ContentObject>): Plan => {
    const remoteOf = (object: ContentObject): RemoteObject => ({
      ...object,
      remoteId: object.id,
      vendorOwned: false,
      updateTime: undefined,
      updateUser: undefined,
    });
    const comparisons = [...new Set([...account.keys(), ...files.keys()])].map((key) => {
      const [base, local] = [account.get(key), files.get(key)];
      const object = base ?? local;
      if (!object) throw new Error('neither side');
      const remote = base && remoteOf(base);
      return compare(object, { base, local, remote, wasSynchronised: base !== undefined });
    });
    const names = { account: 'acme', vendorPrefix: 'SVC' };
    return plan(comparisons, { names, prune: true, overwrite: new Set(), only: undefined, fingerprint: (it) => it });
  };

  it('is what changes, with the policies that use it; layout, new and deleted queries are nothing to compare', () => {
    const account = side(
      query('A', 'X'),
      query('B', 'X'),
      query('C', 'X'),
      query('Gone', 'X'),
      policy('p', 'A'),
      policy('off', 'A'),
      policy('q', 'B'),
      policy('r', 'B'),
      policy('s', 'Gone'),
    );
    const files = side(
      query('A', 'Y'),
      { ...query('B', 'X'), fields: { queryText: '{ source {\n X } -- here\n return { A } }', description: 'new' } },
      query('C', 'Z'),
      query('New', 'Y'),
      policy('p', 'A', 'other title'),
      policy('off', 'A'),
      policy('q', 'C'),
      policy('r', 'A'),
    );
    const checks = behaviourChecks(planOf(account, files), account);
    expect(
      checks.map(({ deployedQueryId, queryId, policies }) => [deployedQueryId, queryId, policies.map(({ id }) => id)]),
    ).toEqual([
      ['A', 'A', ['$account-p', '$account-off']],
      ['C', 'C', []],
      ['B', 'C', ['$account-q']],
      ['B', 'A', ['$account-r']],
    ]);
    expect(checks[0]?.policies).toEqual([
      { id: '$account-p', title: 'other title', severity: 'high', enabled: true },
      { id: '$account-off', title: 'off', severity: 'high', enabled: false },
    ]);
    expect(checks[3]).toMatchObject({
      deployedText: '{ source { X } return { A } }',
      newText: '{ source { Y } return { A } }',
    });
  });

  it('is nothing when policies change to a query of the same text', () => {
    const account = side(query('A', 'X'), query('B', 'X'), policy('p', 'A'));
    const files = side(query('A', 'X'), query('B', 'X'), policy('p', 'B'));
    expect(behaviourChecks(planOf(account, files), account)).toEqual([]);
  });

  it('reads as sentences', () => {
    const check = {
      queryId: 'A',
      deployedQueryId: 'B',
      deployedText: 'x',
      newText: 'y',
      policies: [{ id: '$account-p', title: 'Open', severity: 'high', enabled: false }],
    };
    const range = { start: Date.UTC(2031, 3, 1), end: Date.UTC(2031, 3, 2) };
    const hits = compareHits([{ N: 1 }, { N: 2 }], [{ N: 2, X: 'y'.repeat(300) }], { sample: 1, cutAt: 5_000 });
    expect(
      describeBehaviour([
        { check, range, outcome: { kind: 'compared', hits } },
        {
          check: { ...check, deployedQueryId: 'A', policies: [] },
          range,
          outcome: { kind: 'failed', side: 'new', message: 'No such column.' },
        },
      ]),
    ).toBe(`Hits of the deployed and of the new text:
  query A (instead of B), 2031-04-01T00:00:00.000Z to 2031-04-02T00:00:00.000Z: 2 hits become 1: 0 added, 1 lost
    new columns: X
    - {"N":1}
    policy $account-p “Open” (high, disabled): 0 added, 1 lost
  query A, 2031-04-01T00:00:00.000Z to 2031-04-02T00:00:00.000Z: The new text could not be run. No such column.
    no policy uses it
`);
  });
});
