import type { TSchema } from 'typebox';
import { Check, Errors } from 'typebox/schema';
import { filterProblem, SearchFilter } from '../core/resources/index.ts';
import type { AnyEndpoint } from './endpoint.ts';

/** Bytes of a request body that the service takes at most. */
export const maxRequestBytes = 1_048_576;

export interface CallParts {
  readonly params: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

/** What the service would refuse about a call, in words; undefined when it fits the definition. */
export function callProblem(endpoint: AnyEndpoint, parts: CallParts): string | undefined {
  for (const [name, schema] of Object.entries(endpoint.params)) {
    if (!Check(schema, parts.params[name])) return problemOf(`The parameter '${name}'`, schema, parts.params[name]);
  }
  for (const [name, value] of Object.entries(parts.query)) {
    const schema = endpoint.query[name];
    if (!schema) return `${endpoint.id} has no query parameter '${name}'.`;
    if (value !== undefined && !Check(schema, value)) return problemOf(`The query parameter '${name}'`, schema, value);
  }
  for (const [name, schema] of Object.entries(endpoint.query)) {
    if (parts.query[name] === undefined && !('~optional' in schema)) return `The query parameter '${name}' is missing.`;
  }
  if (endpoint.body === undefined) return parts.body === undefined ? undefined : `${endpoint.id} takes no body.`;
  if (!Check(endpoint.body, parts.body)) return problemOf('The request', endpoint.body, parts.body);
  return filtersProblem(parts.body);
}

/** What an answer lacks of its schema; undefined when it fits. Of answers with very many rows only the envelope is looked at. */
export function answerProblem(endpoint: AnyEndpoint, answer: unknown): string | undefined {
  if (endpoint.response === undefined) return undefined;
  if (endpoint.rows) {
    const fits = typeof answer === 'object' && answer !== null && 'data' in answer && Array.isArray(answer.data);
    return fits ? undefined : "the list 'data' is missing.";
  }
  return Check(endpoint.response, answer) ? undefined : problemOf('it', endpoint.response, answer);
}

function filtersProblem(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null || !('filters' in body) || !Array.isArray(body.filters))
    return undefined;
  for (const filter of body.filters) {
    if (!Check(SearchFilter, filter)) continue;
    const problem = filterProblem(filter as SearchFilter);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

// The values themselves are not quoted: they may be credentials.
function problemOf(what: string, schema: TSchema, value: unknown): string {
  const [, errors] = Errors(schema, value);
  const first = errors[0];
  if (!first) return `${what} does not have the right form.`;
  const at = (path: string) => (path === '' ? '' : ` at ${path}`);
  // A key that the schema forbids is reported as a value that can never be right.
  if (first.keyword === 'boolean') {
    const end = first.instancePath.lastIndexOf('/');
    return `${what}${at(first.instancePath.slice(0, end))} has the unknown key '${first.instancePath.slice(end + 1)}'.`;
  }
  return `${what}${at(first.instancePath)} ${first.message}.`;
}
