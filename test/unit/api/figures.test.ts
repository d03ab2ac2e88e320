// The figures that the client is to hold, each against the local platform and its fault plans. Seeds are printed; SEED=n replays one.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ApiClient, type ApiClientOptions, createApiClient } from '../../../server/api/client.ts';
import { endpoints } from '../../../server/api/endpoints/index.ts';
import { collectPages } from '../../../server/api/paging.ts';
import type { Clock } from '../../../server/api/transport/clock.ts';
import { ApiError } from '../../../server/api/transport/errors.ts';
import { createFetchTransport } from '../../../server/api/transport/fetch.ts';
import { createRateLimits } from '../../../server/api/transport/rate-limits.ts';
import { createSecret } from '../../../server/api/transport/redact.ts';
import { maxRetries } from '../../../server/api/transport/retries.ts';
import type { Transport, TransportRequest } from '../../../server/api/transport/transport.ts';
import { createUndiciTransport } from '../../../server/api/transport/undici.ts';
import { exportRows } from '../../../server/core/results/export.ts';
import { createRowStore } from '../../../server/core/results/row-store.ts';
import { createPlatformApp, type Fault, type RunningPlatform, startPlatform } from '../../../server/platform/index.ts';
import { type FaultServer, startFaultServer } from './support/fault-server.ts';
import { createScriptTransport } from './support/script-transport.ts';
import { createVirtualClock } from './support/virtual-clock.ts';

const deep = process.env['DEEP'] !== undefined;
const seed = Number(process.env['SEED'] ?? (deep ? Date.now() % 2 ** 31 : 20_310_402));
const hour = 3_600_000;
const query = { queryText: '{ source { SVC_HE_MACHINES } return { MID } }' };

function figure(what: string, value: string): void {
  console.info(`figure: ${what}: ${value} (seed ${seed})`);
}

/** Numbers from 0 to 1, the same for a seed. */
function seeded(): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

interface Watched extends Transport {
  readonly requests: TransportRequest[];
  readonly statuses: number[];
  readonly running: number;
}

function watched(inner: Transport): Watched {
  const requests: TransportRequest[] = [];
  const statuses: number[] = [];
  let running = 0;
  return {
    requests,
    statuses,
    get running() {
      return running;
    },
    async send(request) {
      requests.push(request);
      running++;
      try {
        const answer = await inner.send(request);
        statuses.push(answer.status);
        return answer;
      } finally {
        running--;
      }
    },
    close: () => inner.close(),
  };
}

const isToken = ({ url }: TransportRequest): boolean => url.pathname === '/api/v2/access/tokens';

/** Pauses take no time; whoever counts attempts need not wait between them. */
const hasty = (): Clock => {
  let skipped = 0;
  return {
    monotonic: () => performance.now() + skipped,
    wall: () => Date.now() + skipped,
    sleep: async (milliseconds) => {
      skipped += milliseconds;
    },
  };
};

describe('against the local platform', () => {
  let platform: RunningPlatform;
  let inner: Transport;
  beforeAll(async () => {
    platform = await startPlatform({ rateLimit: false });
    inner = createUndiciTransport({ connections: 32 });
  });
  afterAll(async () => {
    await inner.close();
    await platform.stop();
  });
  function connect(options: Partial<ApiClientOptions> = {}): { client: ApiClient; transport: Watched } {
    const transport = watched(inner);
    const client = createApiClient({
      origin: platform.url,
      vendorPrefix: 'SVC',
      keyId: platform.keyId,
      secret: createSecret(platform.secret),
      transport,
      random: seeded(),
      rateLimits: createRateLimits({ clock: hasty(), limit: 1_000_000 }),
      ...options,
    });
    return { client, transport };
  }

  it('1,000 calls at once without a token ask for one', async () => {
    platform.app.faults.add({ match: 'POST /api/v2/access/tokens', delay: 50 });
    const { client, transport } = connect();
    await Promise.all(Array.from({ length: 1_000 }, () => client.call(endpoints.policies.list)));
    const tokens = transport.requests.filter(isToken).length;
    figure('token requests of 1,000 concurrent calls', `${tokens}`);
    expect([tokens, transport.requests.length]).toEqual([1, 1_001]);
  });

  it('no write is repeated once bytes may have left, whatever happens; no call is retried more than three times', async () => {
    const random = seeded();
    const actions: readonly NonNullable<Fault['action']>[] = [
      { kind: 'reset' },
      { kind: 'reset', late: true },
      { kind: 'status', status: 500 },
      { kind: 'status', status: 502 },
      { kind: 'status', status: 503 },
      { kind: 'status', status: 504 },
      { kind: 'truncate', bytes: 7 },
      { kind: 'slow', bytes: 1_024, pause: 1 },
    ];
    const count = deep ? 2_000 : 150;
    const outcomes = new Map<string, number>();
    let most = 0;
    for (let index = 0; index < count; index++) {
      const { client, transport } = connect({ clock: hasty() });
      await client.authenticate();
      const action = actions[Math.floor(random() * actions.length)] as NonNullable<Fault['action']>;
      const write = random() < 0.7;
      platform.app.faults.add({
        match: write ? 'POST /api/v2/AlertChannels' : 'GET /api/v2/Policies',
        times: 1 + Math.floor(random() * 6),
        action,
      });
      // Channels have no id of the caller's choice: sent twice, there would be two.
      const body = {
        name: `channel ${index}`,
        type: 'Webhook',
        enabled: 1,
        data: { webhookUrl: 'https://x.test/' },
      } as const;
      const outcome = await (write
        ? client.call(endpoints.alertChannels.create, { body })
        : client.call(endpoints.policies.list)
      ).then(
        () => 'answer',
        (error: unknown) => (error instanceof ApiError ? error.failure.kind : String(error)),
      );
      platform.app.faults.clear();
      const key = `${write ? 'write' : 'read'}: ${outcome}`;
      outcomes.set(key, (outcomes.get(key) ?? 0) + 1);
      const sent = transport.requests.filter((request) => !isToken(request)).length;
      most = Math.max(most, sent);
      expect([index, action.kind, write, sent]).toEqual([index, action.kind, write, write ? 1 : expect.any(Number)]);
    }
    const { data } = await connect().client.call(endpoints.alertChannels.list);
    const names = data.map(({ name }) => name);
    figure(
      `writes and reads under random faults, ${count} of them`,
      `${names.length - new Set(names).size} done twice, most attempts of a call ${most}, ${[...outcomes].map(([key, number]) => `${number} ${key}`).join(', ')}`,
    );
    expect(new Set(names).size).toBe(names.length);
    expect(most).toBeLessThanOrEqual(1 + maxRetries);
    expect(outcomes.get('write: ambiguous')).toBeGreaterThan(20);
  });

  it.each<readonly [string, NonNullable<Fault['action']>]>([
    ['503', { kind: 'status', status: 503 }],
    ['resets', { kind: 'reset' }],
  ])('a total outage by %s costs at most a tenth more', async (name, action) => {
    const { client, transport } = connect({ clock: hasty() });
    await client.authenticate();
    platform.app.faults.add({ match: '* *', times: 1_000_000, action });
    const calls = deep ? 10_000 : 1_000;
    let failed = 0;
    for (let call = 0; call < calls; call++) await client.call(endpoints.policies.list).catch(() => failed++);
    platform.app.faults.clear();
    const sent = transport.requests.filter((request) => !isToken(request)).length;
    figure(`requests in an outage by ${name}`, `${sent} for ${calls} calls, ${(sent / calls).toFixed(3)} ×`);
    expect(failed).toBe(calls);
    expect(sent / calls).toBeLessThanOrEqual(1.1);
  });

  it('an answer cut anywhere is never taken for the whole', async () => {
    const { client, transport } = connect({ clock: hasty() });
    const whole = await client.call(endpoints.policies.list);
    const length = JSON.stringify(whole).length;
    const random = seeded();
    const cuts = deep ? 2_000 : 150;
    let complete = 0;
    for (let cut = 0; cut < cuts; cut++) {
      const bytes = Math.floor(random() * (length - 1));
      platform.app.faults.add({ match: 'GET /api/v2/Policies', times: 99, action: { kind: 'truncate', bytes } });
      const kind = await client.call(endpoints.policies.list).then(
        () => 'complete',
        (error: unknown) => (error instanceof ApiError ? error.failure.kind : String(error)),
      );
      platform.app.faults.clear();
      if (kind !== 'truncated' && kind !== 'network') complete++;
    }
    figure(`answers of ${length} bytes cut at random places, ${cuts} of them`, `${complete} taken for complete`);
    expect([complete, transport.requests.length > cuts]).toEqual([0, true]);
  });
});

it('a clock that is wrong by a day costs no call and no token', async () => {
  const lines: string[] = [];
  for (const skew of [-24 * hour, 0, 24 * hour]) {
    const clock = createVirtualClock();
    // The service's clock is right; the one here is off by the skew.
    const app = createPlatformApp({ rateLimit: false, sample: 'none', now: () => clock.wall() });
    const transport = watched(createFetchTransport((url, init) => app.request(new Request(url, init))));
    const client = createApiClient({
      origin: 'http://127.0.0.1',
      vendorPrefix: 'SVC',
      keyId: app.key.keyId,
      secret: createSecret(app.key.secret),
      transport,
      clock: { ...clock, wall: () => clock.wall() + skew },
    });
    for (let minute = 0; minute < 24 * 60; minute += 5) {
      await client.call(endpoints.policies.list);
      await clock.advance(5 * 60_000);
    }
    const tokens = transport.requests.filter(isToken).length;
    const refused = transport.statuses.filter((status) => status === 401).length;
    lines.push(`${skew / hour} h: ${tokens} tokens, ${refused} refused`);
    // One for each 48 minutes of a day: four fifths of an hour.
    expect([skew, refused, tokens <= 31]).toEqual([skew, 0, true]);
    await app.close();
  }
  figure('a day of calls with the clock here wrong', lines.join('; '));
});

describe('the rate limit of the platform, on a virtual clock', () => {
  it('is never run into by 10,000 calls of any mixture, and a tenth is kept for the person', async () => {
    const clock = createVirtualClock();
    const app = createPlatformApp({ rateLimit: true, sample: 'none', now: () => clock.wall() });
    const transport = watched(createFetchTransport((url, init) => app.request(new Request(url, init))));
    const client = createApiClient({
      origin: 'http://127.0.0.1',
      vendorPrefix: 'SVC',
      keyId: app.key.keyId,
      secret: createSecret(app.key.secret),
      transport,
      clock,
      random: seeded(),
      tokenSeconds: 86_400,
    });
    const random = seeded();
    const kinds = [
      (settings: object) => client.call(endpoints.alertChannels.list, settings),
      // Shares its bucket with the list.
      (settings: object) =>
        client.call(endpoints.alertChannels.listByType, { ...settings, params: { type: 'Webhook' } }),
      (settings: object) => client.call(endpoints.alertChannels.search, settings),
      (settings: object) => client.call(endpoints.policies.list, settings),
      (settings: object) => client.call(endpoints.agentAccessTokens.list, settings),
      (settings: object) => client.call(endpoints.schemas.listTypes, settings),
    ];
    const total = 10_000;
    let done = 0;
    const failures = new Map<string, number>();
    const start = clock.monotonic();
    for (let call = 0; call < total; call++) {
      const kind = kinds[Math.floor(random() * kinds.length)] as (typeof kinds)[number];
      const priority = random() < 0.2 ? 'person' : 'background';
      void kind({ priority, maxWaitMilliseconds: Number.POSITIVE_INFINITY })
        .catch((error: unknown) => {
          const text = error instanceof ApiError ? error.failure.kind : String(error);
          failures.set(text, (failures.get(text) ?? 0) + 1);
        })
        .then(() => {
          done++;
        });
      if (call % 500 === 499) await settled(transport);
    }
    while (done < total) {
      await clock.advance(60_000);
      await settled(transport);
    }
    const refusals = transport.statuses.filter((status) => status === 429).length;
    const hours = ((clock.monotonic() - start) / hour).toFixed(1);
    figure(
      'self-inflicted 429 of 10,000 calls',
      `${refusals} in ${hours} virtual hours, ${transport.requests.length} requests`,
    );
    expect([refusals, [...failures]]).toEqual([0, []]);
    await app.close();
  }, 300_000);

  it('background work leaves 48 of 480 calls, and the person gets one of them at once', async () => {
    const clock = createVirtualClock();
    const app = createPlatformApp({ rateLimit: true, sample: 'none', now: () => clock.wall() });
    const transport = watched(createFetchTransport((url, init) => app.request(new Request(url, init))));
    const client = createApiClient({
      origin: 'http://127.0.0.1',
      vendorPrefix: 'SVC',
      keyId: app.key.keyId,
      secret: createSecret(app.key.secret),
      transport,
      clock,
    });
    const background = Array.from({ length: 600 }, () =>
      client.call(endpoints.policies.list, { priority: 'background' }),
    );
    await settled(transport);
    const answered = transport.statuses.length - 1;
    await client.call(endpoints.policies.list, { maxWaitMilliseconds: 0 });
    figure('calls of 600 in the background that go out at once', `${answered}, then one of the person without a wait`);
    expect([answered, transport.statuses.length]).toEqual([432, 434]);
    await clock.advance(hour + 1_000);
    await settled(transport);
    await Promise.all(background);
    expect(transport.statuses).not.toContain(429);
    await app.close();
  });
});

/** Until nothing is under way any more: what the answers start included. */
async function settled(transport: Watched): Promise<void> {
  for (let quiet = 0; quiet < 3; ) {
    await new Promise((resolve) => setImmediate(resolve));
    quiet = transport.running === 0 ? quiet + 1 : 0;
  }
}

describe('connections', () => {
  const transports = [
    ['undici', () => createUndiciTransport()],
    ['fetch', () => createFetchTransport(fetch)],
  ] as const;
  let server: FaultServer;
  let written = 0;
  beforeAll(async () => {
    server = await startFaultServer((request, response) => {
      if (request.path.endsWith('/Policies')) {
        // Without an end, as fast as it is taken.
        const chunk = Buffer.alloc(65_536, 0x20);
        response.writeHead(200, { 'content-type': 'application/json' });
        written = 0;
        const more = (): void => {
          for (let taken = true; taken && !response.destroyed; written += chunk.length) taken = response.write(chunk);
          if (!response.destroyed) response.once('drain', more);
        };
        more();
        return;
      }
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write('{"data":[');
    });
  });
  afterAll(() => server.stop());

  it.each(transports)('a cancel closes the socket within 100 ms, by %s', async (name, create) => {
    const client = createApiClient({
      origin: server.url,
      vendorPrefix: 'SVC',
      keyId: 'K',
      secret: createSecret('_secret0123'),
      transport: create(),
    });
    const times: number[] = [];
    for (let round = 0; round < 20; round++) {
      const controller = new AbortController();
      const before = server.requests.length;
      const pending = client
        .call(endpoints.queries.list, { signal: controller.signal })
        .catch((error: unknown) => error);
      while (!server.requests.slice(before).some(({ path }) => path.endsWith('/Queries')))
        await new Promise((resolve) => setTimeout(resolve, 1));
      const closed = server.closed();
      const start = performance.now();
      controller.abort();
      expect(((await pending) as ApiError).failure).toEqual({ kind: 'cancelled' });
      await closed;
      times.push(performance.now() - start);
    }
    times.sort((a, b) => a - b);
    figure(
      `cancel until the socket is closed, ${name}`,
      `median ${times[10]?.toFixed(1)} ms, slowest of 20 ${times[19]?.toFixed(1)} ms`,
    );
    expect(times[10]).toBeLessThan(100);
    await client.close();
  });

  it.each(transports)('a body without an end is cut off at the cap while it streams, by %s', async (name, create) => {
    const cap = 4 * 1_048_576;
    const client = createApiClient({
      origin: server.url,
      vendorPrefix: 'SVC',
      keyId: 'K',
      secret: createSecret('_secret0123'),
      transport: create(),
      limits: { maxBodyBytes: cap },
    });
    const error: unknown = await client.call(endpoints.policies.list).catch((reason: unknown) => reason);
    expect((error as ApiError).failure).toEqual({ kind: 'too-large', limit: cap });
    figure(
      `endless body under a cap of 4 MB, ${name}`,
      `refused after ${(written / 1_048_576).toFixed(1)} MB were written`,
    );
    // What lies in the buffers of both ends is not read any more.
    expect(written).toBeLessThan(cap + 16 * 1_048_576);
    await client.close();
  });
});

it('no hostile next page is fetched, no hostile header is believed', async () => {
  const random = seeded();
  const origin = 'https://acme.example.net';
  const hosts = [
    'evil.test',
    'acme.example.net.evil.test',
    'acme.example.net@evil.test',
    'acme.example.net:444',
    '127.0.0.1',
    '[::1]',
  ];
  const paths = [
    '/api/v2/Entities/Machines/x',
    '/',
    '/api/v2/access/tokens',
    '/api/v2/Entities/Machines/../../Policies',
  ];
  const numbers = ['-1', '99999999999', '1e308', 'NaN', 'soon', '', '0x10', ' 7 ', '2147483648', '0'];
  const tries = deep ? 10_000 : 500;
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  let elsewhere = 0;
  let longest = 0;
  for (let attempt = 0; attempt < tries; attempt++) {
    const foreign = random() < 0.7;
    const next = foreign
      ? `${pick(['https', 'http', 'file', 'javascript'])}://${pick(hosts)}${pick(paths)}`
      : `${origin}${pick(paths.slice(1))}`;
    const headers = new Map(
      ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset', 'retry-after'].map((name) => [name, pick(numbers)]),
    );
    const clock = createVirtualClock();
    const transport = createScriptTransport(() => ({
      status: 200,
      headers,
      body: Buffer.from(JSON.stringify({ data: [{ mid: 1 }], paging: { urls: { nextPage: next } } })),
    }));
    const client = createApiClient({
      origin,
      vendorPrefix: 'SVC',
      keyId: 'K',
      secret: createSecret('_secret0123'),
      transport,
      clock,
    });
    await collectPages(client.pages(endpoints.searches.machines)).catch(() => undefined);
    elsewhere += transport.requests.slice(2).length;
    for (const { resetsAt } of client.rateLimits.state()) longest = Math.max(longest, (resetsAt ?? 0) - clock.wall());
  }
  figure(
    `hostile next pages and rate headers, ${tries} tries`,
    `${elsewhere} pages fetched, longest wait believed ${longest / 1000} s`,
  );
  expect(elsewhere).toBe(0);
  expect(longest).toBeLessThanOrEqual(hour);
});

it('integers are exact from the wire to the table and every export', async () => {
  const random = seeded();
  const count = deep ? 100_000 : 5_000;
  const integers = Array.from({ length: count }, () => {
    const bits = BigInt(1 + Math.floor(random() * 64));
    let value = 0n;
    for (let piece = 0; piece < 3; piece++) value = (value << 22n) | BigInt(Math.floor(random() * 2 ** 22));
    return BigInt.asIntN(64, value & ((1n << bits) - 1n)) * (random() < 0.3 ? -1n : 1n);
  });
  const rows = integers.map((value, index) => `{"N":${value},"DEEP":{"list":[${value},"${value}"]},"I":${index}}`);
  const transport = createScriptTransport(() => ({
    status: 200,
    headers: new Map(),
    body: Buffer.from(`{"data":[${rows.join(',')}]}`),
  }));
  const client = createApiClient({
    origin: 'https://acme.example.net',
    vendorPrefix: 'SVC',
    keyId: 'K',
    secret: createSecret('_secret0123'),
    transport,
  });
  const answer = await client.call(endpoints.queries.execute, { body: { query } });
  const store = createRowStore();
  store.append(answer.data);
  const selection = {
    rows: Uint32Array.from({ length: count }, (_, row) => row),
    columns: store.columns.map((_, column) => column),
    header: false,
  };
  const text = (format: 'csv' | 'ndjson' | 'json') => [...exportRows(store, selection, format)].join('');
  const csv = text('csv').split('\r\n');
  const ndjson = text('ndjson').split('\n');
  const json = [...text('json').matchAll(/"N": ?(-?\d+)/g)].map((match) => match[1]);
  let altered = 0;
  for (const [row, value] of integers.entries()) {
    const exact =
      BigInt(store.value(row, 0) as bigint | number) === value &&
      store.text(row, 0) === `${value}` &&
      csv[row]?.startsWith(`${value},`) === true &&
      ndjson[row] === rows[row] &&
      json[row] === `${value}`;
    if (!exact) altered++;
  }
  figure(`64-bit integers through wire, table, CSV, NDJSON and JSON, ${count} of them`, `${altered} altered`);
  expect(altered).toBe(0);
});
