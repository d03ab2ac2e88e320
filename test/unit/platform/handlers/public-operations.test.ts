import { describe, expect, test } from 'vitest';
import { allEndpoints } from '../../../../server/api/endpoints/index.ts';
import { signIn } from '../signed-in.ts';

const queryText = '{ source { SVC_CFG_AWS_S3 } return { ARN as RESOURCE_KEY } }';

/** Operations that public clients of the real service use and the specification does not list. */
describe('operations outside of the specification', () => {
  test.each([
    ['/Datasources/search', 'name', 'CloudTrailRawEvents'],
    ['/Queries/search', 'queryId', 'Mine'],
    ['/Policies/search', 'policyId', 'harborline-mine'],
  ])('POST %s finds by thirteen operators', async (path, field, value) => {
    const { call } = await signIn();
    await call('POST', '/Queries', { queryId: 'Mine', queryText });
    const policy = { queryId: 'Mine', title: 't', enabled: true, description: 'd', remediation: 'r', severity: 'low' };
    await call('POST', '/Policies', { ...policy, policyId: 'mine', alertEnabled: false });
    const all = (await call('POST', path, {})).body.data;
    expect(all).toEqual((await call('GET', path.replace('/search', ''))).body.data);
    const find = async (expression: string, operand: object) =>
      (await call('POST', path, { filters: [{ field, expression, ...operand }] })).body.data.map(
        (entry: Record<string, string>) => entry[field],
      );
    for (const [expression, operand] of [
      ['eq', { value }],
      ['in', { values: [value, 'x'] }],
      ['like', { value: `${value.slice(0, -1)}_` }],
      ['ilike', { value: value.toUpperCase() }],
      ['between', { values: [value, `${value} `] }],
    ] as const)
      expect(await find(expression, operand), expression).toEqual([value]);
    for (const [expression, operand] of [
      ['ne', { value }],
      ['not_in', { values: [value] }],
      ['not_like', { value }],
      ['not_ilike', { value: value.toLowerCase() }],
    ] as const) {
      const others = await find(expression, operand);
      expect(others, expression).toHaveLength(all.length - 1);
      expect(others).not.toContain(value);
    }
    const compared = await Promise.all(['gt', 'ge', 'lt', 'le'].map((expression) => find(expression, { value })));
    expect(compared.map((list) => list.includes(value))).toEqual([false, true, false, true]);
    for (const expression of ['rlike', 'not_rlike', 'expr']) {
      const refused = await call('POST', path, { filters: [{ field, expression, value: '.*' }] });
      expect([refused.status, refused.body.message]).toEqual([400, expect.stringContaining('expression')]);
    }
    expect((await call('POST', path, { filters: [{ field: 'no', expression: 'eq', value }] })).body.message).toContain(
      'Invalid field',
    );
    expect((await call('POST', path, { returns: ['x'] })).status).toBe(400);
  });

  test('DELETE AlertChannels/{guid} deletes it once', async () => {
    const { call } = await signIn();
    const created = await call('POST', '/AlertChannels', {
      name: 'on call',
      type: 'SlackChannel',
      enabled: 1,
      data: { slackUrl: 'https://hooks.example/T/B/X' },
    });
    const path = `/AlertChannels/${created.body.data.intgGuid}`;
    expect(await call('DELETE', path)).toMatchObject({ status: 204, body: undefined });
    expect((await call('GET', path)).status).toBe(404);
    expect((await call('DELETE', path)).status).toBe(404);
    expect((await call('GET', '/AuditLogs')).body.data[0]).toMatchObject({
      eventName: 'Alert channel',
      userAction: 'DELETE',
    });
  });

  test('GET Alerts lists what POST Alerts/search finds, of the last 24 hours unless told otherwise', async () => {
    const { call } = await signIn();
    const { body } = await call('GET', '/Alerts');
    expect(body.data.length).toBeGreaterThan(0);
    expect(body.paging.totalRows).toBe(body.data.length);
    const day = { startTime: '2031-04-01T12:00:00Z', endTime: '2031-04-02T12:00:01Z' };
    expect(body.data).toEqual((await call('POST', '/Alerts/search', { timeFilter: day })).body.data);
    expect((await call('GET', '/Alerts?startTime=2030-01-01&endTime=2030-01-02')).status).toBe(204);
    expect((await call('GET', '/Alerts?startTime=2030-01-02&endTime=2030-01-01')).status).toBe(400);
  });

  test('data export rules live like other things: list, search, get, change, replace, delete', async () => {
    const { call } = await signIn();
    expect(await call('GET', '/DataExportRules')).toMatchObject({ status: 200, body: { data: [] } });
    const rule = { type: 'Dataexport', filters: { name: 'nightly', enabled: 1 }, intgGuidList: ['G1'] };
    const { mcGuid } = (await call('POST', '/DataExportRules', rule)).body.data;
    const path = `/DataExportRules/${mcGuid}`;
    expect((await call('GET', path)).body.data).toMatchObject(rule);
    expect((await call('PATCH', path, { intgGuidList: ['G2'] })).body.data).toMatchObject({
      ...rule,
      intgGuidList: ['G2'],
    });
    const other = { ...rule, filters: { name: 'weekly', enabled: 0 } };
    expect((await call('PUT', path, other)).body.data).toMatchObject(other);
    expect((await call('PUT', path, { type: 'Dataexport' })).status).toBe(400);
    const filters = [{ field: 'mcGuid', expression: 'eq', value: mcGuid }];
    expect((await call('POST', '/DataExportRules/search', { filters })).body.data).toHaveLength(1);
    expect((await call('DELETE', path)).status).toBe(204);
    for (const [method, body] of [['GET'], ['PATCH', {}], ['PUT', rule], ['DELETE']] as const)
      expect((await call(method, path, body)).status, method).toBe(404);
    expect((await call('POST', '/DataExportRules/search', {})).status).toBe(204);
  });

  test('are not there with specificationOnly: their path or their method is unknown', async () => {
    const { call } = await signIn({ specificationOnly: true });
    const outside = allEndpoints.filter((endpoint) => endpoint.source !== 'specification');
    expect(outside.length).toBeGreaterThanOrEqual(20);
    for (const { method, path } of outside) {
      const { status } = await call(method, path.replace(/\{\w+\}/g, 'X_1'), method === 'GET' ? undefined : {});
      expect([404, 405], `${method} ${path}`).toContain(status);
    }
  });
});
