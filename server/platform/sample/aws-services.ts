import type { Value } from '../../core/language/values/value.ts';
import { trailArn } from './aws-identity.ts';
import { type AwsResource, awsColumns, awsRow, type Collection, collections, standardTags } from './collections.ts';
import { defaultRelationship, type SampleDatasource, type SampleRow } from './datasource.ts';
import { day, isoSeconds } from './time.ts';
import { type AwsAccount, awsAccounts, type World } from './world.ts';

/** Accounts themselves, secrets, functions, and what trails record. */
export const awsServiceDatasources: readonly SampleDatasource[] = [
  {
    name: 'SVC_CFG_AWS_ACCOUNTS',
    description: 'AWS accounts that are watched',
    columns: awsColumns,
    relationships: [],
    timeColumn: 'BATCH_END_TIME',
    snapshot: 'lastCollection',
    rows: (world) =>
      accountRows(world, 'account', 'list-accounts', 'organizations:account', (account) => ({
        Id: account.id,
        Name: account.alias,
        Status: 'ACTIVE',
        JoinedMethod: 'CREATED',
      })),
  },
  {
    name: 'SVC_CFG_AWS_ACCOUNT_GET_ALTERNATE_CONTACT',
    description: 'Whom AWS writes to about security; an account without a contact has no row',
    columns: awsColumns,
    relationships: [],
    timeColumn: 'BATCH_END_TIME',
    snapshot: 'lastCollection',
    rows: (world) =>
      accountRows(world, 'contact', 'get-alternate-contact', 'account:alternate-contact', (account) =>
        account.environment === 'staging'
          ? undefined
          : {
              AlternateContact: {
                AlternateContactType: 'SECURITY',
                EmailAddress: 'security@harborline.example',
                Name: 'Ines Moreau',
                PhoneNumber: '+33 1 99 00 12 34',
                Title: 'Head of security',
              },
            },
      ),
  },
  {
    name: 'SVC_CFG_AWS_CLOUDTRAIL_GET_EVENT_SELECTORS',
    description: 'Which events CloudTrail trails record',
    columns: awsColumns,
    relationships: [defaultRelationship('SVC_CFG_AWS_CLOUDTRAIL', 'ONE', 'The trail', ['ARN', 'ARN'])],
    timeColumn: 'BATCH_END_TIME',
    snapshot: 'lastCollection',
    rows: selectorRows,
  },
  {
    name: 'SVC_CFG_AWS_SECRETSMANAGER_SECRETS',
    description: 'Secrets of Secrets Manager: names and rotation, never values',
    columns: awsColumns,
    relationships: [],
    timeColumn: 'BATCH_END_TIME',
    snapshot: 'lastCollection',
    rows: secretRows,
  },
  {
    name: 'SVC_CFG_AWS_LAMBDA',
    description: 'Lambda functions',
    columns: awsColumns,
    relationships: [],
    timeColumn: 'BATCH_END_TIME',
    snapshot: 'lastCollection',
    rows: functionRows,
  },
];

function* accountRows(
  world: World,
  what: string,
  apiKey: string,
  type: string,
  document: (account: AwsAccount) => Value,
): Iterable<SampleRow> {
  for (const run of collections(world)) {
    for (const [index, account] of world.accounts.entries()) {
      const config = document(account);
      if (config === undefined) continue;
      const arn = `arn:aws:organizations::${awsAccounts.shared.id}:${what}/${account.id}`;
      const resource = { account, arn, service: 'account', apiKey, type, id: account.id, region: 'aws-global' };
      yield awsRow(run, index, resource, config);
    }
  }
}

function* selectorRows(world: World): Iterable<SampleRow> {
  for (const run of collections(world)) {
    for (const [index, account] of world.accounts.entries()) {
      const resource: AwsResource = {
        account,
        arn: trailArn(account),
        service: 'cloudtrail',
        apiKey: 'get-event-selectors',
        type: 'cloudtrail:trail',
        id: `harborline-${account.environment}`,
      };
      yield awsRow(run, index, resource, {
        TrailARN: trailArn(account),
        EventSelectors: [
          {
            ReadWriteType: account.environment === 'staging' ? 'WriteOnly' : 'All',
            IncludeManagementEvents: true,
            DataResources:
              account.environment === 'production' ? [{ Type: 'AWS::S3::Object', Values: ['arn:aws:s3'] }] : [],
            ExcludeManagementEventSources: [],
          },
        ],
      });
    }
  }
}

const secretPlans: readonly (readonly [
  name: string,
  account: AwsAccount,
  rotation: number | undefined,
  team: string,
])[] = [
  ['orders/database', awsAccounts.production, 12, 'orders'],
  ['orders/customs-gateway', awsAccounts.production, undefined, 'orders'],
  ['payments/signing-key', awsAccounts.production, 40, 'finance'],
  ['tracking/map-provider', awsAccounts.production, undefined, 'tracking'],
  ['staging/database', awsAccounts.staging, undefined, 'orders'],
  ['build/registry', awsAccounts.shared, 25, 'platform'],
];

function* secretRows(world: World): Iterable<SampleRow> {
  for (const run of collections(world)) {
    for (const [index, [name, account, rotation, team]] of secretPlans.entries()) {
      const random = world.random(`secret/${name}`);
      const arn = `arn:aws:secretsmanager:${account.region}:${account.id}:secret:${name}-${random.token(6)}`;
      const resource = {
        account,
        arn,
        service: 'secretsmanager',
        apiKey: 'list-secrets',
        type: 'secretsmanager:secret',
        id: name,
        tags: standardTags(account, team),
      };
      yield awsRow(
        run,
        index,
        resource,
        secretDocument(run, arn, name, rotation, world.anchor - random.integer(90, 700) * day),
      );
    }
  }
}

function secretDocument(
  run: Collection,
  arn: string,
  name: string,
  rotation: number | undefined,
  created: number,
): Value {
  return {
    ARN: arn,
    Name: name,
    CreatedDate: isoSeconds(created),
    LastAccessedDate: isoSeconds(run.end - day),
    RotationEnabled: rotation !== undefined,
    ...(rotation === undefined
      ? {}
      : { LastRotatedDate: isoSeconds(run.end - rotation * day), RotationRules: { AutomaticallyAfterDays: 60 } }),
  };
}

const functionPlans: readonly (readonly [name: string, account: AwsAccount, runtime: string, inNetwork: boolean])[] = [
  ['label-thumbnails', awsAccounts.production, 'nodejs20.x', false],
  ['invoice-mailer', awsAccounts.production, 'python3.12', true],
  ['position-archive', awsAccounts.production, 'python3.8', true],
  ['staging-cleanup', awsAccounts.staging, 'python3.12', false],
  ['image-scanner-trigger', awsAccounts.shared, 'nodejs22.x', false],
];

function* functionRows(world: World): Iterable<SampleRow> {
  for (const run of collections(world)) {
    for (const [index, [name, account, runtime, inNetwork]] of functionPlans.entries()) {
      const arn = `arn:aws:lambda:${account.region}:${account.id}:function:${name}`;
      const network = world.networks.find((candidate) => candidate.account === account);
      const resource = {
        account,
        arn,
        service: 'lambda',
        apiKey: 'list-functions',
        type: 'lambda:function',
        id: name,
        tags: standardTags(account, 'platform'),
      };
      yield awsRow(run, index, resource, {
        FunctionName: name,
        FunctionArn: arn,
        Runtime: runtime,
        Handler: runtime.startsWith('python') ? 'main.handler' : 'index.handler',
        MemorySize: 256,
        Timeout: 30,
        PackageType: 'Zip',
        Role: `arn:aws:iam::${account.id}:role/lambda-${name}`,
        TracingConfig: { Mode: 'PassThrough' },
        ...(inNetwork && network !== undefined
          ? { VpcConfig: { VpcId: network.vpcId, SubnetIds: network.subnets.slice(0, 2), SecurityGroupIds: [] } }
          : {}),
      });
    }
  }
}
