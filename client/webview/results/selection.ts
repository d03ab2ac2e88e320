import type { CellRange } from '../../protocol/results.ts';

export interface CellPosition {
  /** −1 is the header. */
  readonly row: number;
  readonly column: number;
}

/** One rectangle of cells and the cell that has the focus. */
export interface Selection {
  readonly focus: CellPosition | undefined;
  readonly range: CellRange | undefined;
  has(row: number, column: number): boolean;
  /** Moves the focus; extending keeps the corner the selection began at. */
  moveTo(row: number, column: number, extend: boolean): void;
  select(range: CellRange, extend?: boolean): void;
  clear(): void;
}

export function createSelection(): Selection {
  let focus: CellPosition | undefined;
  let anchor: CellPosition | undefined;
  let range: CellRange | undefined;
  return {
    get focus() {
      return focus;
    },
    get range() {
      return range;
    },
    has: (row, column) =>
      range !== undefined &&
      row >= range.firstRow &&
      row <= range.lastRow &&
      column >= range.firstColumn &&
      column <= range.lastColumn,
    moveTo(row, column, extend) {
      focus = { row, column };
      if (!extend || !anchor || anchor.row < 0) anchor = focus;
      range =
        row < 0
          ? undefined
          : {
              firstRow: Math.min(anchor.row, row),
              lastRow: Math.max(anchor.row, row),
              firstColumn: Math.min(anchor.column, column),
              lastColumn: Math.max(anchor.column, column),
            };
    },
    select(next, extend = false) {
      const from = extend && range ? range : next;
      range = {
        ...next,
        firstRow: Math.min(from.firstRow, next.firstRow),
        lastRow: Math.max(from.lastRow, next.lastRow),
      };
      focus = { row: next.firstRow, column: next.firstColumn };
      if (!extend) anchor = focus;
    },
    clear() {
      focus = undefined;
      anchor = undefined;
      range = undefined;
    },
  };
}
