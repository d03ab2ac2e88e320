import { filterRows, noFilter, type TableFilter } from './filter.ts';
import type { RowStore } from './row-store.ts';
import { type SortKey, sortRows } from './sort.ts';

/** Which rows a table shows and in which order. */
export interface ViewSettings {
  readonly sort: readonly SortKey[];
  readonly filter: TableFilter;
}

export const plainView: ViewSettings = { sort: [], filter: noFilter };

/** The row numbers to show, in order. A generator: each `next()` does a bounded amount of work, so a host can yield and drop it. */
export function* arrangeRows(store: RowStore, settings: ViewSettings): Generator<undefined, Uint32Array> {
  const passing = yield* filterRows(store, settings.filter);
  return settings.sort.length === 0 ? passing : yield* sortRows(store, passing, settings.sort);
}
