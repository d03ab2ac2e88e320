import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { endpoints } from '../../../../server/api/endpoints/index.ts';
import { recordFields } from '../../../../server/platform/search/search.ts';
import { createClock, noon, readAnswer, signIn } from '../signed-in.ts';

const hour = 3_600_000;
const day = 24 * hour;
const iso = (time: number) => new Date(time).toISOString();
const range = (start: number, end: number) => ({ timeFilter: { startTime: iso(start), endTime: iso(end) } });
const bodies: { readonly [name: string]: object } = {
  complianceEvaluations: { dataset: 'AwsCompliance' },
  inventory: { csp: 'AWS' },
};
const searches = Object.entries(endpoints.searches);

describe('searches', () => {
  test.each(searches)('%s finds records of its fields over the last 24 hours', async (name, endpoint) => {
    const { call } = await signIn();
    const { status, body } = await call('POST', endpoint.path, bodies[name] ?? {});
    expect(status).toBe(200);
    expect(body.data.length).toBeGreaterThan(0);
    const fields = recordFields(endpoint);
    expect(Object.keys(body.data[0]).filter((field) => !fields.has(field))).toEqual([]);
    expect(body.paging === undefined).toBe(!endpoint.paged);
    const [field = ''] = Object.keys(body.data[0]);
    const narrow = await call('POST', endpoint.path, { ...bodies[name], returns: [field] });
    expect(Object.keys(narrow.body.data[0])).toEqual([field]);
    expect((await call('POST', endpoint.path, { ...bodies[name], returns: ['nothing'] })).status).toBe(400);
    expect(
      (
        await call('POST', endpoint.path, {
          ...bodies[name],
          filters: [{ field: 'nothing', expression: 'eq', value: 'x' }],
        })
      ).body.message,
    ).toContain('Invalid field');
    expect((await call('POST', endpoint.path, { ...bodies[name], more: 1 })).body.message).toBe(
      'key more is unrecognized',
    );
  });

  test.each(searches.filter(([, endpoint]) => endpoint.boundedTime))(
    '%s spans 7 days at most, to the millisecond',
    async (name, endpoint) => {
      const { call } = await signIn();
      const status = async (length: number) =>
        (await call('POST', endpoint.path, { ...bodies[name], ...range(noon - length, noon) })).status;
      expect(await status(7 * day - 1)).toBe(200);
      expect(await status(7 * day)).toBe(200);
      expect(await status(7 * day + 1)).toBe(400);
      expect(await status(0)).toBe(400);
      expect(
        (await call('POST', endpoint.path, { ...bodies[name], timeFilter: { startTime: 'yesterday' } })).status,
      ).toBe(400);
    },
  );

  test('begin 24 hours back by default, and end now', async () => {
    const { call } = await signIn();
    const usual = await call('POST', '/Activities/DNSs/search', {});
    const same = await call('POST', '/Activities/DNSs/search', range(noon - day, noon));
    expect(usual.body.data).toEqual(same.body.data);
    const open = await call('POST', '/Activities/DNSs/search', { timeFilter: { startTime: iso(noon - 2 * day) } });
    expect(open.body.data.length).toBeGreaterThan(usual.body.data.length);
  });

  test('compliance: dataset is required, history ends 90 days back', async () => {
    const { call } = await signIn();
    const path = '/Configs/ComplianceEvaluations/search';
    expect((await call('POST', path, {})).status).toBe(400);
    expect((await call('POST', path, { dataset: 'Else' })).status).toBe(400);
    const at = async (start: number) =>
      (await call('POST', path, { dataset: 'AwsCompliance', ...range(start, start + day) })).status;
    expect(await at(noon - 90 * day)).toBe(204);
    expect(await at(noon - 90 * day - 1)).toBe(400);
    const broken = await call('POST', path, {
      dataset: 'AwsCompliance',
      filters: [
        { field: 'status', expression: 'eq', value: 'NonCompliant' },
        { field: 'account.AccountId', expression: 'eq', value: '444455556666' },
      ],
    });
    expect(broken.body.data.length).toBeGreaterThan(0);
    expect(new Set(broken.body.data.map((record: { status: string }) => record.status))).toEqual(
      new Set(['NonCompliant']),
    );
  });

  test.each([
    ['AwsCompliance', 'arn:aws:s3:::harborline-customer-exports', '111122223333'],
    ['AzureCompliance', '/hldispatchlabels', /^[0-9a-f-]{36}$/],
    ['GcpCompliance', '/harborline-analytics-reports', 'harborline-analytics'],
    ['K8sCompliance', '/clusterroles/payments-debug', 'harborline-production'],
  ])('%s says what is wrong and what is not', async (dataset, resource, account) => {
    const { call } = await signIn();
    const { body } = await call('POST', '/Configs/ComplianceEvaluations/search', { dataset });
    type Found = { status: string; resource: string; account: { AccountId: string }; reason: string };
    const broken = (body.data as Found[]).filter(({ status }) => status === 'NonCompliant');
    const found = broken.find((record) => record.resource.endsWith(resource));
    expect(found?.reason).not.toBe('');
    expect(found?.account.AccountId).toEqual(typeof account === 'string' ? account : expect.stringMatching(account));
    expect(body.data.length).toBeGreaterThan(broken.length);
  });

  test('compliance leaves out policies whose datasource is gone', async () => {
    const dataFolder = mkdtempSync(path.join(os.tmpdir(), 'platform-gone-'));
    try {
      const file = path.join(dataFolder, 'datasources', 'SVC_CFG_AWS_MINE.ndjson');
      mkdirSync(path.dirname(file));
      writeFileSync(file, `{"ARN":"arn:mine","BATCH_END_TIME":"${iso(noon - hour)}"}\n`);
      const { call } = await signIn({ dataFolder });
      const text = '{ source { SVC_CFG_AWS_MINE } return distinct { ARN as RESOURCE_KEY } }';
      await call('POST', '/Queries', { queryId: 'Mine', queryText: text });
      const policy = { title: 't', enabled: true, description: 'd', remediation: 'r', severity: 'low' };
      expect((await call('POST', '/Policies', { ...policy, queryId: 'Mine', alertEnabled: true })).status).toBe(201);
      const evaluated = async () => {
        const { body } = await call('POST', '/Configs/ComplianceEvaluations/search', { dataset: 'AwsCompliance' });
        return body.data.map((record: { resource: string }) => record.resource);
      };
      expect(await evaluated()).toContain('arn:mine');
      rmSync(file);
      const others = await evaluated();
      expect(others).not.toContain('arn:mine');
      expect(others.length).toBeGreaterThan(0);
    } finally {
      rmSync(dataFolder, { recursive: true, force: true });
    }
  });

  test('inventory: csp or the old dataset is required; a range without a collection is empty', async () => {
    const { call } = await signIn();
    expect((await call('POST', '/Inventory/search', {})).body.message).toContain('csp');
    const count = async (body: object) => (await call('POST', '/Inventory/search', body)).body?.data.length ?? 0;
    expect(await count({ dataset: 'AwsCompliance' })).toBe(await count({ csp: 'AWS' }));
    expect(await count({ csp: 'Azure' })).toBeGreaterThan(0);
    expect(await count({ csp: 'GCP' })).toBeGreaterThan(0);
    expect(await count({ csp: 'AWS', ...range(noon - 2 * hour, noon) })).toBe(0);
  });

  test('machines are those online in the range', async () => {
    const { call } = await signIn();
    const online = async (start: number, end: number) =>
      (await call('POST', '/Entities/Machines/search', range(start, end))).body?.data.length ?? 0;
    expect(await online(noon - day, noon)).toBe(24);
    expect(await online(noon - 2 * hour - 1, noon - 2 * hour)).toBe(0);
  });

  test('pages hold 5,000 rows and lead to the next one for 24 hours', async () => {
    const clock = createClock();
    const { app, call, token } = await signIn({ sample: 'lab' }, clock);
    const first = await call('POST', '/Activities/ChangedFiles/search', range(noon - 7 * day, noon));
    const { paging, data } = first.body;
    expect(data).toHaveLength(5_000);
    expect(paging.rows).toBe(5_000);
    expect(paging.totalRows).toBeGreaterThan(10_000);
    const open = async (url: string, headers: Record<string, string> = {}) =>
      readAnswer(
        await app.request(url, {
          headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', ...headers },
        }),
      );
    let rows = data.length;
    let next: string | null = paging.urls.nextPage;
    expect(next).toMatch(/^http:\/\/platform\.test\/api\/v2\/Activities\/ChangedFiles\/[\w-]+$/);
    const second = next ?? '';
    while (next !== null) {
      const page = await open(next);
      expect(page.status).toBe(200);
      rows += page.body.data.length;
      next = page.body.paging.urls.nextPage;
    }
    expect(rows).toBe(paging.totalRows);
    expect((await open(second, { 'Account-Name': 'harborline-labs' })).status).toBe(404);
    expect((await open(second.replace('ChangedFiles', 'DNSs'))).status).toBe(404);
    expect((await open(`${second}x`)).status).toBe(404);
    clock.advance(day - 1);
    expect((await open(second)).status).toBe(200);
    clock.advance(1);
    // The token ends at the same moment; a new one shows that the page is gone as well.
    const { requestToken } = await import('../signed-in.ts');
    const later = await readAnswer(
      await app.request(second, {
        headers: { Authorization: `Bearer ${await requestToken(app)}`, 'Content-Type': 'application/json' },
      }),
    );
    expect(later.status).toBe(404);
  });

  test('a result holds 500,000 rows at most over all pages', async () => {
    const { createPageStore } = await import('../../../../server/platform/http/pages.ts');
    const total = (rows: number) =>
      createPageStore().first(
        Array.from({ length: rows }, (_, index) => index),
        'me',
        '/X',
        'http://h',
        0,
      ).paging.totalRows;
    expect(total(499_999)).toBe(499_999);
    expect(total(500_000)).toBe(500_000);
    expect(total(500_001)).toBe(500_000);
  });

  test('pages of a million rows are kept altogether; the oldest result goes first, as if its time were over', async () => {
    const { createPageStore } = await import('../../../../server/platform/http/pages.ts');
    const store = createPageStore();
    const add = (rows: number) =>
      store.first(Array<number>(rows).fill(0), 'me', '/X', 'http://h', 0).paging.urls.nextPage;
    const isKept = (address: string | null) =>
      store.next(new URL(address ?? '').pathname, 'me', 'http://h', 0) !== undefined;
    const longest = [add(500_000), add(500_000)];
    expect(add(5_000)).toBeNull();
    expect(longest.map(isKept)).toEqual([true, true]);
    const short = [add(5_001), add(5_001)];
    expect([...longest, ...short].map(isKept)).toEqual([false, true, true, true]);
    expect([...longest, ...short, add(500_000)].map(isKept)).toEqual([false, false, true, true, true]);
  });
});

describe('cloud activities', () => {
  test('are listed over a range, and searched', async () => {
    const { call } = await signIn();
    const list = await call('GET', '/CloudActivities');
    expect(list.body.data.length).toBeGreaterThan(100);
    const week = await call('GET', `/CloudActivities?startTime=${iso(noon - 7 * day)}&endTime=${iso(noon)}`);
    expect(week.body.paging.totalRows).toBeGreaterThan(list.body.paging.totalRows * 4);
    const found = await call('POST', '/CloudActivities/search', {
      filters: [{ field: 'entityMap.API.api', expression: 'eq', value: 'CreateAccessKey' }],
      returns: ['eventId', 'entityMap'],
    });
    expect(found.body.data).toHaveLength(1);
    expect((await call('GET', '/CloudActivities?startTime=today')).status).toBe(400);
  });
});
