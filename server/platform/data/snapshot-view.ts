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
  const inside = (row: number): number | undefined => {
    const time = valueAt(times, row);
    return typeof time === 'number' && time >= startTime && time < endTime ? time : undefined;
  };
  const rows =
    snapshot === 'lastCollection' ? lastCollection(table, inside) : latestPerEntity(table, entityColumns, inside);
  return selectRows(table, rows);
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
