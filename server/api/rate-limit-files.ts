import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { isRecord } from '../core/is-record.ts';
import type { RateLimits, SavedRateLimits } from './transport/rate-limits.ts';

export interface RateLimitFiles {
  /** Writes what has not been written yet and stops. */
  close(): Promise<void>;
}

const pauseMilliseconds = 1_000;
const hourMilliseconds = 3_600_000;
const maxFileBytes = 1_048_576;

/**
 * Keeps the use of a rate limit in a folder, so that the next session of this user starts with it. Each session writes its own calls into a
 * file of its own, whole and at most once a second, so any number of processes may share the folder without a lock. Files that say nothing
 * about the last hour are cleared away. What other sessions use meanwhile is told by the service's headers. Nothing here fails a call:
 * without the folder the mirror starts empty.
 */
export async function keepRateLimits(
  limits: RateLimits,
  folder: string,
  now: () => number,
  ownName: string = randomUUID(),
): Promise<RateLimitFiles> {
  const own = path.join(folder, `${ownName}.json`);
  await readAll(limits, folder, now());
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();
  const write = (): void => {
    timer = undefined;
    const content = JSON.stringify({ savedAt: now(), limits: limits.save() });
    writing = writing.then(() => writeWhole(folder, own, content));
  };
  const stopListening = limits.onDidChange(() => {
    timer ??= setTimeout(write, pauseMilliseconds);
    timer.unref();
  });
  return {
    async close() {
      stopListening();
      if (timer !== undefined) {
        clearTimeout(timer);
        write();
      }
      await writing;
    },
  };
}

/** The folder's name for one user of one account: the limit is theirs. The key's id does not appear in it. */
export function rateLimitFolder(parent: string, origin: URL, keyId: string): string {
  const name = createHash('sha256').update(`${origin.origin}\n${keyId}`).digest('hex').slice(0, 24);
  return path.join(parent, `rate-limits-${name}`);
}

async function readAll(limits: RateLimits, folder: string, now: number): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names.filter((candidate) => /\.json(?:\.tmp)?$/.test(candidate))) {
    const file = path.join(folder, name);
    if (name.endsWith('.tmp')) {
      await clearAbandoned(file, now);
      continue;
    }
    const saved = await readSaved(file);
    // A clock that was set back makes files look new for longer; what they say still counts for one hour at most.
    if (saved && now - saved.savedAt < hourMilliseconds) limits.restore(saved.limits);
    else await rm(file, { force: true }).catch(() => {});
  }
}

/** A process that ended while it wrote leaves a file that nobody will rename. A fresh one is being written at this moment. */
async function clearAbandoned(file: string, now: number): Promise<void> {
  const written = await stat(file).catch(() => undefined);
  if (written && now - written.mtimeMs > hourMilliseconds) await rm(file, { force: true }).catch(() => {});
}

async function readSaved(file: string): Promise<{ savedAt: number; limits: SavedRateLimits } | undefined> {
  try {
    const content = await readFile(file, 'utf8');
    if (content.length > maxFileBytes) return undefined;
    const value: unknown = JSON.parse(content);
    if (!isRecord(value) || typeof value['savedAt'] !== 'number' || !isRecord(value['limits'])) return undefined;
    const limits = Object.entries(value['limits']).flatMap(([functionality, bucket]) =>
      isRecord(bucket) && typeof bucket['limit'] === 'number' && Array.isArray(bucket['used'])
        ? [
            [
              functionality,
              { limit: bucket['limit'], used: bucket['used'].filter((time) => typeof time === 'number') },
            ] as const,
          ]
        : [],
    );
    return { savedAt: value['savedAt'], limits: Object.fromEntries(limits) };
  } catch {
    return undefined;
  }
}

async function writeWhole(folder: string, file: string, content: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeFile(`${file}.tmp`, content, { mode: 0o600 });
    await rename(`${file}.tmp`, file);
  } catch {
    // The next change tries again; the service's headers say the same later.
  }
}
