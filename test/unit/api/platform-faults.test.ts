import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type ApiClient, type ApiClientOptions, createApiClient } from '../../../server/api/client.ts';
import { endpoints } from '../../../server/api/endpoints/index.ts';
import { ApiError } from '../../../server/api/transport/errors.ts';
import { createFetchTransport } from '../../../server/api/transport/fetch.ts';
import { createSecret } from '../../../server/api/transport/redact.ts';
import { createUndiciTransport } from '../../../server/api/transport/undici.ts';
import { type Fault, type RunningPlatform, startPlatform } from '../../../server/platform/index.ts';

const transports = [
  ['undici', () => createUndiciTransport()],
  ['fetch', () => createFetchTransport(fetch)],
] as const;

type FaultCase = readonly [
  name: string,
  action: NonNullable<Fault['action']>,
  write: string,
  done: boolean | undefined,
];

// What a single disturbance does to a write: how it is reported, and whether the service carried it out.
const cases: readonly FaultCase[] = [
  ['status 500', { kind: 'status', status: 500 }, 'ambiguous', false],
  ['status 503', { kind: 'status', status: 503 }, 'status', false],
  ['a reset before the work', { kind: 'reset' }, 'ambiguous', false],
  ['a reset after the work', { kind: 'reset', late: true }, 'ambiguous', true],
  ['an answer cut short', { kind: 'truncate', bytes: 20 }, 'ambiguous', true],
  ['a redirect', { kind: 'redirect', status: 307, location: 'https://evil.test/' }, 'redirect', false],
  ['a slow answer', { kind: 'slow', bytes: 4_000, pause: 2 }, 'none', true],
];
describe.each(transports)('the local platform disturbed, by %s', (_, createTransport) => {
  let platform: RunningPlatform;
  const clients: ApiClient[] = [];

  beforeAll(async () => {
    platform = await startPlatform({ rateLimit: true });
  });
  afterAll(async () => {
    for (const client of clients) await client.close();
    await platform.stop();
  });
  beforeEach(() => platform.app.faults.clear());

  function connect(options: Partial<ApiClientOptions> = {}): ApiClient {
    const client = createApiClient({
      origin: platform.url,
      vendorPrefix: 'SVC',
      keyId: platform.keyId,
      secret: createSecret(platform.secret),
      transport: createTransport(),
      random: () => 0,
      ...options,
    });
    clients.push(client);
    return client;
  }

  it.each(cases)('%s', async (name, action, writeOutcome, done) => {
    const client = connect();
    await client.authenticate();

    platform.app.faults.add({ match: 'GET /api/v2/Datasources', action });
    const read = await outcomeOf(client.call(endpoints.datasources.list));
    // A read is repeated after everything that may pass; only what leads elsewhere is not.
    expect([name, read]).toEqual([name, action.kind === 'redirect' ? 'redirect' : 'none']);

    const queryId = `Acme_${name.replaceAll(/\W/g, '_')}_${clients.length}`;
    platform.app.faults.add({ match: 'POST /api/v2/Queries', action });
    const body = { queryId, queryText: '{ source { SVC_HE_MACHINES } return { MID } }' };
    const write = await outcomeOf(client.call(endpoints.queries.create, { body }));
    const { data } = await client.call(endpoints.queries.list);
    expect([name, write, data.filter((query) => query.queryId === queryId).length]).toEqual([
      name,
      writeOutcome,
      done ? 1 : 0,
    ]);
  });

  it('gets a new token when the service forgot the old one', async () => {
    const client = connect();
    await client.authenticate();
    platform.app.faults.add({ match: 'GET /api/v2/Datasources', action: { kind: 'status', status: 401 } });
    expect((await client.call(endpoints.datasources.list)).data.length).toBeGreaterThan(0);
  });

  it('reads the limit of the service from its headers, calls of others included', async () => {
    const [one, two] = [connect(), connect()];
    for (let call = 0; call < 3; call++) await one.call(endpoints.policies.list).catch(() => {});
    await two.call(endpoints.policies.list).catch(() => {});
    const left = (client: ApiClient) =>
      client.rateLimits.state().find((state) => state.functionality === 'GET Policies')?.remaining;
    expect([left(one), left(two)]).toEqual([477, 476]);
  });
});

it('a cut answer brings the bytes before the cut, and nobody reports the plan as a mishap', async () => {
  const reported = vi.spyOn(console, 'error');
  const platform = await startPlatform({ rateLimit: false });
  try {
    const json = { 'Content-Type': 'application/json' };
    const { token } = (await (
      await fetch(`${platform.url}/api/v2/access/tokens`, {
        method: 'POST',
        headers: { ...json, 'X-SVC-UAKS': platform.secret },
        body: JSON.stringify({ keyId: platform.keyId }),
      })
    ).json()) as { token: string };
    for (const bytes of [0, 5, 30_000, 80_000]) {
      platform.app.faults.add({ match: 'GET /api/v2/Datasources', action: { kind: 'truncate', bytes } });
      const answer = await fetch(`${platform.url}/api/v2/Datasources`, {
        headers: { ...json, Authorization: `Bearer ${token}` },
      });
      expect(Number(answer.headers.get('content-length'))).toBeGreaterThan(bytes);
      let received = 0;
      const reading = (async () => {
        for await (const chunk of answer.body ?? []) received += chunk.byteLength;
      })();
      await expect(reading).rejects.toThrow('terminated');
      expect(received).toBe(bytes);
    }
    expect(reported).not.toHaveBeenCalled();
  } finally {
    reported.mockRestore();
    await platform.stop();
  }
});

it('is not throttled by a platform that limits nothing', async () => {
  const platform = await startPlatform({ rateLimit: false, sample: 'none' });
  const client = createApiClient({
    origin: platform.url,
    vendorPrefix: 'SVC',
    keyId: platform.keyId,
    secret: createSecret(platform.secret),
    transport: createUndiciTransport(),
  });
  try {
    // The limit of the specification is 480.
    for (let call = 0; call < 500; call++) await client.call(endpoints.policies.list, { maxWaitMilliseconds: 0 });
    const state = client.rateLimits.state().find(({ functionality }) => functionality === 'GET Policies');
    expect(state).toMatchObject({ limit: 1_000_000, remaining: 999_500, queued: 0, resetsAt: undefined });
  } finally {
    await client.close();
    await platform.stop();
  }
});

async function outcomeOf(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => 'none',
    (error: unknown) => (error instanceof ApiError ? error.failure.kind : String(error)),
  );
}
