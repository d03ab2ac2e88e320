import { describe, expect, test } from 'vitest';
import { createClock, noon, type SignedIn, signIn } from '../signed-in.ts';

const hour = 3_600_000;
const publicBuckets =
  "{ source { SVC_CFG_AWS_S3 bucket with SVC_CFG_AWS_S3_GET_BUCKET_POLICY_STATUS status } filter { status.RESOURCE_CONFIG:PolicyStatus.IsPublic = 'true' } return distinct { bucket.ACCOUNT_ALIAS, bucket.ACCOUNT_ID, bucket.ARN as RESOURCE_KEY, bucket.RESOURCE_REGION, bucket.RESOURCE_TYPE, bucket.RESOURCE_TAGS, bucket.SERVICE } }";

const policy = {
  queryId: 'Acme_Public_Buckets',
  title: 'Public bucket',
  enabled: true,
  description: 'A bucket is public.',
  remediation: 'Close it.',
  severity: 'high',
  alertEnabled: true,
  alertProfile: 'SVC_CFG_AWS_DEFAULT_PROFILE.CFG_AWS_NewViolation',
};

async function withQuery(clock = createClock()): Promise<SignedIn> {
  const platform = await signIn({}, clock);
  const created = await platform.call('POST', '/Queries', { queryId: policy.queryId, queryText: publicBuckets });
  expect(created.status).toBe(201);
  return platform;
}

describe('policies', () => {
  test('live: create, get, change, list, delete', async () => {
    const { call, clock } = await withQuery();
    const created = await call('POST', '/Policies', {
      ...policy,
      policyId: '$account-buckets-1',
      tags: ['team:storage'],
    });
    expect(created.status).toBe(201);
    expect(created.body.data).toMatchObject({
      ...policy,
      policyId: 'harborline-buckets-1',
      policyType: 'Violation',
      limit: 1000,
      queryText: publicBuckets,
      tags: ['team:storage'],
      lastUpdateTime: new Date(noon).toISOString(),
    });
    expect(
      created.body.data.exceptionConfiguration.constraintFields.map((field: { fieldKey: string }) => field.fieldKey),
    ).toContain('accountIds');
    clock.advance(1000);
    const changed = await call('PATCH', '/Policies/harborline-buckets-1', { severity: 'low', limit: 5 });
    expect(changed.body.data).toMatchObject({
      severity: 'low',
      limit: 5,
      lastUpdateTime: new Date(noon + 1000).toISOString(),
    });
    const list = (await call('GET', '/Policies')).body.data.map((entry: { policyId: string }) => entry.policyId);
    expect(list).toContain('harborline-buckets-1');
    expect((await call('GET', '/Policies/Tags')).body.data).toContain('team:storage');
    expect((await call('DELETE', '/Queries/Acme_Public_Buckets')).status).toBe(409);
    expect((await call('DELETE', '/Policies/harborline-buckets-1')).status).toBe(204);
    expect((await call('GET', '/Policies/harborline-buckets-1')).status).toBe(404);
    expect((await call('DELETE', '/Queries/Acme_Public_Buckets')).status).toBe(204);
  });

  test('ids: the account in front of a chosen one, a number without one, and none twice', async () => {
    const { call } = await withQuery();
    const id = async (policyId?: string) => {
      const { status, body } = await call('POST', '/Policies', {
        ...policy,
        ...(policyId === undefined ? {} : { policyId }),
      });
      return status === 201 ? body.data.policyId : status;
    };
    expect(await id('buckets')).toBe('harborline-buckets');
    expect(await id('buckets')).toBe(409);
    expect(await id('$account-buckets-12345678')).toBe('harborline-buckets-12345678');
    expect(await id()).toBe('harborline-default-1');
    expect(await id()).toBe('harborline-default-2');
    for (const bad of [
      'Buckets',
      'buckets-123456789',
      'abcdefghijklmnopq',
      'default',
      'default-1',
      'buckets-x',
      '$account-',
    ]) {
      expect(await id(bad), bad).toBe(400);
    }
  });

  test.each([
    ['an unknown query', { queryId: 'Nowhere' }, 'Nowhere not found'],
    ['an unknown profile', { alertProfile: 'Nowhere.At_All' }, 'Nowhere.At_All'],
    ['an empty profile', { alertProfile: '' }, 'alertProfile'],
    ['a severity of alerts', { severity: 'High' }, 'severity'],
    ['no remediation', { remediation: '' }, 'remediation'],
    ['a limit below one', { limit: 0 }, 'limit'],
    ['another type', { policyType: 'Compliance' }, 'Compliance'],
    ['a frequency nobody knows', { evalFrequency: 'Weekly' }, 'evalFrequency'],
    ['a tag of the service', { tags: ['domain:AWS'] }, 'domain:AWS'],
    ['an unknown key', { owner: 'me' }, 'key owner is unrecognized'],
  ])('refuse %s', async (_, change, reason) => {
    const { call } = await withQuery();
    const answer = await call('POST', '/Policies', { ...policy, ...change });
    expect(answer.status).toBe(400);
    expect(answer.body.message).toContain(reason);
  });

  test('refuse queries that may tell of one resource in several rows', async () => {
    const { call } = await withQuery();
    const many = (distinct: string, item: string) =>
      `{ source { SVC_CFG_AWS_EC2_SECURITY_GROUPS, array_to_rows(RESOURCE_CONFIG:IpPermissions) as (rule) } return ${distinct} { ${item} } }`;
    const use = async (queryId: string, queryText: string) => {
      expect((await call('POST', '/Queries', { queryId, queryText })).status).toBe(201);
      return call('POST', '/Policies', { ...policy, queryId });
    };
    expect((await use('A', many('', 'ARN as RESOURCE_KEY'))).body.message).toContain('distinct');
    expect((await use('B', many('distinct', 'ARN as RESOURCE_KEY, rule:FromPort as PORT'))).body.message).toContain(
      'rule',
    );
    expect((await use('C', many('distinct', 'ARN as RESOURCE_KEY'))).status).toBe(201);
  });

  test('of the vendor can be switched and weighed, and nothing else', async () => {
    const { call } = await signIn();
    const [first, second] = (await call('GET', '/Policies')).body.data;
    expect(first.policyId).toMatch(/^svc-global-\d+$/);
    expect(
      (await call('PATCH', `/Policies/${first.policyId}`, { enabled: false, severity: 'info' })).body.data,
    ).toMatchObject({ enabled: false, severity: 'info' });
    expect((await call('GET', `/Policies/${first.policyId}`)).body.data.enabled).toBe(false);
    expect((await call('PATCH', `/Policies/${first.policyId}`, { title: 'Mine' })).status).toBe(403);
    expect((await call('DELETE', `/Policies/${first.policyId}`)).status).toBe(403);
    const many = await call('PATCH', '/Policies', [
      { policyId: first.policyId, enabled: true },
      { policyId: second.policyId, severity: 'critical' },
    ]);
    expect(many.body.data).toMatchObject([{ enabled: true }, { severity: 'critical' }]);
    expect((await call('PATCH', '/Policies', [{ policyId: 'nowhere', enabled: true }])).status).toBe(404);
  });
});

describe('exceptions', () => {
  const constraints = [{ fieldKey: 'accountIds', fieldValues: ['111122223333'] }];

  test('live under a policy, and go with it', async () => {
    const { call } = await withQuery();
    await call('POST', '/Policies', { ...policy, policyId: 'buckets' });
    const base = '/Exceptions?policyId=harborline-buckets';
    const created = await call('POST', base, { description: 'production', constraints });
    expect(created.status).toBe(201);
    const { exceptionId } = created.body.data;
    expect(exceptionId).toMatch(/^[0-9a-f-]{36}$/);
    const one = `/Exceptions/${exceptionId}?policyId=harborline-buckets`;
    expect((await call('GET', one)).body.data.description).toBe('production');
    expect((await call('PATCH', one, { description: 'all of production' })).body.data).toMatchObject({
      description: 'all of production',
      constraints,
    });
    expect((await call('PATCH', one, { exceptionId })).status).toBe(400);
    expect((await call('GET', '/Exceptions')).body.data).toHaveLength(1);
    expect((await call('GET', base)).body.data).toHaveLength(1);
    expect((await call('GET', `/Exceptions/${exceptionId}`)).body.message).toContain('policyId');
    expect((await call('GET', `/Exceptions/${exceptionId}?policyId=svc-global-1`)).status).toBe(404);
    expect((await call('DELETE', one)).status).toBe(204);
    expect((await call('GET', '/Exceptions')).status).toBe(204);
    await call('POST', base, { constraints });
    await call('DELETE', '/Policies/harborline-buckets');
    expect((await call('GET', '/Exceptions')).status).toBe(204);
  });

  test('take the keys of their policy alone', async () => {
    const { call } = await signIn();
    const create = (list: unknown) => call('POST', '/Exceptions?policyId=svc-global-1', { constraints: list });
    expect((await create([{ fieldKey: 'invalid', fieldValues: ['x'] }])).body.message).toBe(
      'fieldKey: invalid is not applicable to policy svc-global-1. Valid fieldKey are [accountIds, arns, regionNames, resourceNames, resourceTags]',
    );
    expect((await create([])).status).toBe(400);
    expect((await create([{ fieldKey: 'arns', fieldValues: [] }])).status).toBe(400);
    expect((await create([{ fieldKey: 'resourceTags', fieldValues: ['env'] }])).status).toBe(400);
    expect((await create([{ fieldKey: 'resourceTags', fieldValues: [{ key: 'env', value: ['dev'] }] }])).status).toBe(
      201,
    );
    expect((await call('POST', '/Exceptions?policyId=nowhere', { constraints })).status).toBe(404);
    expect((await call('POST', '/Exceptions', { constraints })).status).toBe(400);
  });
});

describe('alerts', () => {
  const own = async ({ call }: SignedIn) =>
    ((await call('POST', '/Alerts/search', {})).body?.data ?? []).filter(
      (alert: { policyId: string }) => alert.policyId === 'harborline-buckets',
    );

  test('a policy fires one worded by its template, which is commented and closed for good', async () => {
    const platform = await withQuery();
    const { call } = platform;
    await call('POST', '/AlertProfiles', {
      alertProfileId: 'Acme_Buckets',
      extends: 'SVC_CFG_AWS_DEFAULT_PROFILE',
      alerts: [
        {
          name: 'Public',
          eventName: 'Acme public bucket',
          description: '{{_POLICY_TITLE}} in {{ACCOUNT_ID}}',
          subject: 'Bucket {{RESOURCE_KEY}} is open',
        },
      ],
    });
    await call('POST', '/Policies', { ...policy, policyId: 'buckets', alertProfile: 'Acme_Buckets.Public' });
    const [alert] = await own(platform);
    expect(alert).toMatchObject({
      alertName: 'Acme public bucket',
      severity: 'High',
      status: 'Open',
      source: 'AWS',
      alertInfo: {
        subject: 'Bucket arn:aws:s3:::harborline-customer-exports is open',
        description: 'Public bucket in 111122223333',
      },
    });
    const at = (scope: string) => call('GET', `/Alerts/${alert.alertId}?scope=${scope}`);
    expect((await at('Events')).body.data.length).toBe(2);
    expect((await at('Details')).body.data).toMatchObject({
      alertId: alert.alertId,
      entityMap: { Resource: expect.any(Array) },
    });
    expect((await at('Investigation')).body.data[0]).toEqual({ question: expect.any(String), answer: 'No' });
    expect((await at('RelatedAlerts')).body.data.length).toBeGreaterThan(0);
    expect((await at('Integrations')).status).toBe(204);
    expect((await at('Everything')).status).toBe(400);
    expect((await call('GET', `/Alerts/${alert.alertId}`)).status).toBe(400);
    const comment = await call('POST', `/Alerts/${alert.alertId}/comment`, { comment: 'looking', format: 'Markdown' });
    expect(comment).toMatchObject({
      status: 200,
      body: { data: { message: { format: 'Markdown:1.0', value: 'looking' } } },
    });
    const close = (body: object) => call('POST', `/Alerts/${alert.alertId}/close`, body);
    expect((await close({ reason: 0 })).status).toBe(400);
    expect((await close({ reason: 6 })).status).toBe(400);
    expect((await close({})).status).toBe(400);
    expect(await close({ reason: 3 })).toMatchObject({ status: 204, body: undefined });
    expect((await close({ reason: 3 })).status).toBe(409);
    expect((await own(platform))[0].status).toBe('Closed');
    expect((await at('Timeline')).body.data.map((entry: { entryType: string }) => entry.entryType)).toEqual([
      'AlertCreated',
      'Comment',
      'StatusChange',
    ]);
    const open = await call('POST', '/Alerts/search', {
      filters: [{ field: 'status', expression: 'eq', value: 'Closed' }],
    });
    expect(open.body.data).toHaveLength(1);
    expect((await call('POST', '/Alerts/999/close', { reason: 3 })).body.message).toBe('Not found');
  });

  test.each([0, 1, 2, 3, 4, 5])('close with reason %d', async (reason) => {
    const platform = await withQuery();
    await platform.call('POST', '/Policies', { ...policy, policyId: 'buckets' });
    const [alert] = await own(platform);
    expect((await platform.call('POST', `/Alerts/${alert.alertId}/close`, { reason, comment: 'done' })).status).toBe(
      204,
    );
  });

  test('a finding is reported once; a policy runs at most every hour', async () => {
    const clock = createClock();
    const platform = await withQuery(clock);
    await platform.call('POST', '/Policies', { ...policy, policyId: 'buckets' });
    expect(await own(platform)).toHaveLength(1);
    clock.advance(hour);
    expect(await own(platform)).toHaveLength(1);
  });

  test('nothing fires while a policy is off or muted, and it starts when switched on', async () => {
    const platform = await withQuery();
    await platform.call('POST', '/Policies', { ...policy, policyId: 'buckets', enabled: false });
    expect(await own(platform)).toHaveLength(0);
    await platform.call('PATCH', '/Policies/harborline-buckets', { enabled: true, alertEnabled: false });
    expect(await own(platform)).toHaveLength(0);
    await platform.call('PATCH', '/Policies/harborline-buckets', { alertEnabled: true });
    expect(await own(platform)).toHaveLength(1);
  });

  test.each([
    ['account', { fieldKey: 'accountIds', fieldValues: ['111122223333'] }, 0],
    ['another account', { fieldKey: 'accountIds', fieldValues: ['999'] }, 2],
    ['everything', { fieldKey: 'accountIds', fieldValues: ['*'] }, 0],
    ['name', { fieldKey: 'resourceNames', fieldValues: ['harborline-customer-exports'] }, 1],
    ['resource name', { fieldKey: 'arns', fieldValues: ['arn:aws:s3:::harborline-web-assets'] }, 1],
    ['tag', { fieldKey: 'resourceTags', fieldValues: [{ key: 'Owner', value: 'orders' }] }, 1],
  ])('an exception by %s lets findings off', async (_, constraint, left) => {
    const platform = await withQuery();
    await platform.call('POST', '/Policies', { ...policy, policyId: 'buckets', enabled: false });
    expect(
      (await platform.call('POST', '/Exceptions?policyId=harborline-buckets', { constraints: [constraint] })).status,
    ).toBe(201);
    await platform.call('PATCH', '/Policies/harborline-buckets', { enabled: true });
    const [alert] = await own(platform);
    const events =
      alert === undefined ? [] : (await platform.call('GET', `/Alerts/${alert.alertId}?scope=Events`)).body.data;
    expect(events).toHaveLength(left);
  });

  test('a run yields no more findings than the limit', async () => {
    const platform = await withQuery();
    await platform.call('POST', '/Policies', { ...policy, policyId: 'buckets', limit: 1 });
    const [alert] = await own(platform);
    expect((await platform.call('GET', `/Alerts/${alert.alertId}?scope=Events`)).body.data).toHaveLength(1);
  });

  test('searches filter on seven fields alone and are paginated', async () => {
    const { call } = await signIn();
    const all = await call('POST', '/Alerts/search', {});
    expect(all.body.paging).toMatchObject({
      rows: all.body.data.length,
      totalRows: all.body.data.length,
      urls: { nextPage: null },
    });
    expect(all.body.data.length).toBeGreaterThanOrEqual(5);
    const critical = await call('POST', '/Alerts/search', {
      filters: [{ field: 'severity', expression: 'eq', value: 'Critical' }],
      returns: ['alertId', 'severity'],
    });
    expect(critical.body.data).toEqual([{ alertId: expect.any(Number), severity: 'Critical' }]);
    expect(
      (await call('POST', '/Alerts/search', { filters: [{ field: 'alertName', expression: 'eq', value: 'x' }] })).body
        .message,
    ).toContain('Invalid field');
  });
});

describe('the audit log', () => {
  test('tells of every change, who made it and when', async () => {
    const clock = createClock();
    const { call } = await withQuery(clock);
    clock.advance(1000);
    await call('POST', '/Policies', { ...policy, policyId: 'buckets' });
    const { body } = await call('GET', '/AuditLogs');
    expect(
      body.data.map((entry: { userAction: string; eventName: string }) => `${entry.eventName} ${entry.userAction}`),
    ).toEqual(['Policy CREATE', 'Query CREATE']);
    expect(body.data[0]).toMatchObject({
      createdTime: new Date(noon + 1000).toISOString(),
      accountName: 'harborline',
      userName: expect.stringContaining('@'),
    });
    const found = await call('POST', '/AuditLogs/search', {
      filters: [{ field: 'eventName', expression: 'eq', value: 'Query' }],
      returns: ['eventName'],
    });
    expect(found.body.data).toEqual([{ eventName: 'Query' }]);
    clock.advance(25 * hour);
    // The access token is over by now; a search of an earlier day shows the entries again.
  });
});
