import { createExecution } from '../core/engine/create-execution.ts';
import type { Catalog } from '../core/language/catalog/catalog.ts';
import type { Diagnostic } from '../core/language/diagnostics/diagnostic.ts';
import { analyze } from '../core/language/semantics/analyze.ts';
import { checkPolicyQuery } from '../core/language/semantics/policy-check.ts';
import type { SemanticModel } from '../core/language/semantics/semantic-model.ts';
import { parse } from '../core/language/syntax/parse.ts';
import { wireValue } from '../core/language/values/convert.ts';
import type { Value } from '../core/language/values/value.ts';
import { maxQueryTextLength, type ResultRow } from '../core/resources/index.ts';
import { breathe, throwIfGone, unlessGone } from './context.ts';
import type { ExecutionRange, QueryContext } from './execution.ts';
import { badRequest, ServiceError } from './service-error.ts';

/** Work between two looks at whether the client is still there; takes a few milliseconds. */
const stepSize = 20_000;

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
  const catalog = datasets.catalog();
  const known = models.get(catalog) ?? new Map<string, SemanticModel>();
  models.set(catalog, known);
  const kept = known.get(text);
  if (kept !== undefined) return kept;
  const parsed = parse(text);
  refuseErrors(parsed.diagnostics);
  const model = analyze(parsed, { catalog, vendorPrefix: settings.vendorPrefix });
  refuseErrors(model.diagnostics);
  if (model.query === undefined) throw translationError('the text holds no query');
  if (known.size >= mostModels) known.clear();
  if (text.length <= longestKept) known.set(text, model);
  return model;
}

/** What texts mean, by catalog: those of policies, and those that are run again and again. */
const models = new WeakMap<Catalog, Map<string, SemanticModel>>();
const mostModels = 200;
const longestKept = 8_000;

/**
 * Checks what a policy demands of its query beyond what every query must be: the same findings that the editor shows.
 * @throws ServiceError 400
 */
export function refuseUnfitForPolicy(model: SemanticModel): void {
  const first = checkPolicyQuery(model).find((diagnostic) => diagnostic.severity === 'error');
  if (first !== undefined) throw badRequest(`Error: The query cannot be used in a policy: ${first.message}`);
}

/**
 * Runs a checked query to its end, giving other requests a turn between steps.
 * @throws ServiceError 400 when it cannot be run, 503 when the client went away.
 */
export async function runQuery(
  context: QueryContext,
  model: SemanticModel,
  range: ExecutionRange,
  limit: number,
): Promise<ResultRow[]> {
  await unlessGone(context, context.datasets.prepare(model.datasourceNames));
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
