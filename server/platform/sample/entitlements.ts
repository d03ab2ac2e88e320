import type { Value } from '../../core/language/values/value.ts';
import { userArn } from './aws-identity.ts';
import { column, defaultRelationship, type SampleDatasource, type SampleRow } from './datasource.ts';
import { intrusion, intrusionMarks } from './story.ts';
import { day, historyDays, hour, isoTime, lastCollectionAge } from './time.ts';
import type { Person, World } from './world.ts';

/** Who exists in the cloud accounts, and what each may do and does. Worked out once a day, after the collection. */
export const entitlementDatasources: readonly SampleDatasource[] = [
  {
    name: 'SVC_CE_IDENTITIES',
    description: 'Identities of the cloud accounts with how much of what they may do they use',
    columns: [
      column('RECORD_CREATED_TIME', 'Timestamp', 'When the record was worked out'),
      column('PRINCIPAL_ID', 'String', 'Amazon resource name of the identity'),
      column('PROVIDER_TYPE', 'String', 'Cloud provider'),
      column('DOMAIN_ID', 'String', 'Number of the account'),
      column('NAME', 'JSON', 'Name and kind of the identity'),
      column('LAST_USED_TIME', 'Timestamp', 'When the identity was used last'),
      column('CREATED_TIME', 'Timestamp', 'When the identity was made'),
      column('METRICS', 'JSON', 'Risk and the counts it comes from'),
      column('TAGS', 'JSON', 'Tags of the identity'),
      column('ACCESS_KEYS', 'JSON', 'Access keys with age and state'),
      column('ENTITLEMENT_COUNTS', 'JSON', 'How many entitlements it has, and how many of them it used'),
      column('TRUST_POLICY', 'JSON', 'Who may take the role; null for users'),
    ],
    relationships: [
      defaultRelationship('SVC_CE_ENTITLEMENTS', 'MANY', 'What the identity may do', ['PRINCIPAL_ID', 'PRINCIPAL_ID']),
    ],
    timeColumn: 'RECORD_CREATED_TIME',
    snapshot: 'lastCollection',
    rows: identityRows,
  },
  {
    name: 'SVC_CE_ENTITLEMENTS',
    description: 'What identities may do, and when they last did it',
    columns: [
      column('RECORD_CREATED_TIME', 'Timestamp', 'When the record was worked out'),
      column('PRINCIPAL_ID', 'String', 'Amazon resource name of the identity'),
      column('PROVIDER_TYPE', 'String', 'Cloud provider'),
      column('DOMAIN_ID', 'String', 'Number of the account'),
      column('SERVICE', 'JSON', 'Service the action belongs to'),
      column('RESOURCE_TYPE', 'String', 'Kind of resource'),
      column('RESOURCE_ID', 'String', 'Resource the action may be taken on'),
      column('POLICY_ID', 'String', 'Policy that allows it'),
      column('ACTION', 'String', 'Action'),
      column('LAST_USED_TIME', 'Timestamp', 'When it was done last; null for never'),
    ],
    relationships: [defaultRelationship('SVC_CE_IDENTITIES', 'ONE', 'Who may do it', ['PRINCIPAL_ID', 'PRINCIPAL_ID'])],
    timeColumn: 'RECORD_CREATED_TIME',
    snapshot: 'lastCollection',
    rows: entitlementRows,
  },
];

interface Entitlement {
  readonly action: string;
  readonly resourceType: string;
  readonly resource: string;
  /** Milliseconds before the record; undefined for never. */
  readonly usedAgo: number | undefined;
}

/** The moments of the daily runs, oldest first. */
function* runs(world: World): Iterable<number> {
  for (let age = historyDays - 1; age >= 0; age--) yield world.anchor - lastCollectionAge - age * day + 20 * 60_000;
}

const actionsOfTeam: {
  readonly [team in Person['team']]: readonly (readonly [action: string, resourceType: string])[];
} = {
  platform: [
    ['ec2:RunInstances', 'instance'],
    ['ec2:AuthorizeSecurityGroupIngress', 'security-group'],
    ['iam:PassRole', 'role'],
    ['s3:PutBucketPolicy', 'bucket'],
  ],
  orders: [
    ['s3:GetObject', 'bucket'],
    ['rds:DescribeDBInstances', 'db'],
  ],
  tracking: [
    ['s3:GetObject', 'bucket'],
    ['kinesis:GetRecords', 'stream'],
  ],
  data: [
    ['s3:GetObject', 'bucket'],
    ['s3:PutObject', 'bucket'],
    ['athena:StartQueryExecution', 'workgroup'],
  ],
  security: [
    ['iam:ListUsers', 'user'],
    ['cloudtrail:LookupEvents', 'trail'],
  ],
  finance: [['ce:GetCostAndUsage', 'account']],
};

/** Rights beyond those of the team, on whose account the intrusion became possible. */
const extraActions: { readonly [name: string]: readonly (readonly [action: string, resourceType: string])[] } = {
  [intrusion.leakedUser]: [
    ['iam:CreateAccessKey', 'user'],
    ['ecr:PutImage', 'repository'],
  ],
  [intrusion.secondUser]: [
    ['ec2:AuthorizeSecurityGroupIngress', 'security-group'],
    ['s3:PutBucketPolicy', 'bucket'],
    ['cloudtrail:StopLogging', 'trail'],
  ],
};

function entitlementsOf(world: World, person: Person): readonly Entitlement[] {
  const random = world.random(`entitlements/${person.name}`);
  const extra = extraActions[person.name] ?? [];
  return [...actionsOfTeam[person.team], ...extra].map(([action, resourceType]) => ({
    action,
    resourceType,
    resource: resourceType === 'bucket' ? 'arn:aws:s3:::*' : '*',
    usedAgo: extra.some(([name]) => name === action)
      ? undefined
      : random.chance(0.6)
        ? Math.floor(random.next() * 60 * day)
        : undefined,
  }));
}

function* identityRows(world: World): Iterable<SampleRow> {
  const marks = intrusionMarks(world.seed);
  for (const time of runs(world)) {
    for (const person of world.people) {
      const entitlements = entitlementsOf(world, person);
      const used = entitlements.filter((entry) => entry.usedAgo !== undefined).length;
      const keys = person.accessKeys.map((key): Value => keyRecord(key.id, key.createdAt, key.active, time));
      const newKeyAt = world.anchor - intrusion.newKey;
      if (person.name === intrusion.secondUser && newKeyAt < time)
        keys.push(keyRecord(marks.newKeyId, newKeyAt, true, time));
      const oldest = Math.max(0, ...person.accessKeys.map((key) => Math.floor((time - key.createdAt) / day)));
      yield {
        RECORD_CREATED_TIME: time,
        PRINCIPAL_ID: userArn(person),
        PROVIDER_TYPE: 'AWS',
        DOMAIN_ID: person.account.id,
        NAME: { name: person.name, type: person.kind === 'service' ? 'SERVICE_USER' : 'USER' },
        LAST_USED_TIME: time - (person.console ? 5 * hour : 11 * hour),
        CREATED_TIME: person.createdAt,
        METRICS: {
          risk_severity: oldest > 365 ? 'HIGH' : person.console && !person.mfa ? 'MEDIUM' : 'LOW',
          risk_score: Math.min(99, 20 + Math.floor(oldest / 12) + (person.console && !person.mfa ? 15 : 0)),
          mfa_enabled: person.mfa,
          oldest_key_days: oldest,
        },
        TAGS: { Team: person.team },
        ACCESS_KEYS: keys,
        ENTITLEMENT_COUNTS: {
          entitlements_total_count: entitlements.length,
          entitlements_used_count: used,
          entitlements_unused_count: entitlements.length - used,
        },
      };
    }
  }
}

function keyRecord(id: string, createdAt: number, active: boolean, time: number): Value {
  const age = Math.floor((time - createdAt) / day);
  return { access_key_id: id, active, created_time: isoTime(createdAt), age_days: age, rotated: age < 90 };
}

function* entitlementRows(world: World): Iterable<SampleRow> {
  for (const time of runs(world)) {
    for (const person of world.people) {
      for (const entry of entitlementsOf(world, person)) {
        yield {
          RECORD_CREATED_TIME: time,
          PRINCIPAL_ID: userArn(person),
          PROVIDER_TYPE: 'AWS',
          DOMAIN_ID: person.account.id,
          SERVICE: { name: entry.action.slice(0, entry.action.indexOf(':')) },
          RESOURCE_TYPE: entry.resourceType,
          RESOURCE_ID: entry.resource,
          POLICY_ID: `arn:aws:iam::${person.account.id}:policy/harborline-${person.team}`,
          ACTION: entry.action,
          ...(entry.usedAgo === undefined ? {} : { LAST_USED_TIME: time - entry.usedAgo }),
        };
      }
    }
  }
}
