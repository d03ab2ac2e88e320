import { describe, expect, test } from 'vitest';
import { createClock, signIn } from '../signed-in.ts';

const minute = 60_000;

describe('inventory scans', () => {
  test.each(['AWS', 'Azure', 'GCP'])('%s: a scan runs, then rests for an hour', async (csp) => {
    const clock = createClock();
    const { call } = await signIn({}, clock);
    const status = async () => (await call('GET', `/Inventory/scan?csp=${csp}`)).body.data.status;
    expect(await status()).toBe('available');
    expect((await call('POST', `/Inventory/scan?csp=${csp}`)).body.data).toEqual({
      status: 'scanning',
      details: 'Scan is in progress',
    });
    clock.advance(10 * minute - 1);
    expect(await status()).toBe('scanning');
    clock.advance(1);
    expect(await status()).toBe('pending');
    clock.advance(60 * minute - 1);
    expect((await call('POST', `/Inventory/scan?csp=${csp}`)).body.data.status).toBe('pending');
    clock.advance(1);
    expect((await call('POST', `/Inventory/scan?csp=${csp}`)).body.data.status).toBe('scanning');
  });

  test('the provider is required and one of three', async () => {
    const { call } = await signIn();
    expect((await call('POST', '/Inventory/scan')).body.message).toContain('csp');
    expect((await call('GET', '/Inventory/scan?csp=Oracle')).status).toBe(400);
  });
});

describe('agent access tokens', () => {
  test('are created, listed while enabled, searched, disabled', async () => {
    const { call } = await signIn();
    const created = await call('POST', '/AgentAccessTokens', {
      tokenAlias: 'web',
      tokenEnabled: '1',
      props: { description: 'fleet' },
    });
    expect(created.status).toBe(201);
    const { accessToken } = created.body.data;
    expect(created.body.data).toMatchObject({
      tokenAlias: 'web',
      tokenEnabled: '1',
      version: '0.1',
      props: { description: 'fleet' },
    });
    expect((await call('GET', `/AgentAccessTokens/${accessToken}`)).body.data.accessToken).toBe(accessToken);
    expect((await call('GET', '/AgentAccessTokens')).body.data).toHaveLength(1);
    expect(
      (await call('PATCH', `/AgentAccessTokens/${accessToken}`, { tokenEnabled: '0', props: { os: 'linux' } })).body
        .data,
    ).toMatchObject({
      tokenEnabled: '0',
      props: { description: 'fleet', os: 'linux' },
    });
    expect((await call('GET', '/AgentAccessTokens')).status).toBe(204);
    const search = (field: string, value: string) =>
      call('POST', '/AgentAccessTokens/search', { filters: [{ field, expression: 'eq', value }] });
    expect((await search('tokenEnabled', '0')).body.data).toHaveLength(1);
    expect((await search('props', 'x')).body.message).toContain('Invalid field');
    expect((await call('POST', '/AgentAccessTokens', { tokenAlias: '', tokenEnabled: '1' })).status).toBe(400);
    expect((await call('POST', '/AgentAccessTokens', { tokenAlias: 'x', tokenEnabled: '' })).status).toBe(400);
    expect((await call('GET', '/AgentAccessTokens/nowhere')).status).toBe(404);
    expect((await call('DELETE', `/AgentAccessTokens/${accessToken}`)).status).toBe(405);
  });
});

describe('the account', () => {
  test('tells its contract, organization and cloud units', async () => {
    const { call } = await signIn();
    expect((await call('GET', '/ContractInfo')).body.data[0]).toMatchObject({
      objName: 'CloudActivities',
      props: { dataRetentionInDay: 90 },
    });
    expect((await call('GET', '/OrganizationInfo')).body.data).toEqual([
      { orgAccount: true, orgAccountUrl: 'platform.test' },
    ]);
    const [subscription] = (await call('GET', '/Configs/AzureSubscriptions')).body.data;
    expect(subscription).toMatch(/^[0-9a-f-]{36}$/);
    expect((await call('GET', '/Configs/AzureSubscriptions?tenantId=other')).status).toBe(204);
    expect((await call('GET', '/Configs/GcpProjects')).body.data).toEqual(['harborline-analytics']);
    expect((await call('GET', '/Configs/GcpProjects?orgId=408122906347')).body.data).toHaveLength(1);
  });

  test('creates data export rules', async () => {
    const { call } = await signIn();
    const rule = { type: 'Dataexport', filters: { name: 'nightly', enabled: 1 }, intgGuidList: ['ACME_S3'] };
    const { status, body } = await call('POST', '/DataExportRules', rule);
    expect(status).toBe(201);
    expect(body.data).toMatchObject({
      mcGuid: expect.stringMatching(/^HARBORLINE_EXPORT_/),
      filters: { name: 'nightly' },
    });
    expect((await call('POST', '/DataExportRules', {})).status).toBe(400);
  });
});
