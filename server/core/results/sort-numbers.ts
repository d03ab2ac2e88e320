import type { NumberData } from './columns.ts';
import { fixTies, pick, radixSort } from './radix-sort.ts';
import { nullRank } from './sort-texts.ts';
import type { TextRanks } from './text-blocks.ts';

/** Orders `rows` by their numbers, nulls last; rows of the same number keep their order. */
export function* sortNumbers(
  { numbers, exact }: NumberData,
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

/** Ranks the column's first `count` numbers: with them a sort is one counting pass. A generator: each `next()` does a bounded amount of work. */
export function* rankNumbers(data: NumberData, count: number): Generator<undefined, TextRanks> {
  const { numbers, exact } = data;
  const rows = new Uint32Array(count);
  for (let row = 0; row < count; row++) rows[row] = row;
  const sorted = yield* sortNumbers(data, rows, false);
  const ranks = new Uint32Array(count);
  let distinct = 0;
  let before: number | bigint | undefined;
  for (const row of sorted) {
    const number = exact.get(row) ?? numbers[row] ?? Number.NaN;
    if (typeof number === 'number' && Number.isNaN(number)) {
      ranks[row] = nullRank;
      continue;
    }
    if (number !== before) distinct++;
    before = number;
    ranks[row] = distinct - 1;
  }
  return { ranks, distinct };
}
