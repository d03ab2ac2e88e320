// Alert templates that policies leave, that they go to, and both in one change of one profile.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type ApplyResult,
  applyPlan,
  type Journal,
  type JournalEntry,
  type Target,
} from '../../../../server/core/content/apply.ts';
import { compare } from '../../../../server/core/content/compare.ts';
import { type ContentObject, contentKey, type RemoteObject } from '../../../../server/core/content/content-object.ts';
import { describePlan } from '../../../../server/core/content/describe-plan.ts';
import { type Plan, plan } from '../../../../server/core/content/plan.ts';
import { undoComparisons } from '../../../../server/core/content/undo.ts';
import { afterStep, remoteOf } from './support/interleavings.ts';

const names = { account: 'acme', vendorPrefix: 'SVC' };
const runs = process.env['DEEP'] ? 5_000 : 500;

type Side = ReadonlyMap<string, ContentObject>;
const side = (...objects: readonly ContentObject[]): Side => new Map(objects.map((it) => [contentKey(it), it]));
const query: ContentObject = { kind: 'query', id: 'Acme_Q', fields: { queryText: 'q' } };
const profile = (id: string, parent: string, templates: readonly string[]): ContentObject => ({
  kind: 'alertProfile',
  id,
  fields: {
    extends: parent,
    // `T1:b` is the template T1 in the wording b.
    alerts: [...templates]
      .sort()
      .map((it) => ({ name: it.slice(0, 2), eventName: 'e', description: 'd', subject: it.slice(3) })),
  },
});
const policy = (id: string, alertProfile: string | undefined, title = 't'): ContentObject => ({
  kind: 'policy',
  id: `$account-${id}`,
  fields: { queryId: 'Acme_Q', title, ...(alertProfile === undefined ? {} : { alertProfile }) },
});

function planFor(before: Side, after: Side): Plan {
  const vendors = profile('SVC_X', '', ['T9:v']);
  const remote: RemoteObject = { ...remoteOf(vendors), vendorOwned: true };
  const comparisons = [...new Set([...before.keys(), ...after.keys()])].map((key) => {
    const [base, local] = [before.get(key), after.get(key)];
    const object = base ?? local ?? query;
    return compare(object, { base, local, remote: base && remoteOf(base), wasSynchronised: base !== undefined });
  });
  comparisons.push(compare(vendors, { base: undefined, local: undefined, remote, wasSynchronised: false }));
  return plan(comparisons, { names, prune: true, overwrite: new Set(), only: undefined, fingerprint: (it) => it });
}

/** Policies whose alerts nothing words: their template is gone, or never was. */
function unworded(objects: Side): string[] {
  const has = (id: string, template: string): boolean => {
    if (id === 'SVC_X') return template === 'T9';
    const found = objects.get(`alertProfile\n${id}`);
    if (!found) return false;
    const own = (found.fields['alerts'] ?? []) as readonly { readonly name: string }[];
    return own.some(({ name }) => name === template) || has(String(found.fields['extends']), template);
  };
  return [...objects.values()].flatMap(({ id, fields: { alertProfile } }) => {
    if (typeof alertProfile !== 'string') return [];
    const [of = '', template = ''] = alertProfile.split('.');
    return has(of, template) ? [] : [`${id}: ${alertProfile}`];
  });
}

class Killed extends Error {}

interface Faults {
  /** The service refuses the calls with these numbers. */
  readonly refused?: ReadonlySet<number>;
  /** The process ends right after this many calls. */
  readonly killAfter?: number;
}

/** An account that looks after every call whether a policy has lost its words. */
function account(initial: Side, { refused = new Set(), killAfter }: Faults = {}) {
  const objects = new Map(initial);
  const calls: string[] = [];
  const lost: string[] = [];
  const endWhenDue = (): void => {
    if (calls.length === killAfter) throw new Killed();
  };
  const target: Target = {
    async read(kinds) {
      if (calls.length > 0) endWhenDue();
      return new Map(
        [...objects].filter(([, { kind }]) => kinds.includes(kind)).map(([key, it]) => [key, remoteOf(it)]),
      );
    },
    async write(step) {
      endWhenDue();
      const number = calls.length;
      const [template] = step.templates;
      calls.push(`${template?.action ?? step.action} ${template ? `${step.id}.${template.name}` : step.id}`);
      if (refused.has(number)) throw new Error('400: refused');
      const parent = step.desired?.fields['extends'];
      if (step.action === 'create' && parent && parent !== 'SVC_X' && !objects.has(`alertProfile\n${parent}`))
        throw new Error(`400: there is no alert profile ${parent}`);
      if (step.action === 'delete' && [...objects.values()].some(({ fields }) => fields['extends'] === step.id))
        throw new Error(`409: ${step.id} is extended`);
      const next = afterStep(objects.get(contentKey(step)), step);
      if (next) objects.set(contentKey(step), next);
      else objects.delete(contentKey(step));
      lost.push(...unworded(objects));
      return { remoteId: step.id };
    },
  };
  const journal = (entries: JournalEntry[]): Journal => ({
    async record(entry) {
      if (calls.length > 0) endWhenDue();
      entries.push(entry);
    },
  });
  return { objects, calls, lost, target, journal };
}

type Account = ReturnType<typeof account>;

async function apply(made: Plan, { target, journal }: Account, entries: JournalEntry[] = []): Promise<ApplyResult> {
  return applyPlan(made, target, { journal: journal(entries), earlier: [...entries] });
}

function outcomes(result: ApplyResult): string[] {
  if (result.kind === 'stale') return ['stale'];
  return result.results.map(({ operation: { id, part }, outcome }) => {
    const message = outcome.kind === 'done' ? '' : `: ${outcome.message}`;
    return `${id}${part ? ` ${part}` : ''} ${outcome.kind}${message}`;
  });
}

const meaning = (objects: Side): string => JSON.stringify([...objects].sort(([a], [b]) => (a < b ? -1 : 1)));

describe('a profile that loses a template and gets another, under a policy that goes from one to the other', () => {
  const before = side(query, profile('Acme_P', 'SVC_X', ['T1:a', 'T2:a']), policy('p-1', 'Acme_P.T1'));
  const after = side(query, profile('Acme_P', 'SVC_X', ['T2:b', 'T3:a']), policy('p-1', 'Acme_P.T3'));

  it('gets the one first and loses the other last', async () => {
    const acme = account(before);
    const { calls, lost, objects } = acme;
    const made = planFor(before, after);
    expect(outcomes(await apply(made, acme))).toEqual(['Acme_P done', '$account-p-1 done', 'Acme_P removal done']);
    expect(calls).toEqual(['update Acme_P.T2', 'create Acme_P.T3', 'update $account-p-1', 'delete Acme_P.T1']);
    expect([lost, meaning(objects)]).toEqual([[], meaning(after)]);
    expect([made.writes, made.operations.map(({ writes }) => writes)]).toEqual([4, [2, 1, 1]]);
  });

  it('keeps it when the policy could not be switched', async () => {
    const acme = account(before, { refused: new Set([2]) });
    const { lost, objects } = acme;
    expect(outcomes(await apply(planFor(before, after), acme))).toEqual([
      'Acme_P done',
      '$account-p-1 failed: 400: refused',
      'Acme_P removal skipped: It needs the policy $account-p-1, which was not deployed.',
    ]);
    expect(lost).toEqual([]);
    // What is left is done by the next plan.
    const rest = planFor(objects, after);
    expect(outcomes(await apply(rest, account(objects)))).toEqual(['$account-p-1 done', 'Acme_P done']);
  });

  it('is one object in the summary, and says in the plan what comes first', () => {
    const text = describePlan(planFor(before, after), 'acme');
    expect(text).toMatch(/^Plan for acme: 2 to change, 4 writing calls\n/);
    expect(text.match(/^~ .*$/gm)).toEqual([
      '~ change alert profile Acme_P (changed here)',
      '~ change policy $account-p-1 (changed here)',
      '~ change alert profile Acme_P (changed here; last, once no policy uses it)',
    ]);
  });

  it('is taken back in the same order', async () => {
    const done = account(before);
    const result = await apply(planFor(before, after), done);
    if (result.kind !== 'applied') throw new Error('It was not applied.');
    const now = new Map([...done.objects].map(([key, it]) => [key, remoteOf(it)]));
    const others = [compare(query, { base: query, local: query, remote: remoteOf(query), wasSynchronised: true })];
    const back = plan([...undoComparisons(result.results, now), ...others], {
      names,
      prune: true,
      restore: true,
      overwrite: new Set(),
      only: undefined,
      fingerprint: (it) => it,
    });
    const undone = account(done.objects);
    expect(outcomes(await apply(back, undone))).toEqual(['Acme_P done', '$account-p-1 done', 'Acme_P removal done']);
    expect([undone.lost, meaning(undone.objects)]).toEqual([[], meaning(before)]);
  });

  it('is changed in one go when no policy of the plan leaves what it loses', () => {
    const other = side(query, profile('Acme_P', 'SVC_X', ['T1:a', 'T2:a']), policy('p-1', 'Acme_P.T2'));
    const parts = planFor(other, side(query, profile('Acme_P', 'SVC_X', ['T2:b', 'T3:a']), policy('p-1', 'Acme_P.T3')));
    expect(parts.operations.map(({ id, part }) => [id, part])).toEqual([
      ['Acme_P', undefined],
      ['$account-p-1', undefined],
    ]);
  });
});

describe('profiles that extend each other', () => {
  const both = side(profile('Acme_A', 'Acme_Z', ['T1:a']), profile('Acme_Z', 'SVC_X', []));
  const steps = ({ operations }: Plan): string[] => operations.map(({ action, id }) => `${action} ${id}`);

  it('are made parent first and deleted child first, one after the other', async () => {
    const made = planFor(side(), both);
    expect(steps(made)).toEqual(['create Acme_Z', 'create Acme_A']);
    expect(outcomes(await apply(made, account(side())))).toEqual(['Acme_Z done', 'Acme_A done']);
    const deleted = planFor(both, side());
    expect(steps(deleted)).toEqual(['delete Acme_A', 'delete Acme_Z']);
    expect(outcomes(await apply(deleted, account(both)))).toEqual(['Acme_A done', 'Acme_Z done']);
  });

  it('keep their parent, and are not made without it', () => {
    const kept = planFor(both, side(profile('Acme_A', 'Acme_Z', ['T1:a'])));
    expect(kept.obstacles.map(({ message }) => message)).toEqual(['The alert profile Acme_A still uses it.']);
    const refused = planFor(side(), side(profile('Acme_A', 'SVC_Acme', []), profile('SVC_Acme', 'SVC_X', [])));
    expect(steps(refused)).toEqual([]);
    expect(refused.obstacles.map(({ message }) => message)).toContainEqual(
      'It extends the alert profile SVC_Acme, which is not in the account and not part of this plan.',
    );
  });
});

describe('any plan for profiles and policies', () => {
  const template = fc.constantFrom('T1:a', 'T1:b', 'T2:a', 'T2:b', 'T3:a');
  const templates = fc.uniqueArray(template, { selector: (it) => it.slice(0, 2) });
  const named = fc.option(
    fc.tuple(fc.constantFrom('Acme_A', 'Acme_B'), fc.constantFrom('T1', 'T2', 'T3', 'T9')).map((it) => it.join('.')),
    { nil: undefined },
  );
  const policies = fc.uniqueArray(fc.tuple(fc.constantFrom('p-1', 'p-2', 'p-3'), named, fc.constantFrom('t', 'u')), {
    selector: ([id]) => id,
  });
  const anySide = fc
    .tuple(templates, fc.option(templates), policies)
    .map(([a, b, made]) =>
      side(
        query,
        profile('Acme_A', 'SVC_X', a),
        ...(b ? [profile('Acme_B', 'Acme_A', b)] : []),
        ...made.map(([id, of, title]) => policy(id, of, title)),
      ),
    );
  /** An account in which every policy has its words. */
  const anyAccount = anySide.map((objects) => {
    const lost = new Set(unworded(objects).map((it) => it.slice(0, it.indexOf(':'))));
    return new Map([...objects].filter(([, { id }]) => !lost.has(id)));
  });

  it('leaves every policy its words after each of its calls, whatever the service refuses', async () => {
    const refused = fc.uniqueArray(fc.nat(12), { maxLength: 3 }).map((numbers) => new Set(numbers));
    let parts = 0;
    await fc.assert(
      fc.asyncProperty(anyAccount, anySide, refused, async (before, after, faults) => {
        const made = planFor(before, after);
        parts += made.operations.filter(({ part }) => part).length;
        const acme = account(before, { refused: faults });
        expect((await apply(made, acme)).kind).toBe('applied');
        expect(acme.lost).toEqual([]);
      }),
      { numRuns: runs },
    );
    expect(parts).toBeGreaterThan(runs / 50);
  });

  it('does all of it when nothing is refused', async () => {
    await fc.assert(
      fc.asyncProperty(anyAccount, anySide, async (before, after) => {
        const made = planFor(before, after);
        const acme = account(before);
        expect(outcomes(await apply(made, acme)).filter((it) => !it.endsWith(' done'))).toEqual([]);
        const left = new Set(made.obstacles.map(contentKey));
        for (const key of new Set([...before.keys(), ...after.keys()]))
          expect([key, acme.objects.get(key)]).toEqual([key, (left.has(key) ? before : after).get(key)]);
      }),
      { numRuns: runs },
    );
  });

  it('ends the same when it is killed after any of its calls and taken up again', async () => {
    await fc.assert(
      fc.asyncProperty(anyAccount, anySide, fc.integer({ min: 1, max: 9 }), async (before, after, killAfter) => {
        const made = planFor(before, after);
        const whole = account(before);
        await apply(made, whole);
        const cut = account(before, { killAfter });
        const entries: JournalEntry[] = [];
        await apply(made, cut, entries).catch((error: unknown) => expect(error).toBeInstanceOf(Killed));
        const next = account(cut.objects);
        await apply(made, next, entries);
        expect([...cut.lost, ...next.lost]).toEqual([]);
        expect(meaning(next.objects)).toBe(meaning(whole.objects));
      }),
      { numRuns: runs },
    );
  });
});
