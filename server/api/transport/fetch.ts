import { ApiError } from './errors.ts';
import {
  createBodyCollector,
  networkError,
  refuseRedirect,
  type Transport,
  type TransportRequest,
  type TransportResponse,
} from './transport.ts';

/** What is needed of a `fetch`: the editor's own, which knows proxies and system certificates, or an application in this process. */
export type FetchLike = (url: string, init: RequestInit) => Promise<Response> | Response;

/** HTTP by a `fetch`. The time until the connection stands cannot be told apart there: it counts as time until the answer. */
export function createFetchTransport(fetchLike: FetchLike): Transport {
  return {
    send: (request) => send(fetchLike, request),
    close: async () => {},
  };
}

async function send(fetchLike: FetchLike, request: TransportRequest): Promise<TransportResponse> {
  const { limits, signal } = request;
  if (signal?.aborted) throw new ApiError({ kind: 'cancelled' });
  const controller = new AbortController();
  let expired: 'answer' | 'idle' | undefined;
  let received = false;
  const cancel = () => controller.abort();
  signal?.addEventListener('abort', cancel, { once: true });
  let timer = setTimeout(() => {
    expired = 'answer';
    controller.abort();
  }, limits.answerMilliseconds);
  const restartIdleTimer = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      expired = 'idle';
      controller.abort();
    }, limits.idleMilliseconds);
  };
  try {
    const response = await fetchLike(request.url.href, {
      method: request.method,
      headers: request.headers,
      redirect: 'manual',
      credentials: 'omit',
      cache: 'no-store',
      signal: controller.signal,
      ...(request.body === undefined ? {} : { body: request.body }),
    });
    received = true;
    // A browser's fetch hides redirects behind status 0.
    if (response.type === 'opaqueredirect') throw new ApiError({ kind: 'redirect', status: 302, host: undefined });
    if (response.status >= 300 && response.status <= 399) {
      await response.body?.cancel().catch(() => {});
      refuseRedirect(response.status, response.headers.get('location') ?? undefined, request.url);
    }
    const collector = createBodyCollector(limits.maxBodyBytes);
    if (response.body) {
      const reader = response.body.getReader();
      try {
        for (;;) {
          restartIdleTimer();
          const { done, value } = await reader.read();
          if (done) break;
          collector.add(value);
        }
      } catch (error) {
        controller.abort();
        await reader.cancel().catch(() => {});
        throw error;
      }
    }
    return { status: response.status, headers: new Map(response.headers), body: collector.whole() };
  } catch (error) {
    if (error instanceof ApiError) throw error;
    if (signal?.aborted) throw new ApiError({ kind: 'cancelled' });
    if (expired !== undefined) {
      const milliseconds = expired === 'answer' ? limits.answerMilliseconds : limits.idleMilliseconds;
      throw new ApiError({ kind: 'timeout', phase: expired, seconds: milliseconds / 1000, sent: true });
    }
    throw networkError(error, received);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', cancel);
  }
}
