import { filterRows } from '../../../server/core/results/filter.ts';
import { literalPattern } from '../../../server/core/results/text-blocks.ts';
import type { CellMatch, FromResultsView } from '../../protocol/results.ts';
import { inTurns, type Run } from './run.ts';

type FindQuestion = Extract<FromResultsView, { kind: 'find' }>;

/** The rows shown that have the text in a column that is not hidden, in the order shown. */
interface Matches {
  readonly positions: Uint32Array;
  /** Cells with the text above each of them. */
  readonly before: Uint32Array;
  /** Cells with the text in all rows. */
  readonly count: number;
}

/** What was looked for last: the next match of the same text is at hand. */
const searches = new WeakMap<Run, { readonly key: string; readonly matches: Promise<Matches | undefined> }>();

const rowsPerStep = 50_000;

/** Where the text stands next, around the end of the table; undefined when a later search or other rows overtook this one. */
export async function findCell(
  run: Run,
  question: FindQuestion,
): Promise<{ readonly match: CellMatch | undefined; readonly count: number } | undefined> {
  const { revision, text } = question;
  const { order } = run.layout;
  const key = JSON.stringify([revision, text, order]);
  let search = searches.get(run);
  if (search?.key !== key) {
    const wanted = (): boolean => revision === run.revision && searches.get(run)?.key === key;
    search = { key, matches: inTurns(matchesOf(run, text, order), wanted).then((found) => found?.value) };
    searches.set(run, search);
  }
  const matches = await search.matches;
  if (!matches || revision !== run.revision) return undefined;
  return { match: nextMatch(run, matches, order, question), count: matches.count };
}

function* matchesOf(run: Run, text: string, order: readonly number[]): Generator<undefined, Matches> {
  const { store, shown } = run;
  const cells = new Uint16Array(store.rowCount);
  for (const column of text === '' ? [] : order) {
    const columns = [{ column, filter: { kind: 'contains', text, negated: false } }] as const;
    for (const row of yield* filterRows(store, { search: '', columns })) cells[row] = (cells[row] ?? 0) + 1;
    yield;
  }
  const positions = new Uint32Array(shown.length);
  const before = new Uint32Array(shown.length);
  let rows = 0;
  let count = 0;
  for (let position = 0; position < shown.length; position++) {
    const here = cells[shown[position] ?? 0] ?? 0;
    if (here > 0) {
      positions[rows] = position;
      before[rows++] = count;
      count += here;
    }
    if (position % rowsPerStep === rowsPerStep - 1) yield;
  }
  return { positions: positions.slice(0, rows), before: before.slice(0, rows), count };
}

function nextMatch(
  run: Run,
  { positions, before, count }: Matches,
  order: readonly number[],
  { text, from, backwards }: FindQuestion,
): CellMatch | undefined {
  if (count === 0) return undefined;
  const pattern = literalPattern(text, 'i');
  /** Positions of the cells with the text in one of the rows. */
  const cellsAt = (at: number): number[] =>
    [...order.keys()].filter((position) => {
      const cell = run.store.text(run.shown[positions[at] ?? 0] ?? 0, order[position] ?? 0);
      return cell !== undefined && pattern.test(cell);
    });
  const match = (at: number, cells: readonly number[], nth: number): CellMatch => ({
    row: positions[at] ?? 0,
    position: cells[nth] ?? 0,
    index: (before[at] ?? 0) + nth,
  });
  let at = firstFrom(positions, from.row);
  if (positions[at] === from.row) {
    const cells = cellsAt(at);
    const nth = backwards
      ? cells.findLastIndex((position) => position < from.column)
      : cells.findIndex((position) => position > from.column);
    if (nth >= 0) return match(at, cells, nth);
    if (!backwards) at++;
  }
  const rows = positions.length;
  at = (backwards ? at - 1 + rows : at) % rows;
  const cells = cellsAt(at);
  return match(at, cells, backwards ? cells.length - 1 : 0);
}

/** The place of the first of the ascending numbers that is not below `least`. */
function firstFrom(numbers: Uint32Array, least: number): number {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((numbers[middle] ?? 0) < least) low = middle + 1;
    else high = middle;
  }
  return low;
}
