import { createExecution } from '../../server/core/engine/create-execution.ts';
import type { EngineError, ExecutionOptions } from '../../server/core/engine/execution.ts';
import type { TableProvider } from '../../server/core/engine/table.ts';
import type { Catalog } from '../../server/core/language/catalog/catalog.ts';
import { analyze } from '../../server/core/language/semantics/analyze.ts';
import { parse } from '../../server/core/language/syntax/parse.ts';
import { wireValue } from '../../server/core/language/values/convert.ts';
import type { Value } from '../../server/core/language/values/value.ts';

export interface QueryRun {
  readonly columns: readonly string[];
  /** As they leave the service: timestamps as text, SQL null as null. */
  readonly rows: readonly Value[][];
  readonly error: EngineError | undefined;
  readonly work: number;
}

/** Runs a query to its end. Diagnostics are not looked at: the engine must answer for itself. */
export function runQuery(
  text: string,
  tables: TableProvider,
  catalog: Catalog | undefined,
  options: Partial<ExecutionOptions> = {},
  stepSize = 100_000,
): QueryRun {
  const model = analyze(parse(text), { catalog, vendorPrefix: 'SVC' });
  const range = { now: 0, startTime: Number.MIN_SAFE_INTEGER, endTime: Number.MAX_SAFE_INTEGER };
  const execution = createExecution(model, tables, { ...range, ...options });
  const rows: Value[][] = [];
  let finished = false;
  while (!finished) {
    finished = execution.step(stepSize);
    rows.push(...execution.takeRows());
  }
  const { columns } = execution;
  return {
    columns: columns.map((column) => column.name),
    rows: rows.map((row) => row.map((value, index) => wireValue(value, columns[index]?.type ?? 'json'))),
    error: execution.error,
    work: execution.work,
  };
}
