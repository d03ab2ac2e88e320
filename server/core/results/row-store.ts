import type { Value } from '../language/values/value.ts';
import { cellText } from './cell-text.ts';
import {
  appendCells,
  byteSize,
  type ColumnData,
  type ColumnSpec,
  cellValue,
  emptyColumn,
  emptyMixed,
  ownValue,
  type SourceRow,
} from './columns.ts';
import { allRows } from './filter.ts';
import { rankNumbers } from './sort-numbers.ts';
import { rankTexts, sortByRank } from './sort-texts.ts';
import { indexTrigrams, markContaining } from './text-blocks.ts';

/** What a column's cells are, told from its first value until the column is made. */
export type CellKind = 'number' | 'time' | 'text' | 'mixed';

/**
 * The rows of one result, held by column. Rows are only ever appended; sorting and filtering make orders of row numbers (`Uint32Array`)
 * and never touch the cells, so a view can be thrown away for free.
 *
 * Appending keeps the rows as they came, so that the first ones can be shown at once. A column is made of them when it is first needed,
 * or by `settle`, behind which the rows themselves are let go.
 */
export interface RowStore {
  readonly columns: readonly ColumnSpec[];
  readonly rowCount: number;
  /** Appends rows as the service sent them. Keys that no column has become columns of type `unknown`, at the end. */
  append(rows: readonly SourceRow[]): void;
  /** The cell as it came; `undefined` for null. */
  value(row: number, column: number): Value;
  /** The cell's text; `undefined` for null. */
  text(row: number, column: number): string | undefined;
  kind(column: number): CellKind;
  /** The cells behind a column, for sorting and filtering. Makes the column where it is not made yet. */
  data(column: number): ColumnData;
  /** Makes a column; each `next()` does a bounded amount of work. */
  prepare(column: number): Generator<undefined, void>;
  /** Makes all columns, lets go of the rows they were made of, ranks texts and numbers for sorting, and indexes texts for searching; each `next()` does a bounded amount of work. */
  settle(): Generator<undefined, void>;
  /** Bytes held by the columns that are made, estimated. */
  byteSize(): number;
}

/** Rows of one answer, numbered from `start`. */
interface Page {
  readonly start: number;
  readonly rows: readonly SourceRow[];
}

/** One column so far. */
interface Made {
  cells: ColumnData | undefined;
  /** Rows from the first on that `cells` holds. */
  rows: number;
}

const rowsPerStep = 20_000;
/** Rows looked at for a value that tells what a column holds. */
const rowsToGuess = 1000;

export function createRowStore(specs: readonly ColumnSpec[] = []): RowStore {
  const columns: ColumnSpec[] = [...specs];
  const known = new Map(columns.map((column, index) => [column.name, index]));
  const made: Made[] = columns.map(() => ({ cells: undefined, rows: 0 }));
  let names: readonly string[] = columns.map(({ name }) => name);
  let pages: Page[] = [];
  let rowCount = 0;

  /** Rows of one answer share their keys almost always, in the same order: then one comparison a key finds nothing new. */
  const addColumnsOf = (row: SourceRow): void => {
    let next = 0;
    for (const name in row) {
      if (names[next++] === name) continue;
      addColumnsByName(row);
      return;
    }
  };
  const addColumnsByName = (row: SourceRow): void => {
    for (const name of Object.keys(row)) {
      if (known.has(name)) continue;
      known.set(name, columns.length);
      columns.push({ name, label: name, type: 'unknown' });
      made.push({ cells: undefined, rows: 0 });
    }
    names = columns.map(({ name }) => name);
  };

  const pageOf = (row: number): Page | undefined => pages.findLast(({ start }) => start <= row);

  /** The first value of the column that is not null, among `limit` rows not yet made into columns. */
  const firstValue = (name: string, limit: number): Value => {
    let seen = 0;
    for (const { rows } of pages) {
      for (const row of rows) {
        const value = ownValue(row, name);
        if (value !== undefined && value !== null) return value;
        if (++seen >= limit) return undefined;
      }
    }
    return undefined;
  };

  /** Makes at most `limit` rows more of a column. */
  const make = (index: number, limit: number): void => {
    const column = made[index];
    if (!column || column.rows >= rowCount) return;
    const name = columns[index]?.name ?? '';
    column.cells ??= emptyColumn(firstValue(name, Number.POSITIVE_INFINITY), rowCount);
    const page = pageOf(column.rows);
    // Rows that were let go before the column was first seen have nothing for it.
    const rows =
      page?.rows ?? new Array<SourceRow>(Math.min(limit, (pages[0]?.start ?? rowCount) - column.rows)).fill({});
    const from = page ? column.rows - page.start : 0;
    const to = Math.min(rows.length, from + limit);
    column.cells = appendCells(column.cells, column.rows, rows, name, from, to);
    column.rows += to - from;
    if (column.rows === rowCount && made.every((other) => other.rows === rowCount)) pages = [];
  };

  function* prepare(index: number): Generator<undefined, void> {
    while ((made[index]?.rows ?? rowCount) < rowCount) {
      make(index, rowsPerStep);
      yield;
    }
  }

  const value = (row: number, column: number): Value => {
    const { cells, rows } = made[column] ?? { cells: undefined, rows: 0 };
    if (cells && row < rows) return cellValue(cells, row);
    const page = pageOf(row);
    return ownValue(page?.rows[row - page.start], columns[column]?.name ?? '') ?? undefined;
  };

  return {
    get columns() {
      return columns;
    },
    get rowCount() {
      return rowCount;
    },
    append(rows) {
      if (rows.length === 0) return;
      for (const row of rows) addColumnsOf(row);
      pages.push({ start: rowCount, rows });
      rowCount += rows.length;
    },
    value,
    text: (row, column) => cellText(value(row, column)),
    kind(column) {
      const cells = made[column]?.cells ?? emptyColumn(firstValue(columns[column]?.name ?? '', rowsToGuess), 0);
      if (cells.kind === 'number') return cells.time ? 'time' : 'number';
      return cells.kind === 'mixed' ? 'mixed' : 'text';
    },
    data(column) {
      while ((made[column]?.rows ?? rowCount) < rowCount) make(column, Number.POSITIVE_INFINITY);
      return made[column]?.cells ?? emptyMixed();
    },
    prepare,
    *settle() {
      for (let column = 0; column < columns.length; column++) yield* prepare(column);
      for (const column of made) {
        const { cells, rows } = column;
        if (cells?.kind === 'text') {
          yield* rankTexts(cells.texts);
          yield* indexTrigrams(cells.texts);
        }
        if (cells?.kind !== 'number') continue;
        const ranks = yield* rankNumbers(cells, rows);
        // Rows may have been added to the column meanwhile.
        if (column.rows === rows) cells.ranks = ranks;
      }
      yield* rehearse(made.flatMap(({ cells }) => cells ?? []));
    },
    byteSize: () => made.reduce((sum, { cells }) => sum + (cells ? byteSize(cells) : 0), 0),
  };
}

const rehearsedColumns = 4;
const rehearsedRows = 100_000;

/**
 * Sorts and searches some columns for nothing. The first sort and the first search would run in code that is not compiled yet, and take
 * several times as long as later ones.
 */
function* rehearse(columns: readonly ColumnData[]): Generator<undefined, void> {
  for (const column of columns.filter(({ kind }) => kind === 'number').slice(0, rehearsedColumns)) {
    if (column.kind !== 'number' || !column.ranks) continue;
    sortByRank(column.ranks, allRows(Math.min(rehearsedRows, column.ranks.ranks.length)), false);
    yield;
  }
  for (const column of columns.filter(({ kind }) => kind === 'text').slice(0, rehearsedColumns)) {
    if (column.kind !== 'text') continue;
    // The index leaves some of the rows for a needle of three characters, and says nothing of two.
    for (const needle of ['0-0', '-0'])
      yield* markContaining(column.texts, needle, new Uint8Array(column.texts.length));
  }
}
