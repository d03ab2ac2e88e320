import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  AmbiguousWrite,
  type ApplyResult,
  applyPlan,
  type JournalEntry,
  type Target,
} from '../../../../server/core/content/apply.ts';
import { compare } from '../../../../server/core/content/compare.ts';
import {
  type ContentKind,
  type ContentObject,
  contentKey,
  type RemoteObject,
} from '../../../../server/core/content/content-object.ts';
import { meaningOf } from '../../../../server/core/content/normalise.ts';
import { type Operation, type Plan, plan, referencesOf } from '../../../../server/core/content/plan.ts';
import { undoComparisons } from '../../../../server/core/content/undo.ts';

const names = { account: 'acme', vendorPrefix: 'SVC' };
const runs = process.env['DEEP'] ? 5_000 : 300;

type Side = ReadonlyMap<string, ContentObject>;
const side = (...objects: readonly ContentObject[]): Side =>
  new Map(objects.map((entry) => [contentKey(entry), entry]));
const query = (id: string, text = 'x'): ContentObject => ({
  kind: 'query',
  id,
  fields: { queryText: `{ source { ${text} } return { A } }` },
});
const policy = (id: string, queryId: string, title = 't'): ContentObject => ({
  kind: 'policy',
  id: `$account-${id}`,
  fields: { queryId, title },
});

class Killed extends Error {}

interface Faults {
  /** Fails the write with this number, cleanly, or without an answer after or before it took effect. */
  readonly at?: number;
  readonly how?: 'error' | 'ambiguousDone' | 'ambiguousNot' | 'killBefore' | 'killAfter';
  /** The console's own change, right before the write with this number. */
  readonly console?: { readonly at: number; readonly edit: (state: Map<string, ContentObject>) => void };
}

/** An account in memory that counts calls and fails on command. */
function modelAccount(initial: Side, faults: Faults = {}) {
  const state = new Map(initial);
  const counts = { reads: 0, writes: 0 };
  const remoteOf = (entry: ContentObject): RemoteObject => ({
    ...entry,
    remoteId: entry.id.replace('$account', 'acme'),
    vendorOwned: false,
    updateTime: undefined,
    updateUser: undefined,
  });
  const perform = (operation: Operation): void => {
    const next = new Map(state);
    if (operation.desired) next.set(contentKey(operation), operation.desired);
    else next.delete(contentKey(operation));
    // The service refuses what would leave something naming what is not there.
    for (const entry of next.values()) {
      for (const reference of referencesOf(entry)) {
        if (!next.has(contentKey(reference))) throw new Error(`409: ${entry.id} needs ${reference.id}`);
      }
    }
    state.clear();
    for (const [key, entry] of next) state.set(key, entry);
  };
  const target: Target = {
    async read(kinds: readonly ContentKind[]) {
      counts.reads += kinds.length;
      return new Map(
        [...state].filter(([, { kind }]) => kinds.includes(kind)).map(([key, entry]) => [key, remoteOf(entry)]),
      );
    },
    async write(operation) {
      const number = counts.writes++;
      if (faults.console?.at === number) faults.console.edit(state);
      if (faults.at === number) {
        if (faults.how === 'error') throw new Error('500: internal error');
        if (faults.how === 'ambiguousNot') throw new AmbiguousWrite('The connection was lost.');
        if (faults.how === 'killBefore') throw new Killed();
        perform(operation);
        if (faults.how === 'killAfter') throw new Killed();
        throw new AmbiguousWrite('The connection was lost.');
      }
      perform(operation);
      return { remoteId: operation.id.replace('$account', 'acme') };
    },
  };
  return { state, counts, target, snapshot: () => new Map([...state].map(([key, entry]) => [key, remoteOf(entry)])) };
}

function planFor(base: Side, local: Side, remote: ReadonlyMap<string, RemoteObject>): Plan {
  const keys = [...new Set([...base.keys(), ...local.keys(), ...remote.keys()])];
  const comparisons = keys.map((key) => {
    const [kind, id] = key.split('\n') as [ContentKind, string];
    return compare(
      { kind, id },
      { base: base.get(key), local: local.get(key), remote: remote.get(key), wasSynchronised: base.has(key) },
    );
  });
  return plan(comparisons, { names, prune: true, overwrite: new Set(), only: undefined, fingerprint: (text) => text });
}

function journal(entries: JournalEntry[]) {
  return { record: async (entry: JournalEntry) => void entries.push(entry) };
}

const outcomes = (result: ApplyResult): string[] =>
  result.kind === 'stale'
    ? [`stale ${result.changed.join()}`]
    : result.results.map(({ operation, outcome }) => `${operation.id} ${outcome.kind}`);

const before = side(query('A'), query('B'), query('C'), policy('p', 'A'), policy('q', 'B'));
const after = side(query('A', 'y'), query('B'), query('D'), policy('p', 'A', 'new'), policy('r', 'D'));

describe('applying a plan', () => {
  it('brings the account to what the files say, with one list call a kind before and after each wave', async () => {
    const account = modelAccount(before);
    const made = planFor(before, after, account.snapshot());
    const result = await applyPlan(made, account.target, { journal: journal([]) });
    expect(outcomes(result)).toEqual([
      'A done',
      'D done',
      '$account-p done',
      '$account-r done',
      '$account-q done',
      'C done',
    ]);
    expect([...account.state.values()].map(meaningOf).sort()).toEqual([...after.values()].map(meaningOf).sort());
    // The two lists of the start, then one before and one after each wave, where the one before is not the last one read.
    expect(account.counts).toEqual({ reads: 9, writes: 6 });
  });
  it('writes nothing when the account is no longer what was shown', async () => {
    const account = modelAccount(before);
    const made = planFor(before, after, account.snapshot());
    account.state.set(contentKey(query('A')), query('A', 'console'));
    expect(outcomes(await applyPlan(made, account.target, { journal: journal([]) }))).toEqual(['stale query\nA']);
    expect(account.counts.writes).toBe(0);
  });
  it('leaves alone what changes while it works, and says so', async () => {
    const account = modelAccount(before, {
      console: { at: 1, edit: (state) => state.set(contentKey(policy('p', 'A')), policy('p', 'A', 'console')) },
    });
    const made = planFor(before, after, account.snapshot());
    const result = await applyPlan(made, account.target, { journal: journal([]) });
    expect(outcomes(result)).toContain('$account-p skipped');
    expect(account.state.get(contentKey(policy('p', 'A')))?.fields['title']).toBe('console');
  });
  it('skips what depends on a failure and goes on with the rest', async () => {
    const account = modelAccount(before, { at: 1, how: 'error' });
    const result = await applyPlan(planFor(before, after, account.snapshot()), account.target, {
      journal: journal([]),
    });
    expect(outcomes(result)).toEqual([
      'A done',
      'D failed',
      '$account-p done',
      '$account-r skipped',
      '$account-q done',
      'C done',
    ]);
    if (result.kind === 'applied')
      expect(result.results[3]?.outcome).toEqual({
        kind: 'skipped',
        message: 'It needs the query D, which was not deployed.',
      });
  });
  it('reads again after a write without an answer', async () => {
    for (const [how, expected] of [
      ['ambiguousDone', 'A done'],
      ['ambiguousNot', 'A failed'],
    ] as const) {
      const account = modelAccount(before, { at: 0, how });
      const result = await applyPlan(planFor(before, after, account.snapshot()), account.target, {
        journal: journal([]),
      });
      expect(outcomes(result)[0]).toBe(expected);
    }
  });
  it('stops between operations when cancelled', async () => {
    const account = modelAccount(before);
    const made = planFor(before, after, account.snapshot());
    const result = await applyPlan(made, account.target, {
      journal: journal([]),
      cancelled: () => account.counts.writes >= 2,
    });
    expect(outcomes(result).map((text) => text.split(' ')[1])).toEqual([
      'done',
      'done',
      'skipped',
      'skipped',
      'skipped',
      'skipped',
    ]);
  });
});

describe('any deployment', () => {
  const ids = fc.constantFrom('A', 'B', 'C');
  const lower = fc.constantFrom('a', 'b', 'c');
  const anySide = fc
    .array(
      fc.oneof(
        fc.tuple(ids, ids).map(([id, text]) => query(id, text)),
        fc.tuple(lower, ids, ids).map(([id, of, title]) => policy(id, of, title)),
      ),
      { maxLength: 8 },
    )
    .map((objects): Side => {
      const all = side(...objects);
      return new Map(
        [...all].filter(([, entry]) => referencesOf(entry).every((reference) => all.has(contentKey(reference)))),
      );
    });

  it('killed at any write and run again reaches the same end', async () => {
    await fc.assert(
      fc.asyncProperty(
        anySide,
        anySide,
        fc.nat(6),
        fc.constantFrom('killBefore', 'killAfter'),
        async (base, local, at, how) => {
          const made = planFor(base, local, modelAccount(base).snapshot());
          const undisturbed = modelAccount(base);
          await applyPlan(made, undisturbed.target, { journal: journal([]) });

          const account = modelAccount(base, { at, how });
          // A killed process writes no further line: the journal ends where the write began.
          const entries: JournalEntry[] = [];
          const killedTarget: Target = {
            read: account.target.read,
            write: async (operation) => {
              const length = entries.length;
              try {
                return await account.target.write(operation);
              } catch (error) {
                if (error instanceof Killed) {
                  entries.length = length;
                  Object.freeze(entries);
                }
                throw error;
              }
            },
          };
          await applyPlan(made, killedTarget, { journal: journal(entries) }).catch(() => undefined);
          const killed = Object.isFrozen(entries);
          if (killed)
            await applyPlan(made, modelContinuing(account), { journal: journal([...entries]), earlier: [...entries] });
          expect([...account.state.entries()].sort()).toEqual([...undisturbed.state.entries()].sort());
        },
      ),
      { numRuns: runs },
    );
  });
  it('calls unknown what was begun before a crash and what the account shows to be neither old nor new', async () => {
    const query = (text: string): ContentObject => ({ kind: 'query', id: 'Q', fields: { queryText: text } });
    const remote: RemoteObject = {
      ...query('old'),
      remoteId: 'Q',
      vendorOwned: false,
      updateTime: undefined,
      updateUser: undefined,
    };
    const key = contentKey(remote);
    const comparison = compare(remote, { base: remote, local: query('new'), remote, wasSynchronised: true });
    const made = plan([comparison], {
      names,
      prune: true,
      overwrite: new Set(),
      only: undefined,
      fingerprint: (text) => text,
    });
    const outcomeAfter = async (earlier: readonly JournalEntry[]) => {
      const target: Target = {
        read: async () => new Map([[key, { ...remote, fields: { queryText: 'somebody else' } }]]),
        write: async () => {
          throw new Error('nothing is to be written');
        },
      };
      return applyPlan(made, target, { journal: journal([]), earlier });
    };
    expect(await outcomeAfter([])).toEqual({ kind: 'stale', changed: [key] });
    expect(await outcomeAfter([{ kind: 'begun', key }])).toMatchObject({
      results: [{ outcome: { kind: 'unknown' } }],
    });
  });

  it('is taken back by its undo, whatever failed in it', async () => {
    await fc.assert(
      fc.asyncProperty(
        anySide,
        anySide,
        fc.nat(6),
        fc.constantFrom('error', 'ambiguousDone', 'ambiguousNot', undefined),
        async (base, local, at, how) => {
          const account = modelAccount(base, how ? { at, how } : {});
          const result = await applyPlan(planFor(base, local, account.snapshot()), account.target, {
            journal: journal([]),
          });
          if (result.kind === 'stale') throw new Error('nothing changed in between');
          const back = plan(
            [...undoComparisons(result.results, account.snapshot()), ...untouched(account.snapshot(), result)],
            { names, prune: true, overwrite: new Set(), only: undefined, fingerprint: (text) => text },
          );
          expect(back.obstacles).toEqual([]);
          await applyPlan(back, modelContinuing(account), { journal: journal([]) });
          expect([...account.state.values()].map((entry) => contentKey(entry) + meaningOf(entry)).sort()).toEqual(
            [...base.values()].map((entry) => contentKey(entry) + meaningOf(entry)).sort(),
          );
        },
      ),
      { numRuns: runs },
    );
  });
});

/** The same account without faults. */
function modelContinuing(account: ReturnType<typeof modelAccount>): Target {
  const healthy = modelAccount(account.state);
  return {
    read: account.target.read,
    async write(operation) {
      const answer = await healthy.target.write(operation);
      if (operation.desired) account.state.set(contentKey(operation), operation.desired);
      else account.state.delete(contentKey(operation));
      return answer;
    },
  };
}

/** What the deployment did not touch, so that the plan knows what is in the account. */
function untouched(account: ReadonlyMap<string, RemoteObject>, result: ApplyResult) {
  const done = new Set(
    result.kind === 'applied'
      ? result.results.filter(({ outcome }) => outcome.kind === 'done').map(({ operation }) => contentKey(operation))
      : [],
  );
  return [...account.values()]
    .filter((entry) => !done.has(contentKey(entry)))
    .map((remote) =>
      compare({ kind: remote.kind, id: remote.id }, { base: remote, local: remote, remote, wasSynchronised: true }),
    );
}
