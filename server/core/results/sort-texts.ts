import { fixTies, pick, radixSort } from './radix-sort.ts';
import { headsOf, isNullText, type TextBlocks, type TextRanks, textAt, unitAt } from './text-blocks.ts';

/** Work is handed back to the host after about this many rows, so that it can yield and cancel. */
const rowsPerStep = 100_000;

/** The rank of a null: behind all others in both directions. */
export const nullRank = 0xffffffff;

/** Orders `rows` by their texts, by UTF-16 code unit, nulls last; rows of the same text keep their order. */
export function* sortTexts(
  texts: TextBlocks,
  rows: Uint32Array,
  descending: boolean,
): Generator<undefined, Uint32Array> {
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

export const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Ranks the column's texts, once: with them a sort looks at no text. A generator: each `next()` does a bounded amount of work. */
export function* rankTexts(texts: TextBlocks): Generator<undefined, TextRanks> {
  if (texts.ranks) return texts.ranks;
  const rows = new Uint32Array(texts.length);
  for (let row = 0; row < rows.length; row++) rows[row] = row;
  const sorted = yield* sortTexts(texts, rows, false);
  const ranks = new Uint32Array(rows.length);
  let distinct = 0;
  let before: string | undefined;
  for (let place = 0; place < sorted.length; place++) {
    const row = sorted[place] ?? 0;
    const text = textAt(texts, row);
    if (text === undefined) ranks[row] = nullRank;
    else {
      if (text !== before) distinct++;
      before = text;
      ranks[row] = distinct - 1;
    }
    if (place % rowsPerStep === rowsPerStep - 1) yield;
  }
  // Rows may have been appended meanwhile.
  if (texts.length !== ranks.length) return yield* rankTexts(texts);
  texts.ranks = { ranks, distinct };
  return texts.ranks;
}

/** A counting sort: stable, and one pass over the rows. */
export function sortByRank({ ranks, distinct }: TextRanks, rows: Uint32Array, descending: boolean): Uint32Array {
  const keyOf = (row: number): number => {
    const rank = ranks[row] ?? nullRank;
    if (rank === nullRank) return distinct;
    return descending ? distinct - 1 - rank : rank;
  };
  const next = new Uint32Array(distinct + 2);
  for (const row of rows) {
    const key = keyOf(row) + 1;
    next[key] = (next[key] ?? 0) + 1;
  }
  for (let key = 1; key < next.length; key++) next[key] = (next[key] ?? 0) + (next[key - 1] ?? 0);
  const sorted = new Uint32Array(rows.length);
  for (const row of rows) {
    const key = keyOf(row);
    const at = next[key] ?? 0;
    sorted[at] = row;
    next[key] = at + 1;
  }
  return sorted;
}
