import { appendFile, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import {
  eventsOf,
  foldHistory,
  type HistoryEntry,
  type HistoryEvent,
  type HistoryLimits,
  historyLimits,
  parseHistory,
} from './history.ts';

/** The history on disk, shared by all windows. */
export interface HistoryStore {
  /** What the file says now, the newest entry first. */
  read(): Promise<readonly HistoryEntry[]>;
  append(event: HistoryEvent): Promise<void>;
}

// Marks and ends add lines; a file with this many more than the entries that count is written anew with those.
const compactAbove = 3000;

export function createHistoryStore(file: string, limits: () => HistoryLimits = () => historyLimits): HistoryStore {
  // Appends of this window happen in their order; those of other windows lie between them, whole lines each.
  let last: Promise<unknown> = Promise.resolve();
  const inOrder = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const next = last.then(work, work);
    last = next;
    return next;
  };
  const readText = async (): Promise<string> => {
    try {
      return await readFile(file, 'utf8');
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return '';
      throw error;
    }
  };
  return {
    read: () =>
      inOrder(async () => {
        const events = parseHistory(await readText());
        const entries = foldHistory(events, Date.now(), limits());
        if (events.length > 3 * entries.length + compactAbove) await rewrite(file, eventsOf(entries));
        return entries;
      }),
    append: (event) =>
      inOrder(async () => {
        await mkdir(path.dirname(file), { recursive: true });
        await appendFile(file, `${JSON.stringify(event)}\n`, { mode: 0o600 });
      }),
  };
}

async function rewrite(file: string, events: readonly HistoryEvent[]): Promise<void> {
  const temporary = `${file}.${process.pid}.tmp`;
  await writeFile(temporary, events.map((event) => `${JSON.stringify(event)}\n`).join(''), { mode: 0o600 });
  await rename(temporary, file);
}
