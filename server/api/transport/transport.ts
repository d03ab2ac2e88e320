import type { HttpMethod } from '../endpoint.ts';
import { ApiError } from './errors.ts';

/** One HTTP request, complete: nothing is added on the way but what the protocol itself needs. */
export interface TransportRequest {
  readonly method: HttpMethod;
  readonly url: URL;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  readonly signal: AbortSignal | undefined;
  readonly limits: TransportLimits;
}

export interface TransportLimits {
  /** From the request to the first byte of the answer. */
  readonly answerMilliseconds: number;
  /** Between two pieces of the answer. */
  readonly idleMilliseconds: number;
  /** Of the answer's body, unpacked. */
  readonly maxBodyBytes: number;
}

export interface TransportResponse {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: ReadonlyMap<string, string>;
  /** Unpacked. Whoever reads the answer owns these bytes. */
  readonly body: Buffer;
}

/**
 * Sends requests and reads answers whole. Every implementation follows no redirect, ends within the limits, closes the connection on
 * cancellation, and throws ApiError alone.
 */
export interface Transport {
  send(request: TransportRequest): Promise<TransportResponse>;
  close(): Promise<void>;
}

/** Until a connection stands. */
export const connectMilliseconds = 10_000;

export const defaultTransportLimits: TransportLimits = {
  // An execution is synchronous and may take two minutes.
  answerMilliseconds: 125_000,
  idleMilliseconds: 30_000,
  maxBodyBytes: 256 * 1_048_576,
};

/** Refuses an answer that would lead elsewhere. The body of a redirect is never read. */
export function refuseRedirect(status: number, location: string | undefined, base: URL): void {
  if (status < 300 || status > 399) return;
  throw new ApiError({ kind: 'redirect', status, host: hostOf(location, base) });
}

/** Collects the pieces of a body up to a cap. */
export function createBodyCollector(limit: number): { add(chunk: Uint8Array): void; whole(): Buffer } {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  return {
    add(chunk) {
      bytes += chunk.byteLength;
      if (bytes > limit) throw new ApiError({ kind: 'too-large', limit });
      chunks.push(chunk);
    },
    whole: () => Buffer.concat(chunks, bytes),
  };
}

const certificateCodes = /CERT|SELF_SIGNED|UNABLE_TO_(?:GET|VERIFY)|ALTNAME/;
const unsentCodes: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENETUNREACH',
  'EHOSTUNREACH',
  'EADDRNOTAVAIL',
  'EPROTO',
]);

/** The failure behind an error of the runtime's HTTP. */
export function networkError(error: unknown, received: boolean, connectTimeout = connectMilliseconds): ApiError {
  const code = codeOf(error);
  if (code === 'UND_ERR_CONNECT_TIMEOUT') {
    return new ApiError({ kind: 'timeout', phase: 'connect', seconds: connectTimeout / 1000, sent: false });
  }
  if (received) return new ApiError({ kind: 'truncated' });
  const proxyStatus = proxyStatusOf(error);
  if (proxyStatus !== undefined) return new ApiError({ kind: 'proxy', status: proxyStatus });
  if (certificateCodes.test(code)) return new ApiError({ kind: 'certificate', code });
  // Without TLS nothing was sent either: the handshake comes first.
  return new ApiError({ kind: 'network', code, sent: !unsentCodes.has(code) && !code.startsWith('ERR_SSL') });
}

// Causes nest, and an attempt at several addresses gives an aggregate. Only codes are taken over: messages may quote headers.
function codeOf(error: unknown, depth = 0): string {
  if (typeof error !== 'object' || error === null || depth > 5) return 'unknown error';
  if ('code' in error && typeof error.code === 'string') return error.code;
  if ('cause' in error && error.cause !== undefined) return codeOf(error.cause, depth + 1);
  if ('errors' in error && Array.isArray(error.errors)) return codeOf(error.errors[0], depth + 1);
  return 'unknown error';
}

// A refused tunnel has no code of its own; of its message only the status is taken over.
function proxyStatusOf(error: unknown, depth = 0): number | undefined {
  if (typeof error !== 'object' || error === null || depth > 5) return undefined;
  const status = error instanceof Error ? /^Proxy response \((\d{3})\)/.exec(error.message)?.[1] : undefined;
  if (status !== undefined) return Number(status);
  return 'cause' in error ? proxyStatusOf(error.cause, depth + 1) : undefined;
}

function hostOf(location: string | undefined, base: URL): string | undefined {
  if (location === undefined || !URL.canParse(location, base.href)) return undefined;
  return new URL(location, base.href).host;
}
