/** A platform in this process, on a clock that tests turn, with a token in hand. */

import { parseExact } from '../../../server/api/transport/json.ts';
import { createPlatformApp, type PlatformApp } from '../../../server/platform/index.ts';
import type { PlatformOptions } from '../../../server/platform/settings.ts';

export const noon = Date.parse('2031-04-02T12:00:00.000Z');

export interface Clock {
  time: number;
  advance(milliseconds: number): void;
}

/** What JSON.parse gives: tests read answers of every shape. */
export type Parsed = ReturnType<typeof JSON.parse>;

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** Undefined where there is no body. Rows keep exact integers. */
  readonly body: Parsed;
}

export interface SignedIn {
  readonly app: PlatformApp;
  readonly clock: Clock;
  readonly token: string;
  /** Calls below /api/v2 with the headers of header set A. */
  call(method: string, path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<Answer>;
  execute(queryText: string, options?: object): Promise<Answer>;
}

export function createClock(time: number = noon): Clock {
  const clock: Clock = {
    time,
    advance(milliseconds) {
      clock.time += milliseconds;
    },
  };
  return clock;
}

export async function signIn(
  options: Omit<PlatformOptions, 'now'> = {},
  clock: Clock = createClock(),
): Promise<SignedIn> {
  const app = createPlatformApp({ rateLimit: false, ...options, now: () => clock.time });
  const token = await requestToken(app, 86_400);
  const call: SignedIn['call'] = async (method, path, body, headers = {}) => {
    const response = await app.request(`http://platform.test/api/v2${path}`, {
      method,
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    return readAnswer(response);
  };
  return {
    app,
    clock,
    token,
    call,
    execute: (queryText, rest = {}) => call('POST', '/Queries/execute', { query: { queryText }, ...rest }),
  };
}

export async function readAnswer(response: Response): Promise<Answer> {
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === '' ? undefined : parseExact(text) };
}

export async function requestToken(app: PlatformApp, lifetime?: number): Promise<string> {
  const response = await app.request('http://platform.test/api/v2/access/tokens', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', [`X-${app.settings.vendorPrefix}-UAKS`]: app.key.secret },
    body: JSON.stringify({ keyId: app.key.keyId, ...(lifetime === undefined ? {} : { expiryTime: lifetime }) }),
  });
  const { token } = (await response.json()) as { readonly token: string };
  return token;
}
