import { type Compiled, workUnits } from './compile/compiled.ts';
import type { Level } from './level.ts';
import type { Cursor, Scan } from './scan.ts';
import { allDone, stepAll, type Task } from './task.ts';

/** Takes the rows of a body: called once a row, while the outputs read that row. */
export interface RowSink {
  accept(): void;
  /** True when no more rows are wanted. */
  readonly full: boolean;
  /** True when a row equal to one before is dropped. */
  readonly dropsRepeats: boolean;
}

export interface Pipeline {
  readonly scan: Scan;
  /** Of the root, the source that is scanned. */
  readonly root: Cursor;
  /** The sources after the root. */
  readonly levels: readonly Level[];
  /** What must be done before the first row: indexes of joins, subqueries. */
  readonly prerequisites: readonly Task[];
  /** The last source the outputs read, by its position; 0 for the root. */
  readonly outputLevel: number;
  /** Work that computing the outputs of a row counts for, beyond visiting it. */
  readonly outputUnits: number;
}

/**
 * Visits every combination of rows: a pointer walks down one level for each row found, and up again when a level has no more. Each turn of the
 * loop is a bounded piece of work, so it can stop after any.
 */
export function runBody(pipeline: Pipeline, sink: RowSink): Task {
  const { scan, root, levels, prerequisites, outputUnits } = pipeline;
  const last = levels.length;
  // Sources after the last one the outputs read only say whether there is a row: where repeats are dropped, the first match is enough.
  const depthAfterRow = sink.dropsRepeats ? pipeline.outputLevel : last;
  const unitsOfLevel = levels.map((level) => 1 + workUnits(level.filters));
  let ready = prerequisites.length === 0;
  let depth = 0;
  let done = false;
  let left = 0;

  /** Puts the next row of the root in place; false when a new block had to be read instead. */
  const nextRoot = (): boolean => {
    const row = scan.next();
    if (row >= 0) {
      root.row = row;
      left--;
      return true;
    }
    const work = scan.fill(left);
    done = work === 0;
    left -= work;
    return false;
  };

  /** Puts the next row of the deepest open level in place; false when it has no more, or one that does not pass. */
  const nextOfLevel = (): boolean => {
    const level = levels[depth - 1] as Level;
    const state = level.advance();
    if (state === 'row') {
      left -= unitsOfLevel[depth - 1] as number;
      return passes(level.filters);
    }
    left--;
    if (state === 'done') depth--;
    return false;
  };

  return {
    get done() {
      return done;
    },
    step(budget) {
      left = budget;
      done ||= sink.full;
      if (!ready && !done) {
        left = stepAll(prerequisites, budget);
        ready = allDone(prerequisites);
        if (!ready) return Math.min(0, left);
      }
      while (left > 0 && !done) {
        if (!(depth === 0 ? nextRoot() : nextOfLevel())) continue;
        if (depth < last) {
          (levels[depth++] as Level).open();
          continue;
        }
        left -= outputUnits;
        sink.accept();
        done = sink.full;
        depth = depthAfterRow;
      }
      return left;
    },
  };
}

function passes(filters: readonly Compiled[]): boolean {
  for (const filter of filters) if (filter.evaluate() !== true) return false;
  return true;
}
