import type { Value } from '../../core/language/values/value.ts';
import { userArn } from './aws-identity.ts';
import { containerRuns } from './containers.ts';
import { column, type SampleDatasource, type SampleRow } from './datasource.ts';
import type { Random } from './random.ts';
import { intrusion } from './story.ts';
import { day, historyDays, isoTime, minute, second } from './time.ts';
import { personNamed, type World } from './world.ts';

/** What was asked of the cluster, by whom. */
export const kubernetesAuditDatasources: readonly SampleDatasource[] = [
  {
    name: 'SVC_ACT_K8S_AUDIT',
    description: 'Requests to the Kubernetes API of the clusters',
    columns: [
      column('INSERT_ID', 'Number', 'Number of the record'),
      column('INSERT_TIME', 'Timestamp', 'When the event arrived'),
      column('EVENT_TIME', 'Timestamp', 'When the request was made'),
      column('EVENT_JSON', 'JSON', 'The event as the cluster delivered it'),
      column('USER_ID', 'String', 'Id of the user'),
      column('USER_NAME', 'String', 'Name of the user'),
      column('USER_GROUPS', 'JSON', 'Groups of the user'),
      column('CLOUD_USER', 'String', 'Identity at the cloud provider behind the user'),
      column('EVENT_URI', 'String', 'Path that was requested'),
      column('EVENT_NAME', 'String', 'Verb'),
      column('EVENT_SOURCE', 'String', 'Address the request came from'),
      column('EVENT_OBJECT', 'String', 'Kind of object'),
      column('OBJECT_NAMESPACE', 'String', 'Namespace of the object'),
      column('CLUSTER_TYPE', 'String', 'Where the cluster runs'),
      column('CLUSTER_ID', 'String', 'Name of the cluster'),
      column('COMMAND', 'String', 'Command of an exec request'),
    ],
    relationships: [],
    timeColumn: 'EVENT_TIME',
    snapshot: 'events',
    rows: kubernetesRows,
  },
];

interface ClusterEvent {
  readonly time: number;
  readonly user: string;
  readonly groups: readonly string[];
  readonly cloudUser: string;
  readonly sourceIp: string;
  readonly verb: string;
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
  readonly code: number;
  readonly requestObject?: Value;
}

const serviceGroups = ['system:serviceaccounts', 'system:authenticated'] as const;
const nodeGroups = ['system:nodes', 'system:authenticated'] as const;
const adminGroups = ['system:masters', 'system:authenticated'] as const;

function* kubernetesRows(world: World): Iterable<SampleRow> {
  const story = [...clusterIntrusion(world)].sort((left, right) => left.time - right.time);
  const ids = world.random('audit-ids');
  let number = 91_220_118;
  let next = 0;
  for (const event of everydayClusterEvents(world)) {
    for (let first = story[next]; first !== undefined && first.time <= event.time; first = story[++next])
      yield clusterRow(world, first, number++, ids);
    yield clusterRow(world, event, number++, ids);
  }
  for (; next < story.length; next++) {
    const event = story[next];
    if (event !== undefined) yield clusterRow(world, event, number++, ids);
  }
}

function clusterRow(world: World, event: ClusterEvent, number: number, ids: Random): SampleRow {
  const uri = `/api/v1/namespaces/${event.namespace}/${event.resource}${event.name === '' ? '' : `/${event.name}`}`;
  return {
    INSERT_ID: number,
    INSERT_TIME: event.time + 90 * second,
    EVENT_TIME: event.time,
    EVENT_JSON: {
      kind: 'Event',
      apiVersion: 'audit.k8s.io/v1',
      level: event.requestObject === undefined ? 'Metadata' : 'Request',
      auditID: ids.hex(32),
      stage: 'ResponseComplete',
      requestURI: uri,
      verb: event.verb,
      user: { username: event.user, groups: event.groups },
      sourceIPs: [event.sourceIp],
      userAgent: event.user.startsWith('system:node')
        ? 'kubelet/v1.30.4 (linux/amd64)'
        : 'kubectl/v1.30.1 (linux/amd64)',
      objectRef: { resource: event.resource, namespace: event.namespace, name: event.name, apiVersion: 'v1' },
      responseStatus: {
        metadata: {},
        code: event.code,
        ...(event.code >= 400 ? { status: 'Failure', reason: 'Forbidden' } : {}),
      },
      ...(event.requestObject === undefined ? {} : { requestObject: event.requestObject }),
      requestReceivedTimestamp: isoTime(event.time),
      annotations: {
        'authorization.k8s.io/decision': event.code === 403 ? 'forbid' : 'allow',
        'authorization.k8s.io/reason': '',
      },
    },
    USER_ID: event.user,
    USER_NAME: event.user,
    USER_GROUPS: event.groups,
    CLOUD_USER: event.cloudUser,
    EVENT_URI: uri,
    EVENT_NAME: event.verb,
    EVENT_SOURCE: event.sourceIp,
    EVENT_OBJECT: event.resource,
    OBJECT_NAMESPACE: event.namespace,
    CLUSTER_TYPE: 'EKS',
    CLUSTER_ID: world.cluster.name,
  };
}

function* everydayClusterEvents(world: World): Iterable<ClusterEvent> {
  const random = world.random('cluster');
  const pods = containerRuns(world).filter((run) => run.podName !== intrusion.podName);
  const count = Math.round(1100 * world.scale);
  const span = historyDays * day - minute;
  for (let index = 0; index < count; index++) {
    const time = Math.floor(world.anchor - minute - span + (span * (index + random.next())) / count);
    const pod = random.pick(pods);
    const { namespace } = pod.workload;
    if (random.chance(0.5)) {
      const user = `system:node:ip-${pod.machine.privateIp.replaceAll('.', '-')}.eu-west-1.compute.internal`;
      yield {
        time,
        user,
        groups: nodeGroups,
        cloudUser: '',
        sourceIp: pod.machine.privateIp,
        verb: random.pick(['get', 'watch', 'patch']),
        resource: 'pods',
        namespace,
        name: pod.podName,
        code: 200,
      };
    } else if (random.chance(0.85)) {
      const user = `system:serviceaccount:${namespace}:${pod.workload.name}`;
      const resource = random.pick(['configmaps', 'endpoints', 'services', 'secrets']);
      yield {
        time,
        user,
        groups: serviceGroups,
        cloudUser: '',
        sourceIp: pod.ip,
        verb: random.pick(['get', 'list', 'watch']),
        resource,
        namespace,
        name: '',
        code: 200,
      };
    } else {
      const person = personNamed(world, random.pick(['amelia.stone', 'bruno.keller']));
      yield {
        time,
        user: person.name,
        groups: adminGroups,
        cloudUser: userArn(person),
        sourceIp: person.sourceIp,
        verb: random.pick(['get', 'list', 'patch']),
        resource: 'deployments',
        namespace,
        name: pod.workload.name,
        code: 200,
      };
    }
  }
}

function clusterIntrusion(world: World): readonly ClusterEvent[] {
  const person = personNamed(world, intrusion.secondUser);
  const caller = {
    user: person.name,
    groups: ['system:authenticated', 'backup-operators'],
    cloudUser: userArn(person),
    sourceIp: intrusion.sourceIp,
  } as const;
  const start = world.anchor - intrusion.clusterAccess;
  const pod = {
    kind: 'Pod',
    apiVersion: 'v1',
    metadata: { name: intrusion.podName, namespace: intrusion.podNamespace, labels: { app: 'node-debug' } },
    spec: {
      hostPID: true,
      hostNetwork: true,
      nodeName: 'node-b1',
      containers: [
        {
          name: 'node-debug',
          image: `${intrusion.podImage}:3.20`,
          command: ['sleep', '86400'],
          securityContext: { privileged: true },
          volumeMounts: [{ name: 'host', mountPath: '/host' }],
        },
      ],
      volumes: [{ name: 'host', hostPath: { path: '/' } }],
    },
  };
  return [
    { ...caller, time: start, verb: 'list', resource: 'secrets', namespace: 'kube-system', name: '', code: 403 },
    {
      ...caller,
      time: start + minute,
      verb: 'list',
      resource: 'secrets',
      namespace: intrusion.podNamespace,
      name: '',
      code: 200,
    },
    {
      ...caller,
      time: start + 2 * minute,
      verb: 'get',
      resource: 'secrets',
      namespace: intrusion.podNamespace,
      name: 'gateway-signing-key',
      code: 200,
    },
    {
      ...caller,
      time: world.anchor - intrusion.podStart,
      verb: 'create',
      resource: 'pods',
      namespace: intrusion.podNamespace,
      name: intrusion.podName,
      code: 201,
      requestObject: pod,
    },
  ];
}
