import { type ApplyResult, applyPlan, type OperationResult, type Target } from '../../core/content/apply.ts';
import { type Comparison, compare } from '../../core/content/compare.ts';
import { compareContent } from '../../core/content/compare-content.ts';
import {
  type ContentKind,
  type ContentObject,
  contentKey,
  contentKinds,
  type RemoteObject,
} from '../../core/content/content-object.ts';
import { type ContentLayout, defaultLayout } from '../../core/content/files/file-names.ts';
import { type AccountNames, canonicalPolicyId } from '../../core/content/identity.ts';
import { type Lock, type LockEntry, lockKey } from '../../core/content/lock.ts';
import { meaningOf } from '../../core/content/normalise.ts';
import { type Plan, plan, referencesOf, wordOf } from '../../core/content/plan.ts';
import { undoComparisons } from '../../core/content/undo.ts';
import type { TextRange } from '../../core/text/range.ts';
import type { ApiClient } from '../client.ts';
import { checkListedAccount } from './account-identity.ts';
import { type AccountTarget, createAccountTarget, type KnownContent } from './account-target.ts';
import {
  type BaseStore,
  type FolderContent,
  hashOf,
  type LocalObject,
  openBases,
  readFolder,
  readLock,
  writeLock,
} from './content-folder.ts';
import { beginDeployment, continueDeployment, type Deployment, readDeployments, resultsOf } from './deployments.ts';
import { FolderBusyError, folderHolder, withFolder } from './folder-lock.ts';

/** An account as content knows it. */
export interface ContentAccount {
  /** Stable: origin's host, and the sub-account where there is one; of a local platform its own id. */
  readonly id: string;
  readonly names: AccountNames;
  /** Of a sub-account: the name of the account that the key belongs to. */
  readonly primary?: string | undefined;
  readonly client: ApiClient;
}

export interface ContentOptions {
  /** Folder of the content, absolute. Nothing outside of it is written. */
  readonly root: string;
  readonly account: ContentAccount;
  readonly layout?: ContentLayout | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Policies, by any of their ids, whose exceptions are looked at although none has a file here. Each costs a request. */
  readonly exceptionsOf?: readonly string[] | undefined;
  /** Milliseconds to wait for another process that works in the folder; 5 seconds when left out. */
  readonly patience?: number | undefined;
  /** Milliseconds since 1970 UTC. */
  readonly now: () => number;
}

/** Folder and account, side by side. */
export interface FolderComparison {
  readonly folder: FolderContent;
  readonly remote: ReadonlyMap<string, RemoteObject>;
  readonly lock: Lock;
  readonly bases: BaseStore;
  readonly comparisons: readonly Comparison[];
  /** What stands in the way of saying more: ids given twice, files that cannot be read, objects without ids. */
  readonly problems: readonly ContentProblem[];
}

export interface ContentProblem {
  /** The file to look into; undefined when no file is left. */
  readonly path: string | undefined;
  /** Where in it; undefined when the whole file is meant. */
  readonly range: TextRange | undefined;
  readonly message: string;
}

/**
 * Reads folder and account and compares them. Writes nothing. Three requests, and one a policy whose exceptions have files; none when
 * `seen` is what was read of the account before, which is enough to show what an edit changes.
 */
export async function compareFolder(
  options: ContentOptions,
  seen?: ReadonlyMap<string, RemoteObject>,
): Promise<FolderComparison> {
  const { account, root } = options;
  const [folder, lock] = await Promise.all([
    readFolder(root, options.layout ?? defaultLayout, account.names),
    readLock(root),
  ]);
  const entries = entriesOf(lock, account.id);
  const bases = await openBases(
    root,
    entries.flatMap(({ kind, hash }) => (hash === undefined ? [] : [{ kind, hash }])),
  );
  const remote = seen ?? (await targetFor(options, folder, lock).read(contentKinds));
  const local = new Map(
    [...folder.objects].map(([key, object]) => [key, withWhatTheFormCannotSay(object, remote.get(key))]),
  );
  const blocked = new Map(folder.blocked);
  const [unreadable] = folder.unreadable;
  if (unreadable) {
    const message = `It may be in ${unreadable.path}, which cannot be read now, so nothing is done with it.`;
    for (const entry of entries)
      if (!local.has(contentKey(entry)) && !blocked.has(contentKey(entry))) blocked.set(contentKey(entry), message);
  }
  const comparisons = compareContent({
    local,
    remote,
    lock,
    account: account.id,
    blocked,
    baseOf: bases.get,
    hash: hashOf,
  });
  return { folder, remote, lock, bases, comparisons, problems: problemsOf(folder, blocked) };
}

function problemsOf(folder: FolderContent, blocked: ReadonlyMap<string, string>): ContentProblem[] {
  const problems: ContentProblem[] = [];
  const claimed = new Set<string>();
  for (const file of folder.files) {
    const { path } = file;
    if (file.unreadable !== undefined) problems.push({ path, range: undefined, message: file.unreadable });
    for (const { range, message } of file.problems) problems.push({ path, range, message });
    for (const object of file.objects) {
      const message = blocked.get(contentKey(object));
      if (message === undefined) continue;
      claimed.add(contentKey(object));
      problems.push({ path, range: object.range, message: `The ${wordOf(object.kind)} ${object.id}: ${message}` });
    }
  }
  for (const [key, message] of blocked) {
    if (claimed.has(key)) continue;
    const [kind, id] = key.split('\n') as [ContentKind, string];
    problems.push({ path: undefined, range: undefined, message: `The ${wordOf(kind)} ${id}: ${message}` });
  }
  return problems;
}

/** A bare query file has a text and nothing else: the name and description in the account are no difference to it. */
function withWhatTheFormCannotSay(
  { kind, id, fields, place }: LocalObject,
  remote: RemoteObject | undefined,
): ContentObject {
  return { kind, id, fields: place.kind === 'bare' && remote ? { ...remote.fields, ...fields } : fields };
}

export function entriesOf(lock: Lock, accountId: string): readonly LockEntry[] {
  return [...lock.values()].filter(({ account }) => account === accountId);
}

function targetFor(
  { account, signal, exceptionsOf = [] }: ContentOptions,
  folder: FolderContent,
  lock: Lock,
): AccountTarget {
  const known = knownContent(folder, lock, account.id);
  const asked = exceptionsOf.map((id) => canonicalPolicyId(id, account.names));
  const exceptionPolicies = [...new Set([...known.exceptionPolicies, ...asked])];
  return createAccountTarget({
    client: account.client,
    names: account.names,
    known: { ...known, exceptionPolicies },
    signal,
  });
}

function knownContent(folder: FolderContent, lock: Lock, accountId: string): KnownContent {
  const entries = entriesOf(lock, accountId);
  const ids = new Map(entries.map(({ kind, remoteId, id }) => [`${kind}\n${remoteId}`, id]));
  const policies = new Map(entries.filter(({ kind }) => kind === 'policy').map(({ id, remoteId }) => [id, remoteId]));
  const objects = [...folder.objects.values()];
  const exceptions = objects.filter(({ kind }) => kind === 'exception');
  const unmatched = exceptions.filter((object) => !lock.has(lockKey(object, accountId)));
  const policyOf = (id: string): string => id.slice(0, id.indexOf('/'));
  const profileIds = objects.flatMap((object) =>
    object.kind === 'alertProfile'
      ? [object.id]
      : referencesOf(object).flatMap(({ kind, id }) => (kind === 'alertProfile' ? [id] : [])),
  );
  return {
    idOf: (kind, remoteId) => ids.get(`${kind}\n${remoteId}`),
    remotePolicyIdOf: (id) => policies.get(id),
    exceptionPolicies: [
      ...new Set([...exceptions, ...entries.filter(({ kind }) => kind === 'exception')].map(({ id }) => policyOf(id))),
    ],
    exceptionLike: (policyId, meaning) =>
      unmatched.find((object) => policyOf(object.id) === policyId && meaningOf(object) === meaning)?.id,
    profileIds: [...profileIds, ...entries.filter(({ kind }) => kind === 'alertProfile').map(({ id }) => id)],
  };
}

export interface PlanRequest {
  readonly prune: boolean;
  /** Keys a person decided to overwrite in the account. */
  readonly overwrite: ReadonlySet<string>;
  /** Keys to look at; everything when undefined. */
  readonly only: ReadonlySet<string> | undefined;
}

/** What a deployment of the folder would do. Writes nothing. */
export function planDeployment(
  { comparisons }: FolderComparison,
  { account }: ContentOptions,
  request: PlanRequest,
): Plan {
  return plan(comparisons, { ...request, names: account.names, fingerprint: hashOf });
}

/**
 * Notes of everything that is the same on both sides that it is: so that a later edit is known for one. What another process noted since the
 * comparison stays, and while another one works in the folder nothing is noted: the next comparison will do.
 */
export async function adoptInSync(comparison: FolderComparison, options: ContentOptions): Promise<void> {
  const { root, account } = options;
  const { comparisons, bases, remote } = comparison;
  const adopt = async (): Promise<void> => {
    const next = new Map(await readLock(root));
    const isOurs = unchangedSince(comparison.lock, next);
    forgetGone(next, comparison, account.id);
    for (const { state, local, kind, id } of comparisons) {
      const object = remote.get(contentKey({ kind, id }));
      if (state !== 'inSync' || !local || !object || object.vendorOwned) continue;
      if (isOurs(lockKey(object, account.id))) await note(next, bases, account.id, object);
    }
    await writeLock(root, next);
  };
  try {
    await withFolder(root, 'noting what is synchronised', adopt, options);
  } catch (error) {
    if (!(error instanceof FolderBusyError)) throw error;
  }
}

/** Whether what a lock says of a key is still what it said before: another process may have deployed or pulled since. */
export function unchangedSince(before: Lock, now: Lock): (key: string) => boolean {
  const text = (entry: LockEntry | undefined): string => JSON.stringify(entry ?? null);
  const changed = new Set(
    [...before.keys(), ...now.keys()].filter((key) => text(before.get(key)) !== text(now.get(key))),
  );
  return (key) => !changed.has(key);
}

/** Forgets what is gone on both sides: nobody will ask about it again. */
export function forgetGone(
  lock: Map<string, LockEntry>,
  { folder, remote, lock: before }: FolderComparison,
  accountId: string,
): void {
  if (folder.unreadable.length > 0) return;
  const isOurs = unchangedSince(before, lock);
  for (const entry of entriesOf(lock, accountId)) {
    const key = contentKey(entry);
    const known = folder.objects.has(key) || folder.blocked.has(key) || remote.has(key);
    if (!known && isOurs(lockKey(entry, accountId))) lock.delete(lockKey(entry, accountId));
  }
}

/** Notes what an object is in the account now. */
export async function note(
  lock: Map<string, LockEntry>,
  bases: BaseStore,
  accountId: string,
  object: RemoteObject,
): Promise<void> {
  const { kind, id, remoteId, updateTime, fields } = object;
  lock.set(lockKey(object, accountId), {
    kind,
    id,
    account: accountId,
    remoteId,
    hash: await bases.put(kind, fields),
    updateTime,
  });
}

export interface DeployRequest {
  readonly cancelled?: () => boolean;
  readonly progress?: (done: number, total: number) => void;
  readonly undoes?: string | undefined;
  /** What is deployed is not what the files say: nothing is noted as synchronised, and whoever asks notes what is. */
  readonly keepLock?: boolean | undefined;
  /** An interrupted deployment to go on with; its plan is the plan. */
  readonly resume?: Deployment | undefined;
}

export interface DeployResult {
  readonly id: string;
  readonly result: ApplyResult;
}

/**
 * Applies exactly this plan, or nothing when the account is no longer what it was made from. Every step is on the disk before it is taken.
 * @throws FolderBusyError when another process deploys or pulls in the folder: nothing was done.
 */
export async function deployPlan(
  deployment: Plan,
  options: ContentOptions,
  request: DeployRequest = {},
): Promise<DeployResult> {
  return withFolder(options.root, 'deploying', () => deploy(deployment, options, request), options);
}

async function deploy(deployment: Plan, options: ContentOptions, request: DeployRequest): Promise<DeployResult> {
  const { root, account } = options;
  const [folder, lock] = await Promise.all([
    readFolder(root, options.layout ?? defaultLayout, account.names),
    readLock(root),
  ]);
  // Whoever was interrupted may have been taken up by another process while we waited for the folder.
  const resume =
    request.resume && (await readDeployments(root, account.id)).find(({ id }) => id === request.resume?.id);
  if (request.resume && (!resume || resume.ended)) {
    const results = resultsOf(resume ?? request.resume);
    return { id: request.resume.id, result: { kind: 'applied', results } };
  }
  const target = targetFor(options, folder, resume ? withGivenIds(lock, resume) : lock);
  if (account.primary !== undefined) {
    // Ids of policies alone tell whose content it is. One request, and only for a sub-account.
    const listed = await target.read(['policy']);
    checkListedAccount(chosenPolicyIds(listed.values()), { account: account.names.account, primary: account.primary });
  }
  const startedAt = new Date(options.now()).toISOString();
  const opened = resume
    ? continueDeployment(root, resume)
    : await beginDeployment(root, {
        accountId: account.id,
        startedAt,
        undoes: request.undoes,
        keepLock: request.keepLock,
        plan: deployment,
      });
  const seen = new Map<string, RemoteObject>();
  const watched: Target = {
    ...target,
    async read(kinds, around) {
      const objects = await target.read(kinds, around);
      for (const [key, object] of objects) seen.set(key, object);
      return objects;
    },
    async ready(operations) {
      let waited = (await target.ready?.(operations)) ?? false;
      // Before the last look at the account: between that and a deletion lies no other call.
      for (const operation of operations) {
        if (operation.kind !== 'policy' || operation.action !== 'delete') continue;
        waited = true;
        const exceptions = await target.exceptionsOf(operation.id);
        if (exceptions) await opened.keepExceptions(contentKey(operation), exceptions);
      }
      return waited;
    },
  };
  const result = await applyPlan(resume?.plan ?? deployment, watched, {
    journal: opened.journal,
    ...(resume ? { earlier: resume.entries } : {}),
    ...(request.cancelled ? { cancelled: request.cancelled } : {}),
    ...(request.progress ? { progress: request.progress } : {}),
  });
  const keepLock = request.keepLock || resume?.keepLock === true;
  if (result.kind === 'applied' && !keepLock) await noteResults(result.results, seen, lock, options);
  await opened.end();
  return { id: opened.id, result };
}

/** The lock, with the ids that the service gave to what an interrupted deployment made. */
function withGivenIds(lock: Lock, deployment: Deployment): Lock {
  const { accountId } = deployment;
  const next = new Map(lock);
  for (const { operation, outcome } of resultsOf(deployment)) {
    if (operation.action !== 'create' || outcome.kind !== 'done') continue;
    const { kind, id } = operation;
    const { remoteId } = outcome;
    const given = { kind, id, account: accountId, remoteId, hash: undefined, updateTime: undefined };
    next.set(lockKey(operation, accountId), given);
  }
  return next;
}

function* chosenPolicyIds(objects: Iterable<RemoteObject>): Generator<string> {
  for (const { kind, vendorOwned, remoteId } of objects) if (kind === 'policy' && !vendorOwned) yield remoteId;
}

async function noteResults(
  results: readonly OperationResult[],
  seen: ReadonlyMap<string, RemoteObject>,
  lock: Lock,
  { root, account }: ContentOptions,
): Promise<void> {
  const bases = await openBases(root, []);
  const next = new Map(lock);
  for (const { operation, outcome } of results) {
    if (outcome.kind !== 'done') continue;
    const { desired } = operation;
    if (!desired) {
      next.delete(lockKey(operation, account.id));
      continue;
    }
    const now = seen.get(contentKey(operation));
    await note(next, bases, account.id, {
      ...desired,
      remoteId: outcome.remoteId,
      vendorOwned: false,
      updateTime: now?.updateTime,
      updateUser: now?.updateUser,
    });
  }
  await writeLock(root, next);
}

/** The last deployment that was neither finished nor taken back; undefined when everything ended. */
export async function interruptedDeployment({ root, account }: ContentOptions): Promise<Deployment | undefined> {
  const [last] = await readDeployments(root, account.id);
  // What goes on right now, here or in another process, is not interrupted.
  return last && !last.ended && (await folderHolder(root)) === undefined ? last : undefined;
}

export type UndoPlan =
  | { readonly kind: 'nothing'; readonly message: string }
  | { readonly kind: 'plan'; readonly deployment: Deployment; readonly plan: Plan };

/** What takes the last deployment back. What was changed in the account since is an obstacle, and stays. */
export async function planUndo(options: ContentOptions): Promise<UndoPlan> {
  const { root, account } = options;
  const deployments = await readDeployments(root, account.id);
  const undone = new Set(deployments.flatMap(({ undoes, ended }) => (undoes !== undefined && ended ? [undoes] : [])));
  const deployment = deployments.find(
    (candidate) => candidate.undoes === undefined && !undone.has(candidate.id) && candidate.entries.length > 0,
  );
  if (!deployment)
    return {
      kind: 'nothing',
      message: 'From this folder nothing was deployed to this account that could be taken back.',
    };
  const { remote } = await compareFolder(options);
  const results = resultsOf(deployment).map((result): OperationResult => {
    const now = remote.get(contentKey(result.operation));
    const { desired } = result.operation;
    const happened = desired ? now !== undefined && meaningOf(now) === meaningOf(desired) : now === undefined;
    // What was interrupted counts as done when the account shows that it was.
    if (result.outcome.kind !== 'unknown' || !happened) return result;
    return { ...result, outcome: { kind: 'done', remoteId: now?.remoteId ?? result.operation.id } };
  });
  const back = undoComparisons(results, remote, deployment.exceptions);
  const keys = new Set(back.map(contentKey));
  const others = [...remote].flatMap(([key, object]) => (keys.has(key) ? [] : [unchanged(object)]));
  const undo = plan([...back, ...others], {
    names: account.names,
    prune: true,
    restore: true,
    overwrite: new Set(),
    only: keys,
    fingerprint: hashOf,
  });
  return { kind: 'plan', deployment, plan: undo };
}

function unchanged(remote: RemoteObject): Comparison {
  return compare(remote, { base: remote, local: remote, remote, wasSynchronised: true });
}
