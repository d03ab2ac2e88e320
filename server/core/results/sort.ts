import type { ColumnData } from './columns.ts';
import { textOf } from './columns.ts';
import type { RowStore } from './row-store.ts';
import { emptyTexts, headsOf, isNullText, pushText, type TextBlocks, textAt, unitAt } from './text-blocks.ts';

export interface SortKey {
  readonly column: number;
  readonly descending: boolean;
}

/** Work is handed back to the host after about this many rows, so that it can yield and cancel. */
const rowsPerStep = 100_000;

/**
 * Orders `rows` by the keys, the first one weighing most; rows that compare equal keep their order. Nulls come last in both directions.
 * Numbers and times order by value, texts by UTF-16 code unit. A generator: each `next()` does a bounded amount of work.
 */
export function* sortRows(
  store: RowStore,
  rows: Uint32Array,
  keys: readonly SortKey[],
): Generator<undefined, Uint32Array> {
  let order = rows;
  // Stable sorts compose from the last key to the first.
  for (let i = keys.length - 1; i >= 0; i--) {
    const key = keys[i];
    if (!key) continue;
    yield* store.prepare(key.column);
    order = yield* sortByColumn(store.data(key.column), order, key.descending);
  }
  return order === rows ? rows.slice() : order;
}

function* sortByColumn(data: ColumnData, rows: Uint32Array, descending: boolean): Generator<undefined, Uint32Array> {
  switch (data.kind) {
    case 'number':
      return yield* sortNumbers(data.numbers, data.exact, rows, descending);
    case 'dictionary':
      return yield* sortDictionary(data.codes, data.words, rows, descending);
    case 'text':
      return yield* sortTexts(data.texts, rows, descending);
    case 'mixed': {
      // The texts exist for the sort alone, numbered as the rows are given.
      const texts = emptyTexts(rows.length);
      for (let i = 0; i < rows.length; i++) {
        pushText(texts, textOf(data, rows[i] ?? 0));
        if (i % rowsPerStep === rowsPerStep - 1) yield;
      }
      return pick(
        rows,
        yield* sortTexts(
          texts,
          rows.map((_, i) => i),
          descending,
        ),
      );
    }
  }
}

function* sortNumbers(
  numbers: Float64Array,
  exact: ReadonlyMap<number, bigint>,
  rows: Uint32Array,
  descending: boolean,
): Generator<undefined, Uint32Array> {
  const count = rows.length;
  const low = new Uint32Array(count);
  const high = new Uint32Array(count);
  const scratch = new Float64Array(1);
  const bits = new Uint32Array(scratch.buffer);
  for (let i = 0; i < count; i++) {
    const number = numbers[rows[i] ?? 0] ?? Number.NaN;
    if (Number.isNaN(number)) {
      low[i] = 0xffffffff;
      high[i] = 0xffffffff;
      continue;
    }
    scratch[0] = number === 0 ? 0 : number; // -0 equals 0
    // IEEE 754 doubles order like unsigned integers once negative ones are inverted and positive ones get the top bit.
    const top = bits[1] ?? 0;
    const flip = top >>> 31 === 1 ? 0xffffffff : 0;
    let upper = (flip ? ~top : top | 0x80000000) >>> 0;
    let lower = ((bits[0] ?? 0) ^ flip) >>> 0;
    if (descending) {
      upper = ~upper >>> 0;
      lower = ~lower >>> 0;
    }
    high[i] = upper;
    low[i] = lower;
  }
  yield;
  const order = yield* radixSort(count, [low, high]);
  const sorted = pick(rows, order);
  if (exact.size > 0) {
    const value = (row: number): bigint | number => exact.get(row) ?? numbers[row] ?? 0;
    fixTies(
      sorted,
      order,
      low,
      high,
      (a, b) => {
        const x = value(a);
        const y = value(b);
        return x < y ? -1 : x > y ? 1 : 0;
      },
      descending,
      (row) => Number.isNaN(numbers[row] ?? Number.NaN),
    );
  }
  return sorted;
}

function* sortDictionary(
  codes: Uint32Array,
  words: readonly string[],
  rows: Uint32Array,
  descending: boolean,
): Generator<undefined, Uint32Array> {
  const byWord = words.map((_, index) => index);
  byWord.sort((a, b) => compareTexts(words[a] ?? '', words[b] ?? ''));
  const rank = new Uint32Array(words.length + 1);
  for (let i = 0; i < byWord.length; i++) rank[(byWord[i] ?? 0) + 1] = descending ? words.length - 1 - i : i;
  rank[0] = 0xffffffff;
  yield;
  const keys = new Uint32Array(rows.length);
  for (let i = 0; i < rows.length; i++) keys[i] = rank[codes[rows[i] ?? 0] ?? 0] ?? 0;
  return pick(rows, yield* radixSort(rows.length, [keys]));
}

function* sortTexts(texts: TextBlocks, rows: Uint32Array, descending: boolean): Generator<undefined, Uint32Array> {
  const count = rows.length;
  // Eight bytes of each text behind what all share: as one-byte characters where all of them are, else four UTF-16 units.
  const { skip, narrow } = headsOf(texts, rows);
  yield;
  const low = new Uint32Array(count);
  const high = new Uint32Array(count);
  for (let i = 0; i < count; i++) {
    const row = rows[i] ?? 0;
    if (isNullText(texts, row)) {
      low[i] = 0xffffffff;
      high[i] = 0xffffffff;
      continue;
    }
    let upper: number;
    let lower: number;
    if (narrow) {
      upper =
        (unitAt(texts, row, skip) << 24) |
        (unitAt(texts, row, skip + 1) << 16) |
        (unitAt(texts, row, skip + 2) << 8) |
        unitAt(texts, row, skip + 3);
      lower =
        (unitAt(texts, row, skip + 4) << 24) |
        (unitAt(texts, row, skip + 5) << 16) |
        (unitAt(texts, row, skip + 6) << 8) |
        unitAt(texts, row, skip + 7);
    } else {
      upper = (unitAt(texts, row, skip) << 16) | unitAt(texts, row, skip + 1);
      lower = (unitAt(texts, row, skip + 2) << 16) | unitAt(texts, row, skip + 3);
    }
    high[i] = (descending ? ~upper : upper) >>> 0;
    low[i] = (descending ? ~lower : lower) >>> 0;
    if (i % rowsPerStep === rowsPerStep - 1) yield;
  }
  const order = yield* radixSort(count, [low, high]);
  const sorted = pick(rows, order);
  yield;
  fixTies(
    sorted,
    order,
    low,
    high,
    (a, b) => compareTexts(textAt(texts, a) ?? '', textAt(texts, b) ?? ''),
    descending,
    (row) => isNullText(texts, row),
  );
  return sorted;
}

const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Least-significant-digit radix sort of positions 0…count-1 by 32-bit words, the first word weighing least. Stable. */
function* radixSort(count: number, words: readonly Uint32Array[]): Generator<undefined, Uint32Array> {
  let order = new Uint32Array(count);
  for (let i = 0; i < count; i++) order[i] = i;
  let next = new Uint32Array(count);
  const counts = new Uint32Array(65_536);
  for (const word of words) {
    for (const shift of [0, 16]) {
      counts.fill(0);
      for (let i = 0; i < count; i++) {
        const digit = ((word[i] ?? 0) >>> shift) & 0xffff;
        counts[digit] = (counts[digit] ?? 0) + 1;
      }
      // A digit that all rows share moves nothing.
      if (counts[((word[0] ?? 0) >>> shift) & 0xffff] === count) continue;
      let sum = 0;
      for (let digit = 0; digit < 65_536; digit++) {
        const here = counts[digit] ?? 0;
        counts[digit] = sum;
        sum += here;
      }
      for (let i = 0; i < count; i++) {
        const position = order[i] ?? 0;
        const digit = ((word[position] ?? 0) >>> shift) & 0xffff;
        const at = counts[digit] ?? 0;
        next[at] = position;
        counts[digit] = at + 1;
      }
      [order, next] = [next, order];
      yield;
    }
  }
  return order;
}

function pick(rows: Uint32Array, order: Uint32Array): Uint32Array {
  const picked = new Uint32Array(order.length);
  for (let i = 0; i < order.length; i++) picked[i] = rows[order[i] ?? 0] ?? 0;
  return picked;
}

/** Rows whose short keys are equal are compared in full. Nulls share one key and are left as they are. */
function fixTies(
  sorted: Uint32Array,
  order: Uint32Array,
  low: Uint32Array,
  high: Uint32Array,
  compare: (a: number, b: number) => number,
  descending: boolean,
  isNull: (row: number) => boolean,
): void {
  const sameKey = (a: number, b: number): boolean => {
    const x = order[a] ?? 0;
    const y = order[b] ?? 0;
    return low[x] === low[y] && high[x] === high[y];
  };
  for (let start = 0; start < sorted.length; ) {
    let end = start + 1;
    while (end < sorted.length && sameKey(start, end)) end++;
    if (end - start > 1) {
      const run = Array.from(sorted.subarray(start, end));
      const nulls = run.filter(isNull);
      const rest = nulls.length === 0 ? run : run.filter((row) => !isNull(row));
      rest.sort(descending ? (a, b) => compare(b, a) : compare);
      sorted.set(rest, start);
      sorted.set(nulls, start + rest.length);
    }
    start = end;
  }
}
