import { describe, expect, it } from 'vitest';
import { type ApiClient, createApiClient } from '../../../server/api/client.ts';
import type { AnyEndpoint } from '../../../server/api/endpoint.ts';
import { allEndpoints } from '../../../server/api/endpoints/index.ts';
import { ApiError } from '../../../server/api/transport/errors.ts';
import { createFetchTransport } from '../../../server/api/transport/fetch.ts';
import { createSecret } from '../../../server/api/transport/redact.ts';
import { createPlatformApp, type PlatformApp } from '../../../server/platform/index.ts';
import { everyCall } from './support/every-operation.ts';

interface Bench {
  readonly app: PlatformApp;
  readonly client: ApiClient;
}

function bench(): Bench {
  const app = createPlatformApp({ rateLimit: false });
  const client = createApiClient({
    origin: 'http://127.0.0.1',
    vendorPrefix: 'SVC',
    keyId: app.key.keyId,
    secret: createSecret(app.key.secret),
    transport: createFetchTransport((url, init) => app.request(new Request(url, init))),
    random: () => 0,
  });
  return { app, client };
}

describe('every operation, against the local platform', () => {
  const rows = new Map<string, { validated: boolean; called: boolean; mapped: boolean }>();

  it.each(everyCall)('$id', async ({ id, call }) => {
    const endpoint = allEndpoints.find((candidate) => candidate.id === id) as AnyEndpoint;
    const row = { validated: false, called: false, mapped: false };
    rows.set(id, row);

    const own = bench();
    await own.client.authenticate();
    await call(own);
    row.called = true;
    row.validated = await isRefused(own, endpoint);

    const faulty = bench();
    const failure = { kind: 'status', status: 403, message: 'not you' } as const;
    if (endpoint.headers !== 'token') await faulty.client.authenticate();
    // Only the operation itself fails, not what prepares for it.
    const path = `/api/v2${endpoint.path.replaceAll(/\{[^}]+\}/g, '*')}`;
    faulty.app.faults.add({ match: `${endpoint.method} ${path}`, times: 99, action: failure });
    const error = await call(faulty).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(ApiError);
    const { status, message, action } = error as ApiError;
    row.mapped = status === 403 && message.includes('not you') && action.includes('permission');
    expect(row).toEqual({ validated: true, called: true, mapped: true });
  });

  it('is covered, and the table says so', () => {
    const yes = (value: boolean | undefined) => (value === undefined ? ' – ' : value ? 'yes' : 'NO ');
    const lines = allEndpoints.map(({ id, method, path, source }) => {
      const row = rows.get(id);
      const cells = [row?.validated, row?.called, row?.mapped].map(yes).join('    ');
      return `${id.padEnd(36)} ${source.padEnd(14)} yes    ${cells}   ${method} ${path}`;
    });
    const head = `${'operation'.padEnd(36)} ${'source'.padEnd(14)} typed  valid  called error`;
    const specified = allEndpoints.filter((endpoint) => endpoint.source === 'specification').length;
    console.info([head, ...lines].join('\n'));
    console.info(`${allEndpoints.length} operations, ${specified} of the specification; ${rows.size} called`);
    expect(specified).toBe(85);
    expect(everyCall.map(({ id }) => id).sort()).toEqual(allEndpoints.map(({ id }) => id).sort());
    expect([...rows.keys()].sort()).toEqual(allEndpoints.map(({ id }) => id).sort());
    expect([...rows.values()].every((row) => row.validated && row.called && row.mapped)).toBe(true);
  });
});

/** Whether a call that cannot be right is refused: by the client before it is sent, and, around the client, by the platform. */
async function isRefused({ app, client }: Bench, endpoint: AnyEndpoint): Promise<boolean> {
  const untyped = client.call as (called: AnyEndpoint, callArguments: unknown) => Promise<unknown>;
  const extra = await untyped(endpoint, endpoint.body === undefined ? { body: {} } : { body: { noSuchKey: 1 } }).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  const byClient = extra instanceof ApiError && extra.failure.kind === 'invalid-call';
  if (endpoint.body === undefined) return byClient;
  const secretHeader = { 'X-SVC-UAKS': app.key.secret, 'Content-Type': 'application/json' };
  const answer = await app.request('http://127.0.0.1/api/v2/access/tokens', {
    method: 'POST',
    headers: secretHeader,
    body: JSON.stringify({ keyId: app.key.keyId, expiryTime: 60 }),
  });
  const { token } = (await answer.json()) as { token: string };
  const path = `/api/v2${endpoint.path.replaceAll(/\{[^}]+\}/g, 'Nothing_Such')}`;
  const authorization = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  const response = await app.request(`http://127.0.0.1${path}`, {
    method: endpoint.method,
    headers: endpoint.headers === 'token' ? secretHeader : authorization,
    body: JSON.stringify({ noSuchKey: 1 }),
  });
  const body = (await response.json()) as { message?: unknown };
  return byClient && response.status >= 400 && response.status < 500 && typeof body.message === 'string';
}
