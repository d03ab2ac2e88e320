import { inspect } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import {
  type ApiClient,
  type ApiClientOptions,
  type ApiLogEvent,
  createApiClient,
} from '../../../server/api/client.ts';
import { endpoints } from '../../../server/api/endpoints/index.ts';
import { ApiError } from '../../../server/api/transport/errors.ts';
import { createSecret } from '../../../server/api/transport/redact.ts';
import { answer, createScriptTransport, type Script, type ScriptTransport } from './support/script-transport.ts';
import { createVirtualClock, type VirtualClock } from './support/virtual-clock.ts';

const canary = '_canary0123456789abcdef0123456789';
const query = { queryText: '{ source { A } return { X } }' };

interface Bench {
  readonly client: ApiClient;
  readonly transport: ScriptTransport;
  readonly clock: VirtualClock;
  readonly log: ApiLogEvent[];
}

// Everything that was shown while the tests ran; searched for secrets at the end of each.
let shown: string[] = [];

function bench(script: Script, options: Partial<ApiClientOptions> = {}, answerTokens = true): Bench {
  const clock = createVirtualClock();
  const transport = createScriptTransport(script, answerTokens);
  const log: ApiLogEvent[] = [];
  const client = createApiClient({
    origin: 'https://acme.example.net',
    vendorPrefix: 'SVC',
    keyId: 'ACME_KEY',
    secret: createSecret(canary),
    transport,
    clock,
    random: () => 0.5,
    log: (event) => {
      log.push(event);
      shown.push(JSON.stringify(event), inspect(event, { depth: 9 }));
    },
    ...options,
  });
  shown.push(inspect(client, { depth: 9, showHidden: true }));
  return { client, transport, clock, log };
}

async function failureOf(promise: Promise<unknown>): Promise<ApiError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ApiError);
  const failure = error as ApiError;
  shown.push(
    inspect(failure, { depth: 9, showHidden: true }),
    failure.message,
    failure.action,
    JSON.stringify(failure),
    failure.stack ?? '',
  );
  expect(failure.action).not.toBe('');
  return failure;
}

afterEach(() => {
  const everything = shown.join('\n');
  shown = [];
  for (const secret of [canary, '_token-']) expect(everything).not.toContain(secret);
});

describe('credentials', () => {
  it('asks for one token for a thousand concurrent calls', async () => {
    const { client, transport, clock } = bench(async () => answer(200, { data: [] }), {});
    const calls = Array.from({ length: 400 }, () => client.call(endpoints.queries.list));
    const executions = Array.from({ length: 400 }, () => client.call(endpoints.queries.execute, { body: { query } }));
    const lists = Array.from({ length: 200 }, () => client.call(endpoints.policies.list));
    await clock.advance(1);
    await Promise.all([...calls, ...executions, ...lists]);
    const tokens = transport.requests.filter((request) => request.url.pathname === '/api/v2/access/tokens');
    expect(tokens).toHaveLength(1);
    expect(transport.requests).toHaveLength(1_001);
  });

  it('sends the secret in the header of the vendor, with the id and a lifetime, and nowhere else', async () => {
    for (const vendorPrefix of ['SVC', 'LW']) {
      const { client, transport } = bench(() => answer(200, { data: [] }), { vendorPrefix, tokenSeconds: 7_200 });
      await client.call(endpoints.queries.list);
      const [token, list] = transport.requests;
      expect(token?.headers[`x-${vendorPrefix.toLowerCase()}-uaks`]).toBe(canary);
      expect(JSON.parse(token?.body ?? '')).toEqual({ keyId: 'ACME_KEY', expiryTime: 7_200 });
      expect(list?.headers).toMatchObject({ authorization: 'Bearer _token-1', 'content-type': 'application/json' });
      expect(JSON.stringify([list?.headers, list?.url.href, token?.url.href, token?.body])).not.toContain(canary);
    }
  });

  it.each([
    [{ secret: createSecret('_secret\n0123456789') }, 'Copy it again'],
    [{ secret: createSecret('_secret–0123456789') }, 'Copy it again'],
    [{ secret: createSecret('') }, 'Copy it again'],
    [{ subAccount: 'prod\r\nx-evil: 1' }, 'technical name'],
    [{ subAccount: 'Zürich' }, 'technical name'],
  ])('sends nothing with what no header can carry: %#', async (options, problem) => {
    const { client, transport } = bench(() => answer(200, { data: [] }), options);
    const error = await failureOf(client.call(endpoints.queries.list));
    expect([error.failure.kind, transport.requests.length]).toEqual(['invalid-call', 0]);
    expect(error.message).toContain(problem);
    expect(error.message).not.toContain('_secret');
  });

  it('takes a token that no header can carry for a wrong answer', async () => {
    const { client, transport } = bench(
      () => answer(201, { token: 'a\nb', expiresAt: '2031-04-02T09:00:00.000Z' }),
      {},
      false,
    );
    expect((await failureOf(client.call(endpoints.queries.list))).failure.kind).toBe('unexpected-answer');
    expect(transport.requests).toHaveLength(1);
  });

  it('names the sub-account and the organization on every operation', async () => {
    const { client, transport } = bench(() => answer(200, { data: [] }), { subAccount: 'prod', organization: true });
    await client.call(endpoints.queries.list);
    expect(transport.requests[1]?.headers).toMatchObject({ 'account-name': 'prod', 'org-access': 'true' });
    expect(transport.requests[0]?.headers['account-name']).toBeUndefined();
  });

  it('renews the token once after a 401, also for a write', async () => {
    const { client, transport } = bench((request) =>
      request.headers['authorization'] === 'Bearer _token-1'
        ? answer(401, { message: 'expired' })
        : answer(201, { data: { queryId: 'A', queryText: 'x' } }),
    );
    const created = await client.call(endpoints.queries.create, { body: { queryId: 'A', queryText: 'x' } });
    expect(created.data.queryId).toBe('A');
    expect(transport.requests.map((request) => request.url.pathname.slice(8))).toEqual([
      'access/tokens',
      'Queries',
      'access/tokens',
      'Queries',
    ]);
  });

  it('gives up after the second 401, and says that the key is refused', async () => {
    const { client, transport } = bench(() => answer(401, { message: `no ${canary}` }));
    const error = await failureOf(client.call(endpoints.queries.list));
    expect(error.failure).toMatchObject({ kind: 'status', status: 401, serviceMessage: 'no ***' });
    expect(error.action).toContain('Sign in again');
    expect(transport.requests).toHaveLength(4);
  });

  it('reports a refused key pair to every caller', async () => {
    const { client } = bench(() => answer(401, { message: 'The key is not valid.' }), {}, false);
    const errors = await Promise.all([1, 2, 3].map(() => failureOf(client.call(endpoints.queries.list))));
    expect(errors.map((error) => error.status)).toEqual([401, 401, 401]);
  });
});

describe('a connection with the wrong vendor prefix', () => {
  it.each([
    ['SVC', 'Access Key is null.', 'LW'],
    ['LW', 'Access Key is null.', 'SVC'],
    ['LW', 'Access Key is null. Send the secret in the header X-SVC-UAKS.', 'SVC'],
    ['SVC', 'the header x-acme-uaks is required', 'ACME'],
  ])('%s, where the service says "%s", is told to be %s', async (vendorPrefix, message, expected) => {
    const { client, transport } = bench(() => answer(400, { message }), { vendorPrefix }, false);
    const error = await failureOf(client.call(endpoints.queries.list));
    expect(error.failure).toEqual({ kind: 'vendor-prefix', used: vendorPrefix, expected });
    expect(error.message).toContain(`X-${expected}-UAKS`);
    expect(error.action).toContain(`Choose ${expected} as the vendor prefix`);
    expect(transport.requests).toHaveLength(1);
  });

  it('is not seen where the header was found, or another operation says so', async () => {
    const refused = bench(() => answer(401, { message: 'The value of X-SVC-UAKS is wrong.' }), {}, false);
    expect((await failureOf(refused.client.authenticate())).failure.kind).toBe('status');
    const { client } = bench(() => answer(400, { message: 'Access Key is null.' }));
    expect((await failureOf(client.call(endpoints.queries.list))).failure.kind).toBe('status');
  });
});

describe('answers', () => {
  it('reads an empty 204 of a list as an empty list', async () => {
    const { client } = bench(() => answer(204, undefined));
    expect(await client.call(endpoints.datasources.list)).toEqual({ data: [] });
    expect(await client.call(endpoints.inventoryScans.get, { query: { csp: 'AWS' } })).toEqual({ data: {} });
    expect(await client.call(endpoints.queries.delete, { params: { queryId: 'A' } })).toBeUndefined();
  });

  it('keeps integers exact and tolerates fields it does not know', async () => {
    const { client } = bench(() => ({
      status: 200,
      headers: new Map(),
      body: Buffer.from('{"ok":true,"data":[{"H":5644915113269064637,"new":[]}]}'),
    }));
    const result = await client.call(endpoints.queries.execute, { body: { query } });
    expect(result.data[0]?.['H']).toBe(5644915113269064637n);
  });

  it.each([
    ['<html>login</html>', { kind: 'unexpected-answer', problem: 'it is a web page.' }],
    ['nonsense', { kind: 'unexpected-answer', problem: 'it is no JSON.' }],
    ['{"data":[{"A":1},{"A"', { kind: 'truncated' }],
    ['{"rows":[]}', { kind: 'unexpected-answer' }],
    ['', { kind: 'unexpected-answer', problem: 'it is empty.' }],
  ])('refuses the answer %s', async (body, failure) => {
    const { client } = bench(() => ({ status: 200, headers: new Map(), body: Buffer.from(body) }));
    const error = await failureOf(client.call(endpoints.queries.execute, { body: { query } }));
    expect(error.failure).toMatchObject(failure);
  });

  it('checks single objects against their schema and names the place', async () => {
    const { client } = bench(() => answer(200, { data: { queryId: 7 } }));
    const error = await failureOf(client.call(endpoints.queries.get, { params: { queryId: 'A' } }));
    expect(error.failure.kind).toBe('unexpected-answer');
    expect(error.message).toContain('/data');
  });

  it.each([
    [400, 'malformed', 'repeating'],
    [403, 'refuses', 'permission'],
    [404, 'does not know', 'deleted'],
    [409, 'conflicts', 'present state'],
    [500, 'failed', 'again'],
  ])('explains the status %i', async (status, message, action) => {
    const { client, clock } = bench(() => answer(status, { message: 'the reason' }));
    const pending = failureOf(client.call(endpoints.queries.get, { params: { queryId: 'A' } }));
    await clock.advance(60_000);
    const error = await pending;
    expect(error.message).toContain(message);
    expect(error.message).toContain('the reason');
    expect(error.action).toContain(action);
    expect(error.operation).toBe('queries.get');
  });

  it('says once that it is an error', async () => {
    const { client } = bench(() => answer(400, { message: 'Error: Unable to translate.' }));
    const error = await failureOf(client.call(endpoints.queries.execute, { body: { query } }));
    expect(error.failure).toMatchObject({ serviceMessage: 'Unable to translate.' });
    expect(error.message).toBe('The service calls the request malformed (400): Unable to translate.');
  });

  it('reads the old form of error bodies', async () => {
    const { client } = bench(() => answer(400, { ok: false, data: { statusMessage: 'old text' } }));
    expect((await failureOf(client.call(endpoints.queries.list))).message).toContain('old text');
  });
});

describe('calls that are not sent', () => {
  it('checks path, query and body first', async () => {
    const { client, transport } = bench(() => answer(200, { data: [] }));
    const wrong = [
      client.call(endpoints.alertChannels.listByType, { params: { type: 'Nope' as 'Jira' } }),
      client.call(endpoints.queries.create, { body: { queryId: '', queryText: 'x' } }),
      client.call(endpoints.queries.create, {
        body: { queryId: 'A', queryText: 'x', extra: 1 } as { queryId: string; queryText: string },
      }),
      client.call(endpoints.queries.get, { params: { queryId: '..' } }),
      client.call(endpoints.queries.get, { params: { queryId: '' } }),
      client.call(endpoints.exceptions.get, { params: { exceptionId: 'E' }, query: {} as { policyId: string } }),
      client.call(endpoints.searches.machines, { body: { filters: [{ field: 'mid', expression: 'in', value: '1' }] } }),
    ];
    const errors = await Promise.all(wrong.map(failureOf));
    expect(errors.map((error) => error.failure.kind)).toEqual(wrong.map(() => 'invalid-call'));
    expect(errors[2]?.message).toContain("'extra'");
    expect(errors[6]?.message).toContain("takes 'values'");
    expect(transport.requests).toHaveLength(0);
  });

  it('refuses bodies over 1 MB, to the byte', async () => {
    const { client, transport } = bench(() => answer(201, { data: { alertProfileId: 'P' } }));
    const profile = (length: number) => ({
      alertProfileId: 'P',
      extends: 'B',
      alerts: [{ name: 'n', eventName: 'e', subject: 's', description: 'x'.repeat(length) }],
    });
    const frame = JSON.stringify(profile(0)).length;
    await client.call(endpoints.alertProfiles.create, { body: profile(1_048_576 - frame) });
    const error = await failureOf(client.call(endpoints.alertProfiles.create, { body: profile(1_048_577 - frame) }));
    expect(error.failure).toEqual({ kind: 'body-too-large', bytes: 1_048_577, limit: 1_048_576 });
    expect(transport.requests).toHaveLength(2);
  });

  it('refuses writes of a read-only profile, and lets executions pass', async () => {
    const { client, transport } = bench(() => answer(200, { data: [] }), { readOnly: true });
    await client.call(endpoints.queries.execute, { body: { query } });
    await client.call(endpoints.searches.machines);
    const error = await failureOf(client.call(endpoints.policies.delete, { params: { policyId: 'p-1' } }));
    expect(error.failure.kind).toBe('read-only');
    expect(transport.requests).toHaveLength(3);
  });

  it('escapes parameters so that they cannot leave their place', async () => {
    const { client, transport } = bench(() => answer(200, { data: { queryId: 'A', queryText: 'x' } }));
    await client.call(endpoints.queries.get, { params: { queryId: '../Policies?x=1#y' } });
    expect(transport.requests[1]?.url.pathname).toBe('/api/v2/Queries/..%2FPolicies%3Fx%3D1%23y');
    expect(transport.requests[1]?.url.search).toBe('');
  });

  it('accepts https origins, and http on this computer only', () => {
    for (const origin of [
      'https://acme.example.net/ignored',
      'acme.example.net',
      'http://127.0.0.1:8080',
      'http://[::1]:1',
      'http://localhost:1',
    ]) {
      expect(() => bench(() => answer(200, {}), { origin })).not.toThrow();
    }
    for (const origin of [
      'http://acme.example.net',
      'https://user:pass@acme.example.net',
      'ftp://acme.example.net',
      '',
      'http://127.0.0.1.evil.test',
    ]) {
      expect(() => bench(() => answer(200, {}), { origin })).toThrow(ApiError);
    }
  });
});

describe('operations outside the specification', () => {
  it('remembers that the service lacks one', async () => {
    const { client, transport } = bench(() => answer(404, { message: 'Not found' }));
    expect((await failureOf(client.call(endpoints.alertProfiles.list))).failure.kind).toBe('not-offered');
    expect((await failureOf(client.call(endpoints.alertProfiles.list))).failure.kind).toBe('not-offered');
    expect(transport.requests).toHaveLength(2);
  });

  it('does not mistake an unknown object for a missing operation', async () => {
    const { client } = bench(() => answer(404, { message: 'Not found' }));
    const error = await failureOf(client.call(endpoints.policies.get, { params: { policyId: 'x' } }));
    expect(error.failure).toMatchObject({ kind: 'status', status: 404 });
  });
});

describe('retries', () => {
  it('repeats reads after passing failures, with growing pauses', async () => {
    const times: number[] = [];
    const { client, clock } = bench(() => {
      times.push(clock.monotonic());
      return times.length < 4 ? answer(503, { message: 'overload' }) : answer(200, { data: [] });
    });
    const pending = client.call(endpoints.queries.list);
    await clock.advance(60_000);
    expect(await pending).toEqual({ data: [] });
    expect(times.map((time) => time - (times[0] ?? 0))).toEqual([0, 300, 900, 2_100]);
  });

  it('gives up after three', async () => {
    const { client, clock, transport } = bench(() => answer(503, { message: 'overload' }));
    const pending = failureOf(client.call(endpoints.queries.list));
    await clock.advance(60_000);
    expect((await pending).status).toBe(503);
    expect(transport.requests).toHaveLength(5);
  });

  it.each([
    [{ kind: 'network', code: 'ECONNRESET', sent: true }, 'ambiguous'],
    [{ kind: 'timeout', phase: 'answer', seconds: 125, sent: true }, 'ambiguous'],
    [{ kind: 'truncated' }, 'ambiguous'],
    [{ kind: 'cancelled' }, 'ambiguous'],
    [{ kind: 'redirect', status: 302, host: 'evil.test' }, 'redirect'],
    [{ kind: 'certificate', code: 'CERT_HAS_EXPIRED' }, 'certificate'],
  ] as const)('never repeats a write whose bytes may have left: %o', async (failure, kind) => {
    const { client, clock, transport } = bench(() => {
      throw new ApiError(failure);
    });
    const pending = failureOf(client.call(endpoints.policies.delete, { params: { policyId: 'p-1' } }));
    await clock.advance(60_000);
    expect((await pending).failure.kind).toBe(kind);
    expect(transport.requests).toHaveLength(2);
  });

  it('repeats a write that surely never left', async () => {
    let attempts = 0;
    const { client, clock } = bench(() => {
      attempts++;
      if (attempts < 3) throw new ApiError({ kind: 'network', code: 'ECONNREFUSED', sent: false });
      return answer(204, undefined);
    });
    const pending = client.call(endpoints.policies.delete, { params: { policyId: 'p-1' } });
    await clock.advance(60_000);
    await pending;
    expect(attempts).toBe(3);
  });

  it('reports a write answered by 500 as unknown, by 503 as refused', async () => {
    for (const [status, kind] of [
      [500, 'ambiguous'],
      [504, 'ambiguous'],
      [503, 'status'],
    ] as const) {
      const { client } = bench(() => answer(status, { message: 'x' }));
      const error = await failureOf(client.call(endpoints.policies.delete, { params: { policyId: 'p-1' } }));
      expect(error.failure.kind).toBe(kind);
    }
  });

  it('costs at most a tenth more in a total outage', async () => {
    const { client, clock, transport } = bench(() => {
      throw new ApiError({ kind: 'network', code: 'ECONNRESET', sent: true });
    });
    const calls = 2_000;
    let failed = 0;
    for (let call = 0; call < calls; call++) {
      const done = client.call(endpoints.queries.list).catch(() => failed++);
      if (call % 400 === 399) await clock.advance(3_700_000);
      void done;
    }
    await clock.advance(3_700_000);
    const sent = transport.requests.filter((request) => request.url.pathname !== '/api/v2/access/tokens').length;
    console.info(`outage: ${calls} calls, ${sent} requests`);
    expect(failed).toBe(calls);
    expect(sent).toBeLessThanOrEqual(calls * 1.1);
    expect(sent).toBeGreaterThan(calls);
  });
});

describe('rate limits', () => {
  it('waits a moment after a refusal, and repeats the call once', async () => {
    let attempts = 0;
    const { client, clock } = bench(() => {
      attempts++;
      return attempts === 1
        ? answer(429, { message: 'slow down' }, { 'ratelimit-reset': '5' })
        : answer(200, { data: [] });
    });
    const pending = client.call(endpoints.queries.list);
    await clock.advance(4_000);
    expect(attempts).toBe(1);
    await clock.advance(2_000);
    expect(await pending).toEqual({ data: [] });
  });

  it('tells the person rather than let them wait long, and clamps a hostile reset', async () => {
    const { client } = bench(() => answer(429, { message: 'no' }, { 'ratelimit-reset': '99999999999' }));
    const error = await failureOf(client.call(endpoints.queries.list));
    expect(error.failure).toMatchObject({ kind: 'rate-limited', functionality: 'GET Queries' });
    if (error.failure.kind === 'rate-limited') expect(error.failure.resetsInSeconds).toBeLessThanOrEqual(3_600);
    expect(client.rateLimits.state().find((state) => state.functionality === 'GET Queries')).toMatchObject({
      remaining: 0,
    });
  });
});

describe('cancellation', () => {
  it('ends a call at every stage', async () => {
    const aborted = new AbortController();
    aborted.abort();
    const { client, transport } = bench(() => answer(200, { data: [] }));
    expect((await failureOf(client.call(endpoints.queries.list, { signal: aborted.signal }))).failure.kind).toBe(
      'cancelled',
    );
    expect(transport.requests).toHaveLength(0);

    const retrying = bench(() => answer(503, { message: 'x' }));
    const controller = new AbortController();
    const pending = failureOf(retrying.client.call(endpoints.queries.list, { signal: controller.signal }));
    await retrying.clock.advance(10);
    controller.abort();
    expect((await pending).failure.kind).toBe('cancelled');
    expect(retrying.clock.sleeping).toBe(0);
  });
});

describe('secrets of other systems', () => {
  it('do not come back in messages of the service', async () => {
    const { client } = bench((request) =>
      answer(400, { message: `wrong: ${request.body ?? ''} ${request.url.pathname}` }),
    );
    const channel = {
      name: 'on call',
      type: 'PagerDutyApi',
      enabled: 1,
      data: { apiIntgKey: 'pagerduty-key-0123456789' },
    } as const;
    const refused = await failureOf(client.call(endpoints.alertChannels.create, { body: channel }));
    expect(refused.message).toContain('on call');
    expect(refused.message).not.toContain('pagerduty-key');
    const unknown = await failureOf(
      client.call(endpoints.agentAccessTokens.get, { params: { id: 'deadbeefdeadbeef' } }),
    );
    expect(unknown.message).not.toContain('deadbeef');
  });
});

describe('the log', () => {
  it('shows operation, path and outcome, and hides what is secret in a path', async () => {
    const { client, log } = bench(() => answer(200, { data: { accessToken: 'deadbeefdeadbeef' } }));
    await client.call(endpoints.agentAccessTokens.get, { params: { id: 'deadbeefdeadbeef' } });
    expect(log.map((event) => [event.operation, event.path, event.outcome.kind])).toEqual([
      ['tokens.create', '/api/v2/access/tokens', 'answered'],
      ['agentAccessTokens.get', '/api/v2/AgentAccessTokens/{id}', 'answered'],
    ]);
    expect(JSON.stringify(log)).not.toContain('deadbeef');
  });
});
