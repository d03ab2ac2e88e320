import { RE2JS } from 're2js';
import { assertNever } from '../assert-never.ts';
import { parseTime } from '../resources/time.ts';
import { type ColumnData, type NumberData, textOf } from './columns.ts';
import type { RowStore } from './row-store.ts';
import { literalPattern, markContaining, textAt } from './text-blocks.ts';

/** What one column must satisfy. Texts compare without case, except in `in` and `regex`. */
export type ColumnFilter =
  | { readonly kind: 'contains'; readonly text: string; readonly negated: boolean }
  /** RE2 syntax, found anywhere in the cell. */
  | { readonly kind: 'regex'; readonly pattern: string; readonly negated: boolean }
  /** The cell's text is one of these; `null` stands for null. */
  | { readonly kind: 'in'; readonly values: readonly (string | null)[]; readonly negated: boolean }
  /** Both ends count. Times as ISO text, numbers as text; an absent end is open. Nulls never match. */
  | { readonly kind: 'range'; readonly min: string | undefined; readonly max: string | undefined }
  | { readonly kind: 'null'; readonly negated: boolean };

export interface TableFilter {
  /** Any cell of the row contains this text, without case. */
  readonly search: string;
  /** All of them must hold. */
  readonly columns: readonly { readonly column: number; readonly filter: ColumnFilter }[];
}

export const noFilter: TableFilter = { search: '', columns: [] };

const rowsPerStep = 50_000;

/** The pattern of a regex filter or the end of a range is none; the message says why. */
export class FilterPatternError extends Error {
  override readonly name = 'FilterPatternError';
}

/** UTF-16 units of a text that is looked for. The platform's matcher refuses texts some ten times as long. */
const longestNeedle = 10_000;

/** Row numbers that pass the filter, in ascending order. A generator: each `next()` does a bounded amount of work. */
export function* filterRows(store: RowStore, filter: TableFilter): Generator<undefined, Uint32Array> {
  const { rowCount } = store;
  if (filter.columns.length === 0 && filter.search === '') return allRows(rowCount);
  const needles = filter.columns.map(({ filter: of }) => (of.kind === 'contains' ? of.text : ''));
  if ([filter.search, ...needles].some(({ length }) => length > longestNeedle))
    throw new FilterPatternError('a text of more than 10,000 characters cannot be looked for');
  let passing = new Uint8Array(rowCount).fill(1);
  for (const [at, { column, filter: wanted }] of filter.columns.entries()) {
    yield* store.prepare(column);
    const data = store.data(column);
    if (data.kind === 'text' && wanted.kind === 'contains' && wanted.text !== '') {
      const hits = new Uint8Array(rowCount);
      yield* markContaining(data.texts, wanted.text, hits);
      // The first one's hits are what passes so far.
      if (at === 0 && !wanted.negated) passing = hits;
      else keepHits(passing, hits, wanted.negated);
    } else yield* keepMatching(data, wanted, passing);
  }
  if (filter.search !== '') {
    const hits = new Uint8Array(rowCount);
    for (let column = 0; column < store.columns.length; column++) {
      yield* store.prepare(column);
      yield* markCells(store.data(column), filter.search, hits);
    }
    if (filter.columns.length === 0) passing = hits;
    else keepHits(passing, hits, false);
  }
  return rowsOf(passing);
}

/** The rows whose byte is 1. Looks at four at once: most filters leave few rows. */
function rowsOf(passing: Uint8Array): Uint32Array {
  const rows = new Uint32Array(passing.length);
  const fours = new Uint32Array(passing.buffer, 0, passing.length >> 2);
  let count = 0;
  const look = (from: number, to: number): void => {
    for (let row = from; row < to; row++) if (passing[row] === 1) rows[count++] = row;
  };
  for (let four = 0; four < fours.length; four++) if (fours[four] !== 0) look(four * 4, four * 4 + 4);
  look(fours.length * 4, passing.length);
  return rows.slice(0, count);
}

/** Every row number, in the order the rows came. */
export function allRows(rowCount: number): Uint32Array {
  const rows = new Uint32Array(rowCount);
  for (let row = 0; row < rowCount; row++) rows[row] = row;
  return rows;
}

/** Clears `passing` where the column's cell does not satisfy the filter. */
function* keepMatching(data: ColumnData, filter: ColumnFilter, passing: Uint8Array): Generator<undefined, void> {
  const test = columnTest(data, filter);
  for (let row = 0; row < passing.length; row++) {
    if (passing[row] === 1 && !test(row)) passing[row] = 0;
    if (row % rowsPerStep === rowsPerStep - 1) yield;
  }
}

function keepHits(passing: Uint8Array, hits: Uint8Array, negated: boolean): void {
  const wanted = negated ? 0 : 1;
  for (let row = 0; row < passing.length; row++) if (hits[row] !== wanted) passing[row] = 0;
}

/** Sets `hits` where the cell's text contains the needle. */
function* markCells(data: ColumnData, needle: string, hits: Uint8Array): Generator<undefined, void> {
  if (data.kind === 'text') return yield* markContaining(data.texts, needle, hits);
  // No number and no time has such a text: their cells need not be written out.
  if (data.kind === 'number' && !(data.time ? timeText : numberText).test(needle)) return;
  const contains = containsTest(needle);
  const test = textTest(data, (text) => text !== undefined && contains(text));
  for (let row = 0; row < hits.length; row++) {
    if (hits[row] === 0 && test(row)) hits[row] = 1;
    if (row % rowsPerStep === rowsPerStep - 1) yield;
  }
}

const numberText = /^[\d.e+\-infty]+$/i;
const timeText = /^[\d:.tz-]+$/i;

type RowTest = (row: number) => boolean;

function columnTest(data: ColumnData, filter: ColumnFilter): RowTest {
  switch (filter.kind) {
    case 'contains': {
      const contains = containsTest(filter.text);
      return textTest(data, (text) => (text !== undefined && contains(text)) !== filter.negated);
    }
    case 'regex': {
      const matches = regexTest(filter.pattern);
      return textTest(data, (text) => (text !== undefined && matches(text)) !== filter.negated);
    }
    case 'in': {
      const wanted = new Set(filter.values);
      return textTest(data, (text) => wanted.has(text ?? null) !== filter.negated);
    }
    case 'range':
      return rangeTest(data, filter.min, filter.max);
    case 'null':
      return textTest(data, (text) => (text === undefined) !== filter.negated);
    default:
      return assertNever(filter);
  }
}

/** Tests the cell's text; a dictionary's words are tested once each, when first met. */
function textTest(data: ColumnData, test: (text: string | undefined) => boolean): RowTest {
  if (data.kind === 'dictionary') {
    const answers = new Uint8Array(data.words.length + 1);
    return (row) => {
      const code = data.codes[row] ?? 0;
      let answer = answers[code];
      if (answer === 0) {
        answer = test(code === 0 ? undefined : data.words[code - 1]) ? 2 : 1;
        answers[code] = answer;
      }
      return answer === 2;
    };
  }
  if (data.kind === 'text') return (row) => test(textAt(data.texts, row));
  return (row) => test(textOf(data, row));
}

function containsTest(needle: string): (text: string) => boolean {
  const literal = literalPattern(needle, 'i');
  return (text) => literal.test(text);
}

function regexTest(pattern: string): (text: string) => boolean {
  try {
    const compiled = RE2JS.compile(pattern);
    return (text) => compiled.matcher(text).find();
  } catch (error) {
    throw new FilterPatternError(error instanceof Error ? error.message : String(error));
  }
}

function rangeTest(data: ColumnData, min: string | undefined, max: string | undefined): RowTest {
  if (data.kind === 'number') {
    const { numbers, exact } = data;
    const low = boundOf(data, min) ?? Number.NEGATIVE_INFINITY;
    const high = boundOf(data, max) ?? Number.POSITIVE_INFINITY;
    return (row) => {
      const number = (exact.size > 0 ? exact.get(row) : undefined) ?? numbers[row] ?? Number.NaN;
      return number >= low && number <= high;
    };
  }
  return textTest(
    data,
    (text) => text !== undefined && (min === undefined || text >= min) && (max === undefined || text <= max),
  );
}

/** One end of a range; undefined where it is open. Integers beyond 2^53 stay exact. */
function boundOf({ time }: NumberData, written: string | undefined): number | bigint | undefined {
  const text = written?.trim() ?? '';
  if (text === '') return undefined;
  // Without a now, times relative to it are none.
  const read = time ? parseTime(text, Number.NaN) : undefined;
  const number = time ? (read?.kind === 'time' ? read.time : Number.NaN) : Number(text);
  if (Number.isNaN(number)) throw new FilterPatternError(`'${text}' is not a ${time ? 'time' : 'number'}`);
  return Number.isSafeInteger(number) || !/^[+-]?\d+$/.test(text) ? number : BigInt(text);
}
