import type { Cell, RowWindow } from '../../protocol/results.ts';

const blockRows = 100;
const maxBlocks = 80;

/** The windows of rows the view has asked for. Rows far from the last use are forgotten: the host has them. */
export interface RowCache {
  /** The row's cells, or undefined while they are on their way. Asks the host for the block around it when needed. */
  row(index: number): readonly Cell[] | undefined;
  /** Asks for whatever of `first`…`last` is missing. */
  want(first: number, last: number): void;
  receive(start: number, rows: readonly (readonly Cell[])[]): void;
  /** The blocks around `first`…`last`, as they would be asked for. */
  around(first: number, last: number): RowWindow;
  /** Forgets everything: the rows or their order changed. */
  reset(rowCount: number): void;
}

export function createRowCache(request: (start: number, count: number) => void): RowCache {
  const blocks = new Map<number, readonly (readonly Cell[])[]>();
  const asked = new Set<number>();
  let rowCount = 0;
  return {
    row: (index) => blocks.get(Math.floor(index / blockRows))?.[index % blockRows],
    want(first, last) {
      for (let block = Math.floor(first / blockRows); block <= Math.floor(last / blockRows); block++) {
        const start = block * blockRows;
        if (start >= rowCount || blocks.has(block) || asked.has(block)) continue;
        asked.add(block);
        request(start, Math.min(blockRows, rowCount - start));
      }
    },
    around(first, last) {
      const start = Math.floor(first / blockRows) * blockRows;
      return { start, count: (Math.floor(last / blockRows) + 1) * blockRows - start };
    },
    receive(start, rows) {
      for (let at = blockRows; at < rows.length; at += blockRows)
        this.receive(start + at, rows.slice(at, at + blockRows));
      const block = Math.floor(start / blockRows);
      asked.delete(block);
      blocks.set(block, rows.length > blockRows ? rows.slice(0, blockRows) : rows);
      // A Map keeps the order of insertion, so the first key is the block that came first.
      for (const oldest of blocks.keys()) {
        if (blocks.size <= maxBlocks) break;
        blocks.delete(oldest);
      }
    },
    reset(count) {
      blocks.clear();
      asked.clear();
      rowCount = count;
    },
  };
}
