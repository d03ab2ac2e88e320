import { createHash, randomBytes } from 'node:crypto';
import { link, mkdir, open, readdir, readFile, realpath, rename, stat, unlink } from 'node:fs/promises';
import path from 'node:path';
import type { ContentFields, ContentKind } from '../../core/content/content-object.ts';
import { contentKey } from '../../core/content/content-object.ts';
import { type ContentFile, type FileObject, readContentFile } from '../../core/content/files/content-file.ts';
import type { ContentLayout } from '../../core/content/files/file-names.ts';
import type { AccountNames } from '../../core/content/identity.ts';
import { type Lock, parseLock, printLock } from '../../core/content/lock.ts';
import { meaningOf } from '../../core/content/normalise.ts';
import { parseExact, writeExact } from '../transport/json.ts';

/** A file of the folder that holds content, or may. */
export interface FolderFile extends ContentFile {
  /** Relative to the folder, with `/`. */
  readonly path: string;
  readonly text: string;
}

export interface LocalObject extends FileObject {
  readonly path: string;
}

/** What the files of a folder say. */
export interface FolderContent {
  readonly files: readonly FolderFile[];
  readonly objects: ReadonlyMap<string, LocalObject>;
  /** Keys that several files claim, with what to do about it. */
  readonly blocked: ReadonlyMap<string, string>;
  /** Files that cannot be read now: what seems to be deleted may be in them. */
  readonly unreadable: readonly { readonly path: string; readonly message: string }[];
  /** Every path of the folder that was seen, folded by nobody: new files must not take one of them. */
  readonly paths: readonly string[];
}

const lockName = 'lql.lock';
/** Our own folder: it ignores itself in git, and everything in it can be made again but the deployment log. */
export const privateFolder = '.lql';
const ignored: ReadonlySet<string> = new Set(['node_modules', '.git', '.terraform', privateFolder]);
const maxFileBytes = 1_048_576;
const maxFiles = 50_000;

/** Reads every content file below a folder. Links that lead out of it are not followed. */
export async function readFolder(root: string, layout: ContentLayout, names: AccountNames): Promise<FolderContent> {
  const paths = await listFiles(root);
  const files: FolderFile[] = [];
  for (const file of paths) {
    if (!/\.(?:lql|ya?ml|json)$/i.test(file)) continue;
    const text = await readSmall(path.join(root, file));
    if (text === undefined) continue;
    const content = readContentFile(file, text, layout, names);
    if (content.objects.length > 0 || content.problems.length > 0 || content.unreadable !== undefined)
      files.push({ ...content, path: file, text });
  }
  const objects = new Map<string, LocalObject>();
  const claims = new Map<string, string[]>();
  for (const file of files) {
    for (const object of file.objects) {
      const key = contentKey(object);
      claims.set(key, [...(claims.get(key) ?? []), file.path]);
      objects.set(key, { ...object, path: file.path });
    }
  }
  const blocked = new Map<string, string>();
  for (const [key, claimed] of claims) {
    if (claimed.length === 1) continue;
    objects.delete(key);
    blocked.set(
      key,
      `The id is given ${claimed.length} times (${[...new Set(claimed)].join(', ')}). Nothing is done with it until one is left.`,
    );
  }
  const unreadable = files.flatMap((file) =>
    file.unreadable === undefined ? [] : [{ path: file.path, message: file.unreadable }],
  );
  return { files, objects, blocked, unreadable, paths };
}

async function listFiles(root: string): Promise<string[]> {
  const found: string[] = [];
  const open: string[] = [''];
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    const entries = await readdir(path.join(root, folder), { withFileTypes: true });
    for (const entry of entries) {
      const relative = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) {
        if (!ignored.has(entry.name)) open.push(relative);
      } else if (entry.isFile()) found.push(relative);
      if (found.length > maxFiles)
        throw new Error(`The folder holds more than ${maxFiles} files. Choose the folder of the content itself.`);
    }
  }
  return found.sort();
}

async function readSmall(file: string): Promise<string | undefined> {
  const { size } = await stat(file);
  if (size > maxFileBytes) return undefined;
  return readFile(file, 'utf8');
}

/** SHA-256 of a text, in hexadecimal digits. */
export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

export async function readLock(root: string): Promise<Lock> {
  return parseLock((await readIfThere(path.join(root, lockName))) ?? '');
}

export async function writeLock(root: string, lock: Lock): Promise<void> {
  const text = printLock(lock);
  if ((await readIfThere(path.join(root, lockName))) === text) return;
  await writeSafely(path.join(root, lockName), text, 'durably', await temporaryFolder(root));
}

/** Contents that were synchronised on this computer, by the hash of their meaning. */
export interface BaseStore {
  get(hash: string): ContentFields | undefined;
  put(kind: ContentKind, fields: ContentFields): Promise<string>;
}

/** Loads the contents with these hashes; what is missing or does not have its hash is not there. */
export async function openBases(
  root: string,
  wanted: readonly { readonly kind: ContentKind; readonly hash: string }[],
): Promise<BaseStore> {
  const folder = path.join(root, privateFolder, 'base');
  const known = new Map<string, ContentFields>();
  for (const { kind, hash } of wanted) {
    if (!/^[0-9a-f]{64}$/.test(hash) || known.has(hash)) continue;
    const text = await readIfThere(path.join(folder, `${hash}.json`));
    if (text === undefined) continue;
    try {
      const fields = parseExact(text) as ContentFields;
      if (hashOf(meaningOf({ kind, fields })) === hash) known.set(hash, fields);
    } catch {
      // Torn by a crash or a full disk: as if it were not there.
    }
  }
  return {
    get: (hash) => known.get(hash),
    async put(kind, fields) {
      const hash = hashOf(meaningOf({ kind, fields }));
      if (!known.has(hash)) {
        await openPrivateFolder(root);
        await writeSafely(
          path.join(folder, `${hash}.json`),
          `${writeExact(fields)}\n`,
          'lazily',
          await temporaryFolder(root),
        );
        known.set(hash, fields);
      }
      return hash;
    },
  };
}

/** Makes our folder, which keeps itself out of git. */
export async function openPrivateFolder(root: string): Promise<string> {
  const folder = path.join(root, privateFolder);
  await mkdir(folder, { recursive: true });
  const ignore = path.join(folder, '.gitignore');
  if ((await readIfThere(ignore)) !== '*\n') await writeSafely(ignore, '*\n');
  return folder;
}

/** Keeps a text that is about to be replaced. Kept once however often it comes. */
export async function keepText(root: string, text: string): Promise<string> {
  const folder = path.join(await openPrivateFolder(root), 'texts');
  const file = path.join(folder, hashOf(text));
  if ((await readIfThere(file)) === undefined) await writeSafely(file, text);
  return file;
}

/**
 * Writes a content file if it still has the text `expected` (undefined: if there is none). A reader sees the old text or the new one. False
 * when somebody else wrote meanwhile: then nothing was written.
 */
export async function writeContentFile(
  root: string,
  relative: string,
  text: string,
  expected: string | undefined,
): Promise<boolean> {
  const file = path.join(root, relative);
  await mkdir(path.dirname(file), { recursive: true });
  const [realRoot, realFolder] = await Promise.all([realpath(root), realpath(path.dirname(file))]);
  if (realFolder !== realRoot && !realFolder.startsWith(`${realRoot}${path.sep}`)) {
    throw new Error(`The folder of ${relative} leads out of ${root} by a link. Nothing was written there.`);
  }
  if ((await readIfThere(file)) !== expected) return false;
  if (expected === undefined) return createSafely(root, file, text);
  await keepText(root, expected);
  await writeSafely(file, text, 'durably', await temporaryFolder(root));
  return true;
}

/** Where files are written before they take their places: what a crash leaves there is swept away. */
async function temporaryFolder(root: string): Promise<string> {
  const folder = path.join(await openPrivateFolder(root), 'tmp');
  await mkdir(folder, { recursive: true });
  return folder;
}

/** Makes a file that is not there, whole or not at all. False when somebody else made it meanwhile. */
async function createSafely(root: string, file: string, text: string): Promise<boolean> {
  const temporary = await writeTemporary(path.join(await temporaryFolder(root), temporaryName(file)), text, 'durably');
  try {
    await link(temporary, file);
    return true;
  } catch (error) {
    const code = codeOf(error);
    if (code === 'EEXIST') return false;
    // File systems without links: there, the instant between looking and writing is left.
    if ((await readIfThere(file)) !== undefined) return false;
    await writeSafely(file, text);
    return true;
  } finally {
    await unlink(temporary).catch(() => {});
  }
}

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return undefined;
    throw error;
  }
}

/**
 * Replaces a file as a whole, and is on the disk when it returns; `lazily` where whoever reads it can tell when a crash tore it. It is
 * written in `folder` first, which is the file's own unless another one of the same disk is named.
 */
export async function writeSafely(
  file: string,
  text: string,
  how: 'durably' | 'lazily' = 'durably',
  folder: string = path.dirname(file),
): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  const temporary = await writeTemporary(path.join(folder, temporaryName(file)), text, how);
  try {
    await rename(temporary, file);
  } catch (error) {
    await unlink(temporary).catch(() => {});
    // A folder below may lie on another disk.
    if (codeOf(error) === 'EXDEV' && folder !== path.dirname(file)) return writeSafely(file, text, how);
    throw error;
  }
}

function temporaryName(file: string): string {
  return `${path.basename(file).slice(0, 100)}.${randomBytes(6).toString('hex')}.tmp`;
}

async function writeTemporary(temporary: string, text: string, how: 'durably' | 'lazily'): Promise<string> {
  try {
    const handle = await open(temporary, 'wx');
    try {
      await handle.writeFile(text, 'utf8');
      if (how === 'durably') await handle.sync();
    } finally {
      await handle.close();
    }
    return temporary;
  } catch (error) {
    await unlink(temporary).catch(() => {});
    throw error;
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
