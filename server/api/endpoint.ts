import type { Static, TProperties, TSchema } from 'typebox';

/** Where every path of the service starts. */
export const apiRoot = '/api/v2';

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * The headers an operation takes. `token`: the secret header alone. `A`: Authorization and Content-Type. `Org`: these, and optionally
 * Org-Access and Account-Name.
 */
export type HeaderSet = 'token' | 'A' | 'Org';

/** Parts of a call that hold secrets and stay out of every log and message. */
export type SensitivePart = 'path' | 'request' | 'response';

/**
 * One operation of the service, defined once. The client takes its argument and result types from it, the local platform its handler types,
 * its validation and its statuses, and the OpenAPI document its text.
 */
export interface Endpoint<
  Path extends string = string,
  Params extends TProperties = TProperties,
  Query extends TProperties = TProperties,
  Body extends TSchema | undefined = TSchema | undefined,
  Response extends TSchema | undefined = TSchema | undefined,
> {
  /** `family.operation`, e.g. `queries.execute`; the same two names lead to it in `endpoints`. */
  readonly id: string;
  readonly summary: string;
  readonly method: HttpMethod;
  /** Behind the root, with `{name}` for parameters: `/Queries/{queryId}/execute`. */
  readonly path: Path;
  /** Schemas of the path's parameters; one that is not listed is any text. */
  readonly params: Params;
  /** Parameters behind the `?`; those that may be left out are optional schemas. */
  readonly query: Query;
  readonly headers: HeaderSet;
  readonly body: Body;
  /** The whole success body. Undefined: the operation answers 204 without one. */
  readonly response: Response;
  readonly success: 200 | 201 | 204;
  /** Whether an empty list may come as 204 without a body. The client then reads `{ data: [] }`. */
  readonly emptyAs204: boolean;
  /** Whether the answer may carry `paging`. */
  readonly paged: boolean;
  /** Whether the rows are records of a data set: only their envelope is checked in an answer, as there may be very many. */
  readonly rows: boolean;
  /** Whether the rule holds that a time range spans at most 7 days and is the last 24 hours by default. */
  readonly boundedTime: boolean;
  /** A `write` changes something; profiles marked read-only refuse it. */
  readonly effect: 'read' | 'write';
  /** Whether a repetition changes nothing further, so that the call may be retried. */
  readonly idempotent: boolean;
  /** The rate limit's bucket: method and path without parameters, so that a list and its entries share one. */
  readonly functionality: string;
  readonly sensitive: readonly SensitivePart[];
  /** `specification`: the operation is in it. `public`: only the real service's public documentation and clients know it. */
  readonly source: 'specification' | 'public';
}

/** Names of the parameters in a path template. */
export type PathParameter<Path extends string> = string extends Path
  ? never
  : Path extends `${string}{${infer Name}}${infer Rest}`
    ? Name | PathParameter<Rest>
    : never;

export type AnyEndpoint = Endpoint;

export type ParamsOf<E extends AnyEndpoint> =
  E extends Endpoint<infer Path, infer Params, TProperties, TSchema | undefined, TSchema | undefined>
    ? { readonly [Name in PathParameter<Path>]: Name extends keyof Params ? Static<Params[Name]> : string }
    : never;

export type QueryOf<E extends AnyEndpoint> = {
  readonly [Name in RequiredNames<E['query']>]: Static<E['query'][Name]>;
} & { readonly [Name in Exclude<keyof E['query'], RequiredNames<E['query']>>]?: Static<E['query'][Name]> };

export type BodyOf<E extends AnyEndpoint> = E['body'] extends TSchema ? Static<E['body']> : undefined;

export type ResultOf<E extends AnyEndpoint> = E['response'] extends TSchema ? Static<E['response']> : undefined;

/** What a handler of the local platform gets: all of it checked against the definition. */
export interface HandlerInput<E extends AnyEndpoint> {
  readonly params: ParamsOf<E>;
  readonly query: QueryOf<E>;
  readonly body: BodyOf<E>;
}

/** What a handler gives: the success body; `undefined` where the operation has none. */
export type HandlerResult<E extends AnyEndpoint> = ResultOf<E>;

type RequiredNames<Q extends TProperties> = {
  [Name in keyof Q]: Q[Name] extends { '~optional': true } ? never : Name;
}[keyof Q];

interface Definition<
  Path extends string,
  Params extends TProperties,
  Query extends TProperties,
  Body extends TSchema | undefined,
  Response extends TSchema | undefined,
> {
  readonly id: string;
  readonly summary: string;
  readonly method: HttpMethod;
  readonly path: Path;
  readonly params?: Params & { readonly [Name in Exclude<keyof Params, PathParameter<Path>>]: never };
  readonly query?: Query;
  readonly headers?: HeaderSet;
  readonly body?: Body;
  readonly response?: Response;
  readonly success?: 200 | 201 | 204;
  readonly emptyAs204?: boolean;
  readonly paged?: boolean;
  readonly rows?: boolean;
  readonly boundedTime?: boolean;
  readonly effect?: 'read' | 'write';
  readonly idempotent?: boolean;
  readonly sensitive?: readonly SensitivePart[];
  readonly source?: 'specification' | 'public';
}

/**
 * Defines an operation. What is left out follows from the rest: a GET reads, everything else writes; reads may be repeated, writes may not;
 * success is 200, or 204 where there is no response.
 */
export function defineEndpoint<
  const Path extends string,
  Params extends TProperties = NoProperties,
  Query extends TProperties = NoProperties,
  Body extends TSchema | undefined = undefined,
  Response extends TSchema | undefined = undefined,
>(definition: Definition<Path, Params, Query, Body, Response>): Endpoint<Path, Params, Query, Body, Response> {
  const effect = definition.effect ?? (definition.method === 'GET' ? 'read' : 'write');
  return {
    id: definition.id,
    summary: definition.summary,
    method: definition.method,
    path: definition.path,
    params: (definition.params ?? {}) as Params,
    query: (definition.query ?? {}) as Query,
    headers: definition.headers ?? 'A',
    body: definition.body as Body,
    response: definition.response as Response,
    success: definition.success ?? (definition.response === undefined ? 204 : 200),
    emptyAs204: definition.emptyAs204 ?? false,
    paged: definition.paged ?? false,
    rows: definition.rows ?? false,
    boundedTime: definition.boundedTime ?? false,
    effect,
    idempotent: definition.idempotent ?? effect === 'read',
    functionality: functionalityOf(definition.method, definition.path),
    sensitive: definition.sensitive ?? [],
    source: definition.source ?? 'specification',
  };
}

// biome-ignore lint/complexity/noBannedTypes: the absence of parameters is what the empty object says here.
type NoProperties = {};

/** The bucket that a request takes its token from: ids in the path do not count. */
export function functionalityOf(method: HttpMethod, path: string): string {
  const fixed = path.split('/').filter((segment) => segment !== '' && !segment.startsWith('{'));
  return `${method} ${fixed.join('/')}`;
}

/** The bucket of the further pages of an operation: they are fetched with GET below its path, without the `search` at the end. */
export function pageFunctionality(endpoint: AnyEndpoint): string {
  return functionalityOf('GET', endpoint.path.replace(/\/search$/, ''));
}

/** Names of a path's parameters, in order. */
export function parameterNames(path: string): string[] {
  return [...path.matchAll(/\{([^}]+)\}/g)].flatMap((match) => match[1] ?? []);
}

/** The path of a call, from the root of the origin, with every parameter escaped. */
export function pathOf(endpoint: AnyEndpoint, params: Readonly<Record<string, unknown>>): string {
  const filled = endpoint.path.replaceAll(/\{([^}]+)\}/g, (_, name: string) => {
    const value = String(params[name] ?? '');
    // `.` and `..` would be resolved away by a URL, and an empty value would name another operation.
    if (value === '' || value === '.' || value === '..') {
      throw new RangeError(`The parameter '${name}' of ${endpoint.id} must not be '${value}'.`);
    }
    return encodeURIComponent(value);
  });
  return apiRoot + filled;
}
