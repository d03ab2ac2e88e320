import type { Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { Agent, type Dispatcher, EnvHttpProxyAgent } from 'undici';
import { ApiError } from './errors.ts';
import {
  connectMilliseconds,
  createBodyCollector,
  networkError,
  refuseRedirect,
  type Transport,
  type TransportRequest,
  type TransportResponse,
} from './transport.ts';

export interface UndiciTransportOptions {
  /** Connections kept to the origin. */
  readonly connections?: number;
  /** Until a connection stands, its encryption included. */
  readonly connectMilliseconds?: number;
  /** The way to services that are not on this computer: a proxy's URL, and the hosts it is not for, as in NO_PROXY. */
  readonly proxy?: { readonly url: string; readonly except: string | undefined } | undefined;
}

/** HTTP by undici: connections are kept, compressed bodies unpacked under the cap, and a cancelled call's socket is closed. */
export function createUndiciTransport(options: UndiciTransportOptions = {}): Transport {
  const connectTimeout = options.connectMilliseconds ?? connectMilliseconds;
  const tls = { timeout: connectTimeout };
  const settings = { connections: options.connections ?? 8, pipelining: 1, keepAliveTimeout: 30_000, connect: tls };
  const { proxy } = options;
  // Plain HTTP stays on this computer, so it never goes through a proxy. What is given here keeps the agent from the environment.
  const agent = proxy
    ? new EnvHttpProxyAgent({
        ...settings,
        requestTls: tls,
        proxyTls: tls,
        httpProxy: '',
        httpsProxy: proxy.url,
        noProxy: proxy.except ?? '',
      })
    : new Agent(settings);
  return {
    send: (request) => send(agent, request, connectTimeout),
    close: () => agent.destroy(),
  };
}

async function send(agent: Dispatcher, request: TransportRequest, connectTimeout: number): Promise<TransportResponse> {
  const { limits, signal } = request;
  if (signal?.aborted) throw new ApiError({ kind: 'cancelled' });
  let received = false;
  try {
    const response = await agent.request({
      origin: request.url.origin,
      path: request.url.pathname + request.url.search,
      method: request.method,
      headers: { ...request.headers, 'accept-encoding': 'gzip, deflate, br' },
      body: request.body ?? null,
      signal: signal ?? null,
      headersTimeout: limits.answerMilliseconds,
      bodyTimeout: limits.idleMilliseconds,
    });
    received = true;
    const headers = lowerCaseHeaders(response.headers);
    const body = response.body;
    if (response.statusCode >= 300 && response.statusCode <= 399) {
      // Without a listener the abort of the body would surface as an unhandled error.
      body.on('error', ignore).destroy();
      refuseRedirect(response.statusCode, headers.get('location'), request.url);
    }
    const collector = createBodyCollector(limits.maxBodyBytes);
    const unpack = unpackerFor(headers.get('content-encoding'));
    try {
      if (unpack) {
        body.on('error', (error) => unpack.destroy(error));
        for await (const chunk of body.pipe(unpack)) collector.add(chunk as Uint8Array);
      } else {
        for await (const chunk of body) collector.add(chunk as Uint8Array);
      }
    } catch (error) {
      unpack?.on('error', ignore).destroy();
      body.on('error', ignore).destroy();
      throw error;
    }
    return { status: response.statusCode, headers, body: collector.whole() };
  } catch (error) {
    throw failureOf(error, request, received, connectTimeout);
  }
}

function failureOf(error: unknown, request: TransportRequest, received: boolean, connectTimeout: number): ApiError {
  if (error instanceof ApiError) return error;
  if (request.signal?.aborted) return new ApiError({ kind: 'cancelled' });
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  const { answerMilliseconds, idleMilliseconds } = request.limits;
  if (code === 'UND_ERR_HEADERS_TIMEOUT') {
    return new ApiError({ kind: 'timeout', phase: 'answer', seconds: answerMilliseconds / 1000, sent: true });
  }
  if (code === 'UND_ERR_BODY_TIMEOUT') {
    return new ApiError({ kind: 'timeout', phase: 'idle', seconds: idleMilliseconds / 1000, sent: true });
  }
  return networkError(error, received, connectTimeout);
}

function unpackerFor(encoding: string | undefined): Transform | undefined {
  switch (encoding?.trim().toLowerCase()) {
    case 'gzip':
    case 'x-gzip':
      return createGunzip();
    case 'deflate':
      return createInflate();
    case 'br':
      return createBrotliDecompress();
    default:
      return undefined;
  }
}

function lowerCaseHeaders(headers: Readonly<Record<string, string | string[] | undefined>>): Map<string, string> {
  const map = new Map<string, string>();
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) map.set(name.toLowerCase(), Array.isArray(value) ? value.join(', ') : value);
  }
  return map;
}

function ignore(): void {}
