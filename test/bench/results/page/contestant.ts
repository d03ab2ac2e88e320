import type { BenchRow } from '../rows.ts';

/** A grid library as an extension would use it. Every method starts the work; the probe sees when it is done. */
export interface Contestant {
  load(rows: BenchRow[]): void;
  sort(column: string, numeric: boolean): void;
  filter(column: string, needle: string): void;
  /** Rows with the needle in any column; absent where the library has nothing for it. */
  search?(needle: string): void;
  /** Back to all rows in their first order. */
  clear(): void;
}

/** The element that holds the grid. */
export function host(): HTMLElement {
  const found = document.getElementById('grid');
  if (!found) throw new Error('The page has no element for the grid.');
  return found;
}

export const columnWidth = 140;
