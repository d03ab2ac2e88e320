import { type Static, Type } from 'typebox';
import { ResultField } from './datasource.ts';
import { closedObject, openObject, timestamp } from './shapes.ts';

/** The service refuses longer query texts. */
export const maxQueryTextLength = 72_000;

/** Start of the ids that only the vendor may give, e.g. `SVC_Global_`. */
export function reservedQueryIdPrefix(vendorPrefix: string): string {
  return `${vendorPrefix}_Global_`;
}

const queryId = Type.String({ minLength: 1, description: 'Id of the query; the reserved vendor prefix is refused.' });
const queryText = Type.String({
  minLength: 1,
  maxLength: maxQueryTextLength,
  description: 'The query on one line, without its id.',
});

export const QueryRecord = openObject({
  queryId,
  queryText: Type.String(),
  owner: Type.Optional(Type.String()),
  lastUpdateTime: Type.Optional(timestamp()),
  lastUpdateUser: Type.Optional(Type.String()),
  resultSchema: Type.Optional(Type.Union([Type.Array(ResultField), Type.Null()])),
});
export type QueryRecord = Static<typeof QueryRecord>;

export const QueryCreate = closedObject({ queryId, queryText });
export type QueryCreate = Static<typeof QueryCreate>;

export const QueryUpdate = closedObject({
  queryText: Type.Optional(queryText),
  queryName: Type.Optional(Type.String()),
  description: Type.Optional(Type.String()),
});
export type QueryUpdate = Static<typeof QueryUpdate>;

export const QueryValidate = closedObject({ queryText });
export type QueryValidate = Static<typeof QueryValidate>;

/** What validation learned about a query: above all the columns of its result. */
export const ValidatedQuery = openObject({
  queryText: Type.Optional(Type.String()),
  queryId: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  resultSchema: Type.Optional(Type.Union([Type.Array(ResultField), Type.Null()])),
});
export type ValidatedQuery = Static<typeof ValidatedQuery>;
