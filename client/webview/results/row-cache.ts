import type { Cell } from '../../protocol/results.ts';

const blockRows = 100;
const maxBlocks = 80;

/** Rows the host has sent. Rows far from the last use are forgotten: the host has them. */
export interface RowCache {
  /** The row's cells, or undefined while they are on their way. */
  row(index: number): readonly Cell[] | undefined;
  /** Asks for the blocks of `first`…`last` that are neither here nor on their way. */
  want(first: number, last: number): void;
  receive(start: number, rows: readonly (readonly Cell[])[]): void;
  /** Forgets everything: the rows or their order changed. */
  reset(rowCount: number): void;
}

interface Block {
  readonly rows: (readonly Cell[])[];
  /** How many of `rows` are there: rows that come with a new order are some of a block. */
  held: number;
}

export function createRowCache(request: (start: number, count: number) => void): RowCache {
  const blocks = new Map<number, Block>();
  const asked = new Set<number>();
  let rowCount = 0;
  return {
    row: (index) => blocks.get(Math.floor(index / blockRows))?.rows[index % blockRows],
    want(first, last) {
      for (let block = Math.floor(first / blockRows); block <= Math.floor(last / blockRows); block++) {
        const start = block * blockRows;
        const count = Math.min(blockRows, rowCount - start);
        if (count <= 0 || asked.has(block) || blocks.get(block)?.held === count) continue;
        asked.add(block);
        request(start, count);
      }
    },
    receive(start, rows) {
      for (const [offset, cells] of rows.entries()) {
        const index = start + offset;
        const at = Math.floor(index / blockRows);
        let block = blocks.get(at);
        if (!block) {
          block = { rows: [], held: 0 };
          blocks.set(at, block);
        }
        if (block.rows[index % blockRows] === undefined) block.held++;
        block.rows[index % blockRows] = cells;
        if (index % blockRows === blockRows - 1 || offset === rows.length - 1) asked.delete(at);
      }
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
