import type { Evaluator } from './compile/compiled.ts';
import type { Level } from './level.ts';
import type { Cursor, Scan } from './scan.ts';
import { allDone, stepAll, type Task } from './task.ts';

/** Takes the rows of a body: called once a row, while the outputs read that row. */
export interface RowSink {
  accept(): void;
  /** True when no more rows are wanted. */
  readonly full: boolean;
}

/**
 * Visits every combination of rows: a pointer walks down one level for each row found, and up again when a level has no more. Each turn of the
 * loop is one unit of work, so it can stop anywhere. `prerequisites` are worked off first.
 */
export function runBody(
  scan: Scan,
  root: Cursor,
  levels: readonly Level[],
  prerequisites: readonly Task[],
  sink: RowSink,
): Task {
  const last = levels.length;
  let ready = prerequisites.length === 0;
  let depth = 0;
  let done = false;

  /** Puts the next row of the root in place; false when a new block had to be read instead, which `left` pays for. */
  const nextRoot = (left: number): number => {
    const row = scan.next();
    if (row >= 0) {
      root.row = row;
      return 1;
    }
    const work = scan.fill(left);
    done = work === 0;
    return -work;
  };

  const visit = (level: Level): boolean => {
    const state = level.advance();
    if (state === 'done') depth--;
    return state === 'row' && passes(level.filters);
  };

  return {
    get done() {
      return done;
    },
    step(budget) {
      let left = budget;
      done ||= sink.full;
      if (!ready && !done) {
        left = stepAll(prerequisites, budget);
        ready = allDone(prerequisites);
        if (!ready) return 0;
      }
      while (left > 0 && !done) {
        if (depth === 0) {
          const work = nextRoot(left);
          left -= Math.abs(work);
          if (work <= 0) continue;
        } else {
          left--;
          if (!visit(levels[depth - 1] as Level)) continue;
        }
        if (depth === last) {
          sink.accept();
          done = sink.full;
        } else {
          (levels[depth++] as Level).open();
        }
      }
      return left;
    },
  };
}

function passes(filters: readonly Evaluator[]): boolean {
  for (const filter of filters) if (filter() !== true) return false;
  return true;
}
