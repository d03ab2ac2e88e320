import { describe, expect, test } from 'vitest';
import { alertChannelTypes, cloudAccountTypes } from '../../../../server/core/resources/index.ts';
import { createClock, signIn } from '../signed-in.ts';

const s3 = { externalId: 'x-1', roleArn: 'arn:aws:iam::111122223333:role/export', bucketArn: 'arn:aws:s3:::alerts' };
const data: { readonly [type: string]: object } = {
  AwsS3: { s3CrossAccountCredentials: s3 },
  AwsCfg: { awsAccountId: '111122223333', crossAccountCredentials: { externalId: 'x-1', roleArn: s3.roleArn } },
};
const families = [
  ['/AlertChannels', alertChannelTypes],
  ['/CloudAccounts', cloudAccountTypes],
  ['/ContainerRegistries', ['ContVulnCfg']],
] as const;

describe.each(families)('%s', (path, types) => {
  const [type = ''] = types;
  const record = { name: 'first', type, enabled: 1, data: data[type] ?? { registryType: 'AWS_ECR' } };

  test('live: create, get, list, search, patch', async () => {
    const { call } = await signIn();
    const created = await call('POST', path, record);
    expect(created.status).toBe(201);
    const { intgGuid } = created.body.data;
    expect(intgGuid).toMatch(/^HARBORLINE_[0-9A-F]{48}$/);
    expect(created.body.data).toMatchObject({ ...record, isOrg: 0 });
    expect(created.body.data).not.toHaveProperty('state');
    expect((await call('GET', `${path}/${intgGuid}`)).body.data.intgGuid).toBe(intgGuid);
    expect((await call('GET', path)).body.data).toHaveLength(1);
    const found = await call('POST', `${path}/search`, {
      filters: [{ field: 'name', expression: 'like', value: 'fir%' }],
      returns: ['name'],
    });
    expect(found.body.data).toEqual([{ name: 'first' }]);
    expect((await call('POST', `${path}/search`, { timeFilter: {} })).body.message).toBe(
      'key timeFilter is unrecognized',
    );
    expect((await call('PATCH', `${path}/${intgGuid}`, { enabled: 0 })).body.data).toMatchObject({
      ...record,
      enabled: 0,
    });
    expect((await call('PATCH', `${path}/${intgGuid}`, { name: '   ' })).status).toBe(400);
    expect((await call('GET', `${path}/ACME_UNKNOWN`)).status).toBe(404);
  });

  test('take every type of their list and no other', async () => {
    const { call } = await signIn();
    for (const each of types) {
      expect((await call('POST', path, { ...record, type: each, data: data[each] ?? {} })).status, each).toBe(201);
    }
    expect((await call('POST', path, { ...record, type: 'Other' })).status).toBe(400);
    for (const wrong of [
      { name: '' },
      { name: '  ' },
      { enabled: 2 },
      { enabled: -1 },
      { enabled: true },
      { data: 'x' },
    ]) {
      expect((await call('POST', path, { ...record, ...wrong })).status, JSON.stringify(wrong)).toBe(400);
    }
  });
});

describe('integrations', () => {
  test('are listed by type or found by id at the same place', async () => {
    const { call } = await signIn();
    const hook = { name: 'hook', type: 'Webhook', enabled: 1, data: { webhookUrl: 'https://hooks.example/1' } };
    const { intgGuid } = (await call('POST', '/AlertChannels', hook)).body.data;
    expect((await call('GET', '/AlertChannels/Webhook')).body.data).toHaveLength(1);
    expect((await call('GET', '/AlertChannels/AwsS3')).status).toBe(204);
    expect((await call('GET', `/AlertChannels/${intgGuid}`)).body.data.name).toBe('hook');
    const replaced = await call('PUT', `/AlertChannels/${intgGuid}`, { ...hook, name: 'other' });
    expect(replaced.body.data).toMatchObject({ intgGuid, name: 'other' });
    expect((await call('PUT', `/AlertChannels/${intgGuid}`, { name: 'half' })).status).toBe(400);
    expect((await call('POST', `/AlertChannels/${intgGuid}/test`)).status).toBe(204);
    await call('PATCH', `/AlertChannels/${intgGuid}`, { enabled: 0 });
    expect((await call('POST', `/AlertChannels/${intgGuid}/test`)).body.message).toContain('disabled');
    expect((await call('POST', '/AlertChannels/ACME_NONE/test')).status).toBe(404);
  });

  test('never give credentials back', async () => {
    const { call } = await signIn();
    const created = await call('POST', '/CloudAccounts', {
      name: 'gcp',
      type: 'GcpCfg',
      enabled: 1,
      data: {
        id: 'p',
        idType: 'PROJECT',
        credentials: { clientId: 'c', privateKeyId: 'k', clientEmail: 'e', privateKey: 'canary' },
      },
    });
    expect(JSON.stringify(created.body)).not.toContain('canary');
    expect(created.body.data.data.credentials).toMatchObject({ clientId: 'c', privateKey: '' });
  });

  test('no credential is given back, however deep or under whatever key it lies', async () => {
    const { call } = await signIn();
    const secrets = '{"accounts":[{"id":"1","password":"hidden"}],"__proto__":{"apiToken":"hidden","kept":"yes"}}';
    const record = `{"name":"n","type":"AzureCfg","enabled":1,"data":${secrets}}`;
    const { body } = await call('POST', '/CloudAccounts', record);
    expect(JSON.stringify(body.data.data)).toBe(secrets.replaceAll('"hidden"', '""'));
  });

  test('the two shapes the specification shows are checked', async () => {
    const { call } = await signIn();
    const create = (type: string, value: object, path = '/AlertChannels') =>
      call('POST', path, { name: 'n', type, enabled: 1, data: value });
    expect((await create('AwsS3', {})).body.message).toContain('s3CrossAccountCredentials');
    expect(
      (await create('AwsS3', { s3CrossAccountCredentials: { ...s3, bucketArn: undefined } })).body.message,
    ).toContain('bucketArn');
    expect((await create('AwsCfg', { crossAccountCredentials: {} }, '/CloudAccounts')).status).toBe(400);
  });

  test('cloud accounts and registries are deleted', async () => {
    const { call } = await signIn();
    for (const [path, type] of [
      ['/CloudAccounts', 'AzureCfg'],
      ['/ContainerRegistries', 'ContVulnCfg'],
    ] as const) {
      const { intgGuid } = (await call('POST', path, { name: 'n', type, enabled: 1, data: {} })).body.data;
      expect((await call('DELETE', `${path}/${intgGuid}`)).status).toBe(204);
      expect((await call('DELETE', `${path}/${intgGuid}`)).status).toBe(404);
    }
  });

  test('a new one has no state, later one that is ok; scanners never have one', async () => {
    const clock = createClock();
    const { call } = await signIn({}, clock);
    const ids = new Map<string, string>();
    for (const registryType of ['AWS_ECR', 'PROXY_SCANNER', 'INLINE_SCANNER']) {
      const { body } = await call('POST', '/ContainerRegistries', {
        name: registryType,
        type: 'ContVulnCfg',
        enabled: 1,
        data: { registryType },
      });
      ids.set(registryType, body.data.intgGuid);
      expect(body.data).not.toHaveProperty('state');
    }
    const state = async (kind: string) => (await call('GET', `/ContainerRegistries/${ids.get(kind)}`)).body.data.state;
    clock.advance(59_999);
    expect(await state('AWS_ECR')).toBeUndefined();
    clock.advance(1);
    expect(await state('AWS_ECR')).toMatchObject({ ok: true });
    expect(await state('PROXY_SCANNER')).toBeUndefined();
    expect(await state('INLINE_SCANNER')).toBeUndefined();
    expect((await call('GET', '/ContainerRegistries/ContVulnCfg/AWS_ECR')).body.data).toHaveLength(1);
    expect(await call('GET', '/ContainerRegistries/ContVulnCfg/GHCR')).toMatchObject({
      status: 200,
      body: { data: [] },
    });
    const mapped = await call('POST', `/ContainerRegistries/${ids.get('AWS_ECR')}/mapPolicies`, {
      evaluate: true,
      policyGuids: ['svc-global-1'],
    });
    expect(mapped.body.data.props.policyEvaluation).toEqual({ evaluate: true, policyGuids: ['svc-global-1'] });
    expect(
      (await call('POST', `/ContainerRegistries/${ids.get('AWS_ECR')}/mapPolicies`, { policyGuids: ['nowhere'] }))
        .status,
    ).toBe(404);
  });
});
