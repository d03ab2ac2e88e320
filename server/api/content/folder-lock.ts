import { createHash, randomBytes } from 'node:crypto';
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
const claimEnd = '.taking';
/** How often a holder says that it still lives. */
const beat = 5_000;
/** Without a sign of life for so long, a holder on another computer is taken for dead. */
const silence = 120_000;
/** A process with the holder's number that gave no sign for so long is another one: numbers are given again. */
const reused = 600_000;
const usualPatience = 5_000;
/**
 * Between making a file and filling it lies an instant; longer, and whoever made it died in it. Within the patience: who waits need not try
 * again. Whoever was only slow finds out behind its write.
 */
const tornAfter = 3_000;
/** What this process wrote into the lock files of the folders that it holds. */
const own = new Set<string>();

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
  own.add(mine);
  let heart: NodeJS.Timeout | undefined;
  try {
    while (!(await create(file, mine))) {
      const found = await look(file);
      if (found && isDead(found) && (await clear(folder, file, found, mine))) continue;
      if (Date.now() >= until) throw new FolderBusyError(root, holderIn(found?.text));
      await new Promise((resolve) => setTimeout(resolve, found ? 50 : 1));
    }
    heart = setInterval(() => void touch(file), beat);
    heart.unref();
    await sweep(folder);
    return await action();
  } finally {
    clearInterval(heart);
    // Somebody who took us for dead has its own file there now.
    if ((await readText(file)) === mine) await unlink(file).catch(() => {});
    own.delete(mine);
  }
}

/** Who works in the folder now; undefined when nobody does. */
export async function folderHolder(root: string): Promise<FolderHolder | undefined> {
  const found = await look(path.join(root, '.lql', lockName));
  return found && !isDead(found) ? holderIn(found.text) : undefined;
}

async function create(file: string, text: string): Promise<boolean> {
  try {
    const handle = await open(file, 'wx');
    try {
      await handle.writeFile(text, 'utf8');
    } finally {
      await handle.close();
    }
    // Whoever was held up for long before it wrote may have been taken for dead.
    return (await readText(file)) === text;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

/** What stood in a lock file, and when its holder last gave a sign. */
interface Found {
  readonly text: string;
  readonly modified: number;
}

/** Text and time of one and the same file, whoever takes its place meanwhile; undefined when there is none. */
async function look(file: string): Promise<Found | undefined> {
  try {
    const handle = await open(file, 'r');
    try {
      const text = await handle.readFile('utf8');
      return { text, modified: (await handle.stat()).mtimeMs };
    } finally {
      await handle.close();
    }
  } catch (error) {
    // What cannot be read is somebody's.
    return codeOf(error) === 'ENOENT' ? undefined : { text: '', modified: Date.now() };
  }
}

/** Whether the holder gave up its place without saying so. */
function isDead({ text, modified }: Found): boolean {
  const age = Date.now() - modified;
  const holder = holderIn(text);
  if (!holder) return age > tornAfter;
  if (!isHere(holder)) return age > silence;
  // Our own number in what we did not write is that of a process before us: in a container every run has the same one.
  if (holder.pid === process.pid) return !own.has(text);
  return !isAlive(holder.pid) || age > reused;
}

/**
 * Takes a dead holder's file away. Since it was seen, another one may have done so and a third have taken the place, whose file must stay.
 * So a claim comes first: a file named after this very holder, which one alone can make as long as the holder's file is there. Whoever died
 * with a claim is followed in the same way.
 * @returns whether the dead holder's file is gone; not while somebody else is at it
 */
async function clear(folder: string, file: string, dead: Found, mine: string): Promise<boolean> {
  const claims: string[] = [];
  for (let before = dead; ; ) {
    const claim = path.join(folder, claimName(before));
    claims.push(claim);
    if (await create(claim, mine)) break;
    const rival = await look(claim);
    if (!rival || !isDead(rival)) return false;
    before = rival;
  }
  let isGone = false;
  try {
    const now = await look(file);
    if (now && claimName(now) !== claimName(dead)) isGone = true;
    else if (now && isDead(now)) {
      await unlink(file);
      isGone = true;
    }
  } catch {
    // Another try comes.
  }
  // While the dead holder's file is there, the claims of the dead show everybody the same way to the last one.
  for (const claim of isGone ? claims : claims.slice(-1)) await unlink(claim).catch(() => {});
  return isGone;
}

/** No two holders write the same; half-written texts differ by their time. */
function claimName({ text, modified }: Found): string {
  const unique = holderIn(text) ? text : `${text}\n${modified}`;
  return `in-use.${createHash('sha256').update(unique).digest('hex').slice(0, 24)}${claimEnd}`;
}

/** Half-written files and claims of those who died here. What is young may be somebody's who only keeps a text. */
async function sweep(folder: string): Promise<void> {
  const halves = path.join(folder, 'tmp');
  const claims = (await readdir(folder))
    .filter((name) => name.endsWith(claimEnd))
    .map((name) => path.join(folder, name));
  for (const file of [...(await readdir(halves).catch(() => [])).map((name) => path.join(halves, name)), ...claims])
    if (((await ageOf(file)) ?? 0) > silence) await unlink(file).catch(() => {});
}

function holderIn(text: string | undefined): FolderHolder | undefined {
  try {
    const { pid, host, started, work } = JSON.parse(text ?? '') as Partial<FolderHolder>;
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
