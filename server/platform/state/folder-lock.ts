import { closeSync, openSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs';
import path from 'node:path';
import { inDataFolder, makeFolder } from './data-folder.ts';

/** What a platform says of itself in the one line it prints, and to others that want its data folder. */
export interface Announcement {
  readonly url: string;
  readonly keyId: string;
  readonly secret: string;
  /** The account's stable id, whatever the address. */
  readonly accountId?: string | undefined;
  /** Name of the account. */
  readonly account?: string | undefined;
  /** Whether requests are limited to so many an hour. */
  readonly rateLimit?: boolean | undefined;
}

/** What the lock file of a served folder says. It is readable by its owner alone: it holds the secret. */
export interface LockHolder extends Announcement {
  readonly pid: number;
  readonly port: number;
}

export type LockResult =
  | { readonly kind: 'taken'; readonly release: () => void }
  /** Another process has the folder, or had it before this machine was restarted. The holder is undefined while it is still starting. */
  | { readonly kind: 'busy'; readonly holder: LockHolder | undefined; readonly text: string };

/** Folders that this process serves itself. */
const own = new Set<string>();

/**
 * Tries to become the one process of a data folder. A lock whose process is gone is taken over.
 * @throws DataFolderError for a folder that cannot be made or written
 */
export function lockFolder(folder: string): LockResult {
  return inDataFolder(folder, () => lock(folder));
}

function lock(folder: string): LockResult {
  makeFolder(folder);
  const file = lockFile(folder);
  for (let attempt = 0; attempt < 3; attempt++) {
    try {
      const descriptor = openSync(file, 'wx', 0o600);
      writeSync(descriptor, JSON.stringify({ pid: process.pid }));
      closeSync(descriptor);
      own.add(file);
      const release = (): void => {
        if (own.delete(file)) rmSync(file, { force: true });
      };
      return { kind: 'taken', release };
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    }
    const pid = readPid(file);
    // Our own number without a platform of ours belongs to a dead process that had it before.
    const served = pid === process.pid ? own.has(file) : pid !== undefined && isAlive(pid);
    if (served) return { kind: 'busy', holder: readHolder(file), text: readText(file) };
    rmSync(file, { force: true });
  }
  return { kind: 'busy', holder: readHolder(file), text: readText(file) };
}

/** A process that serves answers itself: it needs no look at its address. */
export function isOwnFolder(folder: string): boolean {
  return own.has(lockFile(folder));
}

/** How long ago a lock was last written, in milliseconds. */
export function lockAge(folder: string): number {
  try {
    return Date.now() - statSync(lockFile(folder)).mtimeMs;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

/** Removes a lock that nobody stands behind, unless somebody has just taken it. */
export function breakLock(folder: string, text: string): void {
  const file = lockFile(folder);
  if (readText(file) === text) rmSync(file, { force: true });
}

/** Tells others where the platform is, once it listens. */
export function announceHolder(folder: string, holder: LockHolder): void {
  const descriptor = openSync(lockFile(folder), 'w', 0o600);
  writeSync(descriptor, JSON.stringify(holder));
  closeSync(descriptor);
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

function lockFile(folder: string): string {
  return path.join(path.resolve(folder), 'platform.lock');
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function readLock(file: string): { readonly [key: string]: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(readText(file));
    return typeof value === 'object' && value !== null ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

function readPid(file: string): number | undefined {
  const pid = readLock(file)?.['pid'];
  return typeof pid === 'number' ? pid : undefined;
}

function readHolder(file: string): LockHolder | undefined {
  const { pid, url, port, keyId, secret, accountId, account, rateLimit } = readLock(file) ?? {};
  if (typeof pid !== 'number' || typeof url !== 'string' || typeof port !== 'number') return undefined;
  if (typeof keyId !== 'string' || typeof secret !== 'string') return undefined;
  return {
    ...{ pid, url, port, keyId, secret },
    ...(typeof accountId === 'string' ? { accountId } : {}),
    ...(typeof account === 'string' ? { account } : {}),
    ...(typeof rateLimit === 'boolean' ? { rateLimit } : {}),
  };
}
