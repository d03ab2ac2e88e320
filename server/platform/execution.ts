import { createExecution } from '../core/engine/create-execution.ts';
import type { Diagnostic } from '../core/language/diagnostics/diagnostic.ts';
import { analyze } from '../core/language/semantics/analyze.ts';
import type { SemanticModel } from '../core/language/semantics/semantic-model.ts';
import { parse } from '../core/language/syntax/parse.ts';
import { dataTypeOf } from '../core/language/types/types.ts';
import { wireValue } from '../core/language/values/convert.ts';
import type { Value } from '../core/language/values/value.ts';
import {
  type ExecutionArgument,
  endTimeArgument,
  maxQueryTextLength,
  type ResultField,
  type ResultRow,
  startTimeArgument,
} from '../core/resources/index.ts';
import { breathe, type RequestContext, throwIfGone } from './context.ts';
import { badRequest, ServiceError } from './service-error.ts';
import { parseServiceTime } from './times.ts';

/** Most rows one execution returns. */
export const maxExecutionRows = 5_000;

/** Work between two looks at whether the client is still there; takes a few milliseconds. */
const stepSize = 20_000;

const dayMilliseconds = 86_400_000;

/** What an execution or a check of a text needs of its surroundings. */
export type QueryContext = Pick<RequestContext, 'settings' | 'datasets' | 'now' | 'signal'>;

/**
 * Checks a query text as the service does before it runs or stores one.
 * @throws ServiceError 400 that says what is wrong with it.
 */
export function checkQueryText(context: QueryContext, text: string): SemanticModel {
  const { settings, datasets } = context;
  if (text.length > maxQueryTextLength)
    throw translationError(`the query is longer than ${maxQueryTextLength} characters`);
  if (settings.switches['query-text-lines'] === 'refused' && /[\r\n]/.test(text)) {
    throw badRequest(
      'Invalid data: #1: [queryText: the text must not contain line breaks; send it on one line, without line comments]',
    );
  }
  const parsed = parse(text);
  refuseErrors(parsed.diagnostics);
  const model = analyze(parsed, { catalog: datasets.catalog(), vendorPrefix: settings.vendorPrefix });
  refuseErrors(model.diagnostics);
  if (model.query === undefined) throw translationError('the text holds no query');
  return model;
}

/** The columns of a query's result, as the service describes them. */
export function resultSchema(model: SemanticModel): ResultField[] {
  return model.resultColumns.map((column) => ({
    name: column.name,
    dataType: dataTypeOf(column.type),
    description: null,
  }));
}

/** The time range of an execution: the last 24 hours where the arguments do not say otherwise. @throws ServiceError 400. */
export function executionRange(
  list: readonly ExecutionArgument[] | undefined,
  now: number,
): { readonly startTime: number; readonly endTime: number } {
  const values = new Map((list ?? []).map(({ name, value }) => [name, value]));
  for (const name of values.keys()) {
    if (name !== startTimeArgument && name !== endTimeArgument) {
      throw badRequest(
        `Invalid data: #1: [arguments: the query has no argument '${name}'; use ${startTimeArgument} and ${endTimeArgument}]`,
      );
    }
  }
  const start = values.get(startTimeArgument);
  const end = values.get(endTimeArgument);
  const endTime = end === undefined ? now : parseServiceTime(end, endTimeArgument);
  const startTime = start === undefined ? endTime - dayMilliseconds : parseServiceTime(start, startTimeArgument);
  if (startTime >= endTime) {
    throw badRequest(`Invalid data: #1: [arguments: ${startTimeArgument} must be before ${endTimeArgument}]`);
  }
  return { startTime, endTime };
}

/**
 * Runs a checked query to its end, giving other requests a turn between steps.
 * @throws ServiceError 400 when it cannot be run, 503 when the client went away.
 */
export async function runQuery(
  context: QueryContext,
  model: SemanticModel,
  range: { readonly startTime: number; readonly endTime: number },
  limit: number,
): Promise<ResultRow[]> {
  const tables = context.datasets.tables(range.startTime, range.endTime);
  const execution = createExecution(model, tables, { now: context.now, ...range, limit });
  const rows: ResultRow[] = [];
  for (let finished = false; !finished; ) {
    finished = execution.step(stepSize);
    for (const values of execution.takeRows()) {
      const row: { [column: string]: Value } = Object.create(null);
      for (const [index, column] of execution.columns.entries())
        row[column.name] = wireValue(values[index], column.type);
      rows.push(row);
    }
    if (!finished) {
      await breathe();
      throwIfGone(context);
    }
  }
  if (execution.error !== undefined) {
    if (execution.error.code === 'memory-limit') throw new ServiceError(400, `Error: ${execution.error.message}`);
    throw translationError(execution.error.message);
  }
  return rows;
}

function refuseErrors(diagnostics: readonly Diagnostic[]): void {
  const first = diagnostics.find((diagnostic) => diagnostic.severity === 'error');
  if (first !== undefined) throw translationError(first.message);
}

function translationError(reason: string): ServiceError {
  return badRequest(`Error: Unable to translate due to: ${reason}`);
}
