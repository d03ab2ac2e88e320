import { Hono } from 'hono';
import { type AnyEndpoint, apiRoot, functionalityOf } from '../api/endpoint.ts';
import { endpoints } from '../api/endpoints/index.ts';
import { secretHeaderName } from '../core/resources/index.ts';
import type { RequestContext } from './context.ts';
import { createDatasets, type Datasets } from './data/datasets.ts';
import { createImportedTables, type ImportedTables } from './data/imported-tables.ts';
import { operations } from './handlers/index.ts';
import { type AccessTokens, createAccessTokens } from './http/access-tokens.ts';
import { asServiceError, errorAnswer, type Headers, successAnswer } from './http/answer.ts';
import { type ApiKey, type ApiKeys, createApiKeys } from './http/api-keys.ts';
import { readBody } from './http/body.ts';
import { createFaultPlan, type Fault, type FaultPlan } from './http/faults.ts';
import { createPageStore, type PageStore } from './http/pages.ts';
import { createRateLimiter, hourlyRequests, type RateState, rateHeaders } from './http/rate-limit.ts';
import { createRouter } from './http/routing.ts';
import { checkBody, checkParameters } from './http/validation.ts';
import { badRequest, forbidden, notFound, ServiceError } from './service-error.ts';
import { type PlatformOptions, type PlatformSettings, settingsFrom } from './settings.ts';
import { createFolderStore, createMemoryStore, type StateStore } from './state/state-store.ts';

/** A platform without a socket: requests go in and answers come out, in this process. */
export interface PlatformApp {
  readonly settings: PlatformSettings;
  /** The key the platform made or was given; another process needs it to get a token. */
  readonly key: ApiKey;
  /** What an administrator does with keys in the service's console. */
  readonly keys: ApiKeys;
  readonly store: StateStore;
  readonly datasets: Datasets;
  readonly imported: ImportedTables;
  /** Disturbances for tests. */
  readonly faults: FaultPlan;
  readonly hono: Hono<PlatformBindings>;
  /** Requests that are being worked on: what a client left behind shows here until it ends. */
  readonly running: () => number;
  /** Answers a request; paths are absolute, any host will do. */
  request(path: string | Request, init?: RequestInit): Promise<Response>;
}

/** What a server can tell about the socket below a request. */
export interface PlatformBindings {
  Bindings: { readonly closeSocket?: () => void };
}

/** Builds the platform: settings, state, data and every operation of the service behind one Hono application. */
export function createPlatformApp(options: PlatformOptions = {}): PlatformApp {
  const settings = settingsFrom(options);
  const store =
    options.dataFolder === undefined ? createMemoryStore() : createFolderStore(`${options.dataFolder}/state`);
  const imported = createImportedTables(
    options.dataFolder === undefined ? undefined : `${options.dataFolder}/datasources`,
  );
  const datasets = createDatasets(settings, imported);
  const keys = createApiKeys();
  const key = keys.create({
    account: settings.account,
    user: `analyst@${settings.account}.example`,
    keyId: options.keyId,
    secret: options.secret,
  });
  const faults = createFaultPlan();
  const answer = createService({ settings, store, datasets, keys });
  let running = 0;
  const service: Service = async (request) => {
    running++;
    try {
      return await answer(request);
    } finally {
      running--;
    }
  };
  const hono = new Hono<PlatformBindings>();
  hono.all('*', async (context) => {
    const request = context.req.raw;
    const fault = faults.take(request.method, new URL(request.url).pathname);
    if (fault === undefined) return service(request);
    return withFault(fault, () => service(request), context.env?.closeSocket);
  });
  return {
    settings,
    key,
    keys,
    store,
    datasets,
    imported,
    faults,
    hono,
    running: () => running,
    request: async (path, init) => hono.request(path, init),
  };
}

interface ServiceParts {
  readonly settings: PlatformSettings;
  readonly store: StateStore;
  readonly datasets: Datasets;
  readonly keys: ApiKeys;
}

type Service = (request: Request) => Promise<Response>;

function createService({ settings, store, datasets, keys }: ServiceParts): Service {
  const handlers = operations(settings.specificationOnly);
  const router = createRouter([...handlers.keys()]);
  const limiter = createRateLimiter();
  const pages: PageStore = createPageStore();
  const tokens: AccessTokens = createAccessTokens(keys);
  const secretHeader = secretHeaderName(settings.vendorPrefix);
  const executions = new Set<AnyEndpoint>([endpoints.queries.execute, endpoints.queries.executeById]);

  const take = (user: string, functionality: string, limit: number, now: number): RateState =>
    settings.rateLimit
      ? limiter.take(user, functionality, limit, now)
      : { allowed: true, limit, remaining: limit, resetSeconds: 0 };

  return async (request) => {
    const now = settings.now();
    const url = new URL(request.url);
    let headers: Headers = rateHeaders({
      allowed: true,
      limit: hourlyRequests,
      remaining: hourlyRequests,
      resetSeconds: 0,
    });
    const limited = (user: string, functionality: string, limit: number): void => {
      const state = take(user, functionality, limit, now);
      headers = rateHeaders(state);
      if (!state.allowed) {
        throw new ServiceError(
          429,
          `Rate limit exceeded: ${limit} requests an hour. Wait ${state.resetSeconds} seconds.`,
        );
      }
    };
    try {
      const route = router.match(request.method, url.pathname);
      const page = request.method === 'GET' && url.pathname.startsWith(`${apiRoot}/`);
      if (route.kind !== 'found' && !page) throw routeError(route, request.method, url.pathname);
      if (route.kind === 'found' && route.endpoint.headers === 'token') {
        requireJson(request);
        const body = await readBody(request);
        checkBody(route.endpoint.body ?? {}, body);
        const keyId = (body as { readonly keyId: string }).keyId;
        limited(`key ${keyId}`, route.endpoint.functionality, hourlyRequests);
        const context = contextFor(
          request,
          url,
          keyId,
          settings.account,
          request.headers.get(secretHeader) ?? undefined,
        );
        return await answer(route.endpoint, { params: route.params, query: {}, body }, context, headers);
      }
      const key = authenticate(request, tokens, settings, now);
      const user = key.user;
      requireJson(request);
      const account = accountFor(request, key, settings);
      if (page) {
        const next = pages.next(url.pathname, `${account}/${user}`, url.origin, now);
        if (next !== undefined) {
          limited(
            user,
            functionalityOf('GET', url.pathname.slice(apiRoot.length, url.pathname.lastIndexOf('/'))),
            hourlyRequests,
          );
          return successAnswer(pageEndpoint, next, settings, headers);
        }
      }
      if (route.kind !== 'found') throw routeError(route, request.method, url.pathname);
      const { endpoint, params } = route;
      const limit = executions.has(endpoint) ? Number(settings.switches['execute-rate']) : hourlyRequests;
      limited(user, endpoint.functionality, limit);
      const query = Object.fromEntries(url.searchParams);
      const body = endpoint.body === undefined ? undefined : withoutLegacyKeys(await readBody(request), settings);
      checkParameters(endpoint.params, params, false);
      checkParameters(endpoint.query, query, true);
      if (endpoint.body !== undefined) checkBody(endpoint.body, body);
      return await answer(
        endpoint,
        { params, query, body },
        contextFor(request, url, user, account, undefined),
        headers,
      );
    } catch (error) {
      const failure = asServiceError(error);
      if (failure.status === 500) reportFailure(request, error);
      return errorAnswer(failure, headers);
    }

    function contextFor(
      request: Request,
      url: URL,
      user: string,
      account: string,
      secret: string | undefined,
    ): RequestContext {
      return {
        settings,
        datasets,
        pages,
        tokens,
        account: store.open(account),
        user,
        now,
        signal: request.signal,
        origin: url.origin,
        secret,
      };
    }
  };

  async function answer(
    endpoint: AnyEndpoint,
    input: {
      readonly params: { readonly [name: string]: string };
      readonly query: { readonly [name: string]: string };
      readonly body: unknown;
    },
    context: RequestContext,
    headers: Headers,
  ): Promise<Response> {
    const handler = handlers.get(endpoint);
    if (handler === undefined) throw notFound('Not found');
    return successAnswer(endpoint, await handler(input, context), settings, headers);
  }
}

/** Further pages have no definition of their own: they are answered like the operation whose result they continue. */
const pageEndpoint: AnyEndpoint = { ...endpoints.searches.machines, emptyAs204: false };

type Misroute = Exclude<ReturnType<ReturnType<typeof createRouter>['match']>, { readonly kind: 'found' }>;

function routeError(route: Misroute, method: string, path: string): ServiceError {
  if (route.kind === 'noPath') return notFound(`Not found: ${path}`);
  return new ServiceError(
    405,
    `The method ${method} is not allowed for ${path}. Allowed: ${route.allowed.join(', ')}.`,
    {
      Allow: route.allowed.join(', '),
    },
  );
}

function requireJson(request: Request): void {
  const type = request.headers.get('content-type');
  if (type === null || !/^application\/json\s*(;|$)/i.test(type)) {
    throw badRequest('The header Content-Type is required and must be application/json.');
  }
}

function authenticate(request: Request, tokens: AccessTokens, settings: PlatformSettings, now: number): ApiKey {
  const header = request.headers.get('authorization');
  if (header === null)
    throw new ServiceError(401, 'The header Authorization with the value "Bearer <ACCESS_TOKEN>" is required.');
  const bearer = /^Bearer +(\S+)$/i.exec(header)?.[1];
  const token = bearer ?? (settings.switches['raw-authorization'] === 'accepted' ? header.trim() : undefined);
  const key = token === undefined ? undefined : tokens.verify(token, now);
  if (key === undefined)
    throw new ServiceError(401, 'The access token is not valid or has expired. Request a new one.');
  return key;
}

/** The account a request is for: the key's own, or a sub-account by name; organization access sets the name aside. */
function accountFor(request: Request, key: ApiKey, settings: PlatformSettings): string {
  const organization = request.headers.get('org-access')?.toLowerCase() === 'true';
  const named = request.headers.get('account-name')?.toLowerCase();
  if (organization) {
    if (key.kind === 'service' || !key.organizationAdmin)
      throw forbidden('The token has no access to the organization.');
    return key.account;
  }
  if (named === undefined || named === '' || named === key.account) return key.account;
  if (key.kind === 'service' || !settings.subAccounts.includes(named)) {
    throw forbidden(`The token has no access to the account ${named}.`);
  }
  return named;
}

/** Keys that public clients always send and the service ignores; only where the switch says so. */
function withoutLegacyKeys(body: unknown, settings: PlatformSettings): unknown {
  if (
    settings.switches['legacy-request-keys'] === 'refused' ||
    typeof body !== 'object' ||
    body === null ||
    Array.isArray(body)
  ) {
    return body;
  }
  const { usageContext: _usage, evaluatorId: _evaluator, ...rest } = body as { readonly [key: string]: unknown };
  return rest;
}

/** Mistakes of ours go to the process's error output: without secrets, which stand only in headers and bodies. */
function reportFailure(request: Request, error: unknown): void {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  console.error(`${request.method} ${new URL(request.url).pathname} failed: ${text}`);
}

async function withFault(
  fault: Fault,
  serve: () => Promise<Response>,
  closeSocket: (() => void) | undefined,
): Promise<Response> {
  if (fault.delay !== undefined) await new Promise((resolve) => setTimeout(resolve, fault.delay));
  const { action } = fault;
  switch (action?.kind) {
    case undefined:
      return serve();
    case 'status':
      return new Response(JSON.stringify({ message: action.message ?? 'A planned fault.' }), {
        status: action.status,
        headers: { 'Content-Type': 'application/json', ...action.headers },
      });
    case 'redirect':
      return new Response(null, { status: action.status, headers: { Location: action.location } });
    case 'reset': {
      if (action.late) await serve();
      closeSocket?.();
      return new Response(null, { status: 503 });
    }
    case 'truncate':
    case 'slow': {
      const response = await serve();
      const bytes = new Uint8Array(await response.arrayBuffer());
      const headers = new globalThis.Headers(response.headers);
      headers.set('Content-Length', String(bytes.length));
      const body =
        action.kind === 'truncate'
          ? truncated(bytes, action.bytes, closeSocket)
          : slow(bytes, action.bytes, action.pause);
      return new Response(body, { status: response.status, headers });
    }
  }
}

function truncated(
  bytes: Uint8Array,
  length: number,
  closeSocket: (() => void) | undefined,
): ReadableStream<Uint8Array> {
  let sent = false;
  return new ReadableStream({
    pull(controller) {
      if (!sent) {
        sent = true;
        controller.enqueue(bytes.slice(0, length));
        return;
      }
      closeSocket?.();
      controller.error(new Error('Truncated by plan.'));
    },
  });
}

function slow(bytes: Uint8Array, piece: number, pause: number): ReadableStream<Uint8Array> {
  let position = 0;
  return new ReadableStream({
    async pull(controller) {
      if (position > 0) await new Promise((resolve) => setTimeout(resolve, pause));
      controller.enqueue(bytes.slice(position, position + piece));
      position += piece;
      if (position >= bytes.length) controller.close();
    },
  });
}
