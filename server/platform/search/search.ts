import type { TSchema } from 'typebox';
import type { AnyEndpoint } from '../../api/endpoint.ts';
import { filterExpressions, type SearchFilter } from '../../core/resources/index.ts';
import { breathe, type RequestContext, throwIfGone } from '../context.ts';
import { badRequest } from '../service-error.ts';
import type { SearchRecord } from './filters.ts';

/** What every search body may say beside its time range. */
export interface SearchRequest {
  readonly filters?: readonly SearchFilter[];
  readonly returns?: readonly string[];
}

/** Names of the fields that the records of an operation's answer have. */
export function recordFields(endpoint: AnyEndpoint): ReadonlySet<string> {
  const list = property(property(endpoint.response, 'properties'), 'data');
  const record = property(property(list, 'items') ?? list, 'properties');
  return new Set(Object.keys(record ?? {}));
}

function property(value: unknown, key: string): TSchema | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const found = (value as { readonly [key: string]: unknown })[key];
  return typeof found === 'object' && found !== null ? (found as TSchema) : undefined;
}

/** Records between two looks at whether the client is still there. */
const recordsPerStep = 20_000;

/**
 * The records that satisfy all filters, reduced to the fields asked for.
 * @throws ServiceError 400 for a field the records do not have or a filter that cannot be.
 */
export async function search(
  records: Iterable<SearchRecord>,
  request: SearchRequest,
  fields: ReadonlySet<string>,
  context: Pick<RequestContext, 'signal'>,
): Promise<SearchRecord[]> {
  // Filters bring the engine for patterns along, which nobody waits for who only runs queries or reads lists.
  const { compileFilters } = await import('./filters.ts');
  const accept = compileFilters(request.filters, fields);
  const { returns } = request;
  const unknown = returns?.find((field) => !fields.has(field));
  if (unknown !== undefined)
    throw badRequest(`Invalid field: '${unknown}' in returns. Valid fields are [${[...fields].join(', ')}].`);
  const found: SearchRecord[] = [];
  let seen = 0;
  for (const record of records) {
    const accepted = accept(record);
    if (accepted !== undefined) found.push(returns === undefined ? accepted : pick(accepted, returns));
    if (++seen % recordsPerStep === 0) {
      await breathe();
      throwIfGone(context);
    }
  }
  return found;
}

function pick(record: SearchRecord, fields: readonly string[]): SearchRecord {
  const picked: { [field: string]: SearchRecord[string] } = {};
  for (const field of fields) if (record[field] !== undefined) picked[field] = record[field];
  return picked;
}

/** The operators that the public searches of queries, policies and datasources know: all but the regular expressions. */
const contentOperators: readonly string[] = filterExpressions.filter((expression) => !/rlike|expr/.test(expression));

/**
 * What of an account's content satisfies all filters.
 * @throws ServiceError 400 as {@link search}, and for a regular expression.
 */
export async function searchContent<T extends object>(
  endpoint: AnyEndpoint,
  records: readonly T[],
  filters: readonly SearchFilter[] | undefined,
  context: Pick<RequestContext, 'signal'>,
): Promise<T[]> {
  const other = filters?.find(({ expression }) => !contentOperators.includes(expression));
  if (other !== undefined) {
    throw badRequest(
      `Invalid data: #1: [filters/expression: ${other.expression} is not an operator of this search (allowed: [${contentOperators.join(', ')}])]`,
    );
  }
  // Filters other than regular expressions leave records as they are.
  const found = await search(
    records as unknown as SearchRecord[],
    { filters: filters ?? [] },
    recordFields(endpoint),
    context,
  );
  return found as unknown as T[];
}
