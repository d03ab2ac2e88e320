import { isUtf8 } from 'node:buffer';
import { readdir, readFile, rename, stat, unlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { hostKindOf } from '../core/documents/find-regions.ts';
import type { HostKind } from '../core/documents/region.ts';
import { CommandError, UsageError } from './io.ts';

/** A document that may hold queries. */
export interface SourceFile {
  /** As a person would write it: relative to the working directory where it lies below. */
  readonly name: string;
  readonly path: string;
  readonly host: HostKind;
  readonly isStandardInput?: true;
}

const ignoredFolders: ReadonlySet<string> = new Set(['node_modules', '.git', '.lql', '.terraform']);
/** Larger files are no documents that people write. */
const maxFileBytes = 32 * 1_048_576;

/**
 * The documents named by paths: a file itself, a folder's files of the kinds that hold queries, in the order of their names. A named file of
 * an unknown kind is taken for a query, and so is `-`, standard input. Links to folders are not followed.
 */
export async function findSourceFiles(cwd: string, paths: readonly string[]): Promise<readonly SourceFile[]> {
  const found = new Map<string, SourceFile>();
  for (const given of paths) {
    if (given === '-') {
      found.set('-', { name: '-', path: path.join(cwd, '-'), host: 'lql', isStandardInput: true });
      continue;
    }
    const absolute = path.resolve(cwd, given);
    const information = await stat(absolute).catch(() => undefined);
    if (!information) throw new UsageError(`There is no file or folder '${given}'.`);
    if (information.isDirectory()) {
      for (const file of await walk(absolute)) {
        const host = hostKindOf('', file);
        if (host !== undefined) found.set(file, { name: display(cwd, file), path: file, host });
      }
    } else {
      const host = hostKindOf('', absolute) ?? 'lql';
      found.set(absolute, { name: display(cwd, absolute), path: absolute, host });
    }
  }
  return [...found.values()];
}

export interface FileText {
  readonly text: string;
  /** The byte order mark in front of the text, which is no part of it. */
  readonly mark: string;
  /** Otherwise bytes were lost in reading: the text may be looked at, but it must not be written back. */
  readonly isUtf8: boolean;
}

export async function readText(file: string): Promise<FileText> {
  const { size } = await stat(file);
  if (size > maxFileBytes) {
    throw new CommandError(`'${file}' has ${size} bytes; files of at most ${maxFileBytes} bytes are read.`);
  }
  const bytes = await readFile(file);
  return { ...asFileText(bytes.toString('utf8')), isUtf8: isUtf8(bytes) && !isUtf16(bytes) };
}

/** What was read as a whole, with the byte order mark taken off. */
export function asFileText(content: string): FileText {
  const mark = content.startsWith('\uFEFF') ? '\uFEFF' : '';
  return { text: content.slice(mark.length), mark, isUtf8: true };
}

/** UTF-16 without a mark is valid UTF-8 as long as it is English: every other byte of it is null, which no text holds. */
function isUtf16(bytes: Buffer): boolean {
  const head = bytes.subarray(0, 512);
  return head.length > 1 && head.reduce((count, byte) => count + (byte === 0 ? 1 : 0), 0) * 3 > head.length;
}

/** Reads a JSON file that an option names. */
export async function readJson(cwd: string, file: string, option: string): Promise<unknown> {
  const absolute = path.resolve(cwd, file);
  let text: string;
  try {
    text = (await readText(absolute)).text;
  } catch (error) {
    throw error instanceof CommandError ? error : new UsageError(`The file '${file}' of --${option} cannot be read.`);
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError(`The file '${file}' of --${option} is not JSON.`);
  }
}

/** Why a file could not be read, as the middle of a sentence. */
export function whyUnreadable(error: unknown): string {
  switch (error instanceof Error && 'code' in error ? error.code : undefined) {
    case 'ENOENT':
    case 'ENOTDIR':
      return 'there is no such file';
    case 'EISDIR':
      return 'it is a folder';
    case 'EACCES':
    case 'EPERM':
      return 'you may not read it';
    default:
      return error instanceof Error ? error.message : 'the system does not say why';
  }
}

function whyUnwritable(error: unknown): string {
  switch (error instanceof Error && 'code' in error ? error.code : undefined) {
    case 'ENOENT':
    case 'ENOTDIR':
      return 'there is no such folder';
    case 'EISDIR':
      return 'it is a folder';
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return 'you may not write there';
    default:
      return error instanceof Error ? error.message : 'the system does not say why';
  }
}

/** Replaces a file as a whole: a reader sees the old content or the new, never a part. */
export async function writeWhole(file: string, content: string): Promise<void> {
  const temporary = `${file}.${process.pid}.tmp`;
  try {
    await writeFile(temporary, content, 'utf8');
    await rename(temporary, file);
  } catch (error) {
    await unlink(temporary).catch(() => {});
    throw new CommandError(`'${file}' cannot be written: ${whyUnwritable(error)}.`);
  }
}

async function walk(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const files: string[] = [];
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const full = path.join(folder, entry.name);
    if (entry.isDirectory()) {
      if (!ignoredFolders.has(entry.name)) files.push(...(await walk(full)));
    } else if (entry.isFile()) files.push(full);
  }
  return files;
}

function display(cwd: string, file: string): string {
  const relative = path.relative(cwd, file);
  return relative.startsWith('..') || path.isAbsolute(relative) ? file : relative.split(path.sep).join('/');
}
