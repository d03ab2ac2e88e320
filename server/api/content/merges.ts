import { readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { type ContentObject, contentKey, type RemoteObject } from '../../core/content/content-object.ts';
import { type FileObject, readContentFile } from '../../core/content/files/content-file.ts';
import { defaultLayout } from '../../core/content/files/file-names.ts';
import { textWithout } from '../../core/content/files/without-object.ts';
import { updatedFileText } from '../../core/content/files/write-file.ts';
import { type LockEntry, lockKey } from '../../core/content/lock.ts';
import {
  commonText,
  conflictsIn,
  hasMarkers,
  type MergeHunk,
  type MergeSides,
  mergedText,
  mergeSides,
  mergeTexts,
  textWithMarkers,
  undecided,
} from '../../core/content/merge.ts';
import { wordOf } from '../../core/content/plan.ts';
import { parseExact, writeExact } from '../transport/json.ts';
import {
  type BaseStore,
  hashOf,
  openBases,
  privateFolder,
  readLock,
  writeContentFile,
  writeLock,
  writeSafely,
} from './content-folder.ts';
import { type ContentOptions, type FolderComparison, note } from './content-sync.ts';
import { withFolder } from './folder-lock.ts';

/** A merge that was begun and not ended. Kept on the disk: it outlives windows. */
export interface PendingMerge {
  readonly accountId: string;
  /** The account's side as it was when the merge began: what both will have had in common when it ends. */
  readonly remote: RemoteObject;
  /** The file, relative to the folder. */
  readonly path: string;
  /** The file's text before the merge began. */
  readonly before: string;
  /** The three texts that are merged, each the whole file. */
  readonly base: string;
  readonly local: string;
  readonly account: string;
}

export type BegunMerge =
  /** The file has conflict markers now, and `merge` waits for its end. */
  | { readonly kind: 'open'; readonly merge: PendingMerge; readonly sides: MergeSides; readonly conflicts: number }
  /** Nothing had to be decided: the file holds both sides' changes. */
  | { readonly kind: 'merged'; readonly path: string }
  | { readonly kind: 'refused'; readonly message: string };

/**
 * Begins to merge the two sides of an object: what one side alone changed is taken over, the rest is marked in the file, whose text is kept in
 * `.lql/texts`. The account is not asked and not changed.
 * @throws FolderBusyError when somebody else works in the folder for too long: nothing was done.
 */
export function beginMerge(comparison: FolderComparison, options: ContentOptions, key: string): Promise<BegunMerge> {
  return withFolder(options.root, 'merging', () => begin(comparison, options, key), options);
}

async function begin(comparison: FolderComparison, options: ContentOptions, key: string): Promise<BegunMerge> {
  const { root, account } = options;
  const [pending] = (await pendingMerges(options)).filter(({ remote }) => contentKey(remote) === key);
  const found = comparison.comparisons.find((candidate) => contentKey(candidate) === key);
  const local = comparison.folder.objects.get(key);
  const before = local && comparison.folder.files.find((file) => file.path === local.path)?.text;
  const sides = found && mergeSides(found);
  if (pending)
    return refused(`${pending.path} is being merged already. Save it without conflict markers, or abort the merge.`);
  if (!found?.remote || !local || !sides || before === undefined)
    return refused('Only what is in the file and in the account can be merged.');
  const written = textsOf(before, local, sides);
  if (!written)
    return refused(
      `The account’s side cannot be written into ${local.path} as it is. Compare the two and change the file by hand, then keep the file’s side.`,
    );
  const hunks = mergeTexts(written.base, written.local, written.account);
  const conflicts = conflictsIn(hunks);
  const changedMeanwhile = refused(`${local.path} was changed meanwhile. Try again.`);
  if (conflicts === 0) {
    const text = mergedText(hunks, ({ local: lines }) => lines);
    if (!holds(text, local.path, key, options))
      return refused(`The two sides of ${local.path} cannot be put together by themselves.`);
    if (!(await writeContentFile(root, local.path, text, before))) return changedMeanwhile;
    await noteSeen([found.remote], options);
    return { kind: 'merged', path: local.path };
  }
  const merge: PendingMerge = { accountId: account.id, remote: found.remote, path: local.path, before, ...written };
  const text = textWithMarkers(hunks, { local: local.path, remote: `the account${byWhom(found.remote)}` });
  await writeSafely(recordOf(root, merge), `${writeExact(merge)}\n`);
  if (await writeContentFile(root, local.path, text, before)) return { kind: 'open', merge, sides, conflicts };
  await forgetMerge(merge, root);
  return changedMeanwhile;
}

function refused(message: string): { readonly kind: 'refused'; readonly message: string } {
  return { kind: 'refused', message };
}

function byWhom({ updateUser }: RemoteObject): string {
  return updateUser === undefined ? '' : `, changed by ${updateUser.replace(/\s+/g, ' ')}`;
}

/** The three versions of the whole file: they differ in the object's undecided fields and in nothing else. */
function textsOf(
  text: string,
  local: FileObject,
  sides: MergeSides,
): { readonly base: string; readonly local: string; readonly account: string } | undefined {
  const here = withObject(text, local, sides.local);
  const there = withObject(text, local, sides.remote);
  if (here === undefined || there === undefined) return undefined;
  if (!sides.base) return { base: commonText(here, there), local: here, account: there };
  const base = withObject(text, local, sides.base);
  return base === undefined ? undefined : { base, local: here, account: there };
}

/** A query that is alone in its file has room for its text only. */
function withObject(text: string, local: FileObject, { fields, ...object }: ContentObject): string | undefined {
  const said = local.place.kind === 'bare' ? { queryText: fields['queryText'] } : fields;
  return updatedFileText(text, local, { ...object, fields: said });
}

function holds(text: string, at: string, key: string, { layout = defaultLayout, account }: ContentOptions): boolean {
  return readContentFile(at, text, layout, account.names).objects.some((object) => contentKey(object) === key);
}

export type MergeState =
  /** Saved, decided: the account's side is the base from now on. */
  | { readonly kind: 'done'; readonly merge: PendingMerge }
  /** The file still has conflict markers, or does not hold the object any more. */
  | { readonly kind: 'open'; readonly merge: PendingMerge }
  /** No marker is left, but in so many places the file says what was there before either side changed it. */
  | { readonly kind: 'undecided'; readonly merge: PendingMerge; readonly places: number };

/** Looks at the files of all merges under way and ends those that are decided. `accept` ends even what looks undecided. */
export async function settleMerges(
  options: ContentOptions,
  accept: ReadonlySet<string> = new Set(),
): Promise<readonly MergeState[]> {
  const { root } = options;
  const states: MergeState[] = [];
  const done: PendingMerge[] = [];
  for (const merge of await pendingMerges(options)) {
    const text = await readFile(path.join(root, merge.path), 'utf8').catch(() => undefined);
    if (text === merge.before && merge.local !== merge.before) {
      // Somebody took the markers back, and with them what only the account had changed: as if nothing had been begun.
      await forgetMerge(merge, root);
      continue;
    }
    const key = contentKey(merge.remote);
    if (text === undefined || hasMarkers(text) || !holds(text, merge.path, key, options)) {
      states.push({ kind: 'open', merge });
      continue;
    }
    const places = accept.has(key) ? 0 : undecided(hunksOf(merge), text);
    if (places > 0) states.push({ kind: 'undecided', merge, places });
    else {
      states.push({ kind: 'done', merge });
      done.push(merge);
    }
  }
  if (done.length > 0) {
    await acknowledge(
      done.map(({ remote }) => remote),
      options,
    );
    for (const merge of done) await forgetMerge(merge, root);
  }
  return states;
}

export function hunksOf({ base, local, account }: PendingMerge): readonly MergeHunk[] {
  return mergeTexts(base, local, account);
}

/** Gives the file the text it had before the merge began. What it says now is kept in `.lql/texts`. */
export async function abortMerge(merge: PendingMerge, { root }: ContentOptions): Promise<void> {
  const now = await readFile(path.join(root, merge.path), 'utf8').catch(() => undefined);
  if (now !== merge.before && !(await writeContentFile(root, merge.path, merge.before, now)))
    throw new Error(`${merge.path} was changed meanwhile. Try again.`);
  await forgetMerge(merge, root);
}

/** The merges of this account that are under way. */
export async function pendingMerges({ root, account }: ContentOptions): Promise<readonly PendingMerge[]> {
  const folder = path.join(root, privateFolder, 'merges');
  const names = await readdir(folder).catch(() => []);
  const merges: PendingMerge[] = [];
  for (const name of names.sort()) {
    if (!name.endsWith('.json')) continue;
    try {
      const merge = parseExact(await readFile(path.join(folder, name), 'utf8')) as unknown as PendingMerge;
      if (merge.accountId === account.id) merges.push(merge);
    } catch {
      // Ended meanwhile, or torn by a crash: the file's markers are what is left, and they say everything.
    }
  }
  return merges;
}

/** Another window may have ended it too. */
async function forgetMerge(merge: PendingMerge, root: string): Promise<void> {
  await rm(recordOf(root, merge), { force: true });
}

function recordOf(root: string, { accountId, remote }: PendingMerge): string {
  return path.join(root, privateFolder, 'merges', `${hashOf(lockKey(remote, accountId))}.json`);
}

/** Notes that a person has seen these objects of the account: what the files say otherwise is from now on a change made here. */
export async function acknowledge(seen: readonly RemoteObject[], options: ContentOptions): Promise<void> {
  await withFolder(options.root, noting, () => noteSeen(seen, options), options);
}

/** For work that holds the folder. */
async function noteSeen(seen: readonly RemoteObject[], options: ContentOptions): Promise<void> {
  await changeHeldLock(options, async (lock, bases) => {
    for (const object of seen) await note(lock, bases, options.account.id, object);
  });
}

/** Forgets that an object was ever synchronised: what the files say of it is something new. */
export async function forget(
  object: { readonly kind: ContentObject['kind']; readonly id: string },
  options: ContentOptions,
): Promise<void> {
  await changeLock(options, async (lock) => {
    lock.delete(lockKey(object, options.account.id));
  });
}

/**
 * Changes what is noted as synchronised, while nobody else works in the folder.
 * @throws FolderBusyError when somebody else goes on for too long.
 */
export async function changeLock(
  options: ContentOptions,
  change: (lock: Map<string, LockEntry>, bases: BaseStore) => Promise<void>,
): Promise<void> {
  await withFolder(options.root, noting, () => changeHeldLock(options, change), options);
}

const noting = 'noting what is synchronised';

async function changeHeldLock(
  { root }: ContentOptions,
  change: (lock: Map<string, LockEntry>, bases: BaseStore) => Promise<void>,
): Promise<void> {
  const [lock, bases] = [new Map(await readLock(root)), await openBases(root, [])];
  await change(lock, bases);
  await writeLock(root, lock);
}

export type Removal =
  /** The text without the object; undefined when nothing but it was in the file. */
  | { readonly kind: 'text'; readonly path: string; readonly text: string | undefined; readonly before: string }
  | { readonly kind: 'refused'; readonly message: string };

/** What becomes of the file of an object that is to go. Writes nothing. */
export function removalOf(
  { folder }: FolderComparison,
  { layout = defaultLayout, account }: ContentOptions,
  key: string,
): Removal {
  const object = folder.objects.get(key);
  const file = object && folder.files.find(({ path: of }) => of === object.path);
  if (!object || !file) return refused('No file holds it any more.');
  if (file.objects.length === 1) return { kind: 'text', path: file.path, text: undefined, before: file.text };
  const text = textWithout(file.text, object);
  const left =
    text === undefined ? [] : readContentFile(file.path, text, layout, account.names).objects.map(contentKey);
  const wanted = file.objects.map(contentKey).filter((other) => other !== key);
  if (text === undefined || left.join('\n\n') !== wanted.join('\n\n'))
    return refused(
      `The ${wordOf(object.kind)} ${object.id} stands among others in ${file.path}. Take it out there by hand.`,
    );
  return { kind: 'text', path: file.path, text, before: file.text };
}
