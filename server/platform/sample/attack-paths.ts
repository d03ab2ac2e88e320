import type { Value } from '../../core/language/values/value.ts';
import { userArn } from './aws-identity.ts';
import { column, type SampleDatasource, type SampleRow } from './datasource.ts';
import { intrusion } from './story.ts';
import { day, historyDays, lastCollectionAge } from './time.ts';
import { type Machine, machineNamed, personNamed, type World } from './world.ts';

const shared = [
  column('RECORD_CREATED_TIME', 'Timestamp', 'When the path was worked out'),
  column('PATH_ID', 'String', 'Id of the path, the same while it exists'),
  column('PROVIDER_TYPE', 'String', 'Cloud provider'),
  column('DOMAIN_ID', 'String', 'Number of the account'),
  column('METRICS', 'JSON', 'Score of the path and what it comes from'),
];

/** How somebody from outside could get where. Worked out once a day, after the collection. */
export const attackPathDatasources: readonly SampleDatasource[] = [
  {
    name: 'SVC_APA_ATTACK_PATHS',
    description: 'Ways from the internet to what is worth stealing, step by step',
    columns: [
      ...shared,
      column('PATH', 'JSON', 'Steps from the internet to the target'),
      column('TARGETS', 'JSON', 'What the path leads to'),
    ],
    relationships: [],
    timeColumn: 'RECORD_CREATED_TIME',
    snapshot: 'lastCollection',
    rows: attackRows,
  },
  {
    name: 'SVC_APA_EXPOSURE_PATHS',
    description: 'Resources that the internet reaches',
    columns: [
      ...shared,
      column('PATH_TYPE', 'String', 'What is reached'),
      column('TARGET_ID', 'String', 'Amazon resource name of what is reached'),
      column('TARGET_TYPE', 'String', 'Kind of resource'),
      column('TARGET_TAGS', 'JSON', 'Tags of the resource'),
    ],
    relationships: [],
    timeColumn: 'RECORD_CREATED_TIME',
    snapshot: 'lastCollection',
    rows: exposureRows,
  },
];

function* runs(world: World): Iterable<number> {
  for (let age = historyDays - 1; age >= 0; age--) yield world.anchor - lastCollectionAge - age * day + 30 * 60_000;
}

const step = (type: string, id: string, name: string): Value => ({ type, id, name });
const internet = step('INTERNET', 'internet', 'Internet');

function machineStep(machine: Machine): Value {
  return step('EC2_INSTANCE', machine.instanceId, machine.hostname);
}

function* attackRows(world: World): Iterable<SampleRow> {
  const entry = machineNamed(world, intrusion.entryHost);
  const target = machineNamed(world, intrusion.targetHost);
  const leaked = personNamed(world, intrusion.leakedUser);
  const second = personNamed(world, intrusion.secondUser);
  const bucket = world.buckets.find(({ name }) => name === intrusion.bucket);
  const bucketStep = step('S3_BUCKET', `arn:aws:s3:::${intrusion.bucket}`, intrusion.bucket);
  for (const time of runs(world)) {
    // The way over the bastion exists since its port is open to the world.
    const open = time > world.anchor - intrusion.portOpened;
    const paths: readonly (readonly [id: string, score: number, account: string, path: readonly Value[]])[] = [
      [
        'path-key-to-exports',
        72,
        bucket?.account.id ?? second.account.id,
        [
          internet,
          step('IAM_USER', userArn(leaked), leaked.name),
          step('IAM_USER', userArn(second), second.name),
          bucketStep,
        ],
      ],
      ...(open
        ? ([
            [
              'path-bastion-to-orders',
              88,
              entry.account?.id ?? '',
              [
                internet,
                step('SECURITY_GROUP', entry.securityGroupId, 'bastion'),
                machineStep(entry),
                machineStep(target),
              ],
            ],
          ] as const)
        : []),
    ];
    for (const [id, score, account, path] of paths) {
      yield {
        RECORD_CREATED_TIME: time,
        PATH_ID: id,
        PROVIDER_TYPE: 'AWS',
        DOMAIN_ID: account,
        METRICS: { path_score: score, hops: path.length - 1, severity: score >= 80 ? 'CRITICAL' : 'HIGH' },
        PATH: path,
        TARGETS: [path.at(-1) ?? internet],
      };
    }
  }
}

function* exposureRows(world: World): Iterable<SampleRow> {
  const reachable = world.machines.filter((machine) => machine.provider === 'AWS' && machine.publicIp !== undefined);
  for (const time of runs(world)) {
    for (const machine of reachable) {
      yield {
        RECORD_CREATED_TIME: time,
        PATH_ID: `exposure-${machine.instanceId}`,
        PATH_TYPE: 'HOST',
        PROVIDER_TYPE: 'AWS',
        DOMAIN_ID: machine.account?.id ?? '',
        METRICS: { path_score: machine.role === 'bastion' ? 64 : 41, open_ports: machine.role === 'bastion' ? 1 : 2 },
        TARGET_ID: `arn:aws:ec2:${machine.account?.region ?? 'eu-west-1'}:${machine.account?.id ?? ''}:instance/${machine.instanceId}`,
        TARGET_TYPE: 'EC2_INSTANCE',
        TARGET_TAGS: { Name: machine.hostname, Owner: machine.owner },
      };
    }
  }
}
