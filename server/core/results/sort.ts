import type { ColumnData } from './columns.ts';
import { textOf } from './columns.ts';
import { pick, radixSort } from './radix-sort.ts';
import type { RowStore } from './row-store.ts';
import { sortNumbers } from './sort-numbers.ts';
import { compareTexts, rankTexts, sortByRank, sortTexts } from './sort-texts.ts';
import { emptyTexts, pushText } from './text-blocks.ts';

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
      // A counting sort by ranks is made for many rows: it takes a place for each rank.
      if (data.ranks && rows.length > data.ranks.ranks.length / 8) return sortByRank(data.ranks, rows, descending);
      return yield* sortNumbers(data, rows, descending);
    case 'dictionary':
      return yield* sortDictionary(data.codes, data.words, rows, descending);
    case 'text': {
      const { texts } = data;
      // Some of the rows are sorted sooner than all of them are ranked; a column sorted once is ranked for the next time.
      if (texts.ranks === undefined && rows.length < texts.length / 2) return yield* sortTexts(texts, rows, descending);
      return sortByRank(yield* rankTexts(texts), rows, descending);
    }
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
