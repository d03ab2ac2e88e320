import { describe, expect, test } from 'vitest';
import { tableFromRows, valueAt } from '../../../../server/core/engine/table.ts';
import { snapshotView } from '../../../../server/platform/data/snapshot-view.ts';

const column = (name: string, type: 'string' | 'number' | 'timestamp' | 'json') => ({
  name,
  type,
  description: undefined,
});
const table = tableFromRows(
  {
    name: 'T',
    columns: [column('AT', 'timestamp'), column('ID', 'string'), column('N', 'number'), column('J', 'json')],
    timeColumn: 'AT',
  },
  [
    { AT: 10, ID: 'a', N: 1, J: { x: 1 } },
    { AT: 10, ID: 'b', N: 2 },
    { AT: 20, ID: 'a', N: 3 },
    { AT: 20, ID: 'c', J: null },
    { AT: 30, ID: 'b', N: 5 },
    { ID: 'd', N: 6 },
  ],
);

function ids(snapshot: 'events' | 'lastCollection' | 'latestPerEntity', start: number, end: number): string[] {
  const view = snapshotView(table, snapshot, ['ID'], start, end);
  const [id, number] = [view.column('ID'), view.column('N')];
  if (id === undefined || number === undefined) throw new Error('no columns');
  return Array.from({ length: view.rowCount }, (_, row) => `${valueAt(id, row)}${valueAt(number, row) ?? '-'}`);
}

describe('snapshotView', () => {
  test('events are the whole table: the engine applies the range', () => {
    expect(snapshotView(table, 'events', [], 0, 1)).toBe(table);
  });

  test('ranges with the same batches in them share one view, others do not', () => {
    const view = (start: number, end: number) => snapshotView(table, 'latestPerEntity', ['ID'], start, end);
    expect(view(5, 25)).toBe(view(10, 21));
    expect(view(5, 25)).not.toBe(view(11, 25));
    expect(view(5, 25)).not.toBe(view(5, 20));
    const last = (start: number, end: number) => snapshotView(table, 'lastCollection', [], start, end);
    expect(last(0, 25)).toBe(last(15, 30));
    expect(last(0, 25)).not.toBe(last(0, 31));
    expect(last(21, 25).rowCount).toBe(0);
    expect(last(21, 25)).not.toBe(last(0, 25));
  });

  test('the last collection whose end lies in the range, start included and end excluded', () => {
    expect(ids('lastCollection', 0, 100)).toEqual(['b5']);
    expect(ids('lastCollection', 0, 30)).toEqual(['a3', 'c-']);
    expect(ids('lastCollection', 20, 21)).toEqual(['a3', 'c-']);
    expect(ids('lastCollection', 11, 20)).toEqual([]);
  });

  test('the latest report of every entity in the range', () => {
    expect(ids('latestPerEntity', 0, 100)).toEqual(['a3', 'c-', 'b5']);
    expect(ids('latestPerEntity', 0, 20)).toEqual(['a1', 'b2']);
    expect(ids('latestPerEntity', 21, 30)).toEqual([]);
  });

  test('keeps JSON null, SQL null and times of the rows it takes', () => {
    const view = snapshotView(table, 'latestPerEntity', ['ID'], 0, 100);
    const cells = ['AT', 'J', 'NOTHING'].map((name) => view.column(name));
    expect(cells[2]).toBeUndefined();
    const values = [0, 1, 2].map((row) =>
      cells.slice(0, 2).map((vector) => (vector === undefined ? 'none' : valueAt(vector, row))),
    );
    expect(values).toEqual([
      [20, undefined],
      [20, null],
      [30, undefined],
    ]);
  });
});
