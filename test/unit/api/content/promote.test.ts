import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type ApiClient, createApiClient } from '../../../../server/api/client.ts';
import {
  type ContentOptions,
  compareFolder,
  deployPlan,
  planDeployment,
} from '../../../../server/api/content/content-sync.ts';
import {
  comparePromotion,
  overridesLeftOut,
  planPromotion,
  readOverrides,
} from '../../../../server/api/content/promote.ts';
import { endpoints } from '../../../../server/api/endpoints/index.ts';
import { createSecret } from '../../../../server/api/transport/redact.ts';
import { createUndiciTransport } from '../../../../server/api/transport/undici.ts';
import type { RemoteObject } from '../../../../server/core/content/content-object.ts';
import { startPlatform } from '../../../../server/platform/index.ts';

let root: string;
let acme: ContentOptions;
let other: ContentOptions;
const cleanups: (() => Promise<unknown>)[] = [];

async function account(name: string): Promise<ContentOptions> {
  const platform = await startPlatform({ account: name, rateLimit: false, sample: 'none' });
  const client = createApiClient({
    origin: platform.url,
    vendorPrefix: 'SVC',
    keyId: platform.keyId,
    secret: createSecret(platform.secret),
    transport: createUndiciTransport(),
  });
  cleanups.push(async () => {
    await client.close();
    await platform.stop();
  });
  return {
    root,
    account: { id: `${name}.test`, names: { account: name, vendorPrefix: 'SVC' }, client },
    now: Date.now,
  };
}

const policy = {
  policyId: '$account-buckets-1',
  queryId: 'Acme_Buckets',
  title: 'A bucket',
  enabled: true,
  severity: 'high' as const,
  description: 'Every bucket.',
  remediation: 'Look at it.',
  alertEnabled: true,
};
const queryText = '{ source { SVC_CFG_AWS_S3 } return distinct { ARN } }';
const create = async (client: ApiClient, text = queryText) => {
  await client.call(endpoints.queries.create, { body: { queryId: 'Acme_Buckets', queryText: text } });
  await client.call(endpoints.policies.create, { body: policy });
};

beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'lql-promote-'));
  cleanups.push(() => rm(root, { recursive: true, force: true }));
  acme = await account('acme');
  other = await account('other');
  await create(acme.account.client);
});
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

const sourceOf = async (): Promise<ReadonlyMap<string, RemoteObject>> =>
  new Map([...(await compareFolder(acme)).remote].filter(([, { vendorOwned }]) => !vendorOwned));
const promotion = async (label = 'staging') => {
  const target = await compareFolder(other);
  const compared = comparePromotion(target, other, {
    source: await sourceOf(),
    overrides: await readOverrides(root),
    label,
  });
  return { target, compared };
};

it('brings what one account has to another, with what is different there, and then has nothing left to do', async () => {
  await writeFile(
    path.join(root, 'lql.overrides.yaml'),
    "accounts:\n  Staging:\n    policies:\n      '*': { alertEnabled: false }\n      $account-buckets-1: { severity: low }\n",
  );
  const { target, compared } = await promotion();
  expect(compared.overwrites.size).toBe(0);
  expect([...compared.overridden]).toEqual([['policy\n$account-buckets-1', ['alertEnabled', 'severity']]]);
  const plan = planPromotion(compared, target, other, new Set((await sourceOf()).keys()));
  expect(plan.operations.map(({ action, id }) => `${action} ${id}`)).toEqual([
    'create Acme_Buckets',
    'create $account-buckets-1',
  ]);
  await deployPlan(plan, other, { keepLock: true });
  const { data } = await other.account.client.call(endpoints.policies.get, { params: { policyId: 'other-buckets-1' } });
  expect(data).toMatchObject({ title: 'A bucket', severity: 'low', alertEnabled: false });
  const again = await promotion();
  expect(again.compared.comparisons.map(({ state }) => state)).toEqual(['inSync', 'inSync']);
});

it('overwrites only what was chosen, and plans a policy without its query when that is there', async () => {
  await create(other.account.client, queryText.replace('ARN', 'ACCOUNT_ID'));
  await other.account.client.call(endpoints.policies.update, {
    params: { policyId: 'other-buckets-1' },
    body: { title: 'Another' },
  });
  const { target, compared } = await promotion();
  expect([...compared.overwrites].sort()).toEqual(['policy\n$account-buckets-1', 'query\nAcme_Buckets']);
  const none = planPromotion(compared, target, other, new Set());
  expect(none.operations).toEqual([]);
  const one = planPromotion(compared, target, other, new Set(['policy\n$account-buckets-1']));
  expect(one.operations.map(({ action, changes }) => [action, changes.map(({ field }) => field)])).toEqual([
    ['update', ['title']],
  ]);
  await deployPlan(one, other, { keepLock: true });
  const { data } = await other.account.client.call(endpoints.queries.get, { params: { queryId: 'Acme_Buckets' } });
  expect(data.queryText).toContain('ACCOUNT_ID');
});

it('counts overrides in promotions alone, and says what a plan of the files leaves out', async () => {
  await writeFile(path.join(root, 'a.yaml'), JSON.stringify(policy));
  await writeFile(path.join(root, 'b.yaml'), JSON.stringify({ queryId: 'Acme_Buckets', queryText }));
  await writeFile(
    path.join(root, 'lql.overrides.yaml'),
    'accounts:\n  staging:\n    policies:\n      $account-buckets-1: { severity: low }\n',
  );
  const overrides = await readOverrides(root);
  const request = { prune: false, overwrite: new Set<string>(), only: undefined };
  const plan = planDeployment(await compareFolder(other), other, request);
  expect(plan.operations.map(({ id, desired }) => [id, desired?.fields['severity']])).toEqual([
    ['Acme_Buckets', undefined],
    ['$account-buckets-1', 'high'],
  ]);
  expect(overridesLeftOut(plan, other, { overrides, label: 'staging' })).toEqual([
    'policy $account-buckets-1: severity',
  ]);
  expect(overridesLeftOut(plan, other, { overrides, label: 'production' })).toEqual([]);
});

it('deletes nothing that only the other account has', async () => {
  await other.account.client.call(endpoints.queries.create, { body: { queryId: 'Only_Here', queryText } });
  const { target, compared } = await promotion();
  const plan = planPromotion(compared, target, other, new Set([...(await sourceOf()).keys(), 'query\nOnly_Here']));
  expect(plan.operations.map(({ action }) => action)).toEqual(['create', 'create']);
  expect(plan.obstacles).toEqual([]);
});
