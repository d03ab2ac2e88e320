import type { ColumnVector, TableSource } from '../../core/engine/table.ts';
import { valueAt } from '../../core/engine/table.ts';
import { distinctKey } from '../../core/language/values/compare.ts';
import type { Snapshot } from '../sample/datasource.ts';

/** The rows of a table that a time range shows, start included, end excluded, both in milliseconds. */
export function snapshotView(
  table: TableSource,
  snapshot: Snapshot,
  entityColumns: readonly string[],
  startTime: number,
  endTime: number,
): TableSource {
  if (snapshot === 'events' || table.timeColumn === undefined) return table;
  const times = table.column(table.timeColumn);
  if (times === undefined) return table;
  // Two ranges with the same batches in them show the same rows. One view of them keeps what was worked out over its columns.
  const batches = batchTimes(table, times);
  const from = lowerBound(batches, startTime);
  const to = lowerBound(batches, endTime);
  const key = `${snapshot} ${from < to ? `${snapshot === 'lastCollection' ? '' : from} ${to}` : ''}`;
  const known = views.get(table) ?? new Map<string, TableSource>();
  views.set(table, known);
  const kept = known.get(key);
  if (kept !== undefined) return kept;
  const inside = (row: number): number | undefined => {
    const time = valueAt(times, row);
    return typeof time === 'number' && time >= startTime && time < endTime ? time : undefined;
  };
  const rows =
    snapshot === 'lastCollection' ? lastCollection(table, inside) : latestPerEntity(table, entityColumns, inside);
  const view = selectRows(table, rows);
  if (known.size >= mostViews) known.clear();
  known.set(key, view);
  return view;
}

/** Views kept of a table: few ranges are asked for again and again. */
const mostViews = 8;
const views = new WeakMap<TableSource, Map<string, TableSource>>();

/** The times at which batches of a table ended, each once, ascending. */
const batchTimesOf = new WeakMap<TableSource, Float64Array>();

function batchTimes(table: TableSource, times: ColumnVector): Float64Array {
  const known = batchTimesOf.get(table);
  if (known !== undefined) return known;
  const distinct = new Set<number>();
  for (let row = 0; row < table.rowCount; row++) {
    const time = valueAt(times, row);
    if (typeof time === 'number') distinct.add(time);
  }
  const sorted = Float64Array.from(distinct).sort();
  batchTimesOf.set(table, sorted);
  return sorted;
}

/** The first position whose time is not before `time`. */
function lowerBound(sorted: Float64Array, time: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] as number) < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

function lastCollection(table: TableSource, inside: (row: number) => number | undefined): readonly number[] {
  let last = Number.NEGATIVE_INFINITY;
  let rows: number[] = [];
  for (let row = 0; row < table.rowCount; row++) {
    const time = inside(row);
    if (time === undefined || time < last) continue;
    if (time > last) {
      last = time;
      rows = [];
    }
    rows.push(row);
  }
  return rows;
}

function latestPerEntity(
  table: TableSource,
  entityColumns: readonly string[],
  inside: (row: number) => number | undefined,
): readonly number[] {
  const key = distinctKey('json');
  const vectors = entityColumns.map((name) => table.column(name));
  const latest = new Map<string, { readonly row: number; readonly time: number }>();
  for (let row = 0; row < table.rowCount; row++) {
    const time = inside(row);
    if (time === undefined) continue;
    const entity = vectors.map((vector) => (vector === undefined ? '' : key(valueAt(vector, row)))).join('\n');
    const known = latest.get(entity);
    if (known === undefined || known.time <= time) latest.set(entity, { row, time });
  }
  return [...latest.values()].map((entry) => entry.row).sort((left, right) => left - right);
}

/** A table of some rows of another, in the order given. Columns are copied when they are first read. */
function selectRows(table: TableSource, rows: readonly number[]): TableSource {
  const copies = new Map<string, ColumnVector | undefined>();
  return {
    name: table.name,
    columns: table.columns,
    keyColumns: table.keyColumns ?? [],
    timeColumn: table.timeColumn,
    rowCount: rows.length,
    column(name) {
      if (copies.has(name)) return copies.get(name);
      const vector = table.column(name);
      const copy = vector === undefined ? undefined : gather(vector, rows);
      copies.set(name, copy);
      return copy;
    },
  };
}

function gather(vector: ColumnVector, rows: readonly number[]): ColumnVector {
  switch (vector.kind) {
    case 'number':
    case 'timestamp': {
      const { nulls } = vector;
      return {
        kind: vector.kind,
        values: Float64Array.from(rows, (row) => vector.values[row] ?? 0),
        nulls: nulls === undefined ? undefined : Uint8Array.from(rows, (row) => nulls[row] ?? 0),
      };
    }
    case 'dictionary':
      return {
        kind: 'dictionary',
        entries: vector.entries,
        codes: Int32Array.from(rows, (row) => vector.codes[row] ?? -1),
      };
    case 'values':
      return { kind: 'values', values: rows.map((row) => vector.values[row]) };
  }
}
