import { createExecution } from '../../server/core/engine/create-execution.ts';
import { type TableProvider, tableFromRows } from '../../server/core/engine/table.ts';
import { analyze } from '../../server/core/language/semantics/analyze.ts';
import { parse } from '../../server/core/language/syntax/parse.ts';
import type { LqlType } from '../../server/core/language/types/types.ts';
import { wireValue } from '../../server/core/language/values/convert.ts';
import type { Value } from '../../server/core/language/values/value.ts';

export type ExpressionResult =
  | {
      readonly kind: 'value';
      /** Timestamps as ISO 8601 text; `undefined` is SQL null, `null` the JSON null. */
      readonly value: Value;
      readonly type: LqlType;
    }
  | { readonly kind: 'error'; readonly message: string };

const oneRow: TableProvider = {
  open: (name) => (name === 'ONE_ROW' ? tableFromRows({ name, columns: [] }, [{}]) : undefined),
  joinKeys: () => undefined,
};

/**
 * Evaluates an LQL expression that names no columns, e.g. `left('bucket', 3)`: what the examples of functions are.
 * `now` is what the current time is taken to be, in milliseconds.
 */
export function evaluateExpression(text: string, now: number): ExpressionResult {
  // The line break keeps a trailing comment from swallowing what follows.
  const parsed = parse(`{ source { ONE_ROW } return { ${text}\n as RESULT } }`);
  const model = analyze(parsed, { catalog: undefined, vendorPrefix: 'SVC' });
  const problem = [...parsed.diagnostics, ...model.diagnostics].find((diagnostic) => diagnostic.severity === 'error');
  if (problem !== undefined) return { kind: 'error', message: problem.message };
  const execution = createExecution(model, oneRow, { now, startTime: 0, endTime: 0 });
  while (!execution.step(1000));
  if (execution.error !== undefined) return { kind: 'error', message: execution.error.message };
  const [column] = execution.columns;
  const [row] = execution.takeRows();
  if (column === undefined || row === undefined) return { kind: 'error', message: 'The expression gave no value.' };
  const [value] = row;
  return { kind: 'value', value: value === undefined ? undefined : wireValue(value, column.type), type: column.type };
}
