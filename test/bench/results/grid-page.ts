import type { Browser } from 'playwright-core';

/** A grid that takes part. */
export interface Grid {
  readonly name: string;
  /** Has a search over all columns. */
  readonly searches: boolean;
  open(browser: Browser, count: number): Promise<GridPage>;
}

/** A grid in a page with its rows made, but not yet given. Times are milliseconds until `first` stands in the first row, painted. */
export interface GridPage {
  load(first: string): Promise<number>;
  sort(column: string, numeric: boolean, first: string): Promise<number>;
  filter(column: string, needle: string, first: string): Promise<number>;
  search(needle: string, first: string): Promise<number>;
  /** All rows again in their first order, `first` on top. */
  clear(first: string): Promise<void>;
  scroll(rows: number, steps: number): Promise<number[]>;
  /** The page's heap after a collection, in MB. */
  heldMb(): Promise<number>;
  close(): Promise<void>;
}
