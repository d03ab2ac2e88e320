import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { HistoryEvent } from '../../../../../client/features/history/history.ts';
import { createHistoryStore } from '../../../../../client/features/history/history-store.ts';

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'lql-history-'));
  file = path.join(folder, 'deep', 'history.jsonl');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

function started(id: string): HistoryEvent {
  const window = { startTime: 0, endTime: 1, label: 'last 24 hours' };
  return {
    kind: 'started',
    entry: { id, at: Date.now(), title: id, queryText: '{}', uri: undefined, window, account: 'acme' },
  };
}

test('without a file the history is empty', async () => {
  expect(await createHistoryStore(file).read()).toEqual([]);
});

test('what two windows write at once is all there', async () => {
  const windows = [createHistoryStore(file), createHistoryStore(file)];
  await Promise.all(
    windows.flatMap((store, window) => Array.from({ length: 50 }, (_, n) => store.append(started(`${window}-${n}`)))),
  );
  expect(await windows[0]?.read()).toHaveLength(100);
});

test('a file that has grown is written anew and means the same', async () => {
  const store = createHistoryStore(file);
  await store.append(started('a'));
  const mark = JSON.stringify({ kind: 'marked', id: 'a', starred: true });
  await writeFile(file, `${await readFile(file, 'utf8')}${`${mark}\n`.repeat(5000)}`);
  const before = await store.read();
  expect((await readFile(file, 'utf8')).trim().split('\n')).toHaveLength(2);
  expect(await store.read()).toEqual(before);
});

test('the limits are asked for at each reading, and what exceeds them leaves the file when it is written anew', async () => {
  let entries = 5;
  const store = createHistoryStore(file, () => ({ entries, ageMs: 86_400_000 }));
  for (const id of ['a', 'b', 'c', 'd']) await store.append(started(id));
  expect(await store.read()).toHaveLength(4);
  entries = 2;
  expect(await store.read()).toHaveLength(2);
  const mark = JSON.stringify({ kind: 'removed', id: 'x' });
  await writeFile(file, `${await readFile(file, 'utf8')}${`${mark}\n`.repeat(5000)}`);
  await store.read();
  expect((await readFile(file, 'utf8')).trim().split('\n')).toHaveLength(2);
});
