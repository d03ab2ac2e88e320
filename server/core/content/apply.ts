import { type ContentKind, type ContentObject, contentKey, type RemoteObject } from './content-object.ts';
import { meaningOf } from './normalise.ts';
import { restOf } from './part-way.ts';
import { type Operation, type Plan, wordOf } from './plan.ts';

/** The account a plan is applied to. Hosts implement it with the API client; tests with a model. */
export interface Target {
  /** The objects of these kinds as they are now, by list calls: one a kind, not one an object. */
  read(kinds: readonly ContentKind[]): Promise<ReadonlyMap<string, RemoteObject>>;
  /** Carries out one operation. Throws `AmbiguousWrite` when bytes may have left and no answer came. */
  write(operation: Operation): Promise<{ readonly remoteId: string }>;
}

/** Nobody knows whether the write happened: the account has to be read again. */
export class AmbiguousWrite extends Error {
  override readonly name = 'AmbiguousWrite';
}

/** What is written down while applying, so that a crash can be picked up. Resolves when it is safe on disk. */
export interface Journal {
  record(entry: JournalEntry): Promise<void>;
}

export type JournalEntry =
  | { readonly kind: 'begun'; readonly key: string }
  | { readonly kind: 'ended'; readonly key: string; readonly outcome: Outcome };

export type Outcome =
  | { readonly kind: 'done'; readonly remoteId: string }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'skipped'; readonly message: string }
  /** The write may or may not have happened and the account shows neither state. */
  | { readonly kind: 'unknown'; readonly message: string };

export interface OperationResult {
  readonly operation: Operation;
  readonly outcome: Outcome;
}

export type ApplyResult =
  /** The account is not what the plan was made from: nothing was written. */
  | { readonly kind: 'stale'; readonly changed: readonly string[] }
  /** Complete: one result an operation, in the order of the plan. */
  | { readonly kind: 'applied'; readonly results: readonly OperationResult[] };

export interface ApplyOptions {
  readonly journal: Journal;
  /** What an earlier, interrupted try wrote down; empty for a first try. */
  readonly earlier?: readonly JournalEntry[];
  /** Asked between operations; true stops, and what is left is skipped. */
  readonly cancelled?: () => boolean;
  readonly progress?: (done: number, total: number, operation: Operation) => void;
}

/**
 * Applies exactly the plan, or nothing when the account is no longer what the plan was made from. Every wave of operations of one kind is
 * preceded and followed by reading the lists; an object that changed in between is left alone and said. A failure stops what depends on it
 * and nothing else.
 */
export async function applyPlan(plan: Plan, target: Target, options: ApplyOptions): Promise<ApplyResult> {
  const outcomes = outcomesOf(options.earlier ?? []);
  const begun = new Set((options.earlier ?? []).filter(({ kind }) => kind === 'begun').map(({ key }) => key));
  const waves = wavesOf(plan.operations);
  const kinds = [...new Set(plan.operations.map(({ kind }) => kind))];
  let seen = await target.read(kinds);

  // An interrupted try is not stale because of its own work: what it began may be in either state.
  const changed = plan.operations
    .map(contentKey)
    .filter(
      (key, index) => !outcomes.has(key) && !begun.has(key) && !isAsPlanned(plan.operations[index], seen.get(key)),
    );
  if (changed.length > 0 && outcomes.size === 0 && begun.size === 0) return { kind: 'stale', changed };

  let done = 0;
  const end = async (operation: Operation, outcome: Outcome): Promise<void> => {
    const key = contentKey(operation);
    outcomes.set(key, outcome);
    await options.journal.record({ kind: 'ended', key, outcome });
    options.progress?.(++done, plan.operations.length, operation);
  };

  for (const [index, wave] of waves.entries()) {
    const waveKinds = [...new Set(wave.map(({ kind }) => kind))];
    if (index > 0) seen = new Map([...seen, ...(await readAll(target, waveKinds, seen))]);
    const written: Operation[] = [];
    for (const operation of wave) {
      const key = contentKey(operation);
      if (outcomes.has(key)) continue;
      const now = seen.get(key);
      if (begun.has(key) && isAsDesired(operation, now)) {
        await end(operation, { kind: 'done', remoteId: now?.remoteId ?? operation.before?.remoteId ?? operation.id });
        continue;
      }
      // What an interrupted try left half done is finished, not mistaken for somebody's change.
      const rest = begun.has(key) ? restOf(operation, now) : undefined;
      const obstacle = obstacleTo(rest ?? operation, now, outcomes, options);
      if (obstacle !== undefined) {
        await end(operation, { kind: 'skipped', message: obstacle });
        continue;
      }
      await options.journal.record({ kind: 'begun', key });
      const outcome = await attempt(rest ?? operation, target);
      if (outcome.kind === 'done') written.push(operation);
      await end(operation, outcome);
    }
    if (written.length > 0) {
      const after = await readAll(target, waveKinds, seen);
      seen = new Map([...seen, ...after]);
      for (const operation of written) {
        if (isAsDesired(operation, after.get(contentKey(operation)))) continue;
        await end(operation, {
          kind: 'unknown',
          message: 'The service took the change, but its list shows something else. Compare it before going on.',
        });
      }
    }
  }
  return {
    kind: 'applied',
    results: plan.operations.map((operation) => ({
      operation,
      outcome: outcomes.get(contentKey(operation)) ?? { kind: 'skipped', message: 'It was not reached.' },
    })),
  };
}

/** Reads the kinds anew; what is gone from them is gone from the answer too. */
async function readAll(
  target: Target,
  kinds: readonly ContentKind[],
  before: ReadonlyMap<string, RemoteObject>,
): Promise<ReadonlyMap<string, RemoteObject>> {
  const now = await target.read(kinds);
  const others = [...before].filter(([, object]) => !kinds.includes(object.kind));
  return new Map([...others, ...now]);
}

async function attempt(operation: Operation, target: Target): Promise<Outcome> {
  try {
    return { kind: 'done', ...(await target.write(operation)) };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    if (!(error instanceof AmbiguousWrite)) return { kind: 'failed', message };
    return settle(operation, target, message);
  }
}

/** Reads again after a write without an answer: the account tells whether it happened. */
async function settle(operation: Operation, target: Target, message: string): Promise<Outcome> {
  let now: RemoteObject | undefined;
  try {
    now = (await target.read([operation.kind])).get(contentKey(operation));
  } catch {
    return { kind: 'unknown', message: `${message} The account could not be read again to find out.` };
  }
  if (isAsDesired(operation, now))
    return { kind: 'done', remoteId: now?.remoteId ?? operation.before?.remoteId ?? operation.id };
  if (isAsPlanned(operation, now))
    return { kind: 'failed', message: `${message} The account shows that nothing was changed.` };
  return { kind: 'unknown', message: `${message} The account shows neither the old nor the new content.` };
}

function obstacleTo(
  operation: Operation,
  now: RemoteObject | undefined,
  outcomes: ReadonlyMap<string, Outcome>,
  options: ApplyOptions,
): string | undefined {
  if (options.cancelled?.()) return 'The deployment was cancelled before it.';
  for (const key of operation.dependsOn) {
    const outcome = outcomes.get(key);
    if (!outcome || outcome.kind === 'done') continue;
    const [kind, id] = key.split('\n') as [ContentKind, string];
    return operation.desired
      ? `It needs the ${wordOf(kind)} ${id}, which was not deployed.`
      : `The ${wordOf(kind)} ${id} still uses it, because that one could not be changed.`;
  }
  return isAsPlanned(operation, now) ? undefined : 'It was changed in the account while the plan was being applied.';
}

/** Whether the account still shows what the operation was planned from. */
function isAsPlanned(operation: Operation | undefined, now: RemoteObject | undefined): boolean {
  return sameMeaning(operation?.before, now);
}

function isAsDesired({ desired }: Operation, now: RemoteObject | undefined): boolean {
  return sameMeaning(desired, now);
}

function sameMeaning(a: ContentObject | undefined, b: ContentObject | undefined): boolean {
  return a && b ? meaningOf(a) === meaningOf(b) : a === b;
}

/** Neighbours of one kind and direction: what one reading before and one after can cover. */
function wavesOf(operations: readonly Operation[]): Operation[][] {
  const waves: Operation[][] = [];
  for (const operation of operations) {
    const last = waves.at(-1)?.[0];
    const together = last?.kind === operation.kind && (last.action === 'delete') === (operation.action === 'delete');
    if (together) waves.at(-1)?.push(operation);
    else waves.push([operation]);
  }
  return waves;
}

/** How far an earlier try came. Only what was done or settled for good counts; failed and skipped operations are tried again. */
function outcomesOf(entries: readonly JournalEntry[]): Map<string, Outcome> {
  const outcomes = new Map<string, Outcome>();
  for (const entry of entries) {
    if (entry.kind === 'ended' && entry.outcome.kind === 'done') outcomes.set(entry.key, entry.outcome);
    else outcomes.delete(entry.key);
  }
  return outcomes;
}
