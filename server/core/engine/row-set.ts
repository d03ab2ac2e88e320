import type { LqlType } from '../language/types/types.ts';
import { hashKey } from '../language/values/compare.ts';
import { jsonKey } from '../language/values/json.ts';
import type { Value } from '../language/values/value.ts';
import type { MemoryBudget } from './engine-failure.ts';

/** The rows seen so far, by value; nulls are equal to each other (DISTINCT, UNION). */
export interface RowSet {
  /** Whether the row is new; it no longer is the next time. */
  add(row: readonly Value[]): boolean;
}

/** Bytes an entry of a hash table takes, about. */
const entryBytes = 48;

/** Two numbers below this make one number that is still exact. */
const pairBase = 2 ** 26;

/**
 * Numbers the values of each column, then the pairs of numbers from left to right: no text is put together for a row, and a value that many rows
 * share is held once.
 */
export function createRowSet(types: readonly LqlType[], memory: MemoryBudget): RowSet {
  const numberings = types.map((type) => createNumbering(type, memory));
  const pairs = types.map(() => new Map<number, number>());
  return {
    add(row) {
      let prefix = 0;
      let isNew = false;
      for (let index = 0; index < numberings.length; index++) {
        const value = (numberings[index] as Numbering)(row[index]);
        const numbers = pairs[index] as Map<number, number>;
        const pair = prefix * pairBase + value;
        const known = numbers.get(pair);
        isNew = known === undefined;
        prefix = known ?? numbers.size;
        if (isNew) {
          numbers.set(pair, prefix);
          memory.charge(entryBytes);
        }
      }
      return isNew;
    },
  };
}

/** Gives equal values one number. */
type Numbering = (value: Value) => number;

function createNumbering(type: LqlType, memory: MemoryBudget): Numbering {
  const isJson = type === 'json' || type === 'unknown' || type === 'null';
  const keyOf = hashKey(isJson ? 'number' : type);
  const scalars = new Map<unknown, number>();
  const composites = new Map<string, number>();
  return (value) => {
    const composite = isJson && typeof value === 'object' && value !== null;
    const numbers: Map<unknown, number> = composite ? composites : scalars;
    // Scalars of JSON keep their kind: a Map tells 1, '1' and true apart by itself.
    const key = composite ? jsonKey(value) : value === undefined ? undefined : keyOf(value);
    const known = numbers.get(key);
    if (known !== undefined) return known;
    const number = scalars.size + composites.size;
    numbers.set(key, number);
    memory.charge(entryBytes + (typeof key === 'string' ? key.length * 2 : 0));
    return number;
  };
}
