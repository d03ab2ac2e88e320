import { assertNever } from '../assert-never.ts';
import { type ContentKind, type ContentObject, contentKey, type RemoteObject } from './content-object.ts';
import { meaningOf } from './normalise.ts';
import { restOf, stepOf } from './part-way.ts';
import { type Operation, operationKey, type Plan, wordOf } from './plan.ts';

/** The account a plan is applied to. Hosts implement it with the API client; tests with a model. */
export interface Target {
  /**
   * The objects of these kinds as they are now, by list calls: one a kind, not one an object; one a policy for exceptions. With `around`, the
   * kind is that of these operations, and what none of them concerns may be missing.
   */
  read(kinds: readonly ContentKind[], around?: readonly Operation[]): Promise<ReadonlyMap<string, RemoteObject>>;
  /**
   * Carries out the next call of an operation: the first of those that `stepOf` leaves in it. Throws `AmbiguousWrite` when bytes may have left
   * and no answer came, `WriteDeferred` when the call would have had to wait and was not made.
   */
  write(operation: Operation): Promise<{ readonly remoteId: string }>;
  /** Resolves when these operations' next calls can be made without waiting; true when it waited for that. */
  ready?(operations: readonly Operation[]): Promise<boolean>;
}

/** Nobody knows whether the write happened: the account has to be read again. */
export class AmbiguousWrite extends Error {
  override readonly name = 'AmbiguousWrite';
}

/** The call was not made, because it would have had to wait: what was read before is too old by then. */
export class WriteDeferred extends Error {
  override readonly name = 'WriteDeferred';
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

/** So many calls are under way at once; each of them is one request away from the reading before it. */
export const waveSize = 8;
/** A call that is put off more often is not made. */
const maxDeferrals = 5;

/**
 * Applies exactly the plan, or nothing when the account is no longer what the plan was made from. Operations go out in waves of one kind,
 * together; a wave is preceded and followed by reading the list, and an object that changed before it is left alone and said. What takes
 * several calls takes several waves. A failure stops what depends on it and nothing else. Throws when the account cannot be read at the start:
 * nothing was written then; and when the journal cannot be written: nothing more is begun then.
 */
export async function applyPlan(plan: Plan, target: Target, options: ApplyOptions): Promise<ApplyResult> {
  const earlier = options.earlier ?? [];
  const outcomes = outcomesOf(earlier);
  const begun = new Set(earlier.filter(({ kind }) => kind === 'begun').map(({ key }) => key));
  const { journal, progress } = options;
  const allKinds = [...new Set(plan.operations.map(({ kind }) => kind))];
  let seen = await target.read(allKinds);
  /** Of the list that was read last, and not since something was written or somebody waited: between that and a write lies no other call. */
  let fresh: string | undefined = allKinds.length === 1 ? allKinds[0] : undefined;

  // An interrupted try is not stale because of its own work: what it began may be in either state.
  const changed = plan.operations
    .filter((operation) => {
      const key = operationKey(operation);
      // What follows a first part was planned from what that one makes.
      if (operation.part || outcomes.has(key) || begun.has(key)) return false;
      return !isAsPlanned(operation, seen.get(contentKey(operation)));
    })
    .map(contentKey);
  if (changed.length > 0 && outcomes.size === 0 && begun.size === 0) return { kind: 'stale', changed };

  let done = plan.operations.filter((operation) => outcomes.has(operationKey(operation))).length;
  const end = async (operation: Operation, outcome: Outcome): Promise<void> => {
    const key = operationKey(operation);
    outcomes.set(key, outcome);
    await journal.record({ kind: 'ended', key, outcome });
    progress?.(++done, plan.operations.length, operation);
  };
  const read = async (wave: readonly Operation[]): Promise<void> => {
    const [first] = wave;
    if (!first) return;
    const now = await target.read([first.kind], wave);
    const list = listOf(first);
    // What is gone from a list is gone from what we know.
    seen = new Map([...[...seen].filter(([, object]) => listOf(object) !== list), ...now]);
    fresh = list;
  };

  for (const wave of wavesOf(plan.operations.filter((operation) => !outcomes.has(operationKey(operation))))) {
    let open: Task[] = wave.map((operation) => ({
      operation,
      isBegun: begun.has(operationKey(operation)),
      isUnderWay: false,
      deferrals: 0,
      remoteId: undefined,
    }));
    while (open.length > 0) {
      const candidates: Task[] = [];
      for (const task of open) {
        const obstacle = task.isUnderWay ? undefined : orderObstacle(task.operation, outcomes, options);
        if (obstacle === undefined) candidates.push(task);
        else await end(task.operation, { kind: 'skipped', message: obstacle });
      }
      open = [];
      if (candidates.length === 0) break;
      try {
        if (await target.ready?.(candidates.map(({ operation }) => operation))) fresh = undefined;
        if (wave[0] && fresh !== listOf(wave[0])) await read(wave);
      } catch (error) {
        for (const task of candidates) await end(task.operation, unreached(task, error));
        continue;
      }
      const writing: { readonly task: Task; readonly step: Operation }[] = [];
      for (const task of candidates) {
        const decided = decide(task, seen.get(contentKey(task.operation)));
        if (decided.kind === 'end') await end(task.operation, decided.outcome);
        else writing.push({ task, step: decided.step });
      }
      if (writing.length === 0) continue;
      for (const { task } of writing)
        if (!task.isUnderWay) await journal.record({ kind: 'begun', key: operationKey(task.operation) });
      fresh = undefined;
      const answers = await Promise.all(writing.map(({ step }) => attempt(step, target)));
      let readError: unknown;
      await read(wave).catch((error: unknown) => {
        readError = error ?? new Error('The account could not be read.');
      });
      for (const [index, { task }] of writing.entries()) {
        const answer = answers[index];
        if (!answer) continue;
        const now = seen.get(contentKey(task.operation));
        const next = readError === undefined ? settle(task, answer, now) : unread(task, answer, readError);
        if (next.kind === 'end') await end(task.operation, next.outcome);
        else open.push(next.task);
      }
    }
  }
  return {
    kind: 'applied',
    results: plan.operations.map((operation) => ({
      operation,
      outcome: outcomes.get(operationKey(operation)) ?? { kind: 'skipped', message: 'It was not reached.' },
    })),
  };
}

/** An operation on its way. */
interface Task {
  readonly operation: Operation;
  /** A call of it was made, now or by an interrupted try: the account may show a part of it. */
  readonly isBegun: boolean;
  /** A call of it was made now, and others are to follow: half of it is not left behind because somebody cancels. */
  readonly isUnderWay: boolean;
  readonly deferrals: number;
  /** The service's id, where a call gave it. */
  readonly remoteId: string | undefined;
}

type Answer =
  | { readonly kind: 'taken'; readonly remoteId: string }
  | { readonly kind: 'refused' | 'ambiguous' | 'deferred'; readonly message: string };

async function attempt(step: Operation, target: Target): Promise<Answer> {
  try {
    return { kind: 'taken', ...(await target.write(step)) };
  } catch (error) {
    const kind =
      error instanceof AmbiguousWrite ? 'ambiguous' : error instanceof WriteDeferred ? 'deferred' : 'refused';
    return { kind, message: messageOf(error) };
  }
}

type Settled<T> = { readonly kind: 'end'; readonly outcome: Outcome } | T;

/** What to do next with an operation, by what the account shows right before. */
function decide(
  { operation, isBegun, remoteId }: Task,
  now: RemoteObject | undefined,
): Settled<{ readonly kind: 'write'; readonly step: Operation }> {
  if (isBegun && isAsDesired(operation, now)) return { kind: 'end', outcome: doneWith(operation, remoteId, now) };
  if (isAsPlanned(operation, now)) return { kind: 'write', step: stepOf(operation) };
  // What an interrupted try left half done is finished, not mistaken for somebody's change.
  const rest = isBegun ? restOf(operation, now) : undefined;
  if (rest) return { kind: 'write', step: stepOf(rest) };
  const message = 'It was changed in the account while the plan was being applied.';
  if (!isBegun) return { kind: 'end', outcome: { kind: 'skipped', message } };
  return {
    kind: 'end',
    outcome: { kind: 'unknown', message: `${message} A call for it was made before: compare it.` },
  };
}

/** What became of a call, by what the account shows right after. */
function settle(
  task: Task,
  answer: Answer,
  now: RemoteObject | undefined,
): Settled<{ readonly kind: 'open'; readonly task: Task }> {
  const { operation, isBegun, deferrals } = task;
  const end = (outcome: Outcome): Settled<never> => ({ kind: 'end', outcome });
  const remoteId = answer.kind === 'taken' ? answer.remoteId : task.remoteId;
  if (answer.kind !== 'deferred' && answer.kind !== 'refused') {
    if (isAsDesired(operation, now)) return end(doneWith(operation, remoteId, now));
    if (restOf(operation, now))
      return { kind: 'open', task: { ...task, isBegun: true, isUnderWay: true, deferrals: 0, remoteId } };
  }
  switch (answer.kind) {
    case 'taken':
      return end({
        kind: 'unknown',
        message: 'The service took the change, but its list shows something else. Compare it before going on.',
      });
    case 'ambiguous':
      return isAsPlanned(operation, now)
        ? end({ kind: 'failed', message: `${answer.message} The account shows that nothing was changed.` })
        : end({ kind: 'unknown', message: `${answer.message} The account shows neither the old nor the new content.` });
    case 'deferred':
      if (deferrals < maxDeferrals) return { kind: 'open', task: { ...task, deferrals: deferrals + 1 } };
      return end(refusedOutcome(operation, isBegun, now, answer.message));
    case 'refused':
      return end(refusedOutcome(operation, isBegun, now, answer.message));
    default:
      return assertNever(answer);
  }
}

function refusedOutcome(
  operation: Operation,
  isBegun: boolean,
  now: RemoteObject | undefined,
  message: string,
): Outcome {
  if (!isBegun || isAsPlanned(operation, now)) return { kind: 'failed', message };
  return { kind: 'unknown', message: `${message} A part of the change was made before that. Deploy it again.` };
}

/** The account could not be read after the call. */
function unread(
  { operation, isBegun }: Task,
  answer: Answer,
  error: unknown,
): { readonly kind: 'end'; readonly outcome: Outcome } {
  if (!isBegun && (answer.kind === 'refused' || answer.kind === 'deferred'))
    return { kind: 'end', outcome: { kind: 'failed', message: answer.message } };
  const what = answer.kind === 'taken' ? `The service took the change of ${operation.id}.` : answer.message;
  const message = `${what} The account could not be read again to make sure: ${messageOf(error)}`;
  return { kind: 'end', outcome: { kind: 'unknown', message } };
}

/** The account could not be read before the call. */
function unreached({ isBegun }: Task, error: unknown): Outcome {
  const message = `The account could not be read before it: ${messageOf(error)}`;
  return isBegun ? { kind: 'unknown', message } : { kind: 'skipped', message };
}

function doneWith(operation: Operation, remoteId: string | undefined, now: RemoteObject | undefined): Outcome {
  return { kind: 'done', remoteId: remoteId ?? now?.remoteId ?? operation.before?.remoteId ?? operation.id };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Why an operation cannot be begun now, whatever the account shows of it. */
function orderObstacle(
  operation: Operation,
  outcomes: ReadonlyMap<string, Outcome>,
  { cancelled }: ApplyOptions,
): string | undefined {
  if (cancelled?.()) return 'The deployment was cancelled before it.';
  for (const key of operation.dependsOn) {
    const outcome = outcomes.get(key);
    if (!outcome || outcome.kind === 'done') continue;
    const [kind, id] = key.split('\n') as [ContentKind, string];
    const state =
      outcome.kind === 'unknown' ? 'of which nobody knows whether it was deployed' : 'which was not deployed';
    return operation.desired
      ? `It needs the ${wordOf(kind)} ${id}, ${state}.`
      : `The ${wordOf(kind)} ${id} still uses it, because that one could not be changed.`;
  }
  return undefined;
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

/** Neighbours of one list and direction, a few at a time: none of them depends on another. */
function wavesOf(operations: readonly Operation[]): Operation[][] {
  const waves: Operation[][] = [];
  for (const operation of operations) {
    const wave = waves.at(-1);
    const [last] = wave ?? [];
    const together =
      last && listOf(last) === listOf(operation) && (last.action === 'delete') === (operation.action === 'delete');
    const waits = wave?.some((other) => operation.dependsOn.includes(operationKey(other)));
    if (wave && together && !waits && wave.length < waveSize) wave.push(operation);
    else waves.push([operation]);
  }
  return waves;
}

/** Which list of the account shows an object: one a kind, and one a policy for exceptions. */
function listOf({ kind, id }: { readonly kind: ContentKind; readonly id: string }): string {
  return kind === 'exception' ? `${kind} ${id.slice(0, id.indexOf('/'))}` : kind;
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
