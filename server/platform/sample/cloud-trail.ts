import type { Value } from '../../core/language/values/value.ts';
import { entryMachine, securityGroupArn } from './aws-compute.ts';
import { trailArn, userArn } from './aws-identity.ts';
import { column, type SampleDatasource, type SampleRow } from './datasource.ts';
import type { Random } from './random.ts';
import { intrusion, intrusionMarks } from './story.ts';
import { day, historyDays, isoSeconds, minute, second } from './time.ts';
import { type AwsAccount, awsAccounts, type Person, personNamed, type World } from './world.ts';

/** What was asked of the cloud provider, by whom. */
export const cloudTrailDatasources: readonly SampleDatasource[] = [
  {
    name: 'CloudTrailRawEvents',
    description: 'Events of AWS CloudTrail as delivered',
    columns: [
      column('INSERT_ID', 'Number', 'Number of the record'),
      column('INSERT_TIME', 'Timestamp', 'When the event arrived'),
      column('EVENT_TIME', 'Timestamp', 'When the event happened'),
      column('EVENT', 'JSON', 'The event as CloudTrail delivered it'),
      column('EVENT_SOURCE', 'String', 'AWS service that was called'),
      column('EVENT_NAME', 'String', 'Operation'),
      column('ERROR_CODE', 'String', 'Set when the call was refused or failed'),
    ],
    relationships: [],
    timeColumn: 'EVENT_TIME',
    snapshot: 'events',
    rows: cloudTrailRows,
  },
];

interface Call {
  readonly source: string;
  readonly name: string;
  readonly readOnly: boolean;
  /** Gives requestParameters; must be cheap, for it runs once a row. */
  readonly parameters: (random: Random, world: World) => Value;
}

const none = (): Value => null;

const readCalls: readonly Call[] = [
  { source: 'sts.amazonaws.com', name: 'GetCallerIdentity', readOnly: true, parameters: none },
  {
    source: 'ec2.amazonaws.com',
    name: 'DescribeInstances',
    readOnly: true,
    parameters: () => ({ instancesSet: {}, filterSet: {} }),
  },
  {
    source: 'ec2.amazonaws.com',
    name: 'DescribeSecurityGroups',
    readOnly: true,
    parameters: () => ({ securityGroupSet: {}, filterSet: {} }),
  },
  {
    source: 'ec2.amazonaws.com',
    name: 'DescribeVolumes',
    readOnly: true,
    parameters: () => ({ volumeSet: {}, filterSet: {} }),
  },
  {
    source: 's3.amazonaws.com',
    name: 'ListBuckets',
    readOnly: true,
    parameters: () => ({ Host: 's3.eu-west-1.amazonaws.com' }),
  },
  {
    source: 's3.amazonaws.com',
    name: 'GetBucketLocation',
    readOnly: true,
    parameters: (random, world) => ({ bucketName: random.pick(world.buckets).name, location: '' }),
  },
  { source: 'iam.amazonaws.com', name: 'ListUsers', readOnly: true, parameters: none },
  { source: 'kms.amazonaws.com', name: 'DescribeKey', readOnly: true, parameters: () => ({ keyId: 'alias/aws/s3' }) },
  { source: 'logs.amazonaws.com', name: 'DescribeLogGroups', readOnly: true, parameters: none },
  { source: 'rds.amazonaws.com', name: 'DescribeDBInstances', readOnly: true, parameters: none },
];

const writeCalls: readonly Call[] = [
  {
    source: 's3.amazonaws.com',
    name: 'PutObject',
    readOnly: false,
    parameters: (random, world) => ({
      bucketName: random.pick(world.buckets).name,
      key: `nightly/part-${random.integer(1, 64)}.parquet`,
    }),
  },
  {
    source: 'ec2.amazonaws.com',
    name: 'CreateTags',
    readOnly: false,
    parameters: (random, world) => ({
      resourcesSet: { items: [{ resourceId: random.pick(world.machines).instanceId }] },
      tagSet: { items: [{ key: 'Release', value: `2.${random.integer(1, 40)}` }] },
    }),
  },
  {
    source: 'ssm.amazonaws.com',
    name: 'SendCommand',
    readOnly: false,
    parameters: (random, world) => ({
      documentName: 'AWS-RunShellScript',
      instanceIds: [random.pick(world.machines).instanceId],
    }),
  },
  {
    source: 'ecr.amazonaws.com',
    name: 'PutImage',
    readOnly: false,
    parameters: (random, world) => ({
      repositoryName: random.pick(world.cluster.workloads).name,
      imageTag: `build-${random.integer(100, 999)}`,
    }),
  },
  {
    source: 'sts.amazonaws.com',
    name: 'AssumeRole',
    readOnly: true,
    parameters: () => ({ roleSessionName: 'deploy', durationSeconds: 3600 }),
  },
];

interface Caller {
  readonly account: AwsAccount;
  readonly identity: Value;
  readonly sourceIp: string;
  readonly userAgent: string;
  readonly mayWrite: boolean;
}

function callers(world: World): readonly Caller[] {
  return world.people.map((person): Caller => {
    const service = person.kind === 'service';
    return {
      account: person.account,
      identity: identityOf(person, person.accessKeys[person.accessKeys.length - 1]?.id),
      sourceIp: person.sourceIp,
      userAgent: service
        ? 'Boto3/1.34.101 md/Botocore#1.34.101 ua/2.0 os/linux#6.1.0 lang/python#3.12.3'
        : 'console.amazonaws.com',
      mayWrite: service || person.team === 'platform',
    };
  });
}

/** `userIdentity` of an IAM user; a console session of theirs when there is no key. */
function identityOf(person: Person, accessKeyId: string | undefined): Value {
  const identity = {
    type: 'IAMUser',
    principalId: person.userId,
    arn: userArn(person),
    accountId: person.account.id,
    userName: person.name,
  };
  return accessKeyId === undefined
    ? { ...identity, sessionContext: { attributes: { mfaAuthenticated: String(person.mfa) } } }
    : { ...identity, accessKeyId };
}

interface TrailEvent {
  readonly time: number;
  readonly account: AwsAccount;
  readonly identity: Value;
  readonly sourceIp: string;
  readonly userAgent: string;
  readonly source: string;
  readonly name: string;
  readonly readOnly: boolean;
  readonly parameters: Value;
  readonly response?: Value;
  readonly additional?: Value;
  readonly errorCode?: string;
  readonly errorMessage?: string;
  readonly resources?: Value;
  readonly eventType?: string;
}

/** The first record number: the account is some years old. */
const firstInsertId = 483_127_000_512;

function* cloudTrailRows(world: World): Iterable<SampleRow> {
  const story = [...intrusionEvents(world), ...findings(world)].sort((left, right) => left.time - right.time);
  const ids = world.random('event-ids');
  let number = firstInsertId;
  let next = 0;
  for (const event of everydayEvents(world)) {
    for (let first = story[next]; first !== undefined && first.time <= event.time; first = story[++next])
      yield trailRow(first, number++, ids);
    yield trailRow(event, number++, ids);
  }
  for (; next < story.length; next++) {
    const event = story[next];
    if (event !== undefined) yield trailRow(event, number++, ids);
  }
}

function trailRow(event: TrailEvent, number: number, ids: Random): SampleRow {
  return {
    INSERT_ID: number,
    INSERT_TIME: event.time + ids.integer(60, 600) * second,
    EVENT_TIME: event.time,
    EVENT: {
      eventVersion: '1.09',
      userIdentity: event.identity,
      eventTime: isoSeconds(event.time),
      eventSource: event.source,
      eventName: event.name,
      awsRegion: event.source === 'iam.amazonaws.com' ? 'us-east-1' : event.account.region,
      sourceIPAddress: event.sourceIp,
      userAgent: event.userAgent,
      ...(event.errorCode === undefined ? {} : { errorCode: event.errorCode, errorMessage: event.errorMessage ?? '' }),
      requestParameters: event.parameters,
      responseElements: event.response ?? null,
      ...(event.additional === undefined ? {} : { additionalEventData: event.additional }),
      ...(event.resources === undefined ? {} : { resources: event.resources }),
      requestID: ids.hex(16),
      eventID: ids.hex(32).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'),
      readOnly: event.readOnly,
      eventType: event.eventType ?? 'AwsApiCall',
      managementEvent: event.name !== 'GetObject' && event.name !== 'PutObject',
      recipientAccountId: event.account.id,
      eventCategory: event.name === 'GetObject' || event.name === 'PutObject' ? 'Data' : 'Management',
    },
    EVENT_SOURCE: event.source,
    EVENT_NAME: event.name,
    ERROR_CODE: event.errorCode,
  };
}

function* everydayEvents(world: World): Iterable<TrailEvent> {
  const random = world.random('trail');
  const everyone = callers(world);
  const count = Math.round(2700 * world.scale);
  const span = historyDays * day - minute;
  for (let index = 0; index < count; index++) {
    const time = Math.floor(world.anchor - minute - span + (span * (index + random.next())) / count);
    const caller = random.pick(everyone);
    const call = caller.mayWrite && random.chance(0.3) ? random.pick(writeCalls) : random.pick(readCalls);
    const refused = random.chance(0.012);
    yield {
      time,
      account: caller.account,
      identity: caller.identity,
      sourceIp: caller.sourceIp,
      userAgent: caller.userAgent,
      source: call.source,
      name: call.name,
      readOnly: call.readOnly,
      parameters: call.parameters(random, world),
      ...(refused
        ? { errorCode: 'AccessDenied', errorMessage: 'User is not authorized to perform this operation' }
        : {}),
    };
  }
}

/** Single events worth a policy of their own: console logins with and without a second factor, root, an unencrypted volume. */
function findings(world: World): readonly TrailEvent[] {
  const events: TrailEvent[] = [];
  const browser = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0';
  const random = world.random('console-logins');
  for (const person of world.people) {
    if (!person.console) continue;
    for (let age = historyDays - 1; age >= 0; age--) {
      if (!random.chance(0.6)) continue;
      const failed = random.chance(0.07);
      events.push({
        time: world.anchor - age * day - random.integer(2 * 60, 11 * 60) * minute,
        account: person.account,
        identity: {
          type: 'IAMUser',
          principalId: person.userId,
          arn: userArn(person),
          accountId: person.account.id,
          userName: person.name,
        },
        sourceIp: person.sourceIp,
        userAgent: browser,
        source: 'signin.amazonaws.com',
        name: 'ConsoleLogin',
        readOnly: false,
        parameters: null,
        response: { ConsoleLogin: failed ? 'Failure' : 'Success' },
        additional: {
          LoginTo: 'https://console.aws.amazon.com/',
          MobileVersion: 'No',
          MFAUsed: person.mfa ? 'Yes' : 'No',
        },
        eventType: 'AwsConsoleSignIn',
        ...(failed ? { errorMessage: 'Failed authentication', errorCode: 'Failed authentication' } : {}),
      });
    }
  }
  const staging = awsAccounts.staging;
  events.push({
    time: world.anchor - 13 * 60 * minute,
    account: staging,
    identity: { type: 'Root', principalId: staging.id, arn: `arn:aws:iam::${staging.id}:root`, accountId: staging.id },
    sourceIp: '192.0.2.44',
    userAgent: browser,
    source: 'signin.amazonaws.com',
    name: 'ConsoleLogin',
    readOnly: false,
    parameters: null,
    response: { ConsoleLogin: 'Success' },
    additional: { LoginTo: 'https://console.aws.amazon.com/', MobileVersion: 'No', MFAUsed: 'No' },
    eventType: 'AwsConsoleSignIn',
  });
  const developer = personNamed(world, 'farid.haddad');
  events.push({
    time: world.anchor - 11 * 60 * minute,
    account: staging,
    identity: identityOf(developer, developer.accessKeys[0]?.id),
    sourceIp: developer.sourceIp,
    userAgent: 'aws-cli/2.15.30 Python/3.11.8 Darwin/23.4.0',
    source: 'ec2.amazonaws.com',
    name: 'RunInstances',
    readOnly: false,
    parameters: {
      instancesSet: { items: [{ imageId: 'ami-0f3b2c1d4e5a69780', minCount: 1, maxCount: 1 }] },
      instanceType: 't3.medium',
      tagSpecificationSet: {
        items: [
          {
            resourceType: 'instance',
            tags: [
              { key: 'Name', value: 'scratch-farid' },
              { key: 'Environment', value: 'staging' },
            ],
          },
        ],
      },
    },
  });
  return events;
}

function intrusionEvents(world: World): readonly TrailEvent[] {
  const { production } = awsAccounts;
  const marks = intrusionMarks(world.seed);
  const leaked = personNamed(world, intrusion.leakedUser);
  const second_ = personNamed(world, intrusion.secondUser);
  const at = (age: number): number => world.anchor - age;
  const leakedKey = identityOf(leaked, leaked.accessKeys[0]?.id);
  const newKey = identityOf(second_, marks.newKeyId);
  const by = (identity: Value) => ({
    account: production,
    identity,
    sourceIp: intrusion.sourceIp,
    userAgent: intrusion.userAgent,
  });
  const read = (age: number, identity: Value, source: string, name: string, parameters: Value = null): TrailEvent => ({
    ...by(identity),
    time: at(age),
    source,
    name,
    readOnly: true,
    parameters,
  });
  const refused = (event: TrailEvent): TrailEvent => ({
    ...event,
    errorCode: 'AccessDenied',
    errorMessage: `User: ${userArn(event.identity === newKey ? second_ : leaked)} is not authorized to perform: ${event.source.split('.')[0]}:${event.name}`,
  });
  const bucket = intrusion.bucket;
  const bucketResource = [{ accountId: production.id, type: 'AWS::S3::Bucket', ARN: `arn:aws:s3:::${bucket}` }];
  const events: TrailEvent[] = [
    read(intrusion.firstUse, leakedKey, 'sts.amazonaws.com', 'GetCallerIdentity'),
    read(intrusion.firstUse - minute, leakedKey, 's3.amazonaws.com', 'ListBuckets', {
      Host: 's3.eu-west-1.amazonaws.com',
    }),
    refused(read(intrusion.firstUse - 2 * minute, leakedKey, 'iam.amazonaws.com', 'GetAccountAuthorizationDetails')),
    read(intrusion.firstUse - 3 * minute, leakedKey, 'iam.amazonaws.com', 'ListUsers'),
    refused(read(intrusion.firstUse - 4 * minute, leakedKey, 'secretsmanager.amazonaws.com', 'ListSecrets')),
    refused(read(intrusion.firstUse - 5 * minute, leakedKey, 'organizations.amazonaws.com', 'DescribeOrganization')),
    read(intrusion.firstUse - 7 * minute, leakedKey, 'ec2.amazonaws.com', 'DescribeInstances', {
      instancesSet: {},
      filterSet: {},
    }),
    read(intrusion.firstUse - 8 * minute, leakedKey, 'ec2.amazonaws.com', 'DescribeSecurityGroups', {
      securityGroupSet: {},
      filterSet: {},
    }),
    read(intrusion.firstUse - 12 * minute, leakedKey, 'iam.amazonaws.com', 'ListAccessKeys', {
      userName: second_.name,
    }),
    {
      ...by(leakedKey),
      time: at(intrusion.newKey),
      source: 'iam.amazonaws.com',
      name: 'CreateAccessKey',
      readOnly: false,
      parameters: { userName: second_.name },
      response: {
        accessKey: {
          userName: second_.name,
          accessKeyId: marks.newKeyId,
          status: 'Active',
          createDate: isoSeconds(at(intrusion.newKey)),
        },
      },
    },
    read(intrusion.newKeyFirstUse, newKey, 'sts.amazonaws.com', 'GetCallerIdentity'),
    read(intrusion.newKeyFirstUse - 2 * minute, newKey, 's3.amazonaws.com', 'GetBucketPolicy', {
      bucketName: bucket,
      policy: '',
    }),
    {
      ...by(newKey),
      time: at(intrusion.portOpened),
      source: 'ec2.amazonaws.com',
      name: 'AuthorizeSecurityGroupIngress',
      readOnly: false,
      parameters: {
        groupId: entryMachine(world).securityGroupId,
        ipPermissions: {
          items: [
            {
              ipProtocol: 'tcp',
              fromPort: 22,
              toPort: 22,
              groups: {},
              ipRanges: { items: [{ cidrIp: '0.0.0.0/0' }] },
              ipv6Ranges: {},
              prefixListIds: {},
            },
          ],
        },
      },
      response: { requestId: 'c1f5d7c0-43a4-4f2c-9d1a-7f6f0f3f5b21', _return: true },
      resources: [
        { accountId: production.id, type: 'AWS::EC2::SecurityGroup', ARN: securityGroupArn(entryMachine(world)) },
      ],
    },
    {
      ...by(newKey),
      time: at(intrusion.bucketPublic + 3 * minute),
      source: 's3.amazonaws.com',
      name: 'DeletePublicAccessBlock',
      readOnly: false,
      parameters: { bucketName: bucket, Host: `${bucket}.s3.eu-west-1.amazonaws.com`, publicAccessBlock: '' },
      resources: bucketResource,
    },
    {
      ...by(newKey),
      time: at(intrusion.bucketPublic),
      source: 's3.amazonaws.com',
      name: 'PutBucketPolicy',
      readOnly: false,
      parameters: {
        bucketName: bucket,
        Host: `${bucket}.s3.eu-west-1.amazonaws.com`,
        bucketPolicy: {
          Version: '2012-10-17',
          Statement: [
            {
              Sid: 'share',
              Effect: 'Allow',
              Principal: '*',
              Action: ['s3:GetObject', 's3:ListBucket'],
              Resource: [`arn:aws:s3:::${bucket}`, `arn:aws:s3:::${bucket}/*`],
            },
          ],
        },
      },
      resources: bucketResource,
    },
    refused({
      ...by(newKey),
      time: at(intrusion.stopLogging),
      source: 'cloudtrail.amazonaws.com',
      name: 'StopLogging',
      readOnly: false,
      parameters: { name: trailArn(production) },
    }),
  ];
  for (let object = 0; object < 14; object++) {
    events.push({
      time: at(intrusion.bucketRead - object * 20 * second),
      account: production,
      identity: { type: 'AWSAccount', principalId: '', accountId: 'anonymous' },
      sourceIp: intrusion.controlIp,
      userAgent: '[python-requests/2.31.0]',
      source: 's3.amazonaws.com',
      name: 'GetObject',
      readOnly: true,
      parameters: {
        bucketName: bucket,
        Host: `${bucket}.s3.eu-west-1.amazonaws.com`,
        key: `customers/2024/part-${String(object).padStart(4, '0')}.csv.gz`,
      },
      resources: [
        {
          type: 'AWS::S3::Object',
          ARN: `arn:aws:s3:::${bucket}/customers/2024/part-${String(object).padStart(4, '0')}.csv.gz`,
        },
        ...bucketResource,
      ],
    });
  }
  return events;
}
