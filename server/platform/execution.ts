import type { SemanticModel } from '../core/language/semantics/semantic-model.ts';
import { dataTypeOf } from '../core/language/types/types.ts';
import {
  type ExecutionArgument,
  endTimeArgument,
  type ResultField,
  type ResultRow,
  startTimeArgument,
} from '../core/resources/index.ts';
import type { RequestContext } from './context.ts';
import { badRequest } from './service-error.ts';
import { parseServiceTime } from './times.ts';

/** Most rows one execution returns. */
export const maxExecutionRows = 5_000;

const dayMilliseconds = 86_400_000;

/** What an execution or a check of a text needs of its surroundings. */
export type QueryContext = Pick<RequestContext, 'settings' | 'datasets' | 'now' | 'signal'>;

/** The language and the engine are half of the program; they are read when the first query comes, or when there is time before. */
export function loadEngine(): Promise<typeof import('./query-engine.ts')> {
  return import('./query-engine.ts');
}

/**
 * Checks a query text as the service does before it runs or stores one.
 * @throws ServiceError 400 that says what is wrong with it.
 */
export async function checkQueryText(context: QueryContext, text: string): Promise<SemanticModel> {
  return (await loadEngine()).checkQueryText(context, text);
}

/** Checks a query text that a policy is to run. @throws ServiceError 400 that says what is wrong with it. */
export async function checkPolicyText(context: QueryContext, text: string): Promise<void> {
  const engine = await loadEngine();
  engine.refuseUnfitForPolicy(engine.checkQueryText(context, text));
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
  return (await loadEngine()).runQuery(context, model, range, limit);
}

/** Start included, end excluded, in milliseconds since 1970 UTC. */
export interface ExecutionRange {
  readonly startTime: number;
  readonly endTime: number;
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
export function executionRange(list: readonly ExecutionArgument[] | undefined, now: number): ExecutionRange {
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
