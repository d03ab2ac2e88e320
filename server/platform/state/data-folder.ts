import { mkdirSync, statSync } from 'node:fs';
import path from 'node:path';

/** A data folder that cannot be used; the message says which, why and what to do. */
export class DataFolderError extends Error {
  constructor(folder: string, reason: string) {
    super(`The data folder '${folder}' cannot be used: ${reason}. Name a folder that you may write to.`);
    this.name = 'DataFolderError';
  }
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'you may not write there',
  EEXIST: 'it is a file',
  EISDIR: 'a folder stands where a file of the platform belongs',
  ELOOP: 'its links lead in a circle',
  ENAMETOOLONG: 'its name is too long',
  ENOENT: 'no folder can be made there',
  ENOSPC: 'its disk is full',
  ENOTDIR: 'a part of its path is a file',
  EPERM: 'you may not write there',
  EROFS: 'its disk is read-only',
};

/** Does something with the files of a data folder. @throws DataFolderError where the system refuses it */
export function inDataFolder<T>(folder: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    const reason = failureReason(error);
    throw reason === undefined ? error : new DataFolderError(folder, reason);
  }
}

/** Why the system refused to write, as people say it; undefined for any other mistake. */
export function failureReason(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  return code === undefined ? undefined : (reasons[code] ?? `the system says ${code}`);
}

/**
 * Makes a folder with those above it. Not by the system's own recursion, which never ends where the folder above exists and yet takes no
 * new ones (`/proc`).
 */
export function makeFolder(folder: string): void {
  const missing: string[] = [];
  let existing = path.resolve(folder);
  for (;;) {
    const found = statSync(existing, { throwIfNoEntry: false });
    if (found?.isDirectory()) break;
    if (found !== undefined)
      throw Object.assign(new Error(existing), { code: missing.length > 0 ? 'ENOTDIR' : 'EEXIST' });
    missing.push(existing);
    existing = path.dirname(existing);
  }
  for (const name of missing.reverse()) {
    try {
      mkdirSync(name, { mode: 0o700 });
    } catch (error) {
      // Another process may have made it meanwhile.
      if (!statSync(name, { throwIfNoEntry: false })?.isDirectory()) throw error;
    }
  }
}
