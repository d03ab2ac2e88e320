import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  createKeptResults,
  type KeptResult,
  TooLargeToKeep,
} from '../../../../../client/features/results/kept-results.ts';
import { createRowStore } from '../../../../../server/core/results/row-store.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'lql-kept-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const result: KeptResult = {
  id: 'run-1',
  title: 'first.lql',
  queryText: '{ source { A } return { B } }',
  uri: undefined,
  window: { startTime: 0, endTime: 1000, label: 'last 24 hours' },
  accountLabel: 'Local platform',
  accountKey: 'local',
  columns: [{ name: 'B', type: 'number' }],
  startedAt: 5,
  durationMs: 12,
  note: undefined,
};

function store(rows: readonly { readonly [key: string]: bigint | string | null | object }[]) {
  const made = createRowStore();
  made.append(rows as Parameters<typeof made.append>[0]);
  return made;
}

describe('kept results', () => {
  it('come back with every value exact', async () => {
    const rows = [
      { B: 5644915113269064637n, C: { k: [1n] } },
      { B: null, C: 'line one\nline two' },
    ];
    await createKeptResults(folder, 'here').keep(result, store(rows));
    const { results, unreadable } = await createKeptResults(folder, 'here').read();
    expect(unreadable).toEqual([]);
    expect(results[0]?.result).toEqual(result);
    expect(results[0]?.rows[0]?.['B']).toBe(5644915113269064637n);
    expect(results[0]?.rows[1]).toEqual({ B: null, C: 'line one\nline two' });
  });
  it('are readable by their owner alone, and gone when forgotten', async () => {
    const kept = createKeptResults(folder, 'here');
    await kept.keep(result, store([{ B: 'x' }]));
    const [name] = await readdir(path.join(folder, 'here'));
    expect((await stat(path.join(folder, 'here', name ?? ''))).mode & 0o077).toBe(0);
    await kept.forget('run-1');
    expect(await readdir(path.join(folder, 'here'))).toEqual([]);
  });
  it('above the cap are refused whole: no half file is left', async () => {
    const rows = Array.from({ length: 200 }, () => ({ B: 'x'.repeat(1000) }));
    await expect(
      createKeptResults(folder, 'here', { one: 100_000, all: 1_000_000 }).keep(result, store(rows)),
    ).rejects.toThrow(TooLargeToKeep);
    expect(await readdir(folder)).toEqual([]);
  });
  it('stay in their folder whatever their id says', async () => {
    const kept = createKeptResults(folder, 'in');
    await kept.keep({ ...result, id: '../../out' }, store([{ B: 'x' }]));
    expect(await readdir(folder)).toEqual(['in']);
  });
  it('that cannot be read are named and left alone, the others still come', async () => {
    const kept = createKeptResults(folder, 'here');
    await kept.keep(result, store([{ B: 'x' }]));
    await writeFile(path.join(folder, 'here', 'broken.ndjson'), '{"id":"x"}\n');
    const { results, unreadable } = await kept.read();
    expect([results.length, unreadable]).toEqual([1, ['broken.ndjson']]);
    expect(await readFile(path.join(folder, 'here', 'broken.ndjson'), 'utf8')).toBe('{"id":"x"}\n');
  });
  it('of all workspaces together have a cap, in which one that is written again does not count twice', async () => {
    const limits = { one: 100_000, all: 150_000 };
    const rows = store([{ B: 'x'.repeat(90_000) }]);
    const [here, there] = ['here', 'there'].map((name) => createKeptResults(folder, name, limits));
    await here?.keep(result, rows);
    await here?.keep(result, rows);
    await expect(there?.keep({ ...result, id: 'run-2' }, rows)).rejects.toThrow(/Keep one less/);
    await here?.forget('run-1');
    await there?.keep({ ...result, id: 'run-2' }, rows);
    expect((await here?.read())?.results).toEqual([]);
  });
  it('of every workspace go when the history is cleared, and each workspace sees its own alone', async () => {
    const [here, there] = ['here', 'there'].map((name) => createKeptResults(folder, name));
    await here?.keep(result, store([{ B: 'x' }]));
    await there?.keep({ ...result, id: 'run-2' }, store([{ B: 'y' }]));
    expect((await here?.read())?.results.map((each) => each.result.id)).toEqual(['run-1']);
    await here?.clear();
    expect((await there?.read())?.results).toEqual([]);
    expect(await readdir(path.join(folder, 'there'))).toEqual([]);
  });
});
