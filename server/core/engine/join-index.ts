import type { LqlType } from '../language/types/types.ts';
import { converter } from '../language/values/convert.ts';
import type { MemoryBudget } from './engine-failure.ts';
import { matchKey } from './row-key.ts';
import { type ColumnVector, type TableSource, valueAt } from './table.ts';
import type { Task } from './task.ts';

/** The rows of a table by the values of some columns. Rows with one key form a chain in table order. */
export interface JoinIndex {
  readonly first: ReadonlyMap<unknown, number>;
  /** The next row with the same key; -1 at the end. */
  readonly next: Int32Array;
}

export interface JoinColumn {
  readonly vector: ColumnVector;
  readonly type: LqlType;
  /** The type in which the column is compared with the other side. */
  readonly keyType: LqlType;
}

const finished = new WeakMap<TableSource, Map<string, JoinIndex>>();

/** A task that builds an index, or finds it built: an index of a table serves every execution after the first. */
export function joinIndexTask(
  table: TableSource,
  name: string,
  columns: readonly JoinColumn[],
  memory: MemoryBudget,
): Task & { readonly index: JoinIndex } {
  const byName = finished.get(table) ?? new Map<string, JoinIndex>();
  finished.set(table, byName);
  const known = byName.get(name);
  if (known !== undefined) return { index: known, done: true, step: (budget) => budget };

  const first = new Map<unknown, number>();
  const next = new Int32Array(table.rowCount);
  const index: JoinIndex = { first, next };
  memory.charge(table.rowCount * 4);
  const keyAt = rowKey(columns);
  let row = table.rowCount - 1;
  return {
    index,
    get done() {
      return row < 0;
    },
    // From the last row to the first, so that each chain comes out in table order.
    step(budget) {
      const end = Math.max(0, row + 1 - budget);
      const work = row + 1 - end;
      const keysBefore = first.size;
      for (; row >= end; row--) {
        const key = keyAt(row);
        if (key === undefined) continue;
        next[row] = first.get(key) ?? -1;
        first.set(key, row);
      }
      memory.charge((first.size - keysBefore) * 64);
      if (row < 0) byName.set(name, index);
      return budget - work;
    },
  };
}

function rowKey(columns: readonly JoinColumn[]): (row: number) => unknown {
  const changes = columns.map((column) => converter(column.type, column.keyType) ?? (() => undefined));
  const keyOf = matchKey(columns.map((column) => column.keyType));
  return (row) =>
    keyOf(
      columns.map((column, index) => {
        const value = valueAt(column.vector, row);
        return value === undefined ? undefined : changes[index]?.(value);
      }),
    );
}
