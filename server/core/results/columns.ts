import type { LqlType } from '../language/types/types.ts';
import type { Value } from '../language/values/value.ts';
import { cellText } from './cell-text.ts';
import { formatIsoTime, parseIsoTime } from './iso-time.ts';

/** What a column is called and holds. `type` comes from the query's result schema where it is known, else `unknown`. */
export interface ColumnSpec {
  /** The key in the service's rows: upper-case. */
  readonly name: string;
  /** As the query spells it. */
  readonly label: string;
  readonly type: LqlType;
}

/**
 * A column's cells. The kind follows the values seen, not the promised type: a service may answer anything.
 * A value that does not fit moves the whole column to `mixed`, which holds everything as it came.
 */
export type ColumnData = NumberData | TextData | DictionaryData | MixedData;

export interface NumberData {
  readonly kind: 'number';
  /** Times are kept as milliseconds and shown as the ISO text they came as. */
  readonly time: boolean;
  /** NaN is null: JSON has no NaN. */
  numbers: Float64Array;
  /** Rows whose integer lies beyond 2^53: the exact value. */
  readonly exact: Map<number, bigint>;
}

export interface TextData {
  readonly kind: 'text';
  readonly texts: (string | undefined)[];
}

export interface DictionaryData {
  readonly kind: 'dictionary';
  /** Code of each row's text; 0 is null, code n stands for `words[n - 1]`. */
  codes: Uint32Array;
  readonly words: string[];
  readonly codeOf: Map<string, number>;
}

export interface MixedData {
  readonly kind: 'mixed';
  readonly values: Value[];
}

/** Above this many different texts a dictionary costs more than it saves. */
const maxWords = 60_000;
/** After this many rows a text column must repeat itself to stay a dictionary. */
const dictionaryTrial = 4096;

/** An empty column whose kind the first values decide. */
export function emptyColumn(first: Value, capacity: number): ColumnData {
  if (typeof first === 'number' || typeof first === 'bigint') return emptyNumbers(false, capacity);
  if (typeof first === 'string') {
    if (parseIsoTime(first) !== undefined) return emptyNumbers(true, capacity);
    return { kind: 'dictionary', codes: new Uint32Array(capacity), words: [], codeOf: new Map() };
  }
  return { kind: 'mixed', values: [] };
}

function emptyNumbers(time: boolean, capacity: number): NumberData {
  return { kind: 'number', time, numbers: new Float64Array(capacity), exact: new Map() };
}

/** Appends `rows[from…][key]` behind the `length` cells the column has; returns the column, which may have changed its kind. */
export function appendCells(
  data: ColumnData,
  length: number,
  rows: readonly { readonly [key: string]: Value }[],
  key: string,
): ColumnData {
  let column = reserve(data, length, length + rows.length);
  for (let i = 0; i < rows.length; i++) {
    const value = rows[i]?.[key];
    if (!put(column, length + i, value)) {
      column = reserve(widen(column, length + i, value), length + i, length + rows.length);
      put(column, length + i, value);
    }
  }
  return column;
}

/** Writes one cell; false when the column's kind cannot hold the value. */
function put(column: ColumnData, row: number, value: Value): boolean {
  const isNull = value === undefined || value === null;
  switch (column.kind) {
    case 'number':
      if (isNull) column.numbers[row] = Number.NaN;
      else if (column.time) {
        const time = typeof value === 'string' ? parseIsoTime(value) : undefined;
        if (time === undefined) return false;
        column.numbers[row] = time;
      } else if (typeof value === 'number') column.numbers[row] = value;
      else if (typeof value === 'bigint') {
        column.numbers[row] = Number(value);
        column.exact.set(row, value);
      } else return false;
      return true;
    case 'dictionary': {
      if (isNull) {
        column.codes[row] = 0;
        return true;
      }
      if (typeof value !== 'string') return false;
      let code = column.codeOf.get(value);
      if (code === undefined) {
        const count = column.words.length;
        if (count >= maxWords || (row >= dictionaryTrial && count > row >> 1)) return false;
        column.words.push(value);
        code = count + 1;
        column.codeOf.set(value, code);
      }
      column.codes[row] = code;
      return true;
    }
    case 'text':
      if (isNull) column.texts[row] = undefined;
      else if (typeof value === 'string') column.texts[row] = value;
      else return false;
      return true;
    case 'mixed':
      column.values[row] = isNull ? undefined : value;
      return true;
  }
}

/** The same cells in a kind that can also hold `value`. */
function widen(column: ColumnData, length: number, value: Value): ColumnData {
  if (column.kind === 'dictionary' && typeof value === 'string') {
    const texts: (string | undefined)[] = [];
    for (let row = 0; row < length; row++) texts.push(textOf(column, row));
    return { kind: 'text', texts };
  }
  // A column that began with times may go on with other texts; one that began with nulls may go on with anything.
  if (onlyNulls(column, length)) {
    const next = emptyColumn(value, length + 1);
    for (let row = 0; row < length; row++) put(next, row, undefined);
    return next;
  }
  if (column.kind === 'number' && column.time && typeof value === 'string') {
    const texts: (string | undefined)[] = [];
    for (let row = 0; row < length; row++) texts.push(textOf(column, row));
    return { kind: 'text', texts };
  }
  const values: Value[] = [];
  for (let row = 0; row < length; row++) values.push(cellValue(column, row));
  return { kind: 'mixed', values };
}

function onlyNulls(column: ColumnData, length: number): boolean {
  for (let row = 0; row < length; row++) if (textOf(column, row) !== undefined) return false;
  return true;
}

function reserve(column: ColumnData, length: number, needed: number): ColumnData {
  if (column.kind === 'number' && column.numbers.length < needed) {
    const grown = new Float64Array(Math.max(needed, Math.min(length * 2, length + 1_000_000)));
    grown.set(column.numbers.subarray(0, length));
    column.numbers = grown;
  } else if (column.kind === 'dictionary' && column.codes.length < needed) {
    const grown = new Uint32Array(Math.max(needed, Math.min(length * 2, length + 1_000_000)));
    grown.set(column.codes.subarray(0, length));
    column.codes = grown;
  }
  return column;
}

/** The cell as it came: JSON values stay structured, integers exact, null is `undefined`. */
export function cellValue(column: ColumnData, row: number): Value {
  switch (column.kind) {
    case 'number': {
      const number = column.numbers[row];
      if (number === undefined || Number.isNaN(number)) return undefined;
      if (column.time) return formatIsoTime(number);
      return column.exact.get(row) ?? number;
    }
    case 'dictionary': {
      const code = column.codes[row];
      return code ? column.words[code - 1] : undefined;
    }
    case 'text':
      return column.texts[row];
    case 'mixed':
      return column.values[row];
  }
}

/** The cell's text as shown, copied and exported; `undefined` for null. */
export function textOf(column: ColumnData, row: number): string | undefined {
  return cellText(cellValue(column, row));
}

/** Bytes the column holds on to, estimated: typed arrays exactly, strings as one or two bytes a character plus their header. */
export function byteSize(column: ColumnData): number {
  switch (column.kind) {
    case 'number':
      return column.numbers.byteLength + column.exact.size * 48;
    case 'dictionary':
      return column.codes.byteLength + textBytes(column.words) * 2;
    case 'text':
      return textBytes(column.texts);
    case 'mixed':
      return column.values.length * 64;
  }
}

function textBytes(texts: readonly (string | undefined)[]): number {
  let bytes = texts.length * 8;
  for (const text of texts) if (text !== undefined) bytes += 16 + text.length;
  return bytes;
}
