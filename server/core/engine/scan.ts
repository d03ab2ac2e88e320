import type { Value } from '../language/values/value.ts';
import { type Compiled, type Evaluator, workUnits } from './compile/compiled.ts';
import { type PathColumn, uncoded } from './path-column.ts';
import { type ColumnVector, type DictionaryVector, valueAt } from './table.ts';

/** Where in a table the evaluators of one source read. -1 stands for the missing partner of a join: every column is null. */
export interface Cursor {
  row: number;
}

/** Keeps the rows of a selection that pass, in place, and answers how many those are. Adds what it computes beyond looking at a row to `meter`. */
export interface RowFilter {
  keep(selection: Int32Array, count: number, meter: WorkMeter): number;
  /** Units of work it may add for a row. */
  readonly units: number;
}

export interface WorkMeter {
  units: number;
}

/** Reads the rows of a table that pass all filters, a block at a time. */
export interface Scan {
  /** The next row that passes; -1 when the current block is used up. */
  next(): number;
  /** Reads more rows with about `budget` units of work and answers the work done; 0 at the end of the table. */
  fill(budget: number): number;
}

const blockSize = 4096;

/** However costly the conditions are, blocks are not smaller than this. */
const minBlockSize = 32;

export function createScan(start: number, end: number, filters: readonly RowFilter[]): Scan {
  const selection = new Int32Array(Math.min(blockSize, Math.max(0, end - start)));
  const unitsOfRow = filters.reduce((sum, filter) => sum + filter.units, 1);
  const meter: WorkMeter = { units: 0 };
  let position = start;
  let selected = 0;
  let taken = 0;
  return {
    next: () => (taken < selected ? (selection[taken++] as number) : -1),
    fill(budget) {
      const affordable = Math.max(Math.floor(budget / unitsOfRow), Math.min(budget, minBlockSize));
      const count = Math.min(affordable, blockSize, end - position);
      if (count <= 0) return 0;
      for (let index = 0; index < count; index++) selection[index] = position + index;
      position += count;
      selected = count;
      taken = 0;
      meter.units = count;
      for (const filter of filters) {
        if (selected === 0) break;
        selected = filter.keep(selection, selected, meter);
      }
      return meter.units;
    },
  };
}

/** Whether a row's time lies in `[start, end)`; rows without a time lie in no range. */
export function timeTest(vector: ColumnVector, start: number, end: number): (row: number) => boolean {
  if (vector.kind === 'timestamp' || vector.kind === 'number') {
    const { values, nulls } = vector;
    return (row) => {
      const time = values[row] as number;
      return time >= start && time < end && nulls?.[row] !== 1;
    };
  }
  return (row) => {
    const time = valueAt(vector, row);
    return typeof time === 'number' && time >= start && time < end;
  };
}

export function filterByRow(test: (row: number) => boolean): RowFilter {
  return {
    units: 0,
    keep(selection, count) {
      let kept = 0;
      for (let index = 0; index < count; index++) {
        const row = selection[index] as number;
        if (test(row)) selection[kept++] = row;
      }
      return kept;
    },
  };
}

/** A condition evaluated for each row. */
export function filterByCondition(cursor: Cursor, condition: Compiled): RowFilter {
  const { evaluate } = condition;
  const units = workUnits([condition]);
  return {
    units,
    keep(selection, count, meter) {
      let kept = 0;
      for (let index = 0; index < count; index++) {
        const row = selection[index] as number;
        cursor.row = row;
        if (evaluate() === true) selection[kept++] = row;
      }
      meter.units += count * units;
      return kept;
    },
  };
}

/** A condition that reads one dictionary column: evaluated once for each distinct value, then looked up. */
export function filterByDictionary(vector: DictionaryVector, cursor: Cursor, condition: Compiled): RowFilter {
  const { codes } = vector;
  const { evaluate } = condition;
  const units = workUnits([condition]);
  const verdicts = new Uint8Array(vector.entries.length + 1);
  return {
    units: 0,
    keep(selection, count, meter) {
      let kept = 0;
      for (let index = 0; index < count; index++) {
        const row = selection[index] as number;
        const code = (codes[row] as number) + 1;
        let verdict = verdicts[code];
        if (verdict === 0) {
          cursor.row = row;
          verdict = evaluate() === true ? 1 : 2;
          verdicts[code] = verdict;
          meter.units += units;
        }
        if (verdict === 1) selection[kept++] = row;
      }
      return kept;
    },
  };
}

/** A condition that reads one JSON path: evaluated once for each distinct value, then looked up. */
export function filterByPath(column: PathColumn, cursor: Cursor, condition: Compiled): RowFilter {
  const { evaluate } = condition;
  const units = workUnits([condition]);
  const verdicts = new Uint8Array(65_536);
  return {
    // A path of ever new values is as costly as having no dictionary.
    units,
    keep(selection, count, meter) {
      let kept = 0;
      for (let index = 0; index < count; index++) {
        const row = selection[index] as number;
        const code = column.codeAt(row);
        let verdict = verdicts[code];
        if (verdict === 0) {
          cursor.row = row;
          verdict = evaluate() === true ? 1 : 2;
          if (code !== uncoded) verdicts[code] = verdict;
          meter.units += units;
        }
        if (verdict === 1) selection[kept++] = row;
      }
      return kept;
    },
  };
}

/** Reads a column at a cursor. `nullable`: the cursor can be without a row. */
export function columnEvaluator(vector: ColumnVector, cursor: Cursor, nullable: boolean): Evaluator {
  const read = vectorReader(vector, cursor);
  return nullable ? () => (cursor.row < 0 ? undefined : read()) : read;
}

function vectorReader(vector: ColumnVector, cursor: Cursor): Evaluator {
  switch (vector.kind) {
    case 'number':
    case 'timestamp': {
      const { values, nulls } = vector;
      if (nulls === undefined) return () => values[cursor.row];
      return () => (nulls[cursor.row] === 1 ? undefined : values[cursor.row]);
    }
    case 'dictionary': {
      const { codes, entries } = vector;
      return (): Value => {
        const code = codes[cursor.row] as number;
        return code < 0 ? undefined : entries[code];
      };
    }
    case 'values': {
      const { values } = vector;
      return () => values[cursor.row];
    }
  }
}
