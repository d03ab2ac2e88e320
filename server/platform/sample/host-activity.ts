import type { Value } from '../../core/language/values/value.ts';
import { batch, batchTimes, toMachine } from './agent-reports.ts';
import { column, type SampleDatasource, type SampleRow } from './datasource.ts';
import { type ProcessRun, serviceProcesses, userId } from './processes.ts';
import type { Random } from './random.ts';
import { intrusion, intrusionMarks } from './story.ts';
import { day, historyDays, hour, minute, second } from './time.ts';
import { type Machine, machineNamed, personNamed, type World } from './world.ts';

/** What hosts did: connections, name look-ups, logins, changed files. */
export const hostActivityDatasources: readonly SampleDatasource[] = [
  {
    name: 'SVC_HA_CONNECTION_SUMMARY',
    description: 'Connections between processes, machines and addresses, summed up by the hour',
    columns: [
      ...batchTimes,
      column('SRC_ENTITY_TYPE', 'String', 'Kind of the side that opened the connection'),
      column(
        'SRC_ENTITY_ID',
        'JSON',
        'The side that opened the connection: mid and pid_hash of a process, or an address',
      ),
      column('DST_ENTITY_TYPE', 'String', 'Kind of the side that was called'),
      column('DST_ENTITY_ID', 'JSON', 'The side that was called: mid and pid_hash of a process, host name or address'),
      column('SRC_IN_BYTES', 'Number', 'Bytes the opening side received'),
      column('SRC_OUT_BYTES', 'Number', 'Bytes the opening side sent'),
      column('DST_IN_BYTES', 'Number', 'Bytes the called side received'),
      column('DST_OUT_BYTES', 'Number', 'Bytes the called side sent'),
      column('ENDPOINT_DETAILS', 'JSON', 'List of addresses, ports and protocols'),
      column('NUM_CONNS', 'Number', 'Connections in the hour'),
    ],
    keyColumns: [
      { name: '$MID', dataType: 'Number' },
      { name: '$PID_HASH', dataType: 'Number' },
    ],
    relationships: [
      { ...toMachine, description: 'Machine that opened the connection', on: [['$MID', 'MID']] },
      {
        name: '(default)',
        to: 'SVC_HE_PROCESSES',
        cardinality: 'MANY',
        description: 'Reports of the process that opened the connection',
        on: [
          ['$MID', 'MID'],
          ['$PID_HASH', 'PID_HASH'],
        ],
      },
    ],
    timeColumn: 'BATCH_END_TIME',
    snapshot: 'events',
    rows: connectionRows,
  },
  {
    name: 'SVC_HA_DNS_REQUESTS',
    description: 'Names that machines looked up, with the answer',
    columns: [
      ...batchTimes,
      column('RECORD_CREATED_TIME', 'Timestamp', 'When the look-up was seen'),
      column('MID', 'Number', 'Id of the machine'),
      column('SRV_IP_ADDR', 'String', 'Address of the name server'),
      column('HOSTNAME', 'String', 'The name that was looked up'),
      column('HOST_IP_ADDR', 'String', 'The address that was answered'),
      column('TTL', 'Number', 'Seconds the answer stays valid'),
      column('PKTLEN', 'Number', 'Bytes of the answer'),
    ],
    relationships: [toMachine],
    timeColumn: 'BATCH_END_TIME',
    snapshot: 'events',
    rows: dnsRows,
  },
  {
    name: 'SVC_HA_USER_LOGINS',
    description: 'Logins on machines, with their end where it is known',
    columns: [
      ...batchTimes,
      column('RECORD_CREATED_TIME', 'Timestamp', 'When the agent made the record'),
      column('LOGIN_TIME', 'Timestamp', 'Login'),
      column('LOGOFF_TIME', 'Timestamp', 'Logoff, when it is over'),
      column('EVENT_TYPE', 'String', 'LOGIN or LOGOFF'),
      column('MID', 'Number', 'Id of the machine'),
      column('USERNAME', 'String', 'User'),
      column('HOSTNAME', 'String', 'Name of the machine the user came from, when it is known'),
      column('IP_ADDR', 'String', 'Address the user came from'),
      column('TTY', 'String', 'Terminal'),
      column('UID', 'Number', 'User id'),
      column('GID', 'Number', 'Group id'),
    ],
    relationships: [toMachine],
    timeColumn: 'BATCH_END_TIME',
    snapshot: 'events',
    rows: loginRows,
  },
  {
    name: 'SVC_HA_SSH_LOGINS',
    description: 'SSH logins with the fingerprint of the key',
    columns: [
      ...batchTimes,
      column('BATCH_ID', 'String', 'Id of the batch'),
      column('RECORD_CREATED_TIME', 'Timestamp', 'When the agent made the record'),
      column('LOGIN_TIME', 'Timestamp', 'Login'),
      column('MID', 'Number', 'Id of the machine'),
      column('USERNAME', 'String', 'User'),
      column('IP_ADDR', 'String', 'Address the user came from'),
      column('HOSTNAME', 'String', 'Name of the machine'),
      column('SSH_KEY_TYPE', 'String', 'Kind of key'),
      column('FINGERPRINT_OPENSSH_MD5', 'String', 'Fingerprint of the key, MD5'),
      column('FINGERPRINT_OPENSSH_SHA256', 'String', 'Fingerprint of the key, SHA-256'),
    ],
    relationships: [toMachine],
    timeColumn: 'BATCH_END_TIME',
    snapshot: 'events',
    rows: sshLoginRows,
  },
  {
    name: 'SVC_HA_FILE_CHANGES',
    description: 'Watched files that were created, changed or removed',
    columns: [
      ...batchTimes,
      column('ACTIVITY_START_TIME', 'Timestamp', 'First change in the hour'),
      column('ACTIVITY_END_TIME', 'Timestamp', 'Last change in the hour'),
      column('MID', 'Number', 'Id of the machine'),
      column('PATH', 'String', 'Full path'),
      column('ACTIVITY', 'String', 'New, Modified or Deleted'),
      column('FILEDATA_HASH', 'String', 'Hash over the new content'),
      column('LAST_MODIFIED_TIME', 'Timestamp', 'Time of the last change'),
      column('SIZE', 'Number', 'Bytes after the change'),
    ],
    relationships: [
      toMachine,
      {
        name: '(default)',
        to: 'SVC_HE_FILES',
        cardinality: 'ONE',
        description: 'The file as it is now, where it is watched',
        on: [
          ['MID', 'MID'],
          ['PATH', 'PATH'],
        ],
      },
    ],
    timeColumn: 'BATCH_END_TIME',
    snapshot: 'events',
    rows: fileChangeRows,
  },
];

/** Rows of the background and of the story in one order of time. */
export function* merged(background: Iterable<TimedRow>, story: readonly TimedRow[]): Iterable<SampleRow> {
  const waiting = [...story].sort((left, right) => left.time - right.time);
  let next = 0;
  for (const entry of background) {
    for (let first = waiting[next]; first !== undefined && first.time <= entry.time; first = waiting[++next])
      yield first.row;
    yield entry.row;
  }
  for (; next < waiting.length; next++) {
    const entry = waiting[next];
    if (entry !== undefined) yield entry.row;
  }
}

export interface TimedRow {
  readonly time: number;
  readonly row: SampleRow;
}

/** `count` moments spread over the history with some chance, ascending and before the anchor. */
export function* moments(world: World, random: Random, count: number): Iterable<number> {
  const span = historyDays * day - minute;
  for (let index = 0; index < count; index++) {
    yield Math.floor(world.anchor - minute - span + (span * (index + random.next())) / count);
  }
}

interface Destination {
  readonly host: string;
  readonly ip: string;
  readonly port: number;
}

/** Where Harborline's services go every day. */
const destinations: readonly Destination[] = [
  { host: 's3.eu-west-1.amazonaws.com', ip: '198.51.100.201', port: 443 },
  { host: 'sts.eu-west-1.amazonaws.com', ip: '198.51.100.202', port: 443 },
  { host: 'sqs.eu-west-1.amazonaws.com', ip: '198.51.100.203', port: 443 },
  { host: 'monitoring.eu-west-1.amazonaws.com', ip: '198.51.100.204', port: 443 },
  { host: 'archive.ubuntu.com', ip: '203.0.113.141', port: 80 },
  { host: 'deb.debian.org', ip: '203.0.113.142', port: 80 },
  { host: 'registry.npmjs.org', ip: '203.0.113.143', port: 443 },
  { host: 'github.com', ip: '203.0.113.144', port: 443 },
  { host: 'api.customs-gateway.example', ip: '203.0.113.150', port: 443 },
  { host: 'rates.carrier-exchange.example', ip: '203.0.113.151', port: 443 },
  { host: 'maps.roadnet.example', ip: '203.0.113.152', port: 443 },
  { host: 'time.harborline.example', ip: '10.20.0.2', port: 123 },
];

const internalCalls: readonly (readonly [from: string, to: string, port: number])[] = [
  ['web-01', 'orders-api-01', 8443],
  ['web-01', 'orders-api-02', 8443],
  ['web-02', 'orders-api-03', 8443],
  ['orders-api-01', 'ledger-db-01', 5432],
  ['orders-api-02', 'ledger-db-01', 5432],
  ['orders-api-03', 'ledger-db-01', 5432],
  ['ledger-db-01', 'ledger-db-02', 5432],
  ['tracking-01', 'orders-api-01', 8443],
  ['tracking-02', 'orders-api-02', 8443],
  ['metrics-01', 'ci-runner-01', 9100],
  ['metrics-01', 'ci-runner-02', 9100],
  ['node-a1', 'orders-api-01', 8443],
  ['staging-web-01', 'staging-api-01', 8443],
];

/** The parts of a connection that repeat, built once and shared by its rows. */
interface ConnectionShape {
  readonly mid: bigint;
  readonly pidHash: bigint;
  readonly destinationType: 'Process' | 'DNSName' | 'IpAddress';
  readonly source: Value;
  readonly destination: Value;
  readonly endpoints: Value;
  /** Typical bytes in one hour, sent and received. */
  readonly sent: number;
  readonly received: number;
}

function connectionShapes(world: World): readonly ConnectionShape[] {
  const random = world.random('connection-shapes');
  const running = serviceProcesses(world);
  const shapes: ConnectionShape[] = [];
  const processOf = (hostname: string): ProcessRun | undefined => {
    const own = running.filter((run) => run.machine.hostname === hostname);
    return own[own.length - 1];
  };
  for (const [from, to, port] of internalCalls) {
    const caller = processOf(from);
    const called = processOf(to);
    if (caller === undefined || called === undefined) continue;
    shapes.push({
      mid: caller.machine.mid,
      pidHash: caller.hash,
      destinationType: 'Process',
      source: { mid: caller.machine.mid, pid_hash: caller.hash },
      destination: { mid: called.machine.mid, pid_hash: called.hash },
      endpoints: [
        {
          src_ip_addr: caller.machine.privateIp,
          dst_ip_addr: called.machine.privateIp,
          dst_port: port,
          protocol: 'TCP',
        },
      ],
      sent: random.integer(40_000, 4_000_000),
      received: random.integer(40_000, 9_000_000),
    });
  }
  for (const machine of world.machines) {
    const caller = processOf(machine.hostname);
    if (caller === undefined) continue;
    for (const destination of destinations) {
      if (!random.chance(0.55)) continue;
      shapes.push({
        mid: machine.mid,
        pidHash: caller.hash,
        destinationType: destination.ip.startsWith('10.') ? 'IpAddress' : 'DNSName',
        source: { mid: machine.mid, pid_hash: caller.hash },
        destination: destination.ip.startsWith('10.')
          ? { ip_addr: destination.ip, port: destination.port, protocol: 'UDP' }
          : { hostname: destination.host, port: destination.port, protocol: 'TCP' },
        endpoints: [
          {
            src_ip_addr: machine.privateIp,
            dst_ip_addr: destination.ip,
            dst_port: destination.port,
            protocol: destination.port === 123 ? 'UDP' : 'TCP',
          },
        ],
        sent: random.integer(2_000, 600_000),
        received: random.integer(2_000, 900_000),
      });
    }
  }
  return shapes;
}

function connectionRow(
  world: World,
  time: number,
  shape: ConnectionShape,
  sent: number,
  received: number,
  connections: number,
): TimedRow {
  return {
    time,
    row: {
      ...batch(world, time),
      SRC_ENTITY_TYPE: 'Process',
      SRC_ENTITY_ID: shape.source,
      DST_ENTITY_TYPE: shape.destinationType,
      DST_ENTITY_ID: shape.destination,
      SRC_IN_BYTES: received,
      SRC_OUT_BYTES: sent,
      DST_IN_BYTES: sent,
      DST_OUT_BYTES: received,
      ENDPOINT_DETAILS: shape.endpoints,
      NUM_CONNS: connections,
      $MID: shape.mid,
      $PID_HASH: shape.pidHash,
    },
  };
}

function* connectionRows(world: World): Iterable<SampleRow> {
  yield* merged(everydayConnections(world), intruderConnections(world));
}

function* everydayConnections(world: World): Iterable<TimedRow> {
  const random = world.random('connections');
  const shapes = connectionShapes(world);
  for (const time of moments(world, random, Math.round(4600 * world.scale))) {
    const shape = random.pick(shapes);
    const load = 0.3 + random.next();
    yield connectionRow(
      world,
      time,
      shape,
      Math.round(shape.sent * load),
      Math.round(shape.received * load),
      random.integer(1, 60),
    );
  }
}

function intruderConnections(world: World): readonly TimedRow[] {
  const marks = intrusionMarks(world.seed);
  const machine = machineNamed(world, intrusion.targetHost);
  const shape: ConnectionShape = {
    mid: machine.mid,
    pidHash: marks.processHash,
    destinationType: 'DNSName',
    source: { mid: machine.mid, pid_hash: marks.processHash },
    destination: { hostname: intrusion.controlHost, port: 443, protocol: 'TCP' },
    endpoints: [{ src_ip_addr: machine.privateIp, dst_ip_addr: intrusion.controlIp, dst_port: 443, protocol: 'TCP' }],
    sent: 0,
    received: 0,
  };
  const rows: TimedRow[] = [];
  for (let age: number = intrusion.beaconStart; age > minute; age -= hour) {
    rows.push(connectionRow(world, world.anchor - age, shape, 3_412, 1_180, 4));
  }
  // More than four gigabytes leave within the hour: the number does not fit 32 bits.
  rows.push(connectionRow(world, world.anchor - intrusion.upload, shape, 4_871_220_736, 2_204_118, 9));
  return rows;
}

function* dnsRows(world: World): Iterable<SampleRow> {
  yield* merged(everydayLookups(world), intruderLookups(world));
}

function lookupRow(
  world: World,
  time: number,
  machine: Machine,
  host: string,
  ip: string,
  ttl: number,
  length: number,
): TimedRow {
  return {
    time,
    row: {
      ...batch(world, time),
      RECORD_CREATED_TIME: time,
      MID: machine.mid,
      SRV_IP_ADDR: machine.privateIp.replace(/\.\d+\.\d+$/, '.0.2'),
      HOSTNAME: host,
      HOST_IP_ADDR: ip,
      TTL: ttl,
      PKTLEN: length,
    },
  };
}

function* everydayLookups(world: World): Iterable<TimedRow> {
  const random = world.random('lookups');
  for (const time of moments(world, random, Math.round(3300 * world.scale))) {
    const machine = random.pick(world.machines);
    const destination = random.pick(destinations);
    yield lookupRow(
      world,
      time,
      machine,
      destination.host,
      destination.ip,
      random.pick([5, 30, 60, 300]),
      40 + destination.host.length * 2,
    );
  }
}

function intruderLookups(world: World): readonly TimedRow[] {
  const machine = machineNamed(world, intrusion.targetHost);
  const rows = [
    lookupRow(
      world,
      world.anchor - intrusion.processStart - 2 * minute,
      machine,
      intrusion.downloadHost,
      '198.51.100.76',
      60,
      98,
    ),
  ];
  for (let age: number = intrusion.beaconStart; age > minute; age -= intrusion.beaconEvery) {
    rows.push(lookupRow(world, world.anchor - age, machine, intrusion.controlHost, intrusion.controlIp, 5, 104));
  }
  return rows;
}

interface Login {
  readonly time: number;
  readonly machine: Machine;
  readonly user: string;
  readonly ip: string;
  readonly from: string;
  readonly length: number | undefined;
  readonly key: string;
}

/** Logins of the platform team and of deployments, and the intruder's two; oldest first. */
function logins(world: World): readonly Login[] {
  const random = world.random('logins');
  const bastion = machineNamed(world, 'bastion-01');
  const linux = world.machines.filter((machine) => machine.os === 'Linux' && machine.role !== 'bastion');
  const people = ['amelia.stone', 'bruno.keller', 'chiara.rossi', 'elena.petrova'].map((name) =>
    personNamed(world, name),
  );
  const keys = new Map(people.map((person) => [person, random.hex(64)]));
  const deployKey = random.hex(64);
  const runner = machineNamed(world, 'ci-runner-01');
  const list: Login[] = [];
  for (const time of moments(world, random, Math.round(260 * Math.sqrt(world.scale)))) {
    const length = random.integer(20, 5400) * second;
    if (random.chance(0.35)) {
      list.push({
        time,
        machine: random.pick(linux),
        user: 'deploy',
        ip: runner.privateIp,
        from: runner.hostname,
        length,
        key: deployKey,
      });
      continue;
    }
    const person = random.pick(people);
    const key = keys.get(person) ?? '';
    list.push({ time, machine: bastion, user: 'ops', ip: person.sourceIp, from: '', length, key });
    const hop = time + random.integer(20, 200) * second;
    if (random.chance(0.7) && hop < world.anchor) {
      list.push({
        time: hop,
        machine: random.pick(linux),
        user: 'ops',
        ip: bastion.privateIp,
        from: bastion.hostname,
        length,
        key,
      });
    }
  }
  const foreignKey = random.hex(64);
  list.push(
    {
      time: world.anchor - intrusion.entryLogin,
      machine: bastion,
      user: 'deploy',
      ip: intrusion.sourceIp,
      from: '',
      length: 13 * hour,
      key: foreignKey,
    },
    {
      time: world.anchor - intrusion.lateralLogin,
      machine: machineNamed(world, intrusion.targetHost),
      user: 'deploy',
      ip: bastion.privateIp,
      from: bastion.hostname,
      length: 38 * minute,
      key: foreignKey,
    },
  );
  return list.sort((left, right) => left.time - right.time);
}

function* loginRows(world: World): Iterable<SampleRow> {
  const terminals = world.random('terminals');
  const rows: TimedRow[] = [];
  for (const login of logins(world)) {
    const end = login.length === undefined ? undefined : login.time + login.length;
    const common = {
      MID: login.machine.mid,
      USERNAME: login.user,
      HOSTNAME: login.from,
      IP_ADDR: login.ip,
      TTY: `pts/${terminals.integer(0, 4)}`,
      UID: userId(login.user),
      GID: userId(login.user),
      LOGIN_TIME: login.time,
    };
    rows.push({
      time: login.time,
      row: { ...batch(world, login.time), RECORD_CREATED_TIME: login.time + second, EVENT_TYPE: 'LOGIN', ...common },
    });
    if (end !== undefined && end < world.anchor) {
      rows.push({
        time: end,
        row: {
          ...batch(world, end),
          RECORD_CREATED_TIME: end + second,
          EVENT_TYPE: 'LOGOFF',
          ...common,
          LOGOFF_TIME: end,
        },
      });
    }
  }
  yield* merged([], rows);
}

function* sshLoginRows(world: World): Iterable<SampleRow> {
  for (const login of logins(world)) {
    const times = batch(world, login.time);
    yield {
      ...times,
      BATCH_ID: String(times.BATCH_START_TIME),
      RECORD_CREATED_TIME: login.time + second,
      LOGIN_TIME: login.time,
      MID: login.machine.mid,
      USERNAME: login.user,
      IP_ADDR: login.ip,
      HOSTNAME: login.machine.hostname,
      SSH_KEY_TYPE: 'ssh-ed25519',
      FINGERPRINT_OPENSSH_MD5: login.key.slice(0, 32).replace(/(..)(?=.)/g, '$1:'),
      FINGERPRINT_OPENSSH_SHA256: login.key,
    };
  }
}

const changingFiles = [
  '/etc/passwd',
  '/etc/resolv.conf',
  '/etc/hosts',
  '/etc/nginx/nginx.conf',
  '/usr/bin/curl',
  '/usr/lib/x86_64-linux-gnu/libssl.so.3',
  '/etc/ld.so.cache',
  '/var/lib/dpkg/status',
  '/etc/systemd/system/orders-api.service',
] as const;

function* fileChangeRows(world: World): Iterable<SampleRow> {
  yield* merged(everydayFileChanges(world), intruderFileChanges(world));
}

function fileChangeRow(
  world: World,
  time: number,
  machine: Machine,
  path: string,
  activity: string,
  hash: string | undefined,
  size: number,
): TimedRow {
  return {
    time,
    row: {
      ...batch(world, time),
      ACTIVITY_START_TIME: time,
      ACTIVITY_END_TIME: time,
      MID: machine.mid,
      PATH: path,
      ACTIVITY: activity,
      FILEDATA_HASH: hash,
      LAST_MODIFIED_TIME: time,
      SIZE: size,
    },
  };
}

function* everydayFileChanges(world: World): Iterable<TimedRow> {
  const random = world.random('file-changes');
  const machines = world.machines.filter((machine) => machine.os === 'Linux');
  for (const time of moments(world, random, Math.round(420 * world.scale))) {
    const removed = random.chance(0.05);
    const path = removed ? `/etc/nginx/sites-enabled/site-${random.integer(1, 9)}.conf` : random.pick(changingFiles);
    const hash = removed ? undefined : random.hex(64);
    yield fileChangeRow(
      world,
      time,
      random.pick(machines),
      path,
      removed ? 'Deleted' : 'Modified',
      hash,
      removed ? 0 : random.integer(200, 90_000),
    );
  }
}

function intruderFileChanges(world: World): readonly TimedRow[] {
  const marks = intrusionMarks(world.seed);
  const machine = machineNamed(world, intrusion.targetHost);
  const start = world.anchor - intrusion.processStart;
  const hashes = world.random('intruder-files');
  return [
    fileChangeRow(world, start - minute, machine, intrusion.processPath, 'New', marks.fileHash, 4_812_304),
    fileChangeRow(world, start + 4 * minute, machine, intrusion.cronPath, 'New', hashes.hex(64), 118),
    fileChangeRow(world, start + 5 * minute, machine, '/root/.ssh/authorized_keys', 'Modified', hashes.hex(64), 812),
  ];
}
