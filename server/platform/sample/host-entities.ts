import { batchTimes, dailyReports, reported, reportTimes, toMachine } from './agent-reports.ts';
import { macAddress } from './aws-compute.ts';
import { column, defaultRelationship, type SampleDatasource, type SampleRow } from './datasource.ts';
import {
  batchStart,
  intruderProcesses,
  type ProcessRun,
  serviceProcesses,
  shortProcesses,
  userId,
} from './processes.ts';
import { intrusion, intrusionMarks } from './story.ts';
import { batchLength, day, hour, minute, second } from './time.ts';
import { type Machine, machineNamed, type World } from './world.ts';

/** What agents know of hosts: machines, processes, users, files, packages. */
export const hostEntityDatasources: readonly SampleDatasource[] = [
  {
    name: 'SVC_HE_MACHINES',
    description: 'Machines with an agent',
    columns: [
      ...reported,
      column('HOSTNAME', 'String', 'Name of the machine'),
      column('DOMAIN', 'String', 'Domain of the machine'),
      column('KERNEL', 'String', 'Kernel'),
      column('KERNEL_RELEASE', 'String', 'Release of the kernel'),
      column('KERNEL_VERSION', 'String', 'Build of the kernel'),
      column('OS', 'String', 'Operating system or distribution'),
      column('OS_VERSION', 'String', 'Version of the operating system'),
      column('OS_DESC', 'String', 'Operating system and version in words'),
      column('CPU_INFO', 'JSON', 'Processors'),
      column('MEMORY_INFO', 'JSON', 'Memory'),
      column('MACHINE_ID', 'JSON', 'Ids the machine has elsewhere'),
      column('LAST_BOOT_TIME', 'Timestamp', 'Last start of the machine'),
      column('LAST_BOOT_REASON', 'String', 'Why it started'),
      column('DEFAULT_ROUTER', 'String', 'Address of the default router'),
      column('TAGS', 'JSON', 'Tags of the agent and of the cloud provider'),
      column('KERNEL_ARGS', 'String', 'Arguments the kernel was started with'),
      column('ROUTE', 'JSON', 'Routing table'),
    ],
    relationships: [
      defaultRelationship('SVC_HE_PROCESSES', 'MANY', 'Processes on the machine', ['MID', 'MID']),
      {
        name: '(default)',
        to: 'SVC_HE_FILES',
        cardinality: 'MANY',
        description: 'Watched files of the machine',
        on: [['MID', 'MID']],
      },
      {
        name: '(default)',
        to: 'SVC_HE_USERS',
        cardinality: 'MANY',
        description: 'Users of the machine',
        on: [['MID', 'MID']],
      },
      {
        name: '(default)',
        to: 'SVC_HA_DNS_REQUESTS',
        cardinality: 'MANY',
        description: 'Name look-ups of the machine',
        on: [['MID', 'MID']],
      },
    ],
    timeColumn: 'BATCH_END_TIME',
    snapshot: 'latestPerEntity',
    entityColumns: ['MID'],
    rows: machineRows,
  },
  {
    name: 'SVC_HE_PROCESSES',
    description: 'Processes: services once a day while they run, short commands once',
    columns: [
      ...batchTimes,
      column('RECORD_CREATED_TIME', 'Timestamp', 'When the agent made the record'),
      column('PROCESS_START_TIME', 'Timestamp', 'Start of the process'),
      column('MID', 'Number', 'Id of the machine'),
      column('PID_HASH', 'Number', 'Identifies the process on its machine beyond the reuse of process ids'),
      column('PID', 'Number', 'Process id'),
      column('PPID_HASH', 'Number', 'Hash of the parent process'),
      column('PPID', 'Number', 'Process id of the parent'),
      column('PGID', 'Number', 'Process group'),
      column('SID', 'Number', 'Session'),
      column('USERNAME', 'String', 'User that started the process'),
      column('EUSERNAME', 'String', 'Effective user'),
      column('EXE_PATH', 'String', 'Path of the program'),
      column('CMDLINE', 'String', 'Command line'),
      column('CWD', 'String', 'Working directory'),
      column('ROOT', 'String', 'Root directory'),
      column('OS', 'String', 'Operating system'),
    ],
    relationships: [
      toMachine,
      {
        name: '(default)',
        to: 'SVC_HE_USERS',
        cardinality: 'ONE',
        description: 'The user that started it',
        on: [
          ['MID', 'MID'],
          ['USERNAME', 'USERNAME'],
        ],
      },
    ],
    timeColumn: 'BATCH_END_TIME',
    snapshot: 'events',
    rows: processRows,
  },
  {
    name: 'SVC_HE_USERS',
    description: 'Local users of machines',
    columns: [
      ...reported,
      column('USERNAME', 'String', 'Name of the user'),
      column('PRIMARY_GROUP_NAME', 'String', 'Primary group'),
      column('OTHER_GROUP_NAMES', 'JSON', 'Further groups'),
      column('HOME_DIR', 'String', 'Home directory'),
    ],
    relationships: [toMachine],
    timeColumn: 'BATCH_END_TIME',
    snapshot: 'latestPerEntity',
    entityColumns: ['MID', 'USERNAME'],
    rows: userRows,
  },
  {
    name: 'SVC_HE_FILES',
    description: 'Watched files with owner, permissions and hashes',
    columns: [
      ...reported,
      column('PATH', 'String', 'Full path'),
      column('FILE_NAME', 'String', 'Name without the directory'),
      column('INODE', 'Number', 'Inode'),
      column('FILE_TYPE', 'String', 'Kind of file'),
      column('IS_LINK', 'Number', '1 for a symbolic link'),
      column('LINK_DEST_PATH', 'String', 'Where the link points'),
      column('LINK_ABS_DEST_PATH', 'String', 'Where the link points, as an absolute path'),
      column('OWNER_UID', 'Number', 'User id of the owner'),
      column('OWNER_USERNAME', 'String', 'Name of the owner'),
      column('OWNER_GID', 'Number', 'Group id of the owner'),
      column('METADATA_HASH', 'String', 'Hash over the metadata'),
      column('FILEDATA_HASH', 'String', 'Hash over the content'),
      column('SIZE', 'Number', 'Bytes'),
      column('BLOCK_SIZE', 'Number', 'Bytes of a block'),
      column('BLOCK_COUNT', 'Number', 'Blocks'),
      column('FILE_ACCESSED_TIME', 'Timestamp', 'Last access'),
      column('FILE_MODIFIED_TIME', 'Timestamp', 'Last change of the content'),
      column('FILE_CREATED_TIME', 'Timestamp', 'Creation'),
      column('FILE_PERMISSIONS', 'Number', 'Permission bits, decimal'),
      column('HARD_LINK_COUNT', 'Number', 'Hard links'),
    ],
    relationships: [toMachine],
    timeColumn: 'BATCH_END_TIME',
    snapshot: 'latestPerEntity',
    entityColumns: ['MID', 'PATH'],
    rows: fileRows,
  },
  {
    name: 'SVC_HE_PACKAGES',
    description: 'Packages installed on machines',
    columns: [
      ...reported,
      column('IS_IN_CONTAINER', 'String', 'true for a package inside a container'),
      column('CONTAINER_KEY', 'JSON', 'The container, when it is inside one'),
      column('PACKAGE_NAME', 'String', 'Name'),
      column('PACKAGE_ARCH', 'String', 'Processor architecture'),
      column('PACKAGE_VERSION', 'String', 'Version'),
      column('VERSION_FORMAT', 'String', 'How versions of this package compare'),
      column('NAMESPACE', 'String', 'Distribution it comes from'),
      column('SOURCE_FILE', 'String', 'File that names it'),
      column('ACTIVE', 'String', 'Whether a process uses it'),
    ],
    relationships: [toMachine],
    timeColumn: 'BATCH_END_TIME',
    snapshot: 'latestPerEntity',
    entityColumns: ['MID', 'PACKAGE_NAME'],
    rows: packageRows,
  },
];

function* machineRows(world: World): Iterable<SampleRow> {
  const documents = world.machines.map((machine): SampleRow => machineDocument(world, machine));
  for (const batch of dailyReports(world)) {
    for (const [index, machine] of world.machines.entries()) {
      if (machine.launchedAt > batch.end) continue;
      yield { ...reportTimes(batch, index), ...documents[index] };
    }
  }
}

function machineDocument(world: World, machine: Machine): SampleRow {
  const random = world.random(`machine/${machine.hostname}`);
  const router = machine.privateIp.replace(/\.\d+$/, '.1');
  const bootAge = Math.min(world.anchor - machine.launchedAt, random.integer(2, 40) * day);
  return {
    MID: machine.mid,
    HOSTNAME: machine.hostname,
    DOMAIN:
      machine.account === undefined
        ? 'dispatch.harborline.example'
        : `${machine.account.environment}.harborline.example`,
    KERNEL: machine.os === 'Windows' ? 'Windows' : 'Linux',
    KERNEL_RELEASE: machine.kernelRelease,
    KERNEL_VERSION: machine.os === 'Windows' ? '20348.2762' : '#82-Ubuntu SMP',
    OS: machine.osName,
    OS_VERSION: machine.osVersion,
    OS_DESC: `${machine.osName} ${machine.osVersion}`,
    CPU_INFO: {
      Sockets: 1,
      Cores: machine.instanceType.includes('2xlarge') ? 8 : 4,
      ModelName: 'Intel(R) Xeon(R) Platinum 8375C CPU @ 2.90GHz',
    },
    MEMORY_INFO: { MemTotalKb: machine.instanceType.includes('2xlarge') ? 32_505_856 : 8_126_464 },
    MACHINE_ID: { instanceId: machine.instanceId },
    LAST_BOOT_TIME: world.anchor - bootAge,
    LAST_BOOT_REASON: 'reboot',
    DEFAULT_ROUTER: router,
    TAGS: {
      Hostname: machine.hostname,
      Name: machine.hostname,
      Account: machine.account?.id ?? (machine.provider === 'GCP' ? world.gcp.projectId : world.azure.subscriptionId),
      Environment: machine.account?.environment ?? 'production',
      Owner: machine.owner,
      ExternalIp: machine.publicIp ?? '',
      InternalIp: machine.privateIp,
      InstanceId: machine.instanceId,
      AmiId: machine.provider === 'AWS' ? machine.imageId : '',
      VmInstanceType: machine.instanceType,
      VmProvider: machine.provider,
      VpcId: machine.network?.vpcId ?? '',
      Zone: machine.zone,
      arch: 'amd64',
      os: machine.os.toLowerCase(),
      ...(machine.provider === 'GCP' ? { ProjectId: world.gcp.projectId } : {}),
      ...(machine.role === 'kubernetes-node'
        ? { 'eks:cluster-name': world.cluster.name, 'eks:nodegroup-name': 'general' }
        : {}),
    },
    KERNEL_ARGS: machine.os === 'Windows' ? '' : 'BOOT_IMAGE=/boot/vmlinuz root=/dev/nvme0n1p1 ro console=ttyS0',
    ROUTE: [{ destination: '0.0.0.0/0', gateway: router, interface: 'eth0', hwAddr: macAddress(random.hex(10)) }],
  };
}

function* processRows(world: World): Iterable<SampleRow> {
  const lasting = serviceProcesses(world);
  const passing: ProcessRun[] = [...shortProcesses(world), ...intruderProcesses(world)];
  passing.sort((left, right) => left.startedAt - right.startedAt);
  let next = 0;
  for (const batch of dailyReports(world)) {
    for (; next < passing.length; next++) {
      const run = passing[next];
      if (run === undefined || batchStart(world, run.startedAt) >= batch.start) break;
      yield processRow(run, batchStart(world, run.startedAt));
    }
    for (const run of lasting) if (run.startedAt < batch.end) yield processRow(run, batch.start);
  }
  for (; next < passing.length; next++) {
    const run = passing[next];
    if (run !== undefined) yield processRow(run, batchStart(world, run.startedAt));
  }
}

function processRow(run: ProcessRun, start: number): SampleRow {
  return {
    BATCH_START_TIME: start,
    BATCH_END_TIME: start + batchLength,
    RECORD_CREATED_TIME: Math.max(run.startedAt, start) + 5 * second,
    PROCESS_START_TIME: run.startedAt,
    MID: run.machine.mid,
    PID_HASH: run.hash,
    PID: run.pid,
    PPID_HASH: run.parentHash,
    PPID: run.parentPid,
    PGID: run.pid,
    SID: run.pid,
    USERNAME: run.user,
    EUSERNAME: run.user,
    EXE_PATH: run.path,
    CMDLINE: run.commandLine,
    CWD: run.workingDirectory,
    ROOT: '/',
    OS: run.machine.os,
  };
}

function* userRows(world: World): Iterable<SampleRow> {
  const users: { machine: Machine; name: string; group: string; others: readonly string[] }[] = [];
  for (const machine of world.machines) {
    const add = (name: string, others: readonly string[], group = name): void =>
      void users.push({ machine, name, group, others });
    if (machine.os === 'Windows') {
      add('Administrator', ['Administrators']);
      add('hladmin', ['Administrators', 'Remote Desktop Users']);
      continue;
    }
    add('root', []);
    add('www-data', []);
    add('deploy', machine.role === 'orders-api' ? ['docker', 'sudo'] : ['docker']);
    add('ops', machine.provider === 'GCP' ? ['google-sudoers'] : ['sudo', 'adm']);
    if (machine.role === 'ci-runner') add('runner', ['docker']);
    if (machine.role === 'database') add('postgres', ['ssl-cert']);
  }
  for (const batch of dailyReports(world)) {
    for (const [index, user] of users.entries()) {
      if (user.machine.launchedAt > batch.end) continue;
      yield {
        ...reportTimes(batch, index),
        MID: user.machine.mid,
        USERNAME: user.name,
        PRIMARY_GROUP_NAME: user.group,
        OTHER_GROUP_NAMES: user.others,
        HOME_DIR: user.name === 'root' ? '/root' : user.name === 'www-data' ? '/var/www' : `/home/${user.name}`,
      };
    }
  }
}

const watchedFiles: readonly (readonly [path: string, owner: string, permissions: number])[] = [
  ['/etc/passwd', 'root', 0o644],
  ['/etc/shadow', 'root', 0o640],
  ['/etc/sudoers', 'root', 0o440],
  ['/etc/ssh/sshd_config', 'root', 0o644],
  ['/etc/crontab', 'root', 0o644],
  ['/root/.ssh/authorized_keys', 'root', 0o600],
  ['/home/deploy/.ssh/authorized_keys', 'deploy', 0o600],
  ['/usr/bin/curl', 'root', 0o755],
  ['/usr/bin/bash', 'root', 0o755],
  ['/usr/bin/sudo', 'root', 0o4755],
  ['/usr/sbin/sshd', 'root', 0o755],
  ['/etc/hosts', 'root', 0o644],
];

interface WatchedFile {
  readonly machine: Machine;
  readonly path: string;
  readonly row: SampleRow;
  readonly since: number;
}

function* fileRows(world: World): Iterable<SampleRow> {
  const files = watchedFileList(world);
  for (const batch of dailyReports(world)) {
    for (const [index, file] of files.entries()) {
      if (file.since > batch.end) continue;
      yield { ...reportTimes(batch, index), ...file.row };
    }
  }
}

function watchedFileList(world: World): readonly WatchedFile[] {
  const marks = intrusionMarks(world.seed);
  const files: WatchedFile[] = [];
  const hashes = world.random('file-contents');
  const contentHash = new Map(watchedFiles.map(([path]) => [path, hashes.hex(64)]));
  for (const machine of world.machines) {
    if (machine.os === 'Windows') continue;
    const random = world.random(`files/${machine.hostname}`);
    for (const [path, owner, permissions] of watchedFiles) {
      const shared = path.startsWith('/usr/');
      const modified = world.anchor - random.integer(20, 400) * day;
      const odd = machine.hostname === 'staging-api-01' && path === '/etc/shadow';
      files.push({
        machine,
        path,
        since: machine.launchedAt,
        row: fileRow(machine, random.integer(100_000, 999_999), path, owner, odd ? 0o666 : permissions, {
          size: shared ? 240_000 : random.integer(300, 9000),
          modified,
          hash: shared ? (contentHash.get(path) ?? '') : random.hex(64),
          metadataHash: random.hex(64),
        }),
      });
    }
    files.push({
      machine,
      path: '/usr/bin/python',
      since: machine.launchedAt,
      row: {
        ...fileRow(machine, random.integer(100_000, 999_999), '/usr/bin/python', 'root', 0o777, {
          size: 10,
          modified: world.anchor - 300 * day,
          hash: '',
          metadataHash: random.hex(64),
        }),
        FILE_TYPE: 'Link',
        IS_LINK: 1,
        LINK_DEST_PATH: 'python3',
        LINK_ABS_DEST_PATH: '/usr/bin/python3',
      },
    });
  }
  const target = machineNamed(world, intrusion.targetHost);
  const dropped = world.anchor - intrusion.processStart;
  const metadataHash = world.random('dropped-files').hex(64);
  files.push(
    {
      machine: target,
      path: intrusion.processPath,
      since: dropped,
      row: fileRow(target, 417_733, intrusion.processPath, 'deploy', 0o755, {
        size: 4_812_304,
        modified: dropped,
        hash: marks.fileHash,
        metadataHash,
      }),
    },
    {
      machine: target,
      path: intrusion.cronPath,
      since: dropped,
      row: fileRow(target, 417_801, intrusion.cronPath, 'root', 0o644, {
        size: 118,
        modified: dropped + 4 * minute,
        hash: metadataHash,
        metadataHash,
      }),
    },
  );
  return files;
}

function fileRow(
  machine: Machine,
  inode: number,
  path: string,
  owner: string,
  permissions: number,
  content: { readonly size: number; readonly modified: number; readonly hash: string; readonly metadataHash: string },
): SampleRow {
  return {
    MID: machine.mid,
    PATH: path,
    FILE_NAME: path.slice(path.lastIndexOf('/') + 1),
    INODE: inode,
    FILE_TYPE: 'Regular',
    IS_LINK: 0,
    OWNER_UID: userId(owner),
    OWNER_USERNAME: owner,
    OWNER_GID: userId(owner),
    METADATA_HASH: content.metadataHash,
    FILEDATA_HASH: content.hash === '' ? undefined : content.hash,
    SIZE: content.size,
    BLOCK_SIZE: 4096,
    BLOCK_COUNT: Math.ceil(content.size / 512),
    FILE_ACCESSED_TIME: content.modified + hour,
    FILE_MODIFIED_TIME: content.modified,
    FILE_CREATED_TIME: content.modified,
    FILE_PERMISSIONS: permissions,
    HARD_LINK_COUNT: 1,
  };
}

const installedPackages: readonly (readonly [name: string, ubuntu: string, debian: string])[] = [
  ['openssl', '3.0.2-0ubuntu1.18', '3.0.15-1~deb12u1'],
  ['openssh-server', '1:8.9p1-3ubuntu0.10', '1:9.2p1-2+deb12u3'],
  ['curl', '7.81.0-1ubuntu1.20', '7.88.1-10+deb12u8'],
  ['bash', '5.1-6ubuntu1.1', '5.2.15-2+b7'],
  ['sudo', '1.9.9-1ubuntu2.4', '1.9.13p3-1+deb12u1'],
  ['libc6', '2.35-0ubuntu3.8', '2.36-9+deb12u9'],
  ['xz-utils', '5.2.5-2ubuntu1', '5.4.1-0.2'],
  ['systemd', '249.11-0ubuntu3.12', '252.31-1~deb12u1'],
];

function* packageRows(world: World): Iterable<SampleRow> {
  const machines = world.machines.filter((machine) => machine.os === 'Linux');
  for (const batch of dailyReports(world)) {
    for (const machine of machines) {
      if (machine.launchedAt > batch.end) continue;
      for (const [index, [name, ubuntu, debian]] of installedPackages.entries()) {
        yield {
          ...reportTimes(batch, index),
          MID: machine.mid,
          IS_IN_CONTAINER: 'false',
          PACKAGE_NAME: name,
          PACKAGE_ARCH: 'amd64',
          PACKAGE_VERSION: machine.osName === 'Debian' ? debian : ubuntu,
          VERSION_FORMAT: 'dpkg',
          NAMESPACE: `${machine.osName.toLowerCase()}:${machine.osVersion}`,
          SOURCE_FILE: '/var/lib/dpkg/status',
          ACTIVE: name === 'xz-utils' ? 'false' : 'true',
        };
      }
    }
  }
}
