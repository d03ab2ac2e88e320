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
}

const ignoredFolders: ReadonlySet<string> = new Set(['node_modules', '.git', '.lql', '.terraform']);
/** Larger files are no documents that people write. */
const maxFileBytes = 32 * 1_048_576;

/**
 * The documents named by paths: a file itself, a folder's files of the kinds that hold queries, in the order of their names. A named file of
 * an unknown kind is taken for a query. Links to folders are not followed.
 */
export async function findSourceFiles(cwd: string, paths: readonly string[]): Promise<readonly SourceFile[]> {
  const found = new Map<string, SourceFile>();
  for (const given of paths) {
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

/** The text of a file, and the byte order mark in front of it, which is no part of the text. */
export async function readText(file: string): Promise<{ readonly text: string; readonly mark: string }> {
  const { size } = await stat(file);
  if (size > maxFileBytes) {
    throw new CommandError(`'${file}' has ${size} bytes; files of at most ${maxFileBytes} bytes are read.`);
  }
  const content = await readFile(file, 'utf8');
  return content.startsWith('\uFEFF') ? { text: content.slice(1), mark: '\uFEFF' } : { text: content, mark: '' };
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

/** Replaces a file as a whole: a reader sees the old content or the new, never a part. */
export async function writeWhole(file: string, content: string): Promise<void> {
  const temporary = `${file}.${process.pid}.tmp`;
  try {
    await writeFile(temporary, content, 'utf8');
    await rename(temporary, file);
  } catch (error) {
    await unlink(temporary).catch(() => {});
    const reason = error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason';
    throw new CommandError(`'${file}' cannot be written (${reason}).`);
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
