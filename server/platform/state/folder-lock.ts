import { createHash, randomUUID } from 'node:crypto';
import { closeSync, fstatSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs';
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

/** What stood in a lock file, and when it was written. */
interface Found {
  readonly text: string;
  readonly modified: number;
}

/** The folder is this process's. */
export interface TakenLock {
  readonly kind: 'taken';
  /** Tells others where the platform is, once it listens. False when somebody took this process for dead meanwhile and has the folder. */
  readonly announce: (holder: LockHolder) => boolean;
  readonly release: () => void;
}

/** Another process has the folder, or had it before this machine was restarted. */
interface BusyLock {
  readonly kind: 'busy';
  /** Undefined while it is still starting. */
  readonly holder: LockHolder | undefined;
  /** How long ago the lock was last written, in milliseconds. */
  readonly age: number;
  /** Removes the lock, of which the caller knows that nobody stands behind it, unless somebody has just taken it. */
  readonly clear: () => void;
}

const claimEnd = '.taking';
/**
 * Between making a file and filling it lies an instant; longer, and whoever made it died in it. Whoever was only slow finds out when it
 * announces itself.
 */
const tornAfter = 3_000;
/** Nobody holds a claim for longer than an instant: one of this age whose process id is in use belongs to another process. */
const reused = 600_000;
/** The lock file itself comes and goes while it is looked at; after so many looks, somebody else is at it. */
const looks = 5;

/** What this process wrote into the lock files of the folders that it serves itself. */
const own = new Map<string, string>();

/**
 * Tries to become the one process of a data folder. A lock whose process is gone is taken over.
 * @throws DataFolderError for a folder that cannot be made or written
 */
export function lockFolder(folder: string): TakenLock | BusyLock {
  return inDataFolder(folder, () => lock(folder));
}

function lock(folder: string): TakenLock | BusyLock {
  makeFolder(folder);
  const file = lockFile(folder);
  const mine = textOf({});
  let found: Found | undefined;
  for (let look = 0; look < looks; look++) {
    if (create(file, mine)) return taken(folder, file, mine);
    found = lookAt(file);
    if (found === undefined) continue;
    if (!isDead(file, found)) break;
    clear(file, found);
  }
  const seen = found;
  return {
    kind: 'busy',
    holder: readHolder(seen?.text ?? ''),
    age: seen === undefined ? 0 : Date.now() - seen.modified,
    clear: () => inDataFolder(folder, () => seen !== undefined && clear(file, seen)),
  };
}

function taken(folder: string, file: string, mine: string): TakenLock {
  sweep(file);
  let text = mine;
  own.set(file, text);
  /** Undefined when somebody who took us for dead has its own lock there now. */
  const look = (): Found | undefined => {
    const found = lookAt(file);
    return found?.text === text ? found : undefined;
  };
  return {
    kind: 'taken',
    announce: (holder) =>
      inDataFolder(folder, () => {
        const found = look();
        const said = textOf(holder);
        const isOurs =
          found !== undefined &&
          change(file, found, () => writeFileSync(file, said, { encoding: 'utf8', mode: 0o600 }));
        if (!isOurs) return false;
        text = said;
        own.set(file, text);
        return true;
      }),
    release() {
      if (own.get(file) === text) own.delete(file);
      try {
        const found = look();
        if (found !== undefined) clear(file, found);
      } catch {
        // The disk is full, say. A lock that stays is soon that of a process that is gone.
      }
    },
  };
}

/** A process that serves answers itself: it needs no look at its address. */
export function isOwnFolder(folder: string): boolean {
  return own.has(lockFile(folder));
}

/** Makes a file whose text no other process writes, nor this one again. */
function create(file: string, text: string): boolean {
  try {
    const descriptor = openSync(file, 'wx', 0o600);
    try {
      writeSync(descriptor, text);
    } finally {
      closeSync(descriptor);
    }
    // Whoever was held up for long before it wrote may have been taken for dead.
    return lookAt(file)?.text === text;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

/** Text and time of one and the same file, whoever takes its place meanwhile; undefined when there is none. */
function lookAt(file: string): Found | undefined {
  let descriptor: number;
  try {
    descriptor = openSync(file, 'r');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
  try {
    const text = readFileSync(descriptor, 'utf8');
    return { text, modified: fstatSync(descriptor).mtimeMs };
  } finally {
    closeSync(descriptor);
  }
}

/** Whether a lock or claim was left by a process that is gone. */
function isDead(file: string, { text, modified }: Found): boolean {
  const pid = readLock(text)['pid'];
  if (typeof pid !== 'number') return Date.now() - modified > tornAfter;
  // Our own number in what we did not write belongs to a process before us that had it, too.
  return pid === process.pid ? own.get(file) !== text : !isAlive(pid);
}

function clear(file: string, found: Found): void {
  change(file, found, () => rmSync(file, { force: true }));
}

/**
 * Changes or removes a lock file as it was found. Since then another process may have done so and a third have taken the place, whose lock
 * must stay. So a claim comes first: a file named after what was found, which one alone can make. Whoever died with a claim is followed in
 * the same way.
 * @returns whether it was done; not when the lock is another one by now, nor while somebody else is at it
 */
function change(file: string, found: Found, action: () => void): boolean {
  const claims: string[] = [];
  for (let before = found; ; ) {
    const claim = claimOn(file, before);
    claims.push(claim);
    if (create(claim, textOf({}))) break;
    const rival = lookAt(claim);
    if (rival === undefined || !(isDead(claim, rival) || Date.now() - rival.modified > reused)) return false;
    before = rival;
  }
  let isOver = false;
  try {
    const now = lookAt(file);
    const isSame = now !== undefined && claimOn(file, now) === claimOn(file, found);
    if (isSame) action();
    isOver = true;
    return isSame;
  } finally {
    // While the lock is as it was found, the claims of the dead show everybody the same way to the last one.
    for (const claim of isOver ? claims : claims.slice(-1)) rmSync(claim, { force: true });
  }
}

function claimOn(file: string, { text, modified }: Found): string {
  const unique = createHash('sha256').update(`${text}\n${modified}`).digest('hex').slice(0, 24);
  return `${file}.${unique}${claimEnd}`;
}

/** Claims of those who died right after the lock was theirs to take. */
function sweep(file: string): void {
  const folder = path.dirname(file);
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(`${path.basename(file)}.`) || !name.endsWith(claimEnd)) continue;
    const claim = path.join(folder, name);
    const found = lookAt(claim);
    if (found !== undefined && isDead(claim, found)) rmSync(claim, { force: true });
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // It lives and belongs to somebody else.
    return codeOf(error) === 'EPERM';
  }
}

function lockFile(folder: string): string {
  return path.join(path.resolve(folder), 'platform.lock');
}

/** What a process writes into its lock or claim: like no other text, so that nobody takes one for another. */
function textOf(holder: Partial<LockHolder>): string {
  return JSON.stringify({ ...holder, pid: process.pid, token: randomUUID() });
}

function readLock(text: string): { readonly [key: string]: unknown } {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

function readHolder(text: string): LockHolder | undefined {
  const { pid, url, port, keyId, secret, accountId, account, rateLimit } = readLock(text);
  if (typeof pid !== 'number' || typeof url !== 'string' || typeof port !== 'number') return undefined;
  if (typeof keyId !== 'string' || typeof secret !== 'string') return undefined;
  return {
    ...{ pid, url, port, keyId, secret },
    ...(typeof accountId === 'string' ? { accountId } : {}),
    ...(typeof account === 'string' ? { account } : {}),
    ...(typeof rateLimit === 'boolean' ? { rateLimit } : {}),
  };
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
