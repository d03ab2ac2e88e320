import type { LqlType } from '../language/types/types.ts';
import type { Value } from '../language/values/value.ts';

export interface ExecutionOptions {
  /** Milliseconds since 1970 UTC: what CURRENT_TIMESTAMP_MS() gives in every row. */
  readonly now: number;
  /** The time range in milliseconds, start included, end excluded. It applies to every datasource with a time column, joined ones and subqueries included. */
  readonly startTime: number;
  readonly endTime: number;
  /** At most this many rows; undefined: all. */
  readonly limit?: number | undefined;
  /** Bytes the execution may hold beside the tables (rows not taken, distinct rows, subquery results, join indexes), estimated. Default 512 MiB. */
  readonly memoryLimit?: number | undefined;
}

/** One run of a query, driven by its host: `step` until it answers true, `takeRows` in between. Dropping the object cancels it. */
export interface Execution {
  /** Columns of the result, upper-cased, with their static types. Timestamps are numbers: `wireValue` turns them into text. */
  readonly columns: readonly ExecutionColumn[];
  /**
   * Does at most about `maxRows` units of work (a row scanned, a join partner or array element visited, a row of an index built) and
   * answers whether the execution is finished. It never throws: a failure finishes the execution and is found in `error`.
   */
  step(maxRows: number): boolean;
  /** The rows produced since the last call, in the order of {@link columns}. */
  takeRows(): Value[][];
  readonly error: EngineError | undefined;
  /** Units of work done so far. */
  readonly work: number;
}

export interface ExecutionColumn {
  readonly name: string;
  readonly type: LqlType;
}

/** Why a query could not be run to its end. `message` is for people: what is wrong, why, what to do. */
export interface EngineError {
  readonly code:
    | 'incomplete-query'
    | 'no-such-table'
    | 'no-such-column'
    | 'no-join-keys'
    | 'unsupported'
    | 'invalid-pattern'
    | 'memory-limit';
  readonly message: string;
}
