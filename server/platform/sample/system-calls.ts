import { batch, batchTimes, toMachine } from './agent-reports.ts';
import { column, type SampleDatasource, type SampleRow } from './datasource.ts';
import { merged, moments, type TimedRow } from './host-activity.ts';
import { intruderProcesses, type ProcessRun, serviceProcesses, shortProcesses } from './processes.ts';
import { intrusion } from './story.ts';
import { minute } from './time.ts';
import type { World } from './world.ts';

/** What the kernels of hosts saw: programs that were started, watched files that were touched. */
export const systemCallDatasources: readonly SampleDatasource[] = [
  {
    name: 'SVC_HA_SYSCALLS_EXEC',
    description: 'Programs that were started, as the kernel saw it',
    columns: [
      ...batchTimes,
      column('BATCH_ID', 'String', 'Id of the batch'),
      column('RECORD_CREATED_TIME', 'Timestamp', 'When the program started'),
      column('MID', 'Number', 'Id of the machine'),
      column('EXE_PATH', 'String', 'Path of the program'),
      column('PID', 'Number', 'Process id'),
      column('PID_HASH', 'Number', 'Hash of the process'),
      column('PPID', 'Number', 'Process id of the parent'),
      column('PPID_HASH', 'Number', 'Hash of the parent process'),
      column('CMDLINE', 'String', 'Command line'),
      column('UID', 'Number', 'User id'),
      column('GID', 'Number', 'Group id'),
      column('COUNT', 'Number', 'How often in the batch'),
      column('OS', 'String', 'Operating system'),
    ],
    relationships: [toMachine],
    timeColumn: 'BATCH_END_TIME',
    snapshot: 'events',
    rows: execRows,
  },
  {
    name: 'SVC_HA_SYSCALLS_FILE',
    description: 'Watched files that programs created, changed or removed, as the kernel saw it',
    columns: [
      ...batchTimes,
      column('BATCH_ID', 'String', 'Id of the batch'),
      column('RECORD_CREATED_TIME', 'Timestamp', 'When the file was touched'),
      column('MID', 'Number', 'Id of the machine'),
      column('TARGET_TYPE', 'String', 'file or directory'),
      column('TARGET_OP', 'String', 'create, modify or delete'),
      column('TARGET_PATH', 'String', 'Path of the file'),
      column('WATCH_PATH', 'String', 'The watched folder it lies in'),
      column('PID', 'Number', 'Process id'),
      column('PID_HASH', 'Number', 'Hash of the process'),
      column('PPID', 'Number', 'Process id of the parent'),
      column('PPID_HASH', 'Number', 'Hash of the parent process'),
      column('UID', 'Number', 'User id'),
      column('GID', 'Number', 'Group id'),
      column('COUNT', 'Number', 'How often in the batch'),
      column('OS', 'String', 'Operating system'),
    ],
    relationships: [
      toMachine,
      {
        name: '(default)',
        to: 'SVC_HE_PROCESSES',
        cardinality: 'MANY',
        description: 'Reports of the process that touched the file',
        on: [
          ['MID', 'MID'],
          ['PID_HASH', 'PID_HASH'],
        ],
      },
    ],
    timeColumn: 'BATCH_END_TIME',
    snapshot: 'events',
    rows: fileCallRows,
  },
];

function* execRows(world: World): Iterable<SampleRow> {
  const runs = [...shortProcesses(world), ...intruderProcesses(world)].sort(
    (left, right) => left.startedAt - right.startedAt,
  );
  for (const run of runs) {
    const times = batch(world, run.startedAt);
    yield {
      ...times,
      BATCH_ID: String(times.BATCH_START_TIME),
      RECORD_CREATED_TIME: run.startedAt,
      MID: run.machine.mid,
      EXE_PATH: run.path,
      PID: run.pid,
      PID_HASH: run.hash,
      PPID: run.parentPid,
      PPID_HASH: run.parentHash,
      CMDLINE: run.commandLine,
      UID: run.uid,
      GID: run.uid,
      COUNT: 1,
      OS: run.machine.os,
    };
  }
}

const everydayPaths = [
  '/etc/ld.so.cache',
  '/var/lib/dpkg/status',
  '/etc/cron.daily/apt-compat',
  '/etc/hosts',
  '/var/spool/cron/crontabs/root',
] as const;

function* fileCallRows(world: World): Iterable<SampleRow> {
  yield* merged(everydayCalls(world), intruderCalls(world));
}

function* everydayCalls(world: World): Iterable<TimedRow> {
  const random = world.random('file-calls');
  const services = serviceProcesses(world).filter((run) => run.user === 'root' && run.machine.os === 'Linux');
  for (const time of moments(world, random, Math.round(300 * world.scale))) {
    yield callRow(
      world,
      time,
      random.pick(services),
      random.chance(0.1) ? 'delete' : 'modify',
      random.pick(everydayPaths),
    );
  }
}

function intruderCalls(world: World): readonly TimedRow[] {
  const start = world.anchor - intrusion.processStart;
  const program = intruderProcesses(world).find((run) => run.path === intrusion.processPath);
  if (program === undefined) return [];
  return [
    callRow(world, start + 3 * minute, program, 'modify', '/home/deploy/.aws/credentials'),
    callRow(world, start + 4 * minute, program, 'create', intrusion.cronPath),
    callRow(world, start + 5 * minute, program, 'modify', '/root/.ssh/authorized_keys'),
  ];
}

function callRow(world: World, time: number, run: ProcessRun, operation: string, path: string): TimedRow {
  const times = batch(world, time);
  return {
    time,
    row: {
      ...times,
      BATCH_ID: String(times.BATCH_START_TIME),
      RECORD_CREATED_TIME: time,
      MID: run.machine.mid,
      TARGET_TYPE: 'file',
      TARGET_OP: operation,
      TARGET_PATH: path,
      WATCH_PATH: path.slice(0, path.lastIndexOf('/')),
      PID: run.pid,
      PID_HASH: run.hash,
      PPID: run.parentPid,
      PPID_HASH: run.parentHash,
      UID: run.uid,
      GID: run.uid,
      COUNT: 1,
      OS: run.machine.os,
    },
  };
}
