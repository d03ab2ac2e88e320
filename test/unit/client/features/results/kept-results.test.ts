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
    await createKeptResults(folder).keep(result, store(rows));
    const { results, unreadable } = await createKeptResults(folder).read();
    expect(unreadable).toEqual([]);
    expect(results[0]?.result).toEqual(result);
    expect(results[0]?.rows[0]?.['B']).toBe(5644915113269064637n);
    expect(results[0]?.rows[1]).toEqual({ B: null, C: 'line one\nline two' });
  });
  it('are readable by their owner alone, and gone when forgotten', async () => {
    const kept = createKeptResults(folder);
    await kept.keep(result, store([{ B: 'x' }]));
    const [name] = await readdir(folder);
    expect((await stat(path.join(folder, name ?? ''))).mode & 0o077).toBe(0);
    await kept.forget('run-1');
    expect(await readdir(folder)).toEqual([]);
  });
  it('above the cap are refused whole: no half file is left', async () => {
    const rows = Array.from({ length: 200 }, () => ({ B: 'x'.repeat(1000) }));
    await expect(createKeptResults(folder, 100_000).keep(result, store(rows))).rejects.toThrow(TooLargeToKeep);
    expect(await readdir(folder)).toEqual([]);
  });
  it('stay in their folder whatever their id says', async () => {
    const kept = createKeptResults(path.join(folder, 'in'));
    await kept.keep({ ...result, id: '../../out' }, store([{ B: 'x' }]));
    expect(await readdir(folder)).toEqual(['in']);
  });
  it('that cannot be read are named and left alone, the others still come', async () => {
    const kept = createKeptResults(folder);
    await kept.keep(result, store([{ B: 'x' }]));
    await writeFile(path.join(folder, 'broken.ndjson'), '{"id":"x"}\n');
    const { results, unreadable } = await kept.read();
    expect([results.length, unreadable]).toEqual([1, ['broken.ndjson']]);
    expect(await readFile(path.join(folder, 'broken.ndjson'), 'utf8')).toBe('{"id":"x"}\n');
  });
});
