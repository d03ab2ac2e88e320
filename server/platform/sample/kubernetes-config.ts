import type { Value } from '../../core/language/values/value.ts';
import { batchColumns, collections, resourceColumns } from './collections.ts';
import { column, type SampleDatasource, type SampleRow } from './datasource.ts';
import { intrusion } from './story.ts';
import { day, isoTime, minute } from './time.ts';
import type { World } from './world.ts';

const columns = [
  ...batchColumns,
  column('URN', 'String', 'Path of the object in the cluster'),
  column('API_KEY', 'String', 'The request that returned the object'),
  column('SERVICE', 'String', 'API group'),
  column('CLUSTER_ID', 'String', 'Name of the cluster'),
  column('CLUSTER_TYPE', 'String', 'Where the cluster runs'),
  ...resourceColumns,
];

/** Who may do what in the cluster. */
export const kubernetesConfigDatasources: readonly SampleDatasource[] = [
  {
    name: 'SVC_CFG_K8S_CLUSTER_CLUSTERROLE',
    description: 'Roles of Kubernetes clusters with what they allow',
    columns,
    relationships: [],
    timeColumn: 'BATCH_END_TIME',
    snapshot: 'lastCollection',
    rows: (world) => objectRows(world, 'clusterroles', 'ClusterRole', clusterRoles(world)),
  },
  {
    name: 'SVC_CFG_K8S_CLUSTER_CLUSTERROLEBINDING',
    description: 'Who bears which role of a Kubernetes cluster',
    columns,
    keyColumns: [{ name: '$ROLE', dataType: 'String' }],
    relationships: [
      {
        name: '(default)',
        to: 'SVC_CFG_K8S_CLUSTER_CLUSTERROLE',
        cardinality: 'ONE',
        description: 'The role that is given',
        on: [
          ['CLUSTER_ID', 'CLUSTER_ID'],
          ['$ROLE', 'RESOURCE_ID'],
        ],
      },
    ],
    timeColumn: 'BATCH_END_TIME',
    snapshot: 'lastCollection',
    rows: (world) => objectRows(world, 'clusterrolebindings', 'ClusterRoleBinding', bindings(world)),
  },
];

interface ClusterObject {
  readonly name: string;
  /** Milliseconds since 1970 UTC. */
  readonly createdAt: number;
  readonly labels?: { readonly [key: string]: string };
  /** What is the object's own beside its name and kind. */
  readonly content: { readonly [key: string]: Value };
  readonly keys?: SampleRow;
}

function* objectRows(
  world: World,
  kinds: string,
  kind: string,
  objects: readonly ClusterObject[],
): Iterable<SampleRow> {
  const configs = objects.map(
    (object): Value => ({
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind,
      metadata: {
        name: object.name,
        creationTimestamp: isoTime(object.createdAt),
        ...(object.labels === undefined ? {} : { labels: object.labels }),
      },
      ...object.content,
    }),
  );
  for (const run of collections(world)) {
    const asked = run.start + 12 * minute;
    for (const [index, object] of objects.entries()) {
      if (object.createdAt > run.end) continue;
      yield {
        BATCH_START_TIME: run.start,
        BATCH_END_TIME: run.end,
        QUERY_START_TIME: asked,
        QUERY_END_TIME: asked + 900,
        URN: `${world.cluster.arn}/apis/rbac.authorization.k8s.io/v1/${kinds}/${object.name}`,
        API_KEY: `list-${kinds}`,
        SERVICE: 'rbac.authorization.k8s.io',
        CLUSTER_ID: world.cluster.name,
        CLUSTER_TYPE: 'EKS',
        RESOURCE_TYPE: `k8s:${kind.toLowerCase()}`,
        RESOURCE_ID: object.name,
        RESOURCE_REGION: 'eu-west-1',
        RESOURCE_CONFIG: configs[index],
        RESOURCE_TAGS: object.labels ?? {},
        ...object.keys,
      };
    }
  }
}

const rule = (apiGroups: readonly string[], resources: readonly string[], verbs: readonly string[]): Value => ({
  apiGroups,
  resources,
  verbs,
});
const reading = ['get', 'list', 'watch'] as const;
const bootstrap = { 'kubernetes.io/bootstrapping': 'rbac-defaults' } as const;

function clusterRoles(world: World): readonly ClusterObject[] {
  const role = (
    name: string,
    age: number,
    rules: readonly Value[],
    labels?: ClusterObject['labels'],
  ): ClusterObject => ({
    name,
    createdAt: world.anchor - age * day,
    content: { rules },
    ...(labels === undefined ? {} : { labels }),
  });
  return [
    role('cluster-admin', 610, [rule(['*'], ['*'], ['*'])], bootstrap),
    role('view', 610, [rule([''], ['pods', 'services', 'configmaps'], reading)], bootstrap),
    role('system:node', 610, [rule([''], ['nodes', 'pods'], [...reading, 'update', 'patch'])], bootstrap),
    role('metrics-reader', 402, [rule(['metrics.k8s.io'], ['pods', 'nodes'], reading)]),
    role('deployer', 388, [
      rule(['apps'], ['deployments', 'replicasets'], [...reading, 'create', 'update', 'patch']),
      rule([''], ['pods', 'pods/log', 'services'], [...reading, 'create', 'delete']),
    ]),
    role('payments-debug', 96, [rule([''], ['pods', 'pods/exec', 'secrets'], [...reading, 'create'])]),
  ];
}

function bindings(world: World): readonly ClusterObject[] {
  const binding = (name: string, createdAt: number, role: string, subjects: readonly Value[]): ClusterObject => ({
    name,
    createdAt,
    content: { roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role }, subjects },
    keys: { $ROLE: role },
  });
  const group = (name: string): Value => ({ apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name });
  const serviceAccount = (namespace: string, name: string): Value => ({ kind: 'ServiceAccount', name, namespace });
  const ago = (days: number): number => world.anchor - days * day;
  return [
    binding('cluster-admin', ago(610), 'cluster-admin', [group('system:masters')]),
    binding('system:node', ago(610), 'system:node', [group('system:nodes')]),
    binding('engineers-view', ago(540), 'view', [group('harborline:engineers')]),
    binding('metrics-reader', ago(402), 'metrics-reader', [serviceAccount('monitoring', 'metrics-agent')]),
    binding('ci-deployer', ago(388), 'deployer', [serviceAccount('default', 'ci-deployer')]),
    // Given for a debugging session and never taken back: what the intruder's pod stood on.
    binding('payments-debug', ago(96), 'payments-debug', [
      serviceAccount(intrusion.podNamespace, 'default'),
      serviceAccount(intrusion.podNamespace, 'payment-gateway'),
    ]),
  ];
}
