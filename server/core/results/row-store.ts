import type { Value } from '../language/values/value.ts';
import { appendCells, byteSize, type ColumnData, type ColumnSpec, cellValue, emptyColumn, textOf } from './columns.ts';

/**
 * The rows of one result, held by column. Rows are only ever appended; sorting and filtering make orders of row numbers (`Uint32Array`)
 * and never touch the cells, so a view can be thrown away for free.
 */
export interface RowStore {
  readonly columns: readonly ColumnSpec[];
  readonly rowCount: number;
  /** Appends rows as the service sent them. Keys that no column has become columns of type `unknown`, at the end. */
  append(rows: readonly { readonly [key: string]: Value }[]): void;
  /** The cell as it came; `undefined` for null. */
  value(row: number, column: number): Value;
  /** The cell's text; `undefined` for null. */
  text(row: number, column: number): string | undefined;
  /** The cells behind a column, for sorting and filtering. */
  data(column: number): ColumnData;
  /** Bytes held, estimated. */
  byteSize(): number;
}

export function createRowStore(specs: readonly ColumnSpec[] = []): RowStore {
  const columns: ColumnSpec[] = [...specs];
  const known = new Map(columns.map((column, index) => [column.name, index]));
  const cells: (ColumnData | undefined)[] = columns.map(() => undefined);
  let rowCount = 0;

  /** Rows of one answer share their keys almost always: looking at a few finds the columns without visiting every cell. */
  const addColumnsOf = (row: { readonly [key: string]: Value }): void => {
    for (const name of Object.keys(row)) {
      if (known.has(name)) continue;
      known.set(name, columns.length);
      columns.push({ name, label: name, type: 'unknown' });
      cells.push(undefined);
    }
  };

  const data = (column: number): ColumnData => cells[column] ?? { kind: 'mixed', values: [] };

  return {
    get columns() {
      return columns;
    },
    get rowCount() {
      return rowCount;
    },
    append(rows) {
      for (const row of rows) addColumnsOf(row);
      for (let index = 0; index < columns.length; index++) {
        const name = columns[index]?.name ?? '';
        const before = cells[index] ?? startColumn(rows, name, rowCount);
        cells[index] = appendCells(before, rowCount, rows, name);
      }
      rowCount += rows.length;
    },
    value: (row, column) => cellValue(data(column), row),
    text: (row, column) => textOf(data(column), row),
    data,
    byteSize: () => cells.reduce((sum, column) => sum + (column ? byteSize(column) : 0), 0),
  };
}

/** A column that starts in the middle has nulls above; the first value that is none decides its kind. */
function startColumn(rows: readonly { readonly [key: string]: Value }[], name: string, rowCount: number): ColumnData {
  let first: Value;
  for (const row of rows) {
    first = row[name] ?? undefined;
    if (first !== undefined) break;
  }
  const empty = emptyColumn(first, rowCount + rows.length);
  if (rowCount === 0) return empty;
  const nothing = new Array<{ readonly [key: string]: Value }>(rowCount).fill({});
  return appendCells(empty, 0, nothing, name);
}
