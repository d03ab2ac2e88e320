import type { Value } from '../language/values/value.ts';
import { pathWalker } from './compile/path.ts';
import type { ValuesVector } from './table.ts';

/**
 * What a JSON path gives in each row of a column, as a dictionary that fills while queries run: the second query that filters by the path reads
 * two bytes a row instead of following keys through objects.
 */
export interface PathColumn {
  /** The code of a row, computing it when no query has before. Rows with one code have equal values, except for `uncoded`. */
  codeAt(row: number): number;
}

/** The code of values a dictionary does not hold: objects, arrays, and whatever comes after it is full. */
export const uncoded = 1;

/** Codes fit 16 bits: 0 is not computed yet, 1 uncoded, 2 SQL null, then the distinct values. */
const notComputed = 0;
const nullCode = 2;
const firstValueCode = 3;
const maxCode = 65_535;

/** Each path column costs two bytes a row; the ones used least recently make room. */
const maxColumnsOfVector = 16;

/** Tables smaller than this are read fast enough. */
const minRows = 4096;

const columnsOfVector = new WeakMap<ValuesVector, Map<string, PathColumn | 'seen'>>();

/** The column of a path, from its second use on: a path used once is not worth a dictionary. */
export function pathColumn(vector: ValuesVector, keys: readonly string[]): PathColumn | undefined {
  if (vector.values.length < minRows) return undefined;
  const columns = columnsOfVector.get(vector) ?? new Map<string, PathColumn | 'seen'>();
  columnsOfVector.set(vector, columns);
  const name = JSON.stringify(keys);
  const known = columns.get(name);
  const column = known === undefined ? 'seen' : known === 'seen' ? createPathColumn(vector, keys) : known;
  columns.delete(name);
  columns.set(name, column);
  if (columns.size > maxColumnsOfVector) columns.delete(columns.keys().next().value ?? name);
  return column === 'seen' ? undefined : column;
}

function createPathColumn(vector: ValuesVector, keys: readonly string[]): PathColumn {
  const { values } = vector;
  const codes = new Uint16Array(values.length);
  const codeOf = new Map<Value, number>();
  const walk = pathWalker(keys);
  const encode = (value: Value): number => {
    if (value === undefined) return nullCode;
    if (typeof value === 'object' && value !== null) return uncoded;
    const known = codeOf.get(value);
    if (known !== undefined) return known;
    const code = firstValueCode + codeOf.size;
    if (code > maxCode) return uncoded;
    codeOf.set(value, code);
    return code;
  };
  return {
    codeAt(row) {
      const known = codes[row] as number;
      if (known !== notComputed) return known;
      const code = encode(walk(values[row]));
      codes[row] = code;
      return code;
    },
  };
}
