import {
  AmbiguousWrite,
  applyPlan,
  type JournalEntry,
  type OperationResult,
  type Target,
} from '../../../../../server/core/content/apply.ts';
import { type Comparison, compare } from '../../../../../server/core/content/compare.ts';
import {
  type ContentFields,
  type ContentKind,
  type ContentObject,
  contentKey,
  type RemoteObject,
} from '../../../../../server/core/content/content-object.ts';
import { canonicalText, meaningOf } from '../../../../../server/core/content/normalise.ts';
import { type Operation, type Plan, plan, referencesOf } from '../../../../../server/core/content/plan.ts';
import { planPull } from '../../../../../server/core/content/pull.ts';
import type { JsonObject, Value } from '../../../../../server/core/language/values/value.ts';
import { createScheduler, seededRandom } from './scheduler.ts';

/** An account that several work on. */
export interface Service {
  /** A connection of one editor, as deployments use it. */
  connect(): Target;
  /** What a person does in the console, without looking. */
  console(step: Operation): Promise<void>;
  /** Objects that are there from the start, as lists show them. */
  readonly initial: ReadonlyMap<string, ContentObject>;
  readonly kinds: readonly ContentKind[];
  /** What belongs to the vendor: everybody sees it and nobody can change it. */
  readonly vendor?: readonly RemoteObject[];
}

/** What a schedule came to. `outside` and `wide` must stay 0. */
export interface Tally {
  /** Writes of editors that the service took. */
  writes: number;
  /** Writes of the console and of the other editor that came while an editor was at work. */
  foreign: number;
  /** Foreign changes that were overwritten: they came between the last re-read and the write, which is one request. */
  inside: number;
  /** Foreign changes that were overwritten although the last re-read had shown them. */
  outside: number;
  /** Writes that something else than the write itself separated from their last re-read. */
  wide: number;
  killed: number;
  failed: number;
}

export const emptyTally = (): Tally => ({
  writes: 0,
  foreign: 0,
  inside: 0,
  outside: 0,
  wide: 0,
  killed: 0,
  failed: 0,
});

/** The account as all writes together made it, with who wrote what last. */
export interface World {
  readonly objects: Map<string, ContentObject>;
  readonly versions: Map<
    string,
    {
      readonly version: number;
      readonly by: string;
      readonly fields: readonly string[];
      /** Sent by a process that was dead when it arrived: nobody waits for it any more. */
      readonly isLate: boolean;
    }[]
  >;
  version: number;
}

const none: ContentFields = {};

/** What one call makes of an object, as the service does it: only the fields that are sent change. */
export function afterStep(now: ContentObject | undefined, step: Operation): ContentObject | undefined {
  const { kind, id, desired } = step;
  if (!desired) return undefined;
  if (step.action === 'create') return desired;
  const fields: { [field: string]: Value } = { ...(now?.fields ?? none) };
  if (kind === 'alertProfile') {
    const alerts = (fields['alerts'] ?? []) as readonly JsonObject[];
    const [template] = step.templates;
    if (!template) return now;
    const others = alerts.filter((it) => it['name'] !== template.name);
    const next = template.action === 'delete' ? others : [...others, template.template];
    fields['alerts'] = next.sort((a, b) => (String(a['name']) < String(b['name']) ? -1 : 1));
    return { kind, id, fields };
  }
  for (const field of sentFields(step)) {
    const value = desired.fields[field];
    if (value === undefined) delete fields[field];
    else fields[field] = value;
  }
  return { kind, id, fields };
}

/** What a call sends, and so overwrites. */
function sentFields({ kind, action, desired, before, templates }: Operation): string[] {
  if (action !== 'update') return ['*'];
  if (kind === 'alertProfile') return templates.slice(0, 1).map(({ name }) => `template ${name}`);
  const [wanted, old] = [desired?.fields ?? none, before?.fields ?? none];
  return [...new Set([...Object.keys(wanted), ...Object.keys(old)])].filter(
    (field) => canonicalText(wanted[field]) !== canonicalText(old[field]),
  );
}

/** Why the service refuses a call; undefined when it takes it. */
export function refusal(objects: ReadonlyMap<string, ContentObject>, step: Operation): string | undefined {
  const key = contentKey(step);
  if (step.action === 'create' && objects.has(key)) return '409 already exists';
  if (step.action !== 'create' && !objects.has(key)) return '404 not found';
  const next = afterStep(objects.get(key), step);
  if (next) {
    const missing = referencesOf(next).find((reference) => !objects.has(contentKey(reference)));
    return missing && `400 ${missing.id} does not exist`;
  }
  const user = [...objects.values()].find((it) => referencesOf(it).some((reference) => contentKey(reference) === key));
  return user && `409 used by ${user.id}`;
}

/** A service in memory: as quick as an account can be. */
export function modelService(initial: ReadonlyMap<string, ContentObject>): Service {
  const objects = new Map(initial);
  const perform = (step: Operation): void => {
    const why = refusal(objects, step);
    if (why !== undefined) throw new Error(why);
    const next = afterStep(objects.get(contentKey(step)), step);
    if (next) objects.set(contentKey(step), next);
    else objects.delete(contentKey(step));
  };
  return {
    initial,
    kinds: ['query', 'alertProfile', 'policy'],
    connect: () => ({
      read: async (kinds) =>
        new Map([...objects].filter(([, { kind }]) => kinds.includes(kind)).map(([key, it]) => [key, remoteOf(it)])),
      async write(step) {
        perform(step);
        return { remoteId: step.id };
      },
    }),
    console: async (step) => perform(step),
  };
}

export function remoteOf(object: ContentObject): RemoteObject {
  return { ...object, remoteId: object.id, vendorOwned: false, updateTime: undefined, updateUser: undefined };
}

interface Read {
  readonly kind: ContentKind;
  /** The world's version when it was carried out. */
  readonly version: number;
}

export interface ScheduleOptions {
  /** Share of the writes that go wrong: refused, without an answer, or the death of the process. */
  readonly faults: number;
  readonly rounds: number;
  /** What is made worse about the product, to see whether a schedule notices. */
  readonly sabotage?: Sabotage;
}

/** Ways of working that lose somebody's change, put between the product and the account. */
export interface Sabotage {
  target?(target: Target): Target;
  /** What an editor takes for the base of an object. */
  base?(base: ContentObject | undefined, remote: RemoteObject | undefined): ContentObject | undefined;
  /** Keys that are overwritten although nobody decided so. */
  overwrite?(comparisons: readonly Comparison[]): ReadonlySet<string>;
  plan?(plan: Plan): Plan;
}

export interface Schedule {
  readonly tally: Tally;
  readonly world: World;
  readonly problems: readonly string[];
}

/** Two editors with their own files, and the console, on one account, in the order that the seed says. */
export async function runSchedule(
  service: Service,
  seed: number,
  { faults, rounds, sabotage = {} }: ScheduleOptions,
): Promise<Schedule> {
  const random = seededRandom(seed);
  const scheduler = createScheduler(random);
  const tally = emptyTally();
  const problems: string[] = [];
  const world: World = { objects: new Map(service.initial), versions: new Map(), version: 0 };
  let serial = 0;
  const pick = <T>(items: readonly T[]): T | undefined => items[Math.floor(random() * items.length)];
  const word = (who: string): string => `${who}-${seed}-${++serial}`;

  /** Writes down what a call did, and holds the account to its promise. */
  const record = (by: string, step: Operation, isLate = false): void => {
    const key = contentKey(step);
    const next = afterStep(world.objects.get(key), step);
    if (next) world.objects.set(key, next);
    else world.objects.delete(key);
    const entry = { version: ++world.version, by, fields: sentFields(step), isLate };
    world.versions.set(key, [...(world.versions.get(key) ?? []), entry]);
    for (const object of world.objects.values())
      for (const reference of referencesOf(object))
        if (service.kinds.includes(reference.kind) && !world.objects.has(contentKey(reference)))
          problems.push(`${object.id} names ${reference.id}, which is not there, after ${by} wrote ${step.id}`);
  };

  const randomEdit = (objects: ReadonlyMap<string, ContentObject>, who: string): ContentObject | string | undefined => {
    const queries = [...objects.values()].filter(({ kind }) => kind === 'query');
    const target = pick([...objects.values()]);
    const dice = random();
    if (dice < 0.1) return newQuery(`Acme_${word(who).replaceAll('-', '_')}`);
    if (dice < 0.2) {
      const like = [...objects.values()].find(({ kind }) => kind === 'policy');
      const query = pick(queries);
      if (like && query)
        return {
          kind: 'policy',
          id: `$account-${who.toLowerCase()}-${(seed * 100 + ++serial) % 100_000_000}`,
          fields: { ...like.fields, title: word(who), queryId: query.id },
        };
    }
    if (!target) return undefined;
    if (dice < 0.3 && target.kind !== 'alertProfile') {
      const key = contentKey(target);
      const used = [...objects.values()].some((it) =>
        referencesOf(it).some((reference) => contentKey(reference) === key),
      );
      return used ? undefined : key;
    }
    return changed(target, random, word(who), pick(queries)?.id);
  };

  const editor = (name: string) => async (): Promise<void> => {
    const connection = service.connect();
    const local = new Map(service.initial);
    const base = new Map(service.initial);
    /** What the committed lock knows, also where the contents of the bases are lost. */
    const lock = new Set(service.initial.keys());
    /** The world's version when the deployment under way began to look. */
    let lookedAt = 0;
    /** Whether a process died of the deployment under way: requests of the dead may still arrive. */
    let hasDied = false;
    /** The words that were written here, by object, and not deployed yet. */
    const pending = new Map<string, string[]>();

    /** A process of the editor: when it dies, the next one knows nothing of what it has under way. */
    const start = () => {
      const death = Promise.withResolvers<void>();
      let isDead = false;
      let lastRead: Read | undefined;
      // Answers that came since the last reading.
      let answersSince = 0;
      const doom = (): Promise<never> => {
        isDead = true;
        hasDied = true;
        death.resolve();
        return new Promise(() => {});
      };
      const read: Target['read'] = async (kinds, around) => {
        const found = new Map<string, RemoteObject>();
        for (const kind of kinds) {
          const answer = await scheduler.request(name, async () => {
            const objects = await connection.read([kind], around);
            return { objects, version: world.version };
          });
          lastRead = { kind, version: answer.version };
          answersSince = 0;
          for (const [key, object] of answer.objects) found.set(key, object);
        }
        return found;
      };
      const write: Target['write'] = async (step) => {
        const seen = lastRead;
        const isNext = seen?.kind === step.kind && answersSince === 0;
        const fault = random() < faults ? pick(['refused', 'lost', 'done', 'killBefore', 'killAfter']) : undefined;
        try {
          const answer = await scheduler.request(name, async () => {
            if (fault === 'refused') throw new Error('500 internal error');
            if (fault === 'lost') throw new AmbiguousWrite('The connection broke.');
            if (fault === 'killBefore') return undefined;
            const key = contentKey(step);
            const before = world.objects.get(key);
            const history = world.versions.get(key) ?? [];
            const written = await connection.write(step).catch((error: unknown) => {
              if (!hasDied && foreignSince(lookedAt) === 0)
                problems.push(`${name} was refused ${step.id} although nobody else wrote: ${error}`);
              throw error;
            });
            tally.writes++;
            if (!isNext) {
              tally.wide++;
              problems.push(`${name} wrote ${step.id} with something between the re-read and the write`);
            }
            const since = history.filter(({ version, by }) => version > (seen?.version ?? 0) && by !== name);
            const sent = sentFields(step);
            const isOverwritten = ({ fields }: { readonly fields: readonly string[] }): boolean =>
              fields.some((field) => field === '*' || sent.includes('*') || sent.includes(field));
            tally.foreign += since.length;
            if (since.some(isOverwritten)) tally.inside++;
            const wasOwn = history.at(-1)?.by === name;
            if (since.length === 0 && !wasOwn && !wasShown(step, before)) {
              tally.outside++;
              problems.push(`${name} overwrote ${step.id}, which the re-read had shown to be changed`);
            } else if (since.length === 0 && !wasOwn && !isSame(base.get(key), before)) {
              tally.outside++;
              problems.push(`${name} overwrote ${step.id}, of which its files knew another content or none`);
            }
            record(name, step, isDead);
            if (fault === 'done') throw new AmbiguousWrite('The connection broke.');
            return written;
          });
          if (fault === 'killAfter' || answer === undefined) return await doom();
          return answer;
        } finally {
          answersSince++;
        }
      };
      const journal = (entries: JournalEntry[]) => ({
        // Who is dead writes nothing down.
        record: (entry: JournalEntry): Promise<void> =>
          isDead ? new Promise(() => {}) : Promise.resolve(void entries.push(entry)),
      });
      const target = { read, write } satisfies Target;
      return { target: sabotage.target?.(target) ?? target, journal, died: death.promise };
    };

    const foreignSince = (version: number): number =>
      [...world.versions.values()].flat().filter((entry) => entry.version > version && entry.by !== name).length;

    const look = async (): Promise<Comparison[]> => {
      lookedAt = world.version;
      const remote = await start().target.read(service.kinds);
      const keys = [...new Set([...local.keys(), ...remote.keys(), ...lock])].sort();
      return keys.map((key) => {
        const [kind, id] = key.split('\n') as [ContentKind, string];
        const known = base.get(key);
        const there = remote.get(key);
        return compare(
          { kind, id },
          {
            base: sabotage.base ? sabotage.base(known, there) : known,
            local: local.get(key),
            remote: there,
            wasSynchronised: lock.has(key),
          },
        );
      });
    };
    const edit = (): void => {
      const made = randomEdit(local, name);
      if (made === undefined) return;
      const key = typeof made === 'string' ? made : contentKey(made);
      if (typeof made === 'string') local.delete(key);
      else local.set(key, made);
      // What is not deployed yet is told by the name in it.
      const text = typeof made === 'string' ? '' : canonicalText(made.fields);
      const deployed = canonicalText(base.get(key)?.fields ?? none);
      const words = text.match(new RegExp(`\\b${name}-${seed}-[0-9]+\\b`, 'g')) ?? [];
      pending.set(
        key,
        words.filter((mine) => !deployed.includes(mine)),
      );
    };
    const pull = async (): Promise<void> => {
      for (const step of planPull(await look(), { only: undefined, take: new Set() })) {
        const key = contentKey(step.comparison);
        const { remote } = step.comparison;
        if (step.kind === 'left' || !remote) continue;
        if (step.kind !== 'adopt') local.set(key, step.object);
        base.set(key, remote);
        lock.add(key);
      }
      for (const [key, words] of pending) {
        const now = canonicalText(local.get(key)?.fields ?? none);
        for (const mine of words)
          if (!now.includes(mine)) problems.push(`pulling gave up what ${name} wrote into ${key}: ${mine}`);
      }
    };
    const deploy = async (): Promise<void> => {
      const comparisons = await look();
      const since = lookedAt;
      hasDied = false;
      const planned = plan(comparisons, {
        names: { account: 'acme', vendorPrefix: 'SVC' },
        prune: true,
        overwrite: sabotage.overwrite?.(comparisons) ?? new Set(),
        only: undefined,
        fingerprint: (text) => text,
      });
      const made = sabotage.plan?.(planned) ?? planned;
      if (made.operations.length === 0) return;
      const entries: JournalEntry[] = [];
      for (let tries = 0; tries < 20; tries++) {
        const { target, journal, died } = start();
        const earlier = [...entries];
        const result = await Promise.race([applyPlan(made, target, { journal: journal(entries), earlier }), died]);
        if (!result) {
          tally.killed++;
          continue;
        }
        if (result.kind === 'stale') return;
        if (result.results.length !== made.operations.length) problems.push('the list of results is not complete');
        verify(result.results, since);
        settle(result.results);
        return;
      }
      throw new Error('It died too often.');
    };
    /** Holds what a deployment says it did against what the account was seen to do. */
    const verify = (results: readonly OperationResult[], since: number): void => {
      for (const { operation, outcome } of results) {
        const history = world.versions.get(contentKey(operation)) ?? [];
        const writes = history.filter(({ version }) => version > since);
        const says = `${name} says that ${operation.id} is ${outcome.kind}`;
        if (outcome.kind === 'done' && writes.length === 0) problems.push(`${says}, and nobody wrote it`);
        const last = writes.at(-1);
        if ((outcome.kind === 'failed' || outcome.kind === 'skipped') && last?.by === name && !last.isLate)
          problems.push(`${says}, and it was written`);
      }
    };
    const settle = (results: readonly OperationResult[]): void => {
      for (const { operation, outcome } of results) {
        const key = contentKey(operation);
        if (outcome.kind === 'failed') tally.failed++;
        if (outcome.kind !== 'done') continue;
        pending.delete(key);
        if (operation.desired) {
          base.set(key, operation.desired);
          lock.add(key);
        } else {
          base.delete(key);
          lock.delete(key);
        }
      }
    };

    for (let round = 0; round < rounds; round++) {
      // A fresh clone has the lock and none of the bases.
      if (random() < 0.05) base.clear();
      for (let edits = 0; edits < 1 + Math.floor(random() * 3); edits++) edit();
      if (random() < 0.4) await pull();
      await deploy();
    }
  };

  const consoleActor = async (): Promise<void> => {
    for (let times = 0; times < 1 + Math.floor(random() * 4); times++) {
      await scheduler.request('console', async () => {
        const step = consoleStep(randomEdit(world.objects, 'console'), world.objects, service.vendor ?? []);
        if (!step || refusal(world.objects, step) !== undefined) return;
        // What the service refuses is shown to whoever sits there, and nothing happened.
        const isTaken = await service.console(step).then(
          () => true,
          () => false,
        );
        if (isTaken) record('console', step);
      });
    }
  };

  await scheduler.run(
    new Map([
      ['A', editor('A')],
      ['B', editor('B')],
      ['console', consoleActor],
    ]),
  );
  return {
    tally,
    world,
    problems: problems.map((problem) => `seed ${seed}: ${problem}; ${scheduler.trace.join(' ')}`),
  };
}

/** Whether what a call overwrites is what its plan was made from. */
function wasShown(step: Operation, before: ContentObject | undefined): boolean {
  return isSame(step.before, before);
}

function isSame(a: ContentObject | undefined, b: ContentObject | undefined): boolean {
  return a && b ? meaningOf(a) === meaningOf(b) : a === b;
}

function newQuery(id: string): ContentObject {
  return { kind: 'query', id, fields: { queryText: textWith(id) } };
}

export function textWith(text: string): string {
  return `{ source { SVC_HE_MACHINES } filter { HOSTNAME = '${text}' } return distinct { HOSTNAME } }`;
}

/** An object with one of its fields changed. */
function changed(
  object: ContentObject,
  random: () => number,
  value: string,
  queryId: string | undefined,
): ContentObject {
  const { kind, id, fields } = object;
  const dice = random();
  if (kind === 'query') {
    if (dice < 0.2) return { kind, id, fields: { ...fields, queryName: value } };
    return { kind, id, fields: { ...fields, queryText: textWith(value) } };
  }
  if (kind === 'policy') {
    if (dice < 0.2 && queryId !== undefined) return { kind, id, fields: { ...fields, queryId } };
    return { kind, id, fields: { ...fields, [dice < 0.6 ? 'title' : 'description']: value } };
  }
  const alerts = (fields['alerts'] ?? []) as readonly JsonObject[];
  const name = `T${Math.floor(random() * 3)}`;
  const template = { name, eventName: 'Event', description: 'd', subject: value };
  const others = alerts.filter((it) => it['name'] !== name);
  const next = dice < 0.2 && others.length > 0 ? others : [...others, template];
  return {
    kind,
    id,
    fields: { ...fields, alerts: next.sort((a, b) => (String(a['name']) < String(b['name']) ? -1 : 1)) },
  };
}

/** What the console sends to bring an edit about. */
function consoleStep(
  made: ContentObject | string | undefined,
  objects: ReadonlyMap<string, ContentObject>,
  vendor: readonly RemoteObject[],
): Operation | undefined {
  if (made === undefined) return undefined;
  const key = typeof made === 'string' ? made : contentKey(made);
  const now = objects.get(key);
  const [kind, id] = key.split('\n') as [ContentKind, string];
  const desired = typeof made === 'string' ? undefined : made;
  const comparison = compare(
    { kind, id },
    { base: now, local: desired, remote: now && remoteOf(now), wasSynchronised: now !== undefined },
  );
  const others = [...objects]
    .filter(([other]) => other !== key)
    .map(([, it]) => compare(it, { base: it, local: it, remote: remoteOf(it), wasSynchronised: true }));
  const ofVendor = vendor.map((it) =>
    compare(it, { base: undefined, local: undefined, remote: it, wasSynchronised: false }),
  );
  const [operation] = plan([comparison, ...others, ...ofVendor], {
    names: { account: 'acme', vendorPrefix: 'SVC' },
    prune: true,
    overwrite: new Set(),
    only: undefined,
    fingerprint: (text) => text,
  }).operations;
  return operation && { ...operation, templates: operation.templates.slice(0, 1) };
}
