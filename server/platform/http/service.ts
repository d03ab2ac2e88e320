import { type AnyEndpoint, apiRoot, functionalityOf } from '../../api/endpoint.ts';
import { endpoints } from '../../api/endpoints/index.ts';
import { secretHeaderName } from '../../core/resources/index.ts';
import type { RequestContext } from '../context.ts';
import type { Datasets } from '../data/datasets.ts';
import { operations, type UntypedInput } from '../handlers/index.ts';
import { badRequest, forbidden, notFound, ServiceError } from '../service-error.ts';
import type { PlatformSettings } from '../settings.ts';
import type { StateStore } from '../state/state-store.ts';
import { createAccessTokens } from './access-tokens.ts';
import { asServiceError, errorAnswer, type Headers, successAnswer } from './answer.ts';
import type { ApiKey, ApiKeys } from './api-keys.ts';
import { readBody } from './body.ts';
import { createPageStore } from './pages.ts';
import { createRateLimiter, hourlyRequests, type RateState, rateHeaders, unlimitedRequests } from './rate-limit.ts';
import { createRouter, type Route } from './routing.ts';
import { checkBody, checkParameters } from './validation.ts';

export interface ServiceParts {
  readonly settings: PlatformSettings;
  readonly store: StateStore;
  readonly datasets: Datasets;
  readonly keys: ApiKeys;
  /** Aborted when the platform ends. */
  readonly lifetime: AbortSignal;
}

/** Answers requests as the service does. Never throws: what goes wrong is an answer, too. */
export type Service = (request: Request) => Promise<Response>;

/** One request on its way through the service. */
interface Call {
  readonly request: Request;
  readonly url: URL;
  /** Milliseconds since 1970 UTC at which it arrived. */
  readonly now: number;
  /** The state of the rate limit, once it is known whose request this is. */
  rateHeaders: Headers;
}

/**
 * The way of a request: it is led to its operation, its caller is made sure of, it takes a token of the rate limit, what it says is checked
 * against the operation's definition, and only then does a handler see it.
 */
export function createService({ settings, store, datasets, keys, lifetime }: ServiceParts): Service {
  const handlers = operations(settings.specificationOnly);
  const router = createRouter([...handlers.keys()]);
  const limiter = createRateLimiter();
  const pages = createPageStore();
  const tokens = createAccessTokens(keys);
  const secretHeader = secretHeaderName(settings.vendorPrefix);
  const executionLimit = Number(settings.switches['execute-rate']);
  const executions = new Set<AnyEndpoint>([endpoints.queries.execute, endpoints.queries.executeById]);
  const limitOf = (endpoint: AnyEndpoint): number => (executions.has(endpoint) ? executionLimit : hourlyRequests);

  return async (request) => {
    const full = settings.rateLimit ? { ...unlimited, limit: hourlyRequests, remaining: hourlyRequests } : unlimited;
    const call: Call = { request, url: new URL(request.url), now: settings.now(), rateHeaders: rateHeaders(full) };
    try {
      return await serve(call);
    } catch (error) {
      const failure = asServiceError(error);
      if (failure.status === 500) reportFailure(request, error);
      return errorAnswer(failure, call.rateHeaders);
    }
  };

  async function serve(call: Call): Promise<Response> {
    const route = router.match(methodOf(call, settings), call.url.pathname);
    if (route.kind === 'found' && route.endpoint.headers === 'token') return serveToken(call, route);
    if (route.kind !== 'found' && !mayBePage(call)) throw routeError(route, call);
    const key = authenticate(call);
    // What is refused from here on took no token: the caller still hears how its bucket stands.
    if (route.kind === 'found' && settings.rateLimit) {
      const { functionality } = route.endpoint;
      call.rateHeaders = rateHeaders(limiter.look(key.user, functionality, limitOf(route.endpoint), call.now));
    }
    requireJson(call.request);
    const account = accountFor(call.request, key, settings);
    const page = servePage(call, key, account);
    if (page !== undefined) return page;
    if (route.kind !== 'found') throw routeError(route, call);
    const { endpoint, params } = route;
    takeToken(call, key.user, endpoint.functionality, limitOf(endpoint));
    const query = Object.fromEntries(call.url.searchParams);
    checkParameters(endpoint.params, params, false);
    checkParameters(endpoint.query, query, true);
    const body =
      endpoint.body === undefined ? undefined : withoutLegacyKeys(await readBody(call.request), endpoint, settings);
    if (endpoint.body !== undefined) checkBody(endpoint.body, body);
    return handle(call, endpoint, { params, query, body }, contextOf(call, key.user, account, undefined));
  }

  async function serveToken(call: Call, { endpoint, params }: FoundRoute): Promise<Response> {
    requireJson(call.request);
    const body = await readBody(call.request);
    if (endpoint.body !== undefined) checkBody(endpoint.body, body);
    const { keyId } = body as { readonly keyId: string };
    takeToken(call, `key ${keyId}`, endpoint.functionality, hourlyRequests);
    const secret = call.request.headers.get(secretHeader) ?? undefined;
    return handle(call, endpoint, { params, query: {}, body }, contextOf(call, keyId, settings.account, secret));
  }

  function servePage(call: Call, key: ApiKey, account: string): Response | undefined {
    const { pathname, origin } = call.url;
    const page = mayBePage(call) ? pages.next(pathname, `${account}/${key.user}`, origin, call.now) : undefined;
    if (page === undefined) return undefined;
    const functionality = functionalityOf('GET', pathname.slice(apiRoot.length, pathname.lastIndexOf('/')));
    takeToken(call, key.user, functionality, hourlyRequests);
    return successAnswer(pageEndpoint, page, settings, call.rateHeaders);
  }

  async function handle(
    call: Call,
    endpoint: AnyEndpoint,
    input: UntypedInput,
    context: RequestContext,
  ): Promise<Response> {
    const handler = handlers.get(endpoint);
    if (handler === undefined) throw notFound(`Not found: ${call.url.pathname}`);
    return successAnswer(endpoint, await handler(input, context), settings, call.rateHeaders);
  }

  /** @throws ServiceError 401 */
  function authenticate(call: Call): ApiKey {
    const header = call.request.headers.get('authorization');
    if (header === null) {
      throw new ServiceError(401, 'The header Authorization with the value "Bearer <ACCESS_TOKEN>" is required.');
    }
    const bearer = /^Bearer +(\S+)$/i.exec(header)?.[1];
    const token = bearer ?? (settings.switches['raw-authorization'] === 'accepted' ? header.trim() : undefined);
    const key = token === undefined ? undefined : tokens.verify(token, call.now);
    if (key === undefined) {
      throw new ServiceError(401, 'The access token is not valid or has expired. Request a new one.');
    }
    return key;
  }

  /** @throws ServiceError 429 */
  function takeToken(call: Call, user: string, functionality: string, limit: number): void {
    const state = settings.rateLimit ? limiter.take(user, functionality, limit, call.now) : unlimited;
    call.rateHeaders = rateHeaders(state);
    if (state.allowed) return;
    throw new ServiceError(429, `Rate limit exceeded: ${limit} requests an hour. Wait ${state.resetSeconds} seconds.`);
  }

  function contextOf(call: Call, user: string, account: string, secret: string | undefined): RequestContext {
    const { request, url, now } = call;
    const shared = { settings, datasets, pages, tokens, lifetime, account: store.open(account) };
    return { ...shared, user, now, signal: request.signal, origin: url.origin, secret };
  }
}

const unlimited: RateState = {
  allowed: true,
  limit: unlimitedRequests,
  remaining: unlimitedRequests,
  resetSeconds: 0,
};

/** A GET below the root may lead to a further page of a result, which no definition knows. */
function mayBePage({ request, url }: Call): boolean {
  return request.method === 'GET' && url.pathname.startsWith(`${apiRoot}/`);
}

/** Further pages have no definition of their own: they are answered like the operation whose result they continue. */
const pageEndpoint: AnyEndpoint = { ...endpoints.searches.machines, emptyAs204: false };

type FoundRoute = Extract<Route, { readonly kind: 'found' }>;

function routeError(route: Exclude<Route, FoundRoute>, { request, url }: Call): ServiceError {
  if (route.kind === 'noPath') return notFound(`Not found: ${url.pathname}`);
  const allowed = route.allowed.join(', ');
  const message = `The method ${request.method} is not allowed for ${url.pathname}. Allowed: ${allowed}.`;
  return new ServiceError(405, message, { Allow: allowed });
}

function requireJson(request: Request): void {
  const type = request.headers.get('content-type');
  if (type === null || !/^application\/json\s*(;|$)/i.test(type)) {
    throw badRequest('The header Content-Type is required and must be application/json.');
  }
}

/** The account a request is for: the key's own, or a sub-account by name; organization access sets the name aside. */
function accountFor(request: Request, key: ApiKey, settings: PlatformSettings): string {
  const organization = request.headers.get('org-access')?.toLowerCase() === 'true';
  const named = request.headers.get('account-name')?.toLowerCase();
  if (organization) {
    if (key.kind === 'service' || !key.organizationAdmin) {
      throw forbidden('The token has no access to the organization.');
    }
    return key.account;
  }
  if (named === undefined || named === '' || named === key.account) return key.account;
  if (key.kind === 'service' || !settings.subAccounts.includes(named)) {
    throw forbidden(`The token has no access to the account ${named}.`);
  }
  return named;
}

/** The method that is meant: a public client changes and deletes alert templates by POST, which the switch understands. */
function methodOf({ request, url }: Call, settings: PlatformSettings): string {
  const lenient = settings.switches['template-methods'] === 'post';
  if (!lenient || request.method !== 'POST' || !/\/AlertTemplates\/[^/]+$/.test(url.pathname)) return request.method;
  const empty = request.body === null || request.headers.get('content-length') === '0';
  return empty ? 'DELETE' : 'PATCH';
}

/** Keys that public clients always send and the service ignores; only where the switch says so. */
function withoutLegacyKeys(body: unknown, endpoint: AnyEndpoint, settings: PlatformSettings): unknown {
  const refused = settings.switches['legacy-request-keys'] === 'refused';
  if (refused || typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  const { usageContext: _usage, evaluatorId: _evaluator, ...rest } = body as { readonly [key: string]: unknown };
  if (endpoint !== endpoints.agentAccessTokens.update) return rest;
  const { tokenAlias: _alias, ...change } = rest;
  return change;
}

/** Mistakes of ours go to the process's error output: without secrets, which stand only in headers and bodies. */
function reportFailure(request: Request, error: unknown): void {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  console.error(`${request.method} ${new URL(request.url).pathname} failed: ${text}`);
}
