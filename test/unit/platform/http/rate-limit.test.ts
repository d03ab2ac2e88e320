import { describe, expect, test } from 'vitest';
import { createRateLimiter } from '../../../../server/platform/http/rate-limit.ts';
import { createClock, requestToken, signIn } from '../signed-in.ts';

const hour = 3_600_000;

describe('a bucket', () => {
  test('gives 480 tokens in any rolling hour, and each comes back an hour after it was taken', () => {
    const limiter = createRateLimiter();
    for (let request = 0; request < 480; request++) {
      const state = limiter.take('ann', 'GET Queries', 480, request * 1000);
      expect(state).toMatchObject({ allowed: true, remaining: 479 - request });
    }
    expect(limiter.take('ann', 'GET Queries', 480, hour - 1)).toEqual({
      allowed: false,
      limit: 480,
      remaining: 0,
      resetSeconds: 1,
    });
    // The first token is back exactly one hour after it was taken, the second one second later.
    expect(limiter.take('ann', 'GET Queries', 480, hour)).toMatchObject({ allowed: true, remaining: 0 });
    expect(limiter.take('ann', 'GET Queries', 480, hour)).toMatchObject({ allowed: false, resetSeconds: 1 });
    expect(limiter.take('ann', 'GET Queries', 480, hour + 1000)).toMatchObject({ allowed: true });
  });

  test('is one a user and functionality', () => {
    const limiter = createRateLimiter();
    expect(limiter.take('ann', 'GET Queries', 1, 0).allowed).toBe(true);
    expect(limiter.take('ann', 'GET Queries', 1, 0).allowed).toBe(false);
    expect(limiter.take('bob', 'GET Queries', 1, 0).allowed).toBe(true);
    expect(limiter.take('ann', 'PATCH Queries', 1, 0).allowed).toBe(true);
  });
});

describe('the platform', () => {
  test('answers request 479, 480 and not 481, and says so in three headers', async () => {
    const { call, clock } = await signIn({ rateLimit: true });
    for (let request = 1; request <= 478; request++) expect((await call('GET', '/schemas')).status).toBe(200);
    const last = await call('GET', '/schemas');
    expect(last.headers.get('ratelimit-remaining')).toBe('1');
    expect((await call('GET', '/schemas')).headers.get('ratelimit-remaining')).toBe('0');
    const refused = await call('GET', '/schemas');
    expect(refused.status).toBe(429);
    expect(refused.body.message).toContain('Rate limit');
    expect(refused.headers.get('ratelimit-limit')).toBe('480');
    expect(refused.headers.get('ratelimit-reset')).toBe('3600');
    clock.advance(hour - 1);
    // The access token has run for an hour less a millisecond: still good.
    expect((await call('GET', '/schemas')).status).toBe(429);
  });

  test('shares a bucket between a list and its entries, whatever their ids, and gives PATCH its own', async () => {
    const { call } = await signIn({ rateLimit: true });
    const remaining = async (method: string, path: string, body?: unknown) =>
      Number((await call(method, path, body)).headers.get('ratelimit-remaining'));
    expect(await remaining('GET', '/Queries')).toBe(479);
    expect(await remaining('GET', '/Queries/One')).toBe(478);
    expect(await remaining('GET', '/Queries/Two')).toBe(477);
    expect(await remaining('PATCH', '/Queries/One', { queryText: 'x' })).toBe(479);
    expect(await remaining('GET', '/Queries/Three')).toBe(476);
  });

  test('keeps 120 executions an hour where the switch says so, and no limit in a lab', async () => {
    const narrow = await signIn({ rateLimit: true, switches: { 'execute-rate': '120' } });
    const answer = await narrow.execute('{ source { CloudTrailRawEvents } return { INSERT_ID } }', {
      options: { limit: 1 },
    });
    expect(answer.headers.get('ratelimit-remaining')).toBe('119');
    const lab = await signIn({ rateLimit: false });
    const { headers } = await lab.call('GET', '/schemas');
    // A number that no client waits for.
    expect([headers.get('ratelimit-limit'), headers.get('ratelimit-remaining')]).toEqual(['1000000', '1000000']);
  });

  test('limits token requests a key', async () => {
    const clock = createClock();
    const { app } = await signIn({ rateLimit: true }, clock);
    for (let request = 0; request < 479; request++) await requestToken(app);
    const response = await app.request('http://platform.test/api/v2/access/tokens', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-SVC-UAKS': app.key.secret },
      body: JSON.stringify({ keyId: app.key.keyId }),
    });
    expect(response.status).toBe(429);
  });
});
