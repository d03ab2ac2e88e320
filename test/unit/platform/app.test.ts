import { describe, expect, test } from 'vitest';
import type { NewKey } from '../../../server/platform/http/api-keys.ts';
import { createClock, readAnswer, requestToken, type SignedIn, signIn } from './signed-in.ts';

const base = 'http://platform.test/api/v2';
const json = { 'Content-Type': 'application/json' };

describe('tokens', () => {
  test('are issued flat, with milliseconds, for an hour unless asked otherwise', async () => {
    const { app, clock } = await signIn();
    const ask = async (body: object, headers: Record<string, string> = { 'X-SVC-UAKS': app.key.secret }) =>
      readAnswer(
        await app.request(`${base}/access/tokens`, {
          method: 'POST',
          headers: { ...json, ...headers },
          body: JSON.stringify(body),
        }),
      );
    const usual = await ask({ keyId: app.key.keyId });
    expect(usual.status).toBe(201);
    expect(usual.body).toEqual({
      token: expect.stringMatching(/^_/),
      expiresAt: new Date(clock.time + 3_600_000).toISOString(),
    });
    const longest = await ask({ keyId: app.key.keyId, expiryTime: 86_400 });
    expect(longest.body.expiresAt).toBe(new Date(clock.time + 86_400_000).toISOString());
    expect((await ask({ keyId: app.key.keyId, expiryTime: 86_401 })).status).toBe(400);
    expect((await ask({ keyId: app.key.keyId, expiryTime: 0 })).status).toBe(400);
    expect((await ask({ keyId: app.key.keyId }, { 'X-SVC-UAKS': '_wrong' })).status).toBe(401);
    expect((await ask({ keyId: 'NOBODY' })).status).toBe(401);
    expect((await ask({ keyId: app.key.keyId }, {})).body.message).toContain('Access Key is null.');
    expect((await ask({})).body.message).toContain('keyId');
    expect((await ask({ keyId: 'x', more: 1 })).body.message).toBe('key more is unrecognized');
  });

  test('end when their time is over, to the millisecond', async () => {
    const clock = createClock();
    const { app } = await signIn({}, clock);
    const token = await requestToken(app, 60);
    const status = async () =>
      (await app.request(`${base}/schemas`, { headers: { ...json, Authorization: `Bearer ${token}` } })).status;
    clock.advance(59_999);
    expect(await status()).toBe(200);
    clock.advance(1);
    expect(await status()).toBe(401);
  });
});

describe('headers', () => {
  test('Authorization must be Bearer and a live token', async () => {
    const { app, token } = await signIn();
    const status = async (headers: Record<string, string>) =>
      (await app.request(`${base}/schemas`, { headers })).status;
    expect(await status({ ...json, Authorization: `Bearer ${token}` })).toBe(200);
    expect(await status({ ...json, Authorization: `bearer ${token}` })).toBe(200);
    expect(await status({ ...json, Authorization: token })).toBe(401);
    expect(await status({ ...json, Authorization: 'Bearer nonsense' })).toBe(401);
    expect(await status(json)).toBe(401);
    expect(await status({ Authorization: `Bearer ${token}` })).toBe(400);
    expect(await status({ Authorization: `Bearer ${token}`, 'Content-Type': 'text/plain' })).toBe(400);
  });

  test('a bare token is accepted behind the switch, which the prefix LW turns on', async () => {
    const { app, token } = await signIn({ vendorPrefix: 'LW' });
    expect((await app.request(`${base}/schemas`, { headers: { ...json, Authorization: token } })).status).toBe(200);
  });

  test('content is kept per sub-account; names compare without case; organization access sets the name aside', async () => {
    const { call } = await signIn({ subAccounts: ['labs'] });
    const query = { queryId: 'Sub_Query', queryText: '{ source { CloudTrailRawEvents } return { INSERT_ID } }' };
    expect((await call('POST', '/Queries', query, { 'Account-Name': 'LABS' })).status).toBe(201);
    expect((await call('GET', '/Queries/Sub_Query', undefined, { 'Account-Name': 'labs' })).status).toBe(200);
    expect((await call('GET', '/Queries/Sub_Query')).status).toBe(404);
    expect(
      (await call('GET', '/Queries/Sub_Query', undefined, { 'Account-Name': 'labs', 'Org-Access': 'TRUE' })).status,
    ).toBe(404);
    expect(
      (await call('GET', '/Queries/Sub_Query', undefined, { 'Account-Name': 'labs', 'Org-Access': 'false' })).status,
    ).toBe(200);
    expect((await call('GET', '/Queries', undefined, { 'Account-Name': 'elsewhere' })).status).toBe(403);
  });
});

describe('keys', () => {
  const tokenFor = async ({ app }: SignedIn, keyId: string, secret: string) =>
    readAnswer(
      await app.request(`${base}/access/tokens`, {
        method: 'POST',
        headers: { ...json, 'X-SVC-UAKS': secret },
        body: JSON.stringify({ keyId }),
      }),
    );

  test('a user holds 19, 20 and not 21', async () => {
    const { app } = await signIn();
    const create = () => app.keys.create({ account: 'harborline', user: 'ann@harborline.example' });
    const keys = Array.from({ length: 20 }, create);
    expect(create).toThrow(/20 API keys/);
    app.keys.delete(keys[0]?.keyId ?? '');
    expect(create().enabled).toBe(true);
    expect(app.keys.create({ account: 'harborline', user: 'bob@harborline.example' }).enabled).toBe(true);
  });

  test('a disabled or deleted key gives no token and ends those it gave', async () => {
    const platform = await signIn();
    const { keyId, secret } = platform.app.keys.create({ account: 'harborline', user: 'ann@harborline.example' });
    const { body } = await tokenFor(platform, keyId, secret);
    const status = async () =>
      (await platform.app.request(`${base}/schemas`, { headers: { ...json, Authorization: `Bearer ${body.token}` } }))
        .status;
    expect(await status()).toBe(200);
    platform.app.keys.setEnabled(keyId, false);
    expect(await status()).toBe(401);
    expect((await tokenFor(platform, keyId, secret)).status).toBe(401);
    platform.app.keys.setEnabled(keyId, true);
    expect(await status()).toBe(200);
    platform.app.keys.delete(keyId);
    expect(await status()).toBe(401);
  });

  test('a service user reaches its own account alone; the organization takes an administrator', async () => {
    const platform = await signIn({ subAccounts: ['labs'] });
    const statusOf = async (plan: Partial<NewKey>, headers: Record<string, string>) => {
      const key = platform.app.keys.create({ account: 'harborline', user: 'robot', ...plan });
      const { body } = await tokenFor(platform, key.keyId, key.secret);
      const all = { ...json, Authorization: `Bearer ${body.token}`, ...headers };
      return (await platform.app.request(`${base}/schemas`, { headers: all })).status;
    };
    expect(await statusOf({ kind: 'service' }, {})).toBe(200);
    expect(await statusOf({ kind: 'service' }, { 'Account-Name': 'harborline' })).toBe(200);
    expect(await statusOf({ kind: 'service' }, { 'Account-Name': 'labs' })).toBe(403);
    expect(await statusOf({ kind: 'service' }, { 'Org-Access': 'true' })).toBe(403);
    expect(await statusOf({ organizationAdmin: false }, { 'Org-Access': 'true' })).toBe(403);
    expect(await statusOf({ organizationAdmin: true }, { 'Org-Access': 'true' })).toBe(200);
  });
});

describe('requests', () => {
  test('nothing matches a path: 404; another method would: 405 with Allow', async () => {
    const { call } = await signIn();
    expect(await call('GET', '/Nowhere')).toMatchObject({
      status: 404,
      body: { message: expect.stringContaining('/Nowhere') },
    });
    const wrong = await call('PUT', '/Queries', {});
    expect(wrong.status).toBe(405);
    expect(wrong.headers.get('allow')).toBe('GET, POST');
  });

  test('a body of exactly 1 MB is read, one byte more is refused', async () => {
    const { call } = await signIn();
    const padded = (bytes: number) => {
      const body = JSON.stringify({ queryId: 'Q', queryText: '' });
      return body.replace('""', `"${' '.repeat(bytes - body.length)}"`);
    };
    const limit = 1_048_576;
    expect(Buffer.byteLength(padded(limit))).toBe(limit);
    expect((await call('POST', '/Queries', padded(limit))).body.message).not.toContain('1 MB');
    const refused = await call('POST', '/Queries', padded(limit + 1));
    expect(refused.status).toBe(400);
    expect(refused.body.message).toContain('1 MB');
  });

  test('a body that is no JSON, lacks a field, or has one too many is refused with a reason', async () => {
    const { call } = await signIn();
    expect((await call('POST', '/Queries', '{"queryId"')).body.message).toContain('not JSON');
    expect((await call('POST', '/Queries', { queryId: 'Q' })).body.message).toContain('queryText');
    expect((await call('POST', '/Queries', { queryId: 'Q', queryText: 5 })).body.message).toBe(
      'Invalid data: #1: [queryText: must be string]',
    );
    expect((await call('POST', '/Queries', { queryId: 'Q', queryText: 'x', note: 1 })).body.message).toBe(
      'key note is unrecognized',
    );
    expect((await call('POST', '/Queries')).status).toBe(400);
  });

  test('keys of public clients are ignored behind the switch', async () => {
    const { call } = await signIn({ vendorPrefix: 'LW' });
    const body = {
      queryText: '{ source { CloudTrailRawEvents } return { INSERT_ID } }',
      evaluatorId: 'Cloudtrail',
      usageContext: {},
    };
    expect((await call('POST', '/Queries/validate', body)).status).toBe(200);
    expect((await (await signIn()).call('POST', '/Queries/validate', body)).status).toBe(400);
  });

  test('empty lists are 204, or a list behind the switch', async () => {
    const quiet = await signIn({ sample: 'none' });
    expect(await quiet.call('GET', '/Datasources')).toMatchObject({ status: 204, body: undefined });
    const talking = await signIn({ sample: 'none', switches: { 'empty-lists': '200' } });
    expect(await talking.call('GET', '/Datasources')).toMatchObject({ status: 200, body: { data: [] } });
  });

  test('unknown response fields appear when asked for', async () => {
    const { call } = await signIn({ injectUnknownFields: true });
    const { body } = await call('GET', '/Queries');
    expect(body.fieldOfTheFuture).toBeDefined();
    expect(body.data[0].fieldOfTheFuture).toBeDefined();
  });

  test('what only public clients know is not served where the specification alone counts', async () => {
    const { call } = await signIn({ specificationOnly: true });
    expect((await call('GET', '/Datasources')).status).toBe(200);
    expect((await call('GET', '/Datasources/CloudTrailRawEvents')).status).toBe(404);
    expect((await call('GET', '/Queries/Any')).status).toBe(405);
  });
});

describe('faults', () => {
  test('disturb the planned answers and no other', async () => {
    const { app, call } = await signIn();
    app.faults.add({
      match: 'GET /api/v2/schemas',
      times: 2,
      action: { kind: 'status', status: 503, headers: { 'Retry-After': '1' } },
    });
    expect((await call('GET', '/Datasources')).status).toBe(200);
    expect((await call('GET', '/schemas')).status).toBe(503);
    expect((await call('GET', '/schemas')).headers.get('retry-after')).toBe('1');
    expect((await call('GET', '/schemas')).status).toBe(200);
    app.faults.add({ match: 'GET */schemas/*', action: { kind: 'truncate', bytes: 10 } });
    await expect(call('GET', '/schemas/Alerts')).rejects.toThrow();
    app.faults.add({ match: '* *', action: { kind: 'redirect', status: 307, location: 'http://elsewhere.test/' } });
    expect((await call('GET', '/schemas')).status).toBe(307);
    app.faults.add({ match: '* *', delay: 5, action: { kind: 'slow', bytes: 2_000, pause: 1 } });
    expect((await call('GET', '/Queries')).body.data.length).toBeGreaterThan(0);
  });
});
