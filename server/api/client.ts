import { isRecord } from '../core/is-record.ts';
import { type AccessToken, defaultTokenSeconds, maxTokenSeconds, secretHeaderName } from '../core/resources/index.ts';
import { answerProblem, callProblem, maxRequestBytes } from './check-call.ts';
import {
  type AnyEndpoint,
  apiRoot,
  type BodyOf,
  type ParamsOf,
  pageFunctionality,
  pathOf,
  type QueryOf,
  type ResultOf,
} from './endpoint.ts';
import { endpoints } from './endpoints/index.ts';
import { parseOrigin } from './origin.ts';
import { type Page, type PageBody, readPages } from './paging.ts';
import { type Clock, systemClock } from './transport/clock.ts';
import { ApiError, type ApiFailure } from './transport/errors.ts';
import { parseExactBytes, textOf, writeExact } from './transport/json.ts';
import { createRateLimits, type Priority, type RateLimits } from './transport/rate-limits.ts';
import { createRedactor, createSecret, reveal, type Secret } from './transport/redact.ts';
import { createRetryPolicy, isAmbiguous } from './transport/retries.ts';
import { createTokenSource, type IssuedToken, tokenLifetime } from './transport/tokens.ts';
import {
  defaultTransportLimits,
  type Transport,
  type TransportLimits,
  type TransportResponse,
} from './transport/transport.ts';

export interface ApiClientOptions {
  /** The account's address, e.g. `https://acme.example.net`; plain http on this computer only. */
  readonly origin: URL | string;
  /** `SVC` or `LW`: names the header that carries the secret. */
  readonly vendorPrefix: string;
  readonly keyId: string;
  readonly secret: Secret;
  /** Name of a sub-account to work in; ignored by the service when `organization` is set. */
  readonly subAccount?: string | undefined;
  /** Work on the level of the organization. */
  readonly organization?: boolean | undefined;
  /** Refuse everything that changes something. */
  readonly readOnly?: boolean | undefined;
  /** Seconds that tokens are asked to live, at most 86,400. */
  readonly tokenSeconds?: number | undefined;
  readonly transport: Transport;
  readonly clock?: Clock;
  /** Between 0 and 1, for jitter. */
  readonly random?: () => number;
  /** Shared between the clients of one user, who have one rate limit. */
  readonly rateLimits?: RateLimits;
  readonly limits?: Partial<TransportLimits>;
  readonly log?: (event: ApiLogEvent) => void;
}

/** One attempt of a call, for a log. It never holds headers, bodies or values of sensitive paths. */
export interface ApiLogEvent {
  readonly operation: string;
  readonly method: string;
  readonly path: string;
  readonly attempt: number;
  readonly milliseconds: number;
  readonly outcome: { readonly kind: 'answered'; readonly status: number; readonly bytes: number } | ApiFailure;
}

type Part<Name extends string, T> = undefined extends T
  ? { readonly [Key in Name]?: T }
  : Record<never, never> extends T
    ? { readonly [Key in Name]?: T }
    : { readonly [Key in Name]: T };

/** What a call of an operation needs, by its definition. */
export type CallArguments<E extends AnyEndpoint> = Part<'params', ParamsOf<E>> &
  Part<'query', QueryOf<E>> &
  Part<'body', BodyOf<E>> &
  CallSettings;

export interface CallSettings {
  readonly signal?: AbortSignal | undefined;
  /** `person` unless said otherwise. */
  readonly priority?: Priority | undefined;
  /** Longest wait for the rate limit; then the call fails with `rate-limited`. */
  readonly maxWaitMilliseconds?: number | undefined;
}

type ArgumentsList<E extends AnyEndpoint> =
  Record<never, never> extends CallArguments<E>
    ? [callArguments?: CallArguments<E>]
    : [callArguments: CallArguments<E>];

/** The rows' type of an operation with a list. */
export type RowOf<E extends AnyEndpoint> = ResultOf<E> extends { data: readonly (infer Row)[] } ? Row : never;

export interface ApiClient {
  readonly origin: URL;
  readonly vendorPrefix: string;
  readonly rateLimits: RateLimits;
  /** Calls an operation. Fails with ApiError. An empty answer to a list reads `{ data: [] }`. */
  call<E extends AnyEndpoint>(endpoint: E, ...callArguments: ArgumentsList<E>): Promise<ResultOf<E>>;
  /** Calls an operation and follows its pages. An answer without paging is one page. */
  pages<E extends AnyEndpoint>(
    endpoint: E,
    ...callArguments: ArgumentsList<E>
  ): AsyncGenerator<Page<RowOf<E>>, void, undefined>;
  /** Proves the credentials: gets a token if there is none. */
  authenticate(signal?: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

/** The one door to the service's REST API: credentials, limits, retries and checks are behind it. */
export function createApiClient(options: ApiClientOptions): ApiClient {
  const origin = parseOrigin(String(options.origin));
  const clock = options.clock ?? systemClock;
  const limits = { ...defaultTransportLimits, ...options.limits };
  const rateLimits = options.rateLimits ?? createRateLimits({ clock });
  const retries = createRetryPolicy(options.random ?? Math.random);
  const tokenSeconds = Math.min(Math.max(1, Math.trunc(options.tokenSeconds ?? defaultTokenSeconds)), maxTokenSeconds);
  const secretHeader = secretHeaderName(options.vendorPrefix).toLowerCase();
  const notOffered = new Set<string>();
  // The last tokens are known to the second net under messages; older ones are of no use to anybody.
  const issued: Secret[] = [];
  // The key's id alone opens nothing, but with it half of the pair would be known.
  const keyId = createSecret(options.keyId);
  const redact = createRedactor(() => [options.secret, keyId, ...issued]);
  const tokens = createTokenSource(issueToken, clock);

  async function issueToken(): Promise<IssuedToken> {
    const problem = headerProblem(options);
    if (problem !== undefined) throw new ApiError({ kind: 'invalid-call', problem }, endpoints.tokens.create.id);
    const answer = await send({
      endpoint: endpoints.tokens.create,
      url: new URL(`${apiRoot}/access/tokens`, origin),
      body: writeExact({ keyId: options.keyId, expiryTime: tokenSeconds }),
      functionality: endpoints.tokens.create.functionality,
      settings: { priority: 'person' },
      secrets: [],
    });
    const { token, expiresAt } = readAnswer(endpoints.tokens.create, answer) as AccessToken;
    if (!/^[\x21-\x7e]+$/.test(token)) throw unexpected(endpoints.tokens.create, answer.status, 'its token is none.');
    const secret = createSecret(token);
    issued.push(secret);
    if (issued.length > 3) issued.shift();
    return { token: secret, lifetimeSeconds: tokenLifetime(expiresAt, answer.headers.get('date'), tokenSeconds) };
  }

  /** Sends until there is an answer of success, or throws what stands in the way. */
  async function send(request: Outgoing): Promise<TransportResponse> {
    const { endpoint, settings } = request;
    let renewed = false;
    let waited = false;
    retries.deposit();
    for (let attempt = 1; ; attempt++) {
      const outcome = await attemptOnce(request, attempt);
      if (outcome.kind === 'answered') return outcome.answer;
      const { failure, token, retryAfterSeconds } = outcome;
      if (failure.kind === 'status' && failure.status === 401 && token && !renewed) {
        renewed = true;
        tokens.invalidate(token);
        continue;
      }
      if (failure.kind === 'rate-limited' && outcome.refusedByService && !waited) {
        // The service did nothing, so any call may go again; the mirror knows now, and makes it wait or refuses it.
        waited = true;
        continue;
      }
      const delay = outcome.beforeSending
        ? undefined
        : retries.next(failure, attempt, endpoint.idempotent, retryAfterSeconds);
      if (delay === undefined) throw finalError(endpoint, failure, outcome.beforeSending);
      await clock.sleep(delay, settings.signal);
      if (settings.signal?.aborted) throw new ApiError({ kind: 'cancelled' }, endpoint.id);
    }
  }

  async function attemptOnce(request: Outgoing, attempt: number): Promise<Outcome> {
    const { endpoint, settings, functionality } = request;
    let token: Secret | undefined;
    let beforeSending = true;
    let turn: Awaited<ReturnType<RateLimits['acquire']>> | undefined;
    let answer: TransportResponse | undefined;
    const start = clock.monotonic();
    try {
      if (settings.signal?.aborted) throw new ApiError({ kind: 'cancelled' });
      if (endpoint.headers !== 'token') token = await tokens.get(settings.signal);
      turn = await rateLimits.acquire(functionality, {
        priority: settings.priority ?? 'person',
        signal: settings.signal,
        maxWaitMilliseconds: settings.maxWaitMilliseconds,
      });
      beforeSending = false;
      answer = await options.transport.send({
        method: request.method ?? endpoint.method,
        url: request.url,
        headers: headersFor(token),
        body: request.body,
        signal: settings.signal,
        limits,
      });
      const failure = failureOf(request, answer);
      log(request, attempt, start, failure ?? { kind: 'answered', status: answer.status, bytes: answer.body.length });
      if (!failure) return { kind: 'answered', answer };
      return {
        kind: 'failed',
        failure,
        token,
        beforeSending,
        refusedByService: true,
        retryAfterSeconds: wholeSeconds(answer, 'retry-after'),
      };
    } catch (error) {
      const failure = error instanceof ApiError ? error.failure : settings.signal?.aborted ? cancelled : undefined;
      if (!failure) throw error;
      log(request, attempt, start, failure);
      return { kind: 'failed', failure, token, beforeSending, refusedByService: false, retryAfterSeconds: undefined };
    } finally {
      turn?.end(answer);
    }
  }

  function headersFor(token: Secret | undefined): Record<string, string> {
    const headers: Record<string, string> = {
      'content-type': 'application/json',
      accept: 'application/json',
      'user-agent': 'lql-studio',
    };
    if (token === undefined) headers[secretHeader] = reveal(options.secret);
    else {
      headers['authorization'] = `Bearer ${reveal(token)}`;
      // The service is taken to honour these on every operation, not only on those documented with them.
      if (options.organization) headers['org-access'] = 'true';
      if (options.subAccount !== undefined && options.subAccount !== '') headers['account-name'] = options.subAccount;
    }
    return headers;
  }

  function failureOf(request: Outgoing, answer: TransportResponse): ApiFailure | undefined {
    const { endpoint, functionality } = request;
    const { status } = answer;
    if (status >= 200 && status <= 299) return undefined;
    if (status === 429) {
      const told = wholeSeconds(answer, 'ratelimit-reset') ?? wholeSeconds(answer, 'retry-after') ?? 60;
      return { kind: 'rate-limited', functionality, resetsInSeconds: Math.min(Math.max(told, 1), 3_600) };
    }
    if (endpoint.source === 'public' && (status === 405 || (status === 404 && !endpoint.path.includes('{')))) {
      notOffered.add(endpoint.id);
      return { kind: 'not-offered' };
    }
    const serviceMessage = serviceMessageOf(textOf(answer.body), (text) => redactOwn(redact(text), request.secrets));
    const expected = endpoint.headers === 'token' ? expectedPrefix(serviceMessage, options.vendorPrefix) : undefined;
    if (expected !== undefined) return { kind: 'vendor-prefix', used: options.vendorPrefix, expected };
    return { kind: 'status', status, serviceMessage };
  }

  function log(request: Outgoing, attempt: number, start: number, outcome: ApiLogEvent['outcome']): void {
    const { endpoint } = request;
    const shown =
      endpoint.sensitive.includes('path') || request.method !== undefined
        ? apiRoot + endpoint.path
        : request.url.pathname;
    options.log?.({
      operation: endpoint.id,
      method: request.method ?? endpoint.method,
      path: shown,
      attempt,
      milliseconds: clock.monotonic() - start,
      outcome,
    });
  }

  function prepare(endpoint: AnyEndpoint, callArguments: LooseArguments): Outgoing {
    const { params = {}, query = {}, signal, priority, maxWaitMilliseconds } = callArguments;
    const body = callArguments.body ?? (endpoint.body === undefined ? undefined : {});
    const problem = callProblem(endpoint, { params, query, body });
    if (problem !== undefined) throw new ApiError({ kind: 'invalid-call', problem }, endpoint.id);
    if (options.readOnly && endpoint.effect === 'write') throw new ApiError({ kind: 'read-only' }, endpoint.id);
    if (notOffered.has(endpoint.id)) throw new ApiError({ kind: 'not-offered' }, endpoint.id);
    const text = body === undefined ? undefined : writeExact(body);
    const bytes = text === undefined ? 0 : Buffer.byteLength(text);
    if (bytes > maxRequestBytes)
      throw new ApiError({ kind: 'body-too-large', bytes, limit: maxRequestBytes }, endpoint.id);
    return {
      endpoint,
      url: urlOf(endpoint, params, query),
      body: text,
      functionality: endpoint.functionality,
      settings: { signal, priority, maxWaitMilliseconds },
      secrets: secretsOf(endpoint, params, body),
    };
  }

  function urlOf(
    endpoint: AnyEndpoint,
    params: Readonly<Record<string, unknown>>,
    query: Readonly<Record<string, unknown>>,
  ): URL {
    try {
      const url = new URL(pathOf(endpoint, params), origin);
      for (const [name, value] of Object.entries(query)) {
        if (value !== undefined) url.searchParams.set(name, String(value));
      }
      return url;
    } catch (error) {
      const problem = error instanceof RangeError ? error.message : `The parameters of ${endpoint.id} make no address.`;
      throw new ApiError({ kind: 'invalid-call', problem }, endpoint.id);
    }
  }

  async function call(endpoint: AnyEndpoint, callArguments: LooseArguments = {}): Promise<unknown> {
    const answer = await send(prepare(endpoint, callArguments));
    try {
      return readAnswer(endpoint, answer);
    } catch (error) {
      if (error instanceof ApiError) throw finalError(endpoint, error.failure, false);
      throw error;
    }
  }

  async function nextPage(endpoint: AnyEndpoint, url: URL, settings: CallSettings): Promise<unknown> {
    const functionality = pageFunctionality(endpoint);
    return readAnswer(
      endpoint,
      await send({ endpoint, method: 'GET', url, body: undefined, functionality, settings, secrets: [] }),
    );
  }

  return {
    origin,
    vendorPrefix: options.vendorPrefix,
    rateLimits,
    call: (endpoint, ...callArguments) => call(endpoint, callArguments[0]) as Promise<ResultOf<typeof endpoint>>,
    pages: <E extends AnyEndpoint>(endpoint: E, ...callArguments: ArgumentsList<E>) => {
      const loose: LooseArguments = callArguments[0] ?? {};
      const { signal, priority, maxWaitMilliseconds } = loose;
      return readPages<RowOf<E>>({
        origin,
        path: apiRoot + endpoint.path.replace(/\/search$/, ''),
        clock,
        signal,
        first: (own) => call(endpoint, { ...loose, signal: own }) as Promise<PageBody<RowOf<E>>>,
        next: (url, own) =>
          nextPage(endpoint, url, { signal: own, priority, maxWaitMilliseconds }) as Promise<PageBody<RowOf<E>>>,
      });
    },
    async authenticate(signal) {
      try {
        await tokens.get(signal);
      } catch (error) {
        throw signal?.aborted ? new ApiError({ kind: 'cancelled' }) : error;
      }
    },
    close: () => options.transport.close(),
  };
}

interface Outgoing {
  readonly endpoint: AnyEndpoint;
  /** Set where it is not the operation's own: further pages are fetched with GET. */
  readonly method?: 'GET';
  readonly url: URL;
  readonly body: string | undefined;
  readonly functionality: string;
  readonly settings: CallSettings;
  /** Values of the call that must not come back in a message. */
  readonly secrets: readonly string[];
}

interface LooseArguments extends CallSettings {
  readonly params?: Readonly<Record<string, unknown>> | undefined;
  readonly query?: Readonly<Record<string, unknown>> | undefined;
  readonly body?: unknown;
}

type Outcome =
  | { readonly kind: 'answered'; readonly answer: TransportResponse }
  | {
      readonly kind: 'failed';
      readonly failure: ApiFailure;
      readonly token: Secret | undefined;
      readonly beforeSending: boolean;
      readonly refusedByService: boolean;
      readonly retryAfterSeconds: number | undefined;
    };

const cancelled = { kind: 'cancelled' } as const;

/** Texts of a call that its operation calls sensitive: path parameters, and what the body holds below its first level. */
function secretsOf(endpoint: AnyEndpoint, params: Readonly<Record<string, unknown>>, body: unknown): readonly string[] {
  const secrets: string[] = endpoint.sensitive.includes('path') ? Object.values(params).map(String) : [];
  if (endpoint.sensitive.includes('request') && isRecord(body)) {
    for (const value of Object.values(body)) if (typeof value === 'object') collectTexts(value, secrets);
  }
  return secrets;
}

function collectTexts(value: unknown, texts: string[]): void {
  if (typeof value === 'string') texts.push(value);
  else if (typeof value === 'object' && value !== null)
    for (const entry of Object.values(value)) collectTexts(entry, texts);
}

// Short values are words such as a type or a region; they would mask half of a message.
function redactOwn(text: string, secrets: readonly string[]): string {
  let redacted = text;
  for (const secret of secrets) if (secret.length >= 8) redacted = redacted.replaceAll(secret, '***');
  return redacted;
}

function finalError(endpoint: AnyEndpoint, failure: ApiFailure, beforeSending: boolean): ApiError {
  const unsure = endpoint.effect === 'write' && !beforeSending && isAmbiguous(failure);
  return new ApiError(unsure ? { kind: 'ambiguous', cause: failure } : failure, endpoint.id);
}

function readAnswer(endpoint: AnyEndpoint, answer: TransportResponse): unknown {
  if (endpoint.response === undefined) return undefined;
  const { status, body } = answer;
  if (status === 204 || isBlankBody(body)) {
    if (endpoint.emptyAs204) return { data: hasListData(endpoint) ? [] : {} };
    throw unexpected(endpoint, status, 'it is empty.');
  }
  let value: unknown;
  try {
    value = parseExactBytes(body);
  } catch {
    const text = textOf(body);
    const looksCut = /^\s*[{[]/.test(text) && !/[}\]]\s*$/.test(text);
    if (looksCut) throw new ApiError({ kind: 'truncated' }, endpoint.id);
    throw unexpected(endpoint, status, /^\s*</.test(text) ? 'it is a web page.' : 'it is no JSON.');
  }
  const problem = answerProblem(endpoint, value);
  if (problem !== undefined) throw unexpected(endpoint, status, problem);
  return value;
}

// A long body is never blank, and is not made a text twice.
function isBlankBody(body: Buffer): boolean {
  return body.length < 1_000 && textOf(body).trim() === '';
}

function unexpected(endpoint: AnyEndpoint, status: number, problem: string): ApiError {
  return new ApiError({ kind: 'unexpected-answer', problem, status }, endpoint.id);
}

function hasListData(endpoint: AnyEndpoint): boolean {
  const schema: unknown = endpoint.response;
  const properties = isRecord(schema) && isRecord(schema['properties']) ? schema['properties'] : {};
  const data = properties['data'];
  return isRecord(data) && data['type'] === 'array';
}

/** The service's own words in an error's body, in its present form or the old one; without secrets, and not too long. */
function serviceMessageOf(body: string, redact: (text: string) => string): string | undefined {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return undefined;
  }
  if (!isRecord(value)) return undefined;
  const inner = isRecord(value['data']) ? value['data'] : {};
  const found = [value['message'], inner['message'], inner['statusMessage'], inner['ErrorMsg']].find(
    (text) => typeof text === 'string' && text !== '',
  );
  // The service begins some of its texts with the word that every message of ours has said already.
  return typeof found === 'string' ? redact(found.replace(/^(?:Error:\s*)+/, '')).slice(0, 4_000) : undefined;
}

/**
 * The vendor prefix that the service goes by, where its refusal of a token shows that it did not find the secret in the header of the prefix
 * in use. Some name the header they look for; the others can only be of the other vendor.
 */
function expectedPrefix(serviceMessage: string | undefined, used: string): string | undefined {
  if (serviceMessage === undefined) return undefined;
  const named = /\bX-([A-Z][A-Z0-9]{0,7})-UAKS\b/i.exec(serviceMessage)?.[1]?.toUpperCase();
  if (named !== undefined) return named === used ? undefined : named;
  if (!/\baccess key is null\b/i.test(serviceMessage)) return undefined;
  return used === 'LW' ? 'SVC' : 'LW';
}

/** What keeps the key and the sub-account out of a header. Runtimes quote a value that they refuse, so it must not come to that. */
function headerProblem({ secret, subAccount }: ApiClientOptions): string | undefined {
  if (!/^[\x21-\x7e]+$/.test(reveal(secret)))
    return 'The secret of the key holds blanks, line ends or characters beyond ASCII, which no secret of the service does. Copy it again.';
  if (!/^[\x20-\x7e]*$/.test(subAccount ?? ''))
    return 'The name of the sub-account holds characters beyond ASCII, which cannot be sent. Use its technical name.';
  return undefined;
}

function wholeSeconds(answer: TransportResponse, header: string): number | undefined {
  const text = answer.headers.get(header)?.trim();
  return text !== undefined && /^\d{1,6}$/.test(text) ? Number(text) : undefined;
}
