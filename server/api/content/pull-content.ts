import { type ContentObject, contentKey } from '../../core/content/content-object.ts';
import { readContentFile } from '../../core/content/files/content-file.ts';
import { defaultLayout, foldedPath, pathOfObject } from '../../core/content/files/file-names.ts';
import { newFileText, updatedFileText } from '../../core/content/files/write-file.ts';
import { lockKey } from '../../core/content/lock.ts';
import { meaningOf } from '../../core/content/normalise.ts';
import { type PullOptions, type PullStep, planPull } from '../../core/content/pull.ts';
import { readFolder, readLock, writeContentFile, writeLock } from './content-folder.ts';
import { type ContentOptions, type FolderComparison, forgetGone, note, unchangedSince } from './content-sync.ts';
import { withFolder } from './folder-lock.ts';

export interface PulledObject {
  readonly kind: 'created' | 'updated' | 'merged';
  readonly object: ContentObject;
  readonly path: string;
}

export interface LeftObject {
  readonly step: PullStep;
  readonly message: string;
}

export interface PullResult {
  readonly pulled: readonly PulledObject[];
  /** What a person has to decide. Nothing of it was touched. */
  readonly left: readonly LeftObject[];
}

export interface PullRequest extends PullOptions {
  /** Files whose text is being written by somebody right now: they are left alone. */
  readonly isBusy?: (path: string) => boolean;
}

/**
 * Brings what is new in the account into the files. A text that was replaced is kept; one that changed under our hands is left alone, and so
 * is what another process synchronised since the comparison.
 * @throws FolderBusyError when another process deploys or pulls in the folder: nothing was done.
 */
export async function pullContent(
  comparison: FolderComparison,
  options: ContentOptions,
  request: PullRequest,
): Promise<PullResult> {
  return withFolder(options.root, 'pulling', () => pull(comparison, options, request), options);
}

async function pull(comparison: FolderComparison, options: ContentOptions, request: PullRequest): Promise<PullResult> {
  const { root, account, layout = defaultLayout } = options;
  const { folder, remote, bases } = comparison;
  const [before, now] = await Promise.all([readLock(root), readFolder(root, layout, account.names)]);
  const lock = new Map(before);
  const isOurs = unchangedSince(comparison.lock, before);
  const texts = new Map(folder.files.map(({ path, text }) => [path, text]));
  const taken = new Set(now.paths.map(foldedPath));
  const pulled: (PulledObject & { readonly order: number })[] = [];
  const left: (LeftObject & { readonly order: number })[] = [];

  /** Writes one object's file and says where, or why not. */
  const writeStep = async (
    step: Extract<PullStep, { object: ContentObject }>,
  ): Promise<{ path: string } | { message: string }> => {
    const { object } = step;
    const local = folder.objects.get(contentKey(object));
    const path = local?.path ?? pathOfObject(object.kind, object.id, layout, (folded) => taken.has(folded));
    const before = local && texts.get(local.path);
    if (request.isBusy?.(path))
      return { message: `${path} has unsaved changes. Save or revert them, then pull again.` };
    const text = before === undefined ? newFileText(object) : updatedText(path, before, object);
    if (text === undefined || !saysThat(path, text, object))
      return {
        message: `What changed in the account cannot be written into ${path} as it is. Compare the two and change the file by hand.`,
      };
    // Others that are written meanwhile take other names.
    taken.add(foldedPath(path));
    if (!(await writeContentFile(root, path, text, before)))
      return { message: `${path} was changed while pulling. Pull again.` };
    texts.set(path, text);
    return { path };
  };

  const updatedText = (path: string, text: string, wanted: ContentObject): string | undefined => {
    const found = readContentFile(path, text, layout, account.names).objects.find(
      (it) => contentKey(it) === contentKey(wanted),
    );
    if (!found) return undefined;
    const bare = found.place.kind === 'bare';
    return updatedFileText(
      text,
      found,
      bare ? { ...wanted, fields: { queryText: wanted.fields['queryText'] } } : wanted,
    );
  };

  // Whatever the library did: a file is written only if it says what it was meant to say.
  const saysThat = (path: string, text: string, wanted: ContentObject): boolean => {
    const found = readContentFile(path, text, layout, account.names).objects.find(
      (it) => contentKey(it) === contentKey(wanted),
    );
    if (!found) return false;
    const fields = found.place.kind === 'bare' ? { ...wanted.fields, ...found.fields } : found.fields;
    return meaningOf({ kind: found.kind, fields }) === meaningOf(wanted);
  };

  const writing = createLanes(filesAtOnce);
  for (const [order, step] of planPull(comparison.comparisons, request).entries()) {
    if (options.signal?.aborted) break;
    if (step.kind === 'left') {
      left.push({ order, step, message: step.message });
      continue;
    }
    const key = contentKey(step.comparison);
    const there = remote.get(key);
    if (!there) continue;
    const isStale = !isOurs(lockKey(there, account.id));
    if (step.kind === 'adopt') {
      if (there.vendorOwned || isStale) continue;
      await note(lock, bases, account.id, there);
      continue;
    }
    if (isStale || (!folder.objects.has(key) && (now.objects.has(key) || now.blocked.has(key)))) {
      const message = 'Another process, or another window, synchronised it meanwhile. Pull again.';
      left.push({ order, step, message });
      continue;
    }
    const take = async (): Promise<void> => {
      const written = await writeStep(step);
      if ('message' in written) {
        left.push({ order, step, message: written.message });
        return;
      }
      await note(lock, bases, account.id, there);
      pulled.push({ order, kind: pulledKinds[step.kind], object: step.object, path: written.path });
    };
    // New files are apart from each other; objects that are there may share a file.
    if (folder.objects.has(key)) {
      await writing.end();
      await take();
    } else await writing.add(take);
  }
  await writing.end();
  forgetGone(lock, comparison, account.id);
  await writeLock(root, lock);
  return { pulled: inOrder(pulled), left: inOrder(left) };
}

/** So many files are written at once: a disk that makes sure of one can make sure of several. */
const filesAtOnce = 8;

function inOrder<T extends object>(items: readonly (T & { readonly order: number })[]): T[] {
  return [...items].sort((a, b) => a.order - b.order).map(({ order: _, ...item }) => item as unknown as T);
}

interface Lanes {
  /** Resolves when the work has begun; what failed before is thrown. */
  add(work: () => Promise<void>): Promise<void>;
  /** Resolves when everything is done. */
  end(): Promise<void>;
}

/** Works that go on side by side, a few at a time. Nothing is left running when one of them fails. */
function createLanes(width: number): Lanes {
  const running = new Set<Promise<void>>();
  const failures: unknown[] = [];
  const end = async (): Promise<void> => {
    await Promise.all(running);
    if (failures.length > 0) throw failures[0];
  };
  return {
    end,
    async add(work) {
      if (failures.length > 0) await end();
      const task: Promise<void> = work()
        .catch((error: unknown) => void failures.push(error))
        .finally(() => running.delete(task));
      running.add(task);
      if (running.size >= width) await Promise.race(running);
    },
  };
}

const pulledKinds = { create: 'created', update: 'updated', merge: 'merged' } as const satisfies Partial<
  Record<PullStep['kind'], PulledObject['kind']>
>;
