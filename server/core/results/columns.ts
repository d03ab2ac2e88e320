import type { LqlType } from '../language/types/types.ts';
import type { Value } from '../language/values/value.ts';
import { cellText } from './cell-text.ts';
import { formatIsoTime, parseIsoTime } from './iso-time.ts';
import { emptyTexts, pushText, type TextBlocks, type TextRanks, textAt, textBytes } from './text-blocks.ts';

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
  /** Made behind the last number; undefined again with the next one. */
  ranks: TextRanks | undefined;
}

export interface TextData {
  readonly kind: 'text';
  readonly texts: TextBlocks;
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
  /** Whether all of them are null so far: then the first other one decides what the column is. */
  isEmpty: boolean;
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
  return emptyMixed();
}

/** A column that holds everything as it comes. */
export function emptyMixed(): MixedData {
  return { kind: 'mixed', values: [], isEmpty: true };
}

function emptyNumbers(time: boolean, capacity: number): NumberData {
  return { kind: 'number', time, numbers: new Float64Array(capacity), exact: new Map(), ranks: undefined };
}

/** A row as the service sent it. */
export interface SourceRow {
  readonly [key: string]: Value;
}

/** The row's own value under the key; what every object inherits (`constructor`, `__proto__`) is none. */
export function ownValue(row: SourceRow | undefined, key: string): Value {
  return row !== undefined && (!(key in Object.prototype) || Object.hasOwn(row, key)) ? row[key] : undefined;
}

/**
 * Appends the cells of `rows[from]` … `rows[to - 1]` under `key` behind the `length` cells the column has; returns the column, which may
 * have changed its kind.
 */
export function appendCells(
  data: ColumnData,
  length: number,
  rows: readonly SourceRow[],
  key: string,
  from = 0,
  to = rows.length,
): ColumnData {
  let column = reserve(data, length, length + to - from);
  if (column.kind === 'number') column.ranks = undefined;
  const inherited = key in Object.prototype;
  for (let i = from; i < to; ) {
    const offset = length - from;
    // Each kind has a loop of its own, which runs as far as its values do; the first other one is looked at here.
    if (!inherited) i = appendFitting(column, offset, rows, key, i, to);
    if (i >= to) break;
    const value = ownValue(rows[i], key);
    if (!put(column, offset + i, value)) {
      column = reserve(widen(column, offset + i, value), offset + i, length + to - from);
      put(column, offset + i, value);
    }
    i++;
  }
  return column;
}

/** Appends values for as long as they are what the column usually holds; the index of the first that is not. */
function appendFitting(
  column: ColumnData,
  offset: number,
  rows: readonly SourceRow[],
  key: string,
  from: number,
  to: number,
): number {
  let i = from;
  if (column.kind === 'number' && !column.time) {
    const { numbers } = column;
    for (; i < to; i++) {
      const value = rows[i]?.[key];
      if (typeof value !== 'number') return i;
      numbers[offset + i] = value;
    }
  } else if (column.kind === 'dictionary') {
    const { codes, codeOf } = column;
    for (; i < to; i++) {
      const value = rows[i]?.[key];
      const code = typeof value === 'string' ? codeOf.get(value) : undefined;
      if (code === undefined) return i;
      codes[offset + i] = code;
    }
  } else if (column.kind === 'text') {
    const { texts } = column;
    for (; i < to; i++) {
      const value = rows[i]?.[key];
      if (typeof value !== 'string') return i;
      pushText(texts, value);
    }
  }
  return i;
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
      if (isNull) pushText(column.texts, undefined);
      else if (typeof value === 'string') pushText(column.texts, value);
      else return false;
      return true;
    case 'mixed':
      if (!isNull && column.isEmpty) {
        if (emptyColumn(value, 0).kind !== 'mixed') return false;
        column.isEmpty = false;
      }
      column.values[row] = isNull ? undefined : value;
      return true;
  }
}

/** The same cells in a kind that can also hold `value`. */
function widen(column: ColumnData, length: number, value: Value): ColumnData {
  if (column.kind === 'dictionary' && typeof value === 'string') {
    return { kind: 'text', texts: textsOf(column, length) };
  }
  // A column that began with times may go on with other texts; one that began with nulls may go on with anything.
  if (onlyNulls(column, length)) {
    const next = emptyColumn(value, length + 1);
    for (let row = 0; row < length; row++) put(next, row, undefined);
    return next;
  }
  if (column.kind === 'number' && column.time && typeof value === 'string') {
    return { kind: 'text', texts: textsOf(column, length) };
  }
  const mixed = emptyMixed();
  for (let row = 0; row < length; row++) mixed.values.push(cellValue(column, row));
  mixed.isEmpty = false;
  return mixed;
}

function textsOf(column: ColumnData, length: number): TextBlocks {
  const texts = emptyTexts(length);
  for (let row = 0; row < length; row++) pushText(texts, textOf(column, row));
  return texts;
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
      return textAt(column.texts, row);
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
      return column.numbers.byteLength + column.exact.size * 48 + (column.ranks?.ranks.byteLength ?? 0);
    case 'dictionary':
      return column.codes.byteLength + wordBytes(column.words) * 2;
    case 'text':
      return textBytes(column.texts);
    case 'mixed':
      return column.values.length * 64;
  }
}

function wordBytes(words: readonly string[]): number {
  let bytes = words.length * 8;
  for (const word of words) bytes += 16 + word.length;
  return bytes;
}
