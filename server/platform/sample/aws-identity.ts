import type { Value } from '../../core/language/values/value.ts';
import { storageKeyArn } from './aws-storage.ts';
import { awsColumns, awsRow, type Collection, collections, standardTags, tagList } from './collections.ts';
import { defaultRelationship, type SampleDatasource, type SampleRow } from './datasource.ts';
import { intrusion, intrusionMarks } from './story.ts';
import { day, hour, isoSeconds } from './time.ts';
import { type AwsAccount, awsAccounts, type Person, type World } from './world.ts';

/** IAM, CloudTrail, KMS and RDS: who may do what, who watches, and what is guarded. */
export const awsIdentityDatasources: readonly SampleDatasource[] = [
  {
    name: 'SVC_CFG_AWS_IAM_USERS',
    description: 'IAM users',
    columns: awsColumns,
    relationships: [
      defaultRelationship(
        'SVC_CFG_AWS_IAM_USERS_LIST_POLICIES',
        'ONE',
        'Inline policies of the user, when there are any',
        ['ARN', 'ARN'],
      ),
      {
        name: '(default)',
        to: 'SVC_CFG_AWS_IAM_USERS_GET_CREDENTIAL_REPORT',
        cardinality: 'ONE',
        description: 'What the credential report says of the user',
        on: [['ARN', 'ARN']],
      },
    ],
    timeColumn: 'BATCH_END_TIME',
    snapshot: 'lastCollection',
    rows: (world) =>
      userRows(world, 'list-users', (person) => ({
        Arn: userArn(person),
        CreateDate: isoSeconds(person.createdAt),
        Path: '/',
        UserId: person.userId,
        UserName: person.name,
        Tags: tagList({ Team: person.team }),
      })),
  },
  {
    name: 'SVC_CFG_AWS_IAM_USERS_LIST_POLICIES',
    description: 'Inline policies of IAM users; a user without any has no row',
    columns: awsColumns,
    relationships: [defaultRelationship('SVC_CFG_AWS_IAM_USERS', 'ONE', 'The user', ['ARN', 'ARN'])],
    timeColumn: 'BATCH_END_TIME',
    snapshot: 'lastCollection',
    rows: (world) =>
      userRows(world, 'list-user-policies', (person) => {
        if (person.name === intrusion.leakedUser) return { PolicyNames: ['deploy-and-manage-keys'] };
        return person.name === 'terraform' ? { PolicyNames: ['administrator'] } : undefined;
      }),
  },
  {
    name: 'SVC_CFG_AWS_IAM_USERS_GET_CREDENTIAL_REPORT',
    description:
      'Credential report of each IAM user and root: passwords, second factors and access keys with their ages',
    columns: awsColumns,
    relationships: [defaultRelationship('SVC_CFG_AWS_IAM_USERS', 'ONE', 'The user', ['ARN', 'ARN'])],
    timeColumn: 'BATCH_END_TIME',
    snapshot: 'lastCollection',
    rows: credentialReportRows,
  },
  {
    name: 'SVC_CFG_AWS_IAM_ROLES',
    description: 'IAM roles with the policy that says who may assume them',
    columns: awsColumns,
    relationships: [],
    timeColumn: 'BATCH_END_TIME',
    snapshot: 'lastCollection',
    rows: roleRows,
  },
  {
    name: 'SVC_CFG_AWS_CLOUDTRAIL',
    description: 'CloudTrail trails',
    columns: awsColumns,
    relationships: [
      defaultRelationship(
        'SVC_CFG_AWS_CLOUDTRAIL_GET_TRAIL_STATUS',
        'ONE',
        'Whether the trail is logging and delivering',
        ['ARN', 'ARN'],
      ),
      defaultRelationship('SVC_CFG_AWS_CLOUDTRAIL_GET_EVENT_SELECTORS', 'ONE', 'Which events it records', [
        'ARN',
        'ARN',
      ]),
    ],
    timeColumn: 'BATCH_END_TIME',
    snapshot: 'lastCollection',
    rows: (world) => trailRows(world, 'describe-trails', trailDocument),
  },
  {
    name: 'SVC_CFG_AWS_CLOUDTRAIL_GET_TRAIL_STATUS',
    description: 'Whether CloudTrail trails are logging and delivering',
    columns: awsColumns,
    relationships: [defaultRelationship('SVC_CFG_AWS_CLOUDTRAIL', 'ONE', 'The trail', ['ARN', 'ARN'])],
    timeColumn: 'BATCH_END_TIME',
    snapshot: 'lastCollection',
    rows: (world) =>
      trailRows(world, 'get-trail-status', (account, run) => ({
        IsLogging: true,
        LatestDeliveryTime: isoSeconds(run.end - 4 * 60_000),
        StartLoggingTime: isoSeconds(run.end - 600 * day),
        ...(account.environment === 'staging'
          ? {}
          : {
              LatestCloudWatchLogsDeliveryTime:
                (run.end - (account.environment === 'shared' ? 3 * day : 4 * 60_000)) / 1000,
            }),
      })),
  },
  {
    name: 'SVC_CFG_AWS_KMS_KEYS',
    description: 'KMS keys',
    columns: awsColumns,
    relationships: [
      defaultRelationship('SVC_CFG_AWS_KMS_KEYS_DESCRIBE_KEY', 'ONE', 'State and origin of the key', ['ARN', 'ARN']),
      {
        name: '(default)',
        to: 'SVC_CFG_AWS_KMS_KEYS_GET_ROTATION_STATUS',
        cardinality: 'ONE',
        description: 'Whether the key rotates every year',
        on: [['ARN', 'ARN']],
      },
    ],
    timeColumn: 'BATCH_END_TIME',
    snapshot: 'lastCollection',
    rows: (world) =>
      keyRows(world, 'list-keys', (arn) => ({ KeyArn: arn, KeyId: arn.slice(arn.lastIndexOf('/') + 1) })),
  },
  {
    name: 'SVC_CFG_AWS_KMS_KEYS_DESCRIBE_KEY',
    description: 'State and origin of KMS keys',
    columns: awsColumns,
    relationships: [
      defaultRelationship('SVC_CFG_AWS_KMS_KEYS_GET_ROTATION_STATUS', 'ONE', 'Whether the key rotates every year', [
        'ARN',
        'ARN',
      ]),
    ],
    timeColumn: 'BATCH_END_TIME',
    snapshot: 'lastCollection',
    rows: (world) =>
      keyRows(world, 'describe-key', (arn, account, world) => ({
        KeyMetadata: {
          AWSAccountId: account.id,
          Arn: arn,
          CreationDate: isoSeconds(world.anchor - 610 * day),
          Enabled: true,
          KeyId: arn.slice(arn.lastIndexOf('/') + 1),
          KeyManager: 'CUSTOMER',
          KeySpec: 'SYMMETRIC_DEFAULT',
          KeyState: 'Enabled',
          KeyUsage: 'ENCRYPT_DECRYPT',
          MultiRegion: false,
          Origin: 'AWS_KMS',
        },
      })),
  },
  {
    name: 'SVC_CFG_AWS_KMS_KEYS_GET_ROTATION_STATUS',
    description: 'Whether KMS keys rotate every year',
    columns: awsColumns,
    relationships: [],
    timeColumn: 'BATCH_END_TIME',
    snapshot: 'lastCollection',
    rows: (world) =>
      keyRows(world, 'get-key-rotation-status', (_arn, account) => ({
        KeyRotationEnabled: account.environment === 'production',
      })),
  },
  {
    name: 'SVC_CFG_AWS_RDS_DB_INSTANCES',
    description: 'RDS database instances',
    columns: awsColumns,
    relationships: [],
    timeColumn: 'BATCH_END_TIME',
    snapshot: 'lastCollection',
    rows: databaseRows,
  },
];

/** The resource name of an IAM user. */
export function userArn(person: Person): string {
  return `arn:aws:iam::${person.account.id}:user/${person.name}`;
}

/** Parts of IAM have no region; the service files them under this name. */
const globalRegion = 'aws-global';

function* userRows(world: World, apiKey: string, document: (person: Person) => Value): Iterable<SampleRow> {
  const documents = world.people.map(document);
  for (const run of collections(world)) {
    for (const [index, person] of world.people.entries()) {
      const config = documents[index];
      if (config === undefined) continue;
      yield awsRow(run, index, { ...userResource(person), apiKey }, config);
    }
  }
}

function userResource(person: Person) {
  return {
    account: person.account,
    arn: userArn(person),
    service: 'iam',
    apiKey: 'list-users',
    type: 'iam:user',
    id: person.name,
    region: globalRegion,
    tags: { Team: person.team },
  } as const;
}

/** The report spells times with an offset, absent values as `N/A` and flags as text: exactly so arrive they from the provider. */
function* credentialReportRows(world: World): Iterable<SampleRow> {
  const marks = intrusionMarks(world.seed);
  for (const run of collections(world)) {
    let position = 0;
    for (const account of world.accounts) {
      yield awsRow(
        run,
        position++,
        {
          account,
          arn: `arn:aws:iam::${account.id}:root`,
          service: 'iam',
          apiKey: 'get-credential-report',
          type: 'iam:user',
          id: '<root_account>',
          region: globalRegion,
        },
        credentialReport({
          user: '<root_account>',
          arn: `arn:aws:iam::${account.id}:root`,
          created: world.anchor - 1600 * day,
          console: undefined,
          passwordUsed: world.anchor - (account.environment === 'staging' ? 41 : 320) * day,
          passwordChanged: undefined,
          mfa: account.environment !== 'staging',
          keys: [],
        }),
      );
    }
    for (const person of world.people) {
      const random = world.random(`credentials/${person.name}`);
      const passwordChanged = world.anchor - random.integer(20, 300) * day;
      const passwordUsed = run.end - random.integer(1, 90) * hour;
      const keys = person.accessKeys.map((key) => ({
        active: key.active,
        created: key.createdAt,
        used: key.active ? run.end - random.integer(1, person.kind === 'service' ? 6 : 400) * hour : undefined,
      }));
      const stolen = world.anchor - intrusion.newKey;
      if (person.name === intrusion.secondUser && run.end >= stolen) {
        keys.push({ active: true, created: stolen, used: Math.min(run.end, world.anchor - intrusion.bucketRead) });
      }
      yield awsRow(
        run,
        position++,
        { ...userResource(person), apiKey: 'get-credential-report' },
        {
          ...credentialReport({
            user: person.name,
            arn: userArn(person),
            created: person.createdAt,
            console: person.console,
            passwordUsed: person.console ? passwordUsed : undefined,
            passwordChanged: person.console ? passwordChanged : undefined,
            mfa: person.mfa,
            keys,
          }),
          ...(person.name === intrusion.secondUser && run.end >= stolen ? { access_key_2_id: marks.newKeyId } : {}),
        },
      );
    }
  }
}

interface Credentials {
  readonly user: string;
  readonly arn: string;
  readonly created: number;
  readonly console: boolean | undefined;
  readonly passwordUsed: number | undefined;
  readonly passwordChanged: number | undefined;
  readonly mfa: boolean;
  readonly keys: readonly { readonly active: boolean; readonly created: number; readonly used: number | undefined }[];
}

function credentialReport(credentials: Credentials): { readonly [key: string]: string } {
  const time = (value: number | undefined): string =>
    value === undefined ? 'N/A' : `${new Date(value).toISOString().slice(0, 19)}+00:00`;
  const report: { [key: string]: string } = {
    user: credentials.user,
    arn: credentials.arn,
    user_creation_time: time(credentials.created),
    password_enabled: credentials.console === undefined ? 'not_supported' : String(credentials.console),
    password_last_used: time(credentials.passwordUsed),
    password_last_changed: time(credentials.passwordChanged),
    password_next_rotation: 'N/A',
    mfa_active: String(credentials.mfa),
  };
  for (const number of [1, 2]) {
    const key = credentials.keys[number - 1];
    report[`access_key_${number}_active`] = String(key?.active ?? false);
    report[`access_key_${number}_last_rotated`] = time(key?.created);
    report[`access_key_${number}_last_used_date`] = time(key?.used);
    report[`access_key_${number}_last_used_region`] = key?.used === undefined ? 'N/A' : 'eu-west-1';
    report[`access_key_${number}_last_used_service`] = key?.used === undefined ? 'N/A' : 's3';
  }
  report['cert_1_active'] = 'false';
  report['cert_2_active'] = 'false';
  return report;
}

function* roleRows(world: World): Iterable<SampleRow> {
  const partner = '999900001111';
  const plans: readonly { name: string; account: AwsAccount; principal: Value; condition?: Value }[] = [
    ...['bastion', 'orders-api', 'web', 'tracking', 'kubernetes-node', 'database'].map((role) => ({
      name: `harborline-${role}`,
      account: awsAccounts.production,
      principal: { Service: 'ec2.amazonaws.com' },
    })),
    {
      name: 'security-audit',
      account: awsAccounts.production,
      principal: { AWS: `arn:aws:iam::${awsAccounts.shared.id}:root` },
    },
    {
      name: 'security-audit',
      account: awsAccounts.staging,
      principal: { AWS: `arn:aws:iam::${awsAccounts.shared.id}:root` },
    },
    {
      name: 'platform-collector',
      account: awsAccounts.production,
      principal: { AWS: `arn:aws:iam::${partner}:root` },
      condition: { StringEquals: { 'sts:ExternalId': 'hl-collector-7d21' } },
    },
    {
      name: 'customs-broker-feed',
      account: awsAccounts.production,
      principal: { AWS: `arn:aws:iam::${partner}:root` },
    },
    {
      name: 'break-glass',
      account: awsAccounts.production,
      principal: { AWS: `arn:aws:iam::${awsAccounts.shared.id}:user/jonas.weber` },
      condition: { Bool: { 'aws:MultiFactorAuthPresent': 'true' } },
    },
    {
      name: 'github-deploy',
      account: awsAccounts.staging,
      principal: {
        Federated: `arn:aws:iam::${awsAccounts.staging.id}:oidc-provider/token.actions.githubusercontent.com`,
      },
      condition: { StringLike: { 'token.actions.githubusercontent.com:sub': 'repo:harborline/*' } },
    },
  ];
  for (const run of collections(world)) {
    for (const [index, entry] of plans.entries()) {
      const random = world.random(`role/${entry.account.id}/${entry.name}`);
      const arn = `arn:aws:iam::${entry.account.id}:role/${entry.name}`;
      yield awsRow(
        run,
        index,
        {
          account: entry.account,
          arn,
          service: 'iam',
          apiKey: 'list-roles',
          type: 'iam:role',
          id: entry.name,
          region: globalRegion,
        },
        {
          Arn: arn,
          CreateDate: isoSeconds(world.anchor - random.integer(100, 900) * day),
          MaxSessionDuration: 3600,
          Path: '/',
          RoleId: `AROA${random.token(17)}`,
          RoleName: entry.name,
          AssumeRolePolicyDocument: {
            Version: '2012-10-17',
            Statement: [
              {
                Effect: 'Allow',
                Principal: entry.principal,
                Action: 'sts:AssumeRole',
                ...(entry.condition === undefined ? {} : { Condition: entry.condition }),
              },
            ],
          },
        },
      );
    }
  }
}

function* trailRows(
  world: World,
  apiKey: string,
  document: (account: AwsAccount, run: Collection) => Value,
): Iterable<SampleRow> {
  for (const run of collections(world)) {
    for (const [index, account] of world.accounts.entries()) {
      yield awsRow(
        run,
        index,
        {
          account,
          arn: trailArn(account),
          service: 'cloudtrail',
          apiKey,
          type: 'cloudtrail:trail',
          id: `harborline-${account.environment}`,
          tags: standardTags(account, 'security'),
        },
        document(account, run),
      );
    }
  }
}

/** The resource name of an account's trail. */
export function trailArn(account: AwsAccount): string {
  return `arn:aws:cloudtrail:${account.region}:${account.id}:trail/harborline-${account.environment}`;
}

function trailDocument(account: AwsAccount): Value {
  const lax = account.environment === 'staging';
  return {
    Name: `harborline-${account.environment}`,
    TrailARN: trailArn(account),
    S3BucketName: 'harborline-audit-trail',
    HomeRegion: account.region,
    IncludeGlobalServiceEvents: true,
    IsMultiRegionTrail: !lax,
    IsOrganizationTrail: false,
    LogFileValidationEnabled: !lax,
    HasCustomEventSelectors: true,
    HasInsightSelectors: false,
    ...(lax
      ? {}
      : {
          KmsKeyId: storageKeyArn({ account }),
          CloudWatchLogsLogGroupArn: `arn:aws:logs:${account.region}:${account.id}:log-group:harborline-trail:*`,
          CloudWatchLogsRoleArn: `arn:aws:iam::${account.id}:role/cloudtrail-to-logs`,
        }),
  };
}

function* keyRows(
  world: World,
  apiKey: string,
  document: (arn: string, account: AwsAccount, world: World) => Value,
): Iterable<SampleRow> {
  for (const run of collections(world)) {
    for (const [index, account] of world.accounts.entries()) {
      const arn = storageKeyArn({ account });
      const id = arn.slice(arn.lastIndexOf('/') + 1);
      yield awsRow(
        run,
        index,
        { account, arn, service: 'kms', apiKey, type: 'kms:key', id },
        document(arn, account, world),
      );
    }
  }
}

function* databaseRows(world: World): Iterable<SampleRow> {
  const plans = [
    {
      id: 'orders-primary',
      account: awsAccounts.production,
      engine: 'postgres',
      exposed: false,
      encrypted: true,
      backups: 14,
    },
    {
      id: 'orders-replica',
      account: awsAccounts.production,
      engine: 'postgres',
      exposed: false,
      encrypted: true,
      backups: 0,
    },
    {
      id: 'tracking-primary',
      account: awsAccounts.production,
      engine: 'mysql',
      exposed: false,
      encrypted: true,
      backups: 7,
    },
    {
      id: 'staging-orders',
      account: awsAccounts.staging,
      engine: 'postgres',
      exposed: true,
      encrypted: false,
      backups: 1,
    },
    {
      id: 'build-metadata',
      account: awsAccounts.shared,
      engine: 'postgres',
      exposed: false,
      encrypted: true,
      backups: 7,
    },
  ];
  for (const run of collections(world)) {
    for (const [index, entry] of plans.entries()) {
      const { account } = entry;
      const random = world.random(`database/${entry.id}`);
      const network = world.networks.find((candidate) => candidate.account === account);
      yield awsRow(
        run,
        index,
        {
          account,
          arn: `arn:aws:rds:${account.region}:${account.id}:db:${entry.id}`,
          service: 'rds',
          apiKey: 'describe-db-instances',
          type: 'rds:db',
          id: entry.id,
          tags: standardTags(account, 'orders'),
        },
        {
          DBInstanceIdentifier: entry.id,
          DBInstanceArn: `arn:aws:rds:${account.region}:${account.id}:db:${entry.id}`,
          DBInstanceClass: 'db.r6g.large',
          DBInstanceStatus: 'available',
          Engine: entry.engine,
          EngineVersion: entry.engine === 'postgres' ? '16.4' : '8.0.39',
          AllocatedStorage: random.pick([100, 200, 400]),
          BackupRetentionPeriod: entry.backups,
          DeletionProtection: account.environment === 'production',
          Endpoint: {
            Address: `${entry.id}.${random.hex(12)}.${account.region}.rds.amazonaws.com`,
            Port: entry.engine === 'postgres' ? 5432 : 3306,
          },
          IAMDatabaseAuthenticationEnabled: false,
          InstanceCreateTime: isoSeconds(world.anchor - random.integer(100, 800) * day),
          MasterUsername: 'harborline',
          MultiAZ: account.environment === 'production',
          PubliclyAccessible: entry.exposed,
          StorageEncrypted: entry.encrypted,
          ...(entry.encrypted ? { KmsKeyId: storageKeyArn({ account }) } : {}),
          VpcSecurityGroups: [{ Status: 'active', VpcSecurityGroupId: `sg-0${random.hex(16)}` }],
          DBSubnetGroup: { VpcId: network?.vpcId ?? '' },
        },
      );
    }
  }
}
