import { randomBytes } from 'node:crypto';
import { open, readdir, readFile, stat, unlink, utimes } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';
import { openPrivateFolder } from './content-folder.ts';

/** Who works in a folder, as its lock file says. */
export interface FolderHolder {
  readonly pid: number;
  readonly host: string;
  /** ISO 8601. */
  readonly started: string;
  /** What is being done, e.g. `deploying`. */
  readonly work: string;
}

/** Somebody else is deploying or pulling in this folder right now. Nothing was done. */
export class FolderBusyError extends Error {
  readonly holder: FolderHolder | undefined;

  constructor(root: string, holder: FolderHolder | undefined) {
    const who = holder
      ? `${isHere(holder) ? `process ${holder.pid}` : `process ${holder.pid} on ${holder.host}`} is ${holder.work} there since ${holder.started}`
      : 'another process works there';
    super(`The folder ${root} is in use: ${who}. Nothing was done. Wait until it has ended, or end it, and try again.`);
    this.name = 'FolderBusyError';
    this.holder = holder;
  }
}

export interface FolderLockOptions {
  /** Milliseconds to wait for another process; 5 seconds when left out. */
  readonly patience?: number | undefined;
}

const lockName = 'in-use.json';
const guardName = 'in-use.taking';
/** How often a holder says that it still lives. */
const beat = 5_000;
/** Without a sign of life for so long, a holder on another computer is taken for dead. */
const silence = 120_000;
/** A process with the holder's number that gave no sign for so long is another one: numbers are given again. */
const reused = 600_000;
/** The guard is held for a few file operations. */
const guardSilence = 10_000;
const usualPatience = 5_000;

/**
 * Runs work that nobody else may do in the folder meanwhile: the editor, another of its windows and the command line deploy and pull in the
 * same folder. A holder that died is found out by its process number on this computer, by its silence on another.
 * @throws FolderBusyError when somebody else holds the folder for longer than the patience lasts.
 */
export async function withFolder<T>(
  root: string,
  work: string,
  action: () => Promise<T>,
  { patience = usualPatience }: FolderLockOptions = {},
): Promise<T> {
  const folder = await openPrivateFolder(root);
  const file = path.join(folder, lockName);
  const token = randomBytes(12).toString('hex');
  const mine = `${JSON.stringify({ pid: process.pid, host: hostname(), started: new Date().toISOString(), work, token })}\n`;
  const until = Date.now() + patience;
  for (;;) {
    if (await create(file, mine)) break;
    if (await isDead(file)) await clear(folder, file);
    else if (Date.now() >= until) throw new FolderBusyError(root, await readHolder(file));
    else await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const heart = setInterval(() => void touch(file), beat);
  heart.unref();
  try {
    await sweep(folder);
    return await action();
  } finally {
    clearInterval(heart);
    // Somebody who took us for dead has its own file there now.
    if ((await readText(file)) === mine) await unlink(file).catch(() => {});
  }
}

/** Who works in the folder now; undefined when nobody does. */
export async function folderHolder(root: string): Promise<FolderHolder | undefined> {
  const file = path.join(root, '.lql', lockName);
  return (await isDead(file)) ? undefined : readHolder(file);
}

async function create(file: string, text: string): Promise<boolean> {
  try {
    const handle = await open(file, 'wx');
    try {
      await handle.writeFile(text, 'utf8');
    } finally {
      await handle.close();
    }
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

/** Whether the holder gave up its place without saying so; also when nobody holds it. */
async function isDead(file: string): Promise<boolean> {
  const age = await ageOf(file);
  if (age === undefined) return true;
  const holder = await readHolder(file);
  // Between making the file and filling it lies an instant; longer, and whoever made it died in it.
  if (!holder) return age > guardSilence;
  if (!isHere(holder)) return age > silence;
  if (holder.pid === process.pid) return false;
  return !isAlive(holder.pid) || age > reused;
}

/** Takes a dead holder's file away. Of those who see it dead, one at a time looks again and does it. */
async function clear(folder: string, file: string): Promise<void> {
  const guard = path.join(folder, guardName);
  const age = await ageOf(guard);
  if (age !== undefined && age > guardSilence) await unlink(guard).catch(() => {});
  if (!(await create(guard, ''))) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    return;
  }
  try {
    if (await isDead(file)) await unlink(file).catch(() => {});
  } finally {
    await unlink(guard).catch(() => {});
  }
}

/** Half-written files of those who died here. What is young may be somebody's who only keeps a text. */
async function sweep(folder: string): Promise<void> {
  const halves = path.join(folder, 'tmp');
  for (const name of await readdir(halves).catch(() => [])) {
    const file = path.join(halves, name);
    if (((await ageOf(file)) ?? 0) > silence) await unlink(file).catch(() => {});
  }
}

async function readHolder(file: string): Promise<FolderHolder | undefined> {
  try {
    const { pid, host, started, work } = JSON.parse((await readText(file)) ?? '') as Partial<FolderHolder>;
    if (typeof pid !== 'number' || typeof host !== 'string' || typeof started !== 'string' || typeof work !== 'string')
      return undefined;
    return { pid, host, started, work };
  } catch {
    return undefined;
  }
}

async function readText(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch(() => undefined);
}

async function ageOf(file: string): Promise<number | undefined> {
  const seen = await stat(file).catch(() => undefined);
  return seen && Date.now() - seen.mtimeMs;
}

async function touch(file: string): Promise<void> {
  const now = new Date();
  await utimes(file, now, now).catch(() => {});
}

function isHere({ host }: FolderHolder): boolean {
  return host === hostname();
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // It lives and belongs to somebody else.
    return codeOf(error) === 'EPERM';
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
