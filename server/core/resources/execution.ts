import { type Static, Type } from 'typebox';
import type { Value } from '../language/values/value.ts';
import { maxQueryTextLength } from './query.ts';
import { closedObject, openObject } from './shapes.ts';

/** Names of the two arguments that bound a query's window. */
export const startTimeArgument = 'StartTimeRange';
export const endTimeArgument = 'EndTimeRange';

export const ExecutionArgument = closedObject({ name: Type.String({ minLength: 1 }), value: Type.String() });
export type ExecutionArgument = Static<typeof ExecutionArgument>;

const executionArguments = Type.Optional(
  Type.Array(ExecutionArgument, {
    description: 'StartTimeRange and EndTimeRange with milliseconds, and arguments of the query.',
  }),
);
const options = Type.Optional(
  Type.Object(
    { limit: Type.Optional(Type.Integer({ minimum: 1, description: 'Most rows to return.' })) },
    { additionalProperties: true },
  ),
);

/** Runs a text that need not be registered. */
export const ExecuteText = closedObject({
  query: closedObject({ queryText: Type.String({ minLength: 1, maxLength: maxQueryTextLength }) }),
  options,
  arguments: executionArguments,
});
export type ExecuteText = Static<typeof ExecuteText>;

/** Runs a registered query. */
export const ExecuteById = closedObject({ options, arguments: executionArguments });
export type ExecuteById = Static<typeof ExecuteById>;

/** A value in an answer: what JSON holds, with integers beyond 2^53 as bigints. */
export type RowValue = Value;

/** One row of a result: values by column name. A column the row lacks is SQL null. */
export type ResultRow = { readonly [column: string]: Value };

/**
 * The answer to an execution. Rows are checked for being objects only: their columns are the query's own, and a deep check of hundreds of
 * thousands of values would cost more than reading them.
 */
export const ExecutionResult = openObject({
  data: Type.Unsafe<ResultRow[]>({ type: 'array', items: { type: 'object' } }),
});
export type ExecutionResult = Static<typeof ExecutionResult>;
