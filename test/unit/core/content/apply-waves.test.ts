import { describe, expect, it } from 'vitest';
import {
  type ApplyOptions,
  applyPlan,
  type JournalEntry,
  type Target,
  WriteDeferred,
  waveSize,
} from '../../../../server/core/content/apply.ts';
import { compare } from '../../../../server/core/content/compare.ts';
import { type ContentObject, contentKey } from '../../../../server/core/content/content-object.ts';
import { type Operation, type Plan, plan } from '../../../../server/core/content/plan.ts';
import { afterStep, remoteOf, textWith } from './support/interleavings.ts';

const query = (id: string, text = id): ContentObject => ({ kind: 'query', id, fields: { queryText: textWith(text) } });
const policy = (id: string, queryId: string): ContentObject => ({ kind: 'policy', id, fields: { queryId, title: id } });

function planFrom(before: readonly ContentObject[], after: readonly ContentObject[]): Plan {
  const keys = new Set([...before, ...after].map(contentKey));
  const comparisons = [...keys].map((key) => {
    const base = before.find((it) => contentKey(it) === key);
    const local = after.find((it) => contentKey(it) === key);
    const object = base ?? local;
    if (!object) throw new Error('neither side');
    return compare(object, { base, local, remote: base && remoteOf(base), wasSynchronised: base !== undefined });
  });
  const names = { account: 'acme', vendorPrefix: 'SVC' };
  return plan(comparisons, { names, prune: true, overwrite: new Set(), only: undefined, fingerprint: (it) => it });
}

/** An account that writes down every call in order: `read`, `ready`, `> id` for a call and `< id` for its answer. */
function account(initial: readonly ContentObject[], hooks: Partial<Target> = {}) {
  const objects = new Map(initial.map((object) => [contentKey(object), object]));
  const calls: string[] = [];
  const target: Target = {
    async read(kinds, around) {
      calls.push('read');
      await hooks.read?.(kinds, around);
      return new Map(
        [...objects].filter(([, { kind }]) => kinds.includes(kind)).map(([key, it]) => [key, remoteOf(it)]),
      );
    },
    async write(step) {
      calls.push(`> ${step.id}`);
      await hooks.write?.(step);
      const next = afterStep(objects.get(contentKey(step)), step);
      if (next) objects.set(contentKey(step), next);
      else objects.delete(contentKey(step));
      calls.push(`< ${step.id}`);
      return { remoteId: step.id };
    },
    ...(hooks.ready
      ? {
          ready: async (operations: readonly Operation[]) => {
            calls.push('ready');
            return (await hooks.ready?.(operations)) ?? false;
          },
        }
      : {}),
  };
  return { objects, calls, target };
}

async function apply(made: Plan, target: Target, options: Partial<ApplyOptions> = {}): Promise<string[]> {
  const entries: JournalEntry[] = [];
  const journal = { record: async (entry: JournalEntry) => void entries.push(entry) };
  const result = await applyPlan(made, target, { journal, ...options });
  if (result.kind === 'stale') return ['stale'];
  expect(result.results).toHaveLength(made.operations.length);
  return result.results.map(({ operation, outcome }) =>
    outcome.kind === 'done' ? `${operation.id} done` : `${operation.id} ${outcome.kind}: ${outcome.message}`,
  );
}

describe('waves of writes', () => {
  it('are few calls at once, each of them right after the reading', async () => {
    const ids = Array.from({ length: waveSize + 2 }, (_, n) => `Q${String(n).padStart(2, '0')}`);
    const { calls, target } = account([]);
    const slow: Target = {
      ...target,
      write: async (step) => {
        calls.push(`sent ${step.id}`);
        await new Promise((resolve) => setTimeout(resolve, 2));
        return target.write(step);
      },
    };
    await apply(
      planFrom(
        [],
        ids.map((id) => query(id)),
      ),
      slow,
    );
    const first = ids.slice(0, waveSize).map((id) => `sent ${id}`);
    expect(calls.slice(0, waveSize + 1)).toEqual(['read', ...first]);
    // The reading after the first wave is the one before the second.
    expect(calls.filter((call) => call === 'read' || call.startsWith('sent'))).toEqual([
      'read',
      ...first,
      'read',
      ...ids.slice(waveSize).map((id) => `sent ${id}`),
      'read',
    ]);
  });

  it('start with a new reading when they had to wait, and leave alone what changed meanwhile', async () => {
    let waits = 0;
    const { objects, calls, target } = account([query('A'), query('B')], {
      ready: async () => {
        if (waits++ > 0) return false;
        objects.set('query\nA', query('A', 'console'));
        return true;
      },
    });
    const made = planFrom([query('A'), query('B')], [query('A', 'mine'), query('B', 'mine')]);
    expect(await apply(made, target)).toEqual([
      'A skipped: It was changed in the account while the plan was being applied.',
      'B done',
    ]);
    expect(calls).toEqual(['read', 'ready', 'read', '> B', '< B', 'read']);
  });

  it('are made anew when a call would have had to wait, but not for ever', async () => {
    let refusals = 2;
    const hooks: Partial<Target> = {
      write: async () => {
        if (refusals-- > 0) throw new WriteDeferred('The rate limit is used up.');
        return { remoteId: '' };
      },
    };
    const once = account([query('A')], hooks);
    const made = planFrom([query('A')], [query('A', 'mine')]);
    expect(await apply(made, once.target)).toEqual(['A done']);
    expect(once.calls).toEqual(['read', '> A', 'read', '> A', 'read', '> A', '< A', 'read']);
    refusals = 1_000;
    const never = account([query('A')], hooks);
    expect(await apply(made, never.target)).toEqual(['A failed: The rate limit is used up.']);
    expect(never.calls.length).toBeLessThan(20);
  });

  it('end in a complete list when the account cannot be read any more', async () => {
    const before = [query('A'), policy('p', 'A')];
    const made = planFrom(before, [
      query('A', 'mine'),
      { ...policy('p', 'A'), fields: { queryId: 'A', title: 'mine' } },
    ]);
    const failing = (from: number): Target => {
      let reads = 0;
      return account(before, {
        read: async () => {
          if (++reads > from) throw new Error('401');
          return new Map();
        },
      }).target;
    };
    await expect(apply(made, failing(0))).rejects.toThrow('401');
    expect(await apply(made, failing(1))).toEqual([
      'A skipped: The account could not be read before it: 401',
      'p skipped: It needs the query A, which was not deployed.',
    ]);
    expect(await apply(made, failing(2))).toEqual([
      'A unknown: The service took the change of A. The account could not be read again to make sure: 401',
      'p skipped: It needs the query A, of which nobody knows whether it was deployed.',
    ]);
    expect((await apply(made, failing(3)))[1]).toBe('p skipped: The account could not be read before it: 401');
  });

  it('take one call of an object after the other, with a look at the account between', async () => {
    const template = (name: string, subject: string) => ({ name, eventName: 'e', description: 'd', subject });
    const profile = (...alerts: ReturnType<typeof template>[]): ContentObject => ({
      kind: 'alertProfile',
      id: 'P',
      fields: { extends: 'SVC_X', alerts },
    });
    const before = [profile(template('T1', 'a'), template('T2', 'a'))];
    const after = [
      profile(template('T1', 'b'), template('T3', 'b')),
      { ...query('N'), fields: { ...query('N').fields, queryName: 'named' } },
    ];
    const { calls, objects, target } = account(before);
    expect(await apply(planFrom(before, after), target)).toEqual(['N done', 'P done']);
    expect(calls).toEqual([
      ...['read', 'read', '> N', '< N', 'read', '> N', '< N', 'read'],
      ...['read', '> P', '< P', 'read', '> P', '< P', 'read', '> P', '< P', 'read'],
    ]);
    expect(objects.get('alertProfile\nP')?.fields['alerts']).toEqual([template('T1', 'b'), template('T3', 'b')]);

    // Somebody else writes between two of the calls: the rest is not written over it.
    const disturbed = account(before);
    const hooked: Target = {
      ...disturbed.target,
      read: async (kinds, around) => {
        if (disturbed.calls.filter((call) => call === '< P').length === 1)
          disturbed.objects.set('alertProfile\nP', profile(template('T1', 'b'), template('T2', 'console')));
        return disturbed.target.read(kinds, around);
      },
    };
    const [outcome] = await apply(planFrom(before, [after[0] as ContentObject]), hooked);
    expect(outcome).toMatch(/^P unknown: The service took the change, but its list shows something else/);
    expect(disturbed.objects.get('alertProfile\nP')?.fields['alerts']).toEqual([
      template('T1', 'b'),
      template('T2', 'console'),
    ]);
  });

  it('finish what takes several calls before a cancellation counts', async () => {
    const named = { ...query('N'), fields: { ...query('N').fields, queryName: 'named' } };
    const { calls, target } = account([]);
    const outcomes = await apply(planFrom([], [named, policy('$account-p-1', 'N')]), target, {
      cancelled: () => calls.includes('> N'),
    });
    expect(outcomes).toEqual(['N done', '$account-p-1 skipped: The deployment was cancelled before it.']);
  });

  it('call unknown what was refused behind a first call, when the account cannot be read any more', async () => {
    const named = { ...query('N'), fields: { ...query('N').fields, queryName: 'named' } };
    let writes = 0;
    const { target } = account([], {
      read: async () => {
        if (writes > 1) throw new Error('401');
        return new Map();
      },
      write: async () => {
        if (++writes > 1) throw new Error('403');
        return { remoteId: 'N' };
      },
    });
    const [outcome] = await apply(planFrom([], [named]), target);
    expect(outcome).toBe('N unknown: 403 The account could not be read again to make sure: 401');
  });

  it('count what an interrupted try has done as done', async () => {
    const seen: string[] = [];
    const made = planFrom([], [query('A'), query('B')]);
    const { target } = account([query('A')]);
    await apply(made, target, {
      earlier: [{ kind: 'ended', key: 'query\nA', outcome: { kind: 'done', remoteId: 'A' } }],
      progress: (done, total, { id }) => seen.push(`${id} ${done}/${total}`),
    });
    expect(seen).toEqual(['B 2/2']);
  });
});
