import type { Value } from '../language/values/value.ts';
import { cellValue, textOf } from './columns.ts';
import { formatIsoTime } from './iso-time.ts';
import type { RowStore } from './row-store.ts';

/** What a column holds, over the rows given. */
export interface ColumnStatistics {
  readonly rows: number;
  readonly nulls: number;
  /** Different texts, nulls not counted; a lower bound when `distinctCapped`. */
  readonly distinct: number;
  readonly distinctCapped: boolean;
  /** Least and greatest value as text: numbers and times by value, all else by code unit; undefined when all cells are null. */
  readonly min: string | undefined;
  readonly max: string | undefined;
  /** Sum and mean of a numeric column, else undefined. */
  readonly mean: number | undefined;
  /** Most frequent texts, most frequent first. Empty when distinct values are too many to count. */
  readonly top: readonly { readonly text: string; readonly count: number }[];
}

const rowsPerStep = 50_000;
const maxDistinct = 200_000;
const topCount = 10;

/** Counts the column over `rows`, with so many of its most frequent texts. A generator: each `next()` does a bounded amount of work. */
export function* columnStatistics(
  store: RowStore,
  column: number,
  rows: Uint32Array,
  longestTop = topCount,
): Generator<undefined, ColumnStatistics> {
  yield* store.prepare(column);
  const data = store.data(column);
  const counts = new Map<string, number>();
  let nulls = 0;
  let capped = false;
  let min: Value;
  let max: Value;
  let sum = 0;
  const numeric = data.kind === 'number' && !data.time;
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i] ?? 0;
    const text = textOf(data, row);
    if (text === undefined) nulls++;
    else {
      const value = cellValue(data, row);
      // Beside texts, numbers count as the texts they are sorted as.
      const comparable = numeric && (typeof value === 'number' || typeof value === 'bigint') ? value : text;
      if (min === undefined || min === null || comparable < min) min = comparable;
      if (max === undefined || max === null || comparable > max) max = comparable;
      if (numeric) sum += Number(comparable);
      const seen = counts.get(text);
      if (seen !== undefined) counts.set(text, seen + 1);
      else if (counts.size < maxDistinct) counts.set(text, 1);
      else capped = true;
    }
    if (i % rowsPerStep === rowsPerStep - 1) yield;
  }
  const filled = rows.length - nulls;
  const top = [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, longestTop);
  return {
    rows: rows.length,
    nulls,
    distinct: counts.size,
    distinctCapped: capped,
    min: min === undefined ? undefined : String(min),
    max: max === undefined ? undefined : String(max),
    mean: numeric && filled > 0 ? sum / filled : undefined,
    top: capped ? [] : top.map(([text, count]) => ({ text, count })),
  };
}

/** How many rows fall into each of equally long spans of time. */
export interface TimeHistogram {
  readonly column: number;
  readonly start: string;
  readonly end: string;
  /** Length of one span in milliseconds. */
  readonly span: number;
  readonly counts: readonly number[];
}

/** The histogram of a time column over `rows`; undefined when the column is none or holds no two moments. */
export function timeHistogram(
  store: RowStore,
  column: number,
  rows: Uint32Array,
  bars: number,
): TimeHistogram | undefined {
  const data = store.data(column);
  if (data.kind !== 'number' || !data.time) return undefined;
  let start = Number.POSITIVE_INFINITY;
  let end = Number.NEGATIVE_INFINITY;
  for (const row of rows) {
    const time = data.numbers[row] ?? Number.NaN;
    if (time < start) start = time;
    if (time > end) end = time;
  }
  if (!(end > start)) return undefined;
  const span = Math.max(1, Math.ceil((end - start + 1) / bars));
  const counts = new Array<number>(Math.ceil((end - start + 1) / span)).fill(0);
  for (const row of rows) {
    const time = data.numbers[row] ?? Number.NaN;
    if (Number.isNaN(time)) continue;
    const bar = Math.floor((time - start) / span);
    counts[bar] = (counts[bar] ?? 0) + 1;
  }
  return { column, start: formatIsoTime(start), end: formatIsoTime(end), span, counts };
}

/** The first column that holds times, by preference one that names an event's own time. */
export function timeColumnOf(store: RowStore): number | undefined {
  let found: number | undefined;
  for (let column = 0; column < store.columns.length; column++) {
    if (store.kind(column) !== 'time') continue;
    if (/EVENT|START|CREATED/.test(store.columns[column]?.name ?? '')) return column;
    found ??= column;
  }
  return found;
}
