import { expect, test } from 'vitest';
import { accountNameOf, checkListedAccount, WrongAccount } from '../../../../server/api/content/account-identity.ts';
import { compareFolder, deployPlan, planDeployment } from '../../../../server/api/content/content-sync.ts';
import { contentFolder, inProcessAccount } from './support/in-process.ts';

const subAccount = { account: 'prod', primary: 'acme' };

test('content of the primary account in place of the sub-account’s is refused, with the reason', () => {
  const check = (): void => checkListedAccount(['lacework-global-1', 'ACME-buckets-1', 'acme-buckets-2'], subAccount);
  expect(check).toThrow(WrongAccount);
  expect(check).toThrow(/lists the content of 'acme' \(for example 'ACME-buckets-1'\), not of the sub-account 'prod'/);
});

test.each([
  ['policies of the sub-account', ['prod-buckets-1', 'acme-buckets-1'], subAccount],
  ['no chosen policy at all', [], subAccount],
  ['policies of neither', ['other-1'], subAccount],
  ['no sub-account', ['acme-buckets-1'], { account: 'acme', primary: undefined }],
  ['a sub-account of the same name', ['acme-buckets-1'], { account: 'acme', primary: 'acme' }],
  ['a sub-account that begins as the account', ['acme-eu-buckets-1'], { account: 'acme-eu', primary: 'acme' }],
] as const)('%s: nothing speaks against it', (_what, ids, of) => {
  expect(() => checkListedAccount(ids, of)).not.toThrow();
});

const query = (columns: string): string =>
  `queryId: Acme_Buckets\nqueryText: |-\n  { source { SVC_CFG_AWS_S3 } return { ${columns} } }\n`;
const policy = `policyId: $account-buckets-1
title: Buckets
description: d
remediation: r
severity: high
enabled: true
alertEnabled: false
alertProfile: SVC_CFG_AWS_DEFAULT_PROFILE.CFG_AWS_NewViolation
queryId: Acme_Buckets
`;

test('a deployment to a sub-account that the service did not take up writes nothing', async () => {
  const acme = inProcessAccount('acme');
  let writes = 0;
  const client = acme.client({
    through: (request, send) => {
      if (request.method !== 'GET' && !request.url.endsWith('/access/tokens')) writes++;
      return send(request);
    },
  });
  await using folder = await contentFolder({ 'queries/buckets.yaml': query('ARN'), 'policies/buckets.yaml': policy });
  const own = acme.options(folder.root, client);
  const deploy = async (options: typeof own): Promise<unknown> =>
    deployPlan(
      planDeployment(await compareFolder(options), options, { prune: false, overwrite: new Set(), only: undefined }),
      options,
    );
  await deploy(own);
  expect(writes).toBe(2);
  await folder.write({ 'queries/buckets.yaml': query('ARN, RESOURCE_ID') });
  const names = { ...own.account.names, account: 'prod' };
  const sub = { ...own, account: { ...own.account, id: 'acme.test/prod', names, primary: 'acme' } };
  await expect(deploy(sub)).rejects.toThrow(WrongAccount);
  expect(writes).toBe(2);
});

test.each([
  ['https://acme.example.net', undefined, undefined, 'acme'],
  ['https://acme.example.net', 'EU', undefined, 'eu'],
  ['https://lql.proxy.example', undefined, 'Acme', 'acme'],
  ['https://lql.proxy.example', 'eu', 'acme', 'eu'],
])('at %s, sub-account %s, called %s, policy ids begin with %s', (origin, subAccount, account, name) => {
  expect(accountNameOf(new URL(origin), subAccount, account)).toBe(name);
});
