import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApiClient } from '../../../server/api/client.ts';
import type { AnyEndpoint } from '../../../server/api/endpoint.ts';
import { allEndpoints } from '../../../server/api/endpoints/index.ts';
import type { Clock } from '../../../server/api/transport/clock.ts';
import { ApiError } from '../../../server/api/transport/errors.ts';
import { createSecret } from '../../../server/api/transport/redact.ts';
import { maxRetries } from '../../../server/api/transport/retries.ts';
import type { Transport } from '../../../server/api/transport/transport.ts';
import { createUndiciTransport } from '../../../server/api/transport/undici.ts';
import { type Fault, type RunningPlatform, startPlatform } from '../../../server/platform/index.ts';
import { everyCall } from './support/every-operation.ts';

type Outcome = 'answer' | ApiError['failure']['kind'];

interface FaultKind {
  readonly name: string;
  readonly fault: Omit<Fault, 'match'>;
  /** How a call ends that may be repeated, and how often it is sent. */
  readonly repeatable: readonly [Outcome, number];
  /** The same of one that may not. */
  readonly write: readonly [Outcome, number];
}

const forever = maxRetries + 1;
const status = (code: number, headers: Readonly<Record<string, string>> = {}): NonNullable<Fault['action']> => ({
  kind: 'status',
  status: code,
  headers,
});

// A disturbance happens once, unless it is said to last.
const kinds: readonly FaultKind[] = [
  { name: 'status 400', fault: { action: status(400) }, repeatable: ['status', 1], write: ['status', 1] },
  { name: 'status 401', fault: { action: status(401) }, repeatable: ['answer', 2], write: ['answer', 2] },
  { name: 'status 403', fault: { action: status(403) }, repeatable: ['status', 1], write: ['status', 1] },
  { name: 'status 409', fault: { action: status(409) }, repeatable: ['status', 1], write: ['status', 1] },
  {
    name: 'status 429',
    fault: { action: status(429, { 'RateLimit-Reset': '3' }) },
    repeatable: ['answer', 2],
    write: ['answer', 2],
  },
  { name: 'status 500', fault: { action: status(500) }, repeatable: ['answer', 2], write: ['ambiguous', 1] },
  { name: 'status 502', fault: { action: status(502) }, repeatable: ['answer', 2], write: ['ambiguous', 1] },
  { name: 'status 503', fault: { action: status(503) }, repeatable: ['answer', 2], write: ['status', 1] },
  { name: 'status 504', fault: { action: status(504) }, repeatable: ['answer', 2], write: ['ambiguous', 1] },
  { name: 'delay', fault: { delay: 3 }, repeatable: ['answer', 1], write: ['answer', 1] },
  { name: 'reset early', fault: { action: { kind: 'reset' } }, repeatable: ['answer', 2], write: ['ambiguous', 1] },
  {
    name: 'reset late',
    fault: { action: { kind: 'reset', late: true } },
    repeatable: ['answer', 2],
    write: ['ambiguous', 1],
  },
  {
    name: 'truncation',
    fault: { action: { kind: 'truncate', bytes: 5 } },
    repeatable: ['answer', 2],
    write: ['ambiguous', 1],
  },
  {
    name: 'slow body',
    fault: { action: { kind: 'slow', bytes: 16_384, pause: 1 } },
    repeatable: ['answer', 1],
    write: ['answer', 1],
  },
  {
    name: 'redirect',
    fault: { action: { kind: 'redirect', status: 307, location: 'https://elsewhere.invalid/' } },
    repeatable: ['redirect', 1],
    write: ['redirect', 1],
  },
  {
    name: 'outage by 503',
    fault: { action: status(503), times: 99 },
    repeatable: ['status', forever],
    write: ['status', 1],
  },
  {
    name: 'outage by resets',
    fault: { action: { kind: 'reset' }, times: 99 },
    repeatable: ['network', forever],
    write: ['ambiguous', 1],
  },
];

/** Time goes on by itself, and waiting takes none: pauses between attempts are tested elsewhere. */
function hastyClock(): Clock {
  let skipped = 0;
  return {
    monotonic: () => performance.now() + skipped,
    wall: () => Date.now() + skipped,
    sleep: async (milliseconds) => {
      skipped += milliseconds;
    },
  };
}

function counted(inner: Transport, endpoint: AnyEndpoint): Transport & { readonly sent: number } {
  const place = new RegExp(`^/api/v2${endpoint.path.replaceAll(/\{[^}]+\}/g, '[^/]+')}$`);
  let sent = 0;
  return {
    get sent() {
      return sent;
    },
    send(request) {
      if (request.method === endpoint.method && place.test(request.url.pathname)) sent++;
      return inner.send(request);
    },
    close: () => inner.close(),
  };
}

describe.each(kinds)('every operation under: $name', ({ name, fault, repeatable, write }) => {
  let platform: RunningPlatform;
  let shared: Transport;
  beforeAll(async () => {
    platform = await startPlatform({ rateLimit: false });
    shared = createUndiciTransport();
  });
  afterAll(async () => {
    await shared.close();
    await platform.stop();
  });

  it('ends as its definition says', async () => {
    const tally = new Map<string, number>();
    let sendings = 0;
    let repeatedWrites = 0;
    for (const { id, call } of everyCall) {
      const endpoint = allEndpoints.find((candidate) => candidate.id === id) as AnyEndpoint;
      const transport = counted(shared, endpoint);
      const client = createApiClient({
        origin: platform.url,
        vendorPrefix: 'SVC',
        keyId: platform.keyId,
        secret: createSecret(platform.secret),
        transport,
        clock: hastyClock(),
        random: () => 0,
      });
      if (endpoint.headers !== 'token') await client.authenticate();
      platform.app.faults.add({
        match: `${endpoint.method} /api/v2${endpoint.path.replaceAll(/\{[^}]+\}/g, '*')}`,
        ...fault,
      });
      const outcome = await call({ client }).then(
        (): Outcome => 'answer',
        (error: unknown): Outcome | string => (error instanceof ApiError ? error.failure.kind : String(error)),
      );
      platform.app.faults.clear();
      expect([id, outcome, transport.sent]).toEqual([id, ...expectedOf(endpoint, name, repeatable, write)]);
      tally.set(outcome, (tally.get(outcome) ?? 0) + 1);
      sendings += transport.sent;
      if (!endpoint.idempotent && !name.startsWith('status 4')) repeatedWrites += transport.sent - 1;
    }
    const outcomes = [...tally].map(([outcome, number]) => `${number} ${outcome}`).join(', ');
    console.info(
      `${name}: ${everyCall.length} operations, sent ${sendings} times: ${outcomes}; writes repeated: ${repeatedWrites}`,
    );
    expect(repeatedWrites).toBe(0);
  });
});

function expectedOf(
  endpoint: AnyEndpoint,
  name: string,
  repeatable: FaultKind['repeatable'],
  write: FaultKind['write'],
): readonly [Outcome, number] {
  // Without a token there is nothing to renew.
  if (name === 'status 401' && endpoint.headers === 'token') return ['status', 1];
  // An answer without a body cannot be cut.
  if (name === 'truncation' && endpoint.response === undefined) return ['answer', 1];
  return endpoint.idempotent ? repeatable : write;
}
