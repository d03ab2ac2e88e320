import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { answer } from '../../../../../client/features/results/answer.ts';
import { createRun, type Run } from '../../../../../client/features/results/run.ts';
import type { Row } from '../../../../../client/infrastructure/runs.ts';
import type { ToResultsView } from '../../../../../client/protocol/results.ts';

function runOf(rows: readonly Row[]): Run {
  const run = createRun(
    'run-1',
    {
      title: 'a.lql',
      queryText: '',
      uri: undefined,
      window: { startTime: 0, endTime: 1, label: 'last hour' },
      accountLabel: 'a',
      cancel: () => undefined,
      rerun: () => undefined,
    },
    0,
    { changed: () => undefined, filterError: () => undefined },
  );
  run.succeed(rows, 1, undefined);
  return run;
}

type Place = readonly [row: number, column: number];

/** Row, column and index of the match, and how many there are; undefined without an answer. */
async function find(run: Run, text: string, [row, column]: Place = [0, -1], backwards = false, revision?: number) {
  const told: ToResultsView[] = [];
  const from = { row, column };
  const asked = revision ?? run.revision;
  await answer(run, { kind: 'find', runId: run.id, revision: asked, text, from, backwards }, (each) => told.push(each));
  const found = told[0];
  if (found?.kind !== 'found') return undefined;
  const { match, count } = found;
  return match ? [match.row, match.position, match.index, count] : [count];
}

const rows: readonly Row[] = [
  { A: 'one', B: 'x', N: 12 },
  { A: 'two', B: 'One', N: 21 },
  { A: 'none', B: 'alone', N: 3 },
  { A: null, B: 'y', N: 121 },
];

describe('find in the cells of a result', () => {
  it('goes from cell to cell, row by row, around the end, without case', async () => {
    const run = runOf(rows);
    expect(await find(run, 'oNe')).toEqual([0, 0, 0, 4]);
    expect(await find(run, 'oNe', [0, 0])).toEqual([1, 1, 1, 4]);
    expect(await find(run, 'oNe', [1, 1])).toEqual([2, 0, 2, 4]);
    expect(await find(run, 'oNe', [2, 0])).toEqual([2, 1, 3, 4]);
    expect(await find(run, 'oNe', [2, 1])).toEqual([0, 0, 0, 4]);
    expect(await find(run, 'oNe', [99, 0])).toEqual([0, 0, 0, 4]);
  });
  it('goes backwards, around the beginning', async () => {
    const run = runOf(rows);
    expect(await find(run, 'one', [2, 1], true)).toEqual([2, 0, 2, 4]);
    expect(await find(run, 'one', [2, 0], true)).toEqual([1, 1, 1, 4]);
    expect(await find(run, 'one', [0, 0], true)).toEqual([2, 1, 3, 4]);
    expect(await find(run, 'one', [-1, 0], true)).toEqual([2, 1, 3, 4]);
    expect(await find(run, 'two', [1, 0], true)).toEqual([1, 0, 0, 1]);
  });
  it('follows the columns as they are laid out, and leaves hidden ones out', async () => {
    const run = runOf(rows);
    run.setLayout({ ...run.layout, order: [1, 0] });
    expect(await find(run, 'one', [2, -1])).toEqual([2, 0, 2, 4]);
    expect(await find(run, '12')).toEqual([0]);
    run.setLayout({ ...run.layout, order: [2, 1] });
    expect(await find(run, 'one')).toEqual([1, 1, 0, 2]);
    expect(await find(run, '12')).toEqual([0, 0, 0, 2]);
  });
  it('looks at the rows shown alone, in their order', async () => {
    const run = runOf(rows);
    const filter = { search: 'one', columns: [] };
    await run.arrange({ sort: [{ column: 2, descending: true }], filter });
    expect([...run.shown]).toEqual([1, 0, 2]);
    expect(await find(run, 'one')).toEqual([0, 1, 0, 4]);
    expect(await find(run, 'one', [0, 1])).toEqual([1, 0, 1, 4]);
    expect(await find(run, 'y')).toEqual([0]);
  });
  it('takes texts as they are, and a null for no text', async () => {
    const texts = ['.*', 'a(b', '\\', '[', '\u202egnp', '😀', 'İ', '__proto__', '{"a":1}'];
    const run = runOf([{ A: null }, ...texts.map((text) => ({ A: text }))]);
    for (const [index, text] of texts.entries()) expect(await find(run, text)).toEqual([index + 1, 0, 0, 1]);
    for (const absent of ['null', '', '$', '^', 'x'.repeat(1000)]) expect(await find(run, absent)).toEqual([0]);
  });
  it('counts what it then visits, whatever columns hold', async () => {
    const run = runOf(
      Array.from({ length: 500 }, (_, i) => ({
        T: new Date(1e12 + i * 1000).toISOString(),
        N: i / 8,
        J: { n: i },
        M: i % 2 === 0 ? i : `m${i}`,
        B: i % 3 === 0,
      })),
    );
    for (const text of ['1', '.5', '0:', 'm1', '{"n":4', 'true', 'E', 'z']) {
      const seen: unknown[] = [];
      let at: Place = [0, -1];
      for (;;) {
        const [row = 0, column = 0, index = 0, count = 0] = (await find(run, text, at)) ?? [];
        if (seen.length === count) break;
        expect(index).toBe(seen.length);
        seen.push([row, column]);
        expect(run.store.text(run.shown[row] ?? 0, column)?.toLowerCase()).toContain(text.toLowerCase());
        at = [row, column];
      }
      const cells = [...run.shown].flatMap((row) =>
        [0, 1, 2, 3, 4].filter((column) => run.store.text(row, column)?.toLowerCase().includes(text.toLowerCase())),
      );
      expect(cells.length).toBeGreaterThan(0);
      expect(seen).toHaveLength(cells.length);
    }
  });
  it('does not answer about rows that are shown no more, nor for a text that another one took the place of', async () => {
    const run = runOf(Array.from({ length: 200_000 }, (_, i) => ({ A: `row ${i}`, N: i })));
    expect(await find(run, 'row', [0, -1], false, run.revision - 1)).toBeUndefined();
    // A clock on which every step takes a whole turn: no search is over before what comes after it has begun.
    let now = performance.now();
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => (now += 1000));
    onTestFinished(() => clock.mockRestore());
    const [earlier, later] = await Promise.all([find(run, '7'), find(run, '199999')]);
    expect(earlier).toBeUndefined();
    expect(later).toEqual([199_999, 0, 0, 2]);
    const overtaken = find(run, '8');
    const before = run.revision;
    await run.arrange({ sort: [], filter: { search: '', columns: [] } });
    expect(run.revision).toBe(before + 1);
    expect(await overtaken).toBeUndefined();
  });
});
