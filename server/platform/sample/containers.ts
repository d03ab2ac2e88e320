import type { Value } from '../../core/language/values/value.ts';
import { batchTimes, dailyReports, reportTimes, toMachine } from './agent-reports.ts';
import { column, type SampleDatasource, type SampleRow } from './datasource.ts';
import { intrusion } from './story.ts';
import { day } from './time.ts';
import { type Machine, machineNamed, type Workload, type World } from './world.ts';

/** What agents know of containers and their images. */
export const containerDatasources: readonly SampleDatasource[] = [
  {
    name: 'SVC_HE_CONTAINERS',
    description: 'Containers with image, network and privileges',
    columns: [
      ...batchTimes,
      column('RECORD_CREATED_TIME', 'Timestamp', 'When the agent made the record'),
      column('CONTAINER_START_TIME', 'Timestamp', 'Start of the container'),
      column('MID', 'Number', 'Id of the machine'),
      column('CONTAINER_ID', 'String', 'Id of the container'),
      column('CONTAINER_TYPE', 'String', 'Container runtime'),
      column('IMAGE_ID', 'String', 'Id of the image'),
      column('CONTAINER_NAME', 'String', 'Name of the container'),
      column('PRIVILEGED', 'Number', '1 for a privileged container'),
      column('NETWORK_MODE', 'String', 'Network mode'),
      column('PID_MODE', 'String', 'host when it shares the process ids of its machine'),
      column('IPV4', 'String', 'Address'),
      column('IPV6', 'String', 'Address'),
      column('LISTEN_PORT_MAP', 'JSON', 'Ports it listens on'),
      column('VOLUME_MAP', 'JSON', 'Directories of the machine that it sees'),
      column('REPO', 'String', 'Repository of the image'),
      column('TAG', 'String', 'Tag of the image'),
      column('PROPS_LABEL', 'JSON', 'Labels'),
      column('PROPS_ENV', 'JSON', 'Environment variables, names only'),
    ],
    relationships: [
      toMachine,
      {
        name: '(default)',
        to: 'SVC_HE_IMAGES',
        cardinality: 'ONE',
        description: 'The image',
        on: [
          ['MID', 'MID'],
          ['IMAGE_ID', 'IMAGE_ID'],
        ],
      },
    ],
    timeColumn: 'BATCH_END_TIME',
    snapshot: 'latestPerEntity',
    entityColumns: ['CONTAINER_ID'],
    rows: containerRows,
  },
  {
    name: 'SVC_HE_IMAGES',
    description: 'Container images present on machines',
    columns: [
      ...batchTimes,
      column('RECORD_CREATED_TIME', 'Timestamp', 'When the agent made the record'),
      column('IMAGE_CREATED_TIME', 'Timestamp', 'When the image was built'),
      column('MID', 'Number', 'Id of the machine'),
      column('IMAGE_ID', 'String', 'Id of the image'),
      column('CONTAINER_TYPE', 'String', 'Container runtime'),
      column('AUTHOR', 'String', 'Author named by the image'),
      column('REPO', 'String', 'Repository'),
      column('TAG', 'String', 'Tag'),
      column('SIZE', 'Number', 'Bytes'),
      column('VIRTUAL_SIZE', 'Number', 'Bytes with shared layers'),
      column('IMAGE_VERSION', 'String', 'Version of the builder'),
      column('ACTIVE_COUNT', 'Number', 'Containers that run it on the machine'),
    ],
    relationships: [toMachine],
    timeColumn: 'BATCH_END_TIME',
    snapshot: 'latestPerEntity',
    entityColumns: ['MID', 'IMAGE_ID'],
    rows: imageRows,
  },
];

/** A container of the cluster. The entity searches and the audit log speak of the same ones. */
export interface ContainerRun {
  readonly machine: Machine;
  readonly workload: Workload;
  readonly podName: string;
  readonly containerId: string;
  readonly imageId: string;
  readonly ip: string;
  readonly startedAt: number;
  readonly hostMount: boolean;
}

/** Every container of the cluster, the intruder's last. */
export function containerRuns(world: World): readonly ContainerRun[] {
  const random = world.random('containers');
  const nodes = world.machines.filter((machine) => machine.role === 'kubernetes-node');
  const runs: ContainerRun[] = [];
  for (const workload of world.cluster.workloads) {
    const imageId = `sha256:${random.hex(64)}`;
    for (let replica = 0; replica < workload.replicas; replica++) {
      const machine = nodes[(replica + workload.port) % nodes.length];
      if (machine === undefined) continue;
      runs.push({
        machine,
        workload,
        podName: `${workload.name}-${random.hex(9)}-${random.hex(5)}`,
        containerId: random.hex(64),
        imageId,
        ip: workload.privileged ? machine.privateIp : `10.20.${random.integer(100, 120)}.${random.integer(2, 250)}`,
        startedAt: world.anchor - random.integer(1, 20) * day,
        hostMount: workload.privileged,
      });
    }
  }
  const node = machineNamed(world, 'node-b1');
  runs.push({
    machine: node,
    workload: {
      namespace: intrusion.podNamespace,
      name: 'node-debug',
      image: intrusion.podImage,
      tag: '3.20',
      replicas: 1,
      privileged: true,
      port: 0,
    },
    podName: intrusion.podName,
    containerId: random.hex(64),
    imageId: `sha256:${random.hex(64)}`,
    ip: node.privateIp,
    startedAt: world.anchor - intrusion.podStart,
    hostMount: true,
  });
  return runs;
}

function* containerRows(world: World): Iterable<SampleRow> {
  const runs = containerRuns(world);
  for (const batch of dailyReports(world)) {
    for (const [index, run] of runs.entries()) {
      if (run.startedAt > batch.end) continue;
      const { workload } = run;
      yield {
        ...reportTimes(batch, index),
        CONTAINER_START_TIME: run.startedAt,
        MID: run.machine.mid,
        CONTAINER_ID: run.containerId,
        CONTAINER_TYPE: 'CONTAINERD',
        IMAGE_ID: run.imageId,
        CONTAINER_NAME: `k8s_${workload.name}_${run.podName}_${workload.namespace}`,
        PRIVILEGED: workload.privileged ? 1 : 0,
        NETWORK_MODE: workload.privileged ? 'host' : 'pod',
        PID_MODE: run.podName === intrusion.podName ? 'host' : '',
        IPV4: run.ip,
        IPV6: '',
        LISTEN_PORT_MAP:
          workload.port === 0
            ? {}
            : { [`${workload.port}/tcp`]: [{ HostIp: '0.0.0.0', HostPort: String(workload.port) }] },
        VOLUME_MAP: volumeMap(run),
        REPO: workload.image,
        TAG: workload.tag,
        PROPS_LABEL: {
          'io.kubernetes.pod.name': run.podName,
          'io.kubernetes.pod.namespace': workload.namespace,
          'io.kubernetes.container.name': workload.name,
        },
        PROPS_ENV: { KUBERNETES_SERVICE_HOST: '', PATH: '' },
      };
    }
  }
}

function volumeMap(run: ContainerRun): Value {
  if (run.podName === intrusion.podName) return { '/host': '/' };
  return run.hostMount ? { '/host/proc': '/proc', '/host/sys': '/sys' } : {};
}

function* imageRows(world: World): Iterable<SampleRow> {
  const images = new Map<string, { run: ContainerRun; active: number }>();
  for (const run of containerRuns(world)) {
    const key = `${run.machine.hostname}/${run.imageId}`;
    const known = images.get(key);
    if (known === undefined) images.set(key, { run, active: 1 });
    else known.active++;
  }
  const random = world.random('images');
  const entries = [...images.values()].map((entry) => ({
    ...entry,
    size: random.integer(12, 480) * 1_048_576,
    built: random.integer(3, 200) * day,
  }));
  for (const batch of dailyReports(world)) {
    for (const [index, { run, active, size, built }] of entries.entries()) {
      if (run.startedAt > batch.end) continue;
      yield {
        ...reportTimes(batch, index),
        IMAGE_CREATED_TIME: run.startedAt - built,
        MID: run.machine.mid,
        IMAGE_ID: run.imageId,
        CONTAINER_TYPE: 'CONTAINERD',
        AUTHOR: '',
        REPO: run.workload.image,
        TAG: run.workload.tag,
        SIZE: size,
        VIRTUAL_SIZE: size + 41_943_040,
        IMAGE_VERSION: '2',
        ACTIVE_COUNT: active,
      };
    }
  }
}
