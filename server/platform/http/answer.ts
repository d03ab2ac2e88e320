import type { AnyEndpoint } from '../../api/endpoint.ts';
import { ServiceError } from '../service-error.ts';
import type { PlatformSettings } from '../settings.ts';
import { answerJson } from './wire-json.ts';

export type Headers = { readonly [name: string]: string };

/** The answer to a request that went well. */
export function successAnswer(
  endpoint: AnyEndpoint,
  result: unknown,
  settings: PlatformSettings,
  headers: Headers,
): Response {
  const empty = endpoint.emptyAs204 && settings.switches['empty-lists'] === '204' && isEmptyList(result);
  if (result === undefined || endpoint.success === 204 || empty) return new Response(null, { status: 204, headers });
  const value = settings.injectUnknownFields ? withUnknownFields(result) : result;
  return jsonAnswer(endpoint.success, answerJson(value), headers);
}

/** The answer to one that did not: `{message}`. */
export function errorAnswer(error: ServiceError, headers: Headers): Response {
  return jsonAnswer(error.status, JSON.stringify({ message: error.message }), { ...headers, ...error.headers });
}

/** A failure as the service words it; anything that is not a ServiceError is a mistake of ours. */
export function asServiceError(error: unknown): ServiceError {
  return error instanceof ServiceError ? error : new ServiceError(500, 'Internal error');
}

function jsonAnswer(status: number, text: string | Uint8Array<ArrayBuffer>, headers: Headers): Response {
  return new Response(text, {
    status,
    headers: { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store', ...headers },
  });
}

function isEmptyList(result: unknown): boolean {
  return (
    typeof result === 'object' &&
    result !== null &&
    'data' in result &&
    Array.isArray(result.data) &&
    result.data.length === 0
  );
}

/** Every object gets a field that no client knows: responses may be extended at any time. Result rows stay as they are. */
function withUnknownFields(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withUnknownFields);
  if (typeof value !== 'object' || value === null) return value;
  const copy: { [key: string]: unknown } = { fieldOfTheFuture: { since: 2 } };
  for (const [key, entry] of Object.entries(value)) copy[key] = withUnknownFields(entry);
  return copy;
}
