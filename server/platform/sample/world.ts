import { createRandom, type Random } from './random.ts';
import { hour } from './time.ts';

/**
 * The company behind the sample account: Harborline, a freight forwarder with three AWS accounts, one Azure subscription,
 * one GCP project, some forty machines' worth of services and a Kubernetes cluster. Everything below is deterministic in the seed;
 * only times move with the anchor.
 */
export interface World {
  readonly seed: string;
  /** Milliseconds since 1970 UTC that count as "now" for every generated time. */
  readonly anchor: number;
  /** How many times more activity than the demonstration size. 1 gives about 20,000 rows. */
  readonly scale: number;
  readonly accounts: readonly AwsAccount[];
  readonly networks: readonly Network[];
  readonly machines: readonly Machine[];
  readonly people: readonly Person[];
  readonly buckets: readonly Bucket[];
  readonly cluster: Cluster;
  readonly azure: AzureSubscription;
  readonly gcp: GcpProject;
  /** A generator for one purpose: tables that ask by different names do not disturb each other. */
  readonly random: (purpose: string) => Random;
}

export interface AwsAccount {
  readonly id: string;
  readonly alias: string;
  readonly environment: 'production' | 'staging' | 'shared';
  readonly region: string;
}

export interface Network {
  readonly account: AwsAccount;
  readonly vpcId: string;
  readonly cidr: string;
  readonly name: string;
  readonly subnets: readonly string[];
  readonly flowLogs: boolean;
}

export type MachineRole =
  | 'bastion'
  | 'orders-api'
  | 'web'
  | 'tracking'
  | 'kubernetes-node'
  | 'ci-runner'
  | 'metrics'
  | 'database'
  | 'dispatch'
  | 'analytics';

export interface Machine {
  /** The agent's machine id. */
  readonly mid: bigint;
  readonly hostname: string;
  readonly role: MachineRole;
  readonly provider: 'AWS' | 'Azure' | 'GCP';
  readonly account: AwsAccount | undefined;
  readonly network: Network | undefined;
  readonly zone: string;
  readonly instanceId: string;
  readonly instanceType: string;
  readonly imageId: string;
  readonly privateIp: string;
  readonly publicIp: string | undefined;
  readonly os: 'Linux' | 'Windows';
  readonly osName: string;
  readonly osVersion: string;
  readonly kernelRelease: string;
  readonly securityGroupId: string;
  readonly volumeIds: readonly string[];
  readonly launchedAt: number;
  /** The older metadata service answers without a session token. */
  readonly requiresMetadataToken: boolean;
  readonly owner: string;
}

export interface Person {
  readonly name: string;
  readonly email: string;
  readonly team: 'platform' | 'orders' | 'tracking' | 'data' | 'security' | 'finance';
  readonly console: boolean;
  readonly mfa: boolean;
  readonly kind: 'person' | 'service';
  /** Access keys, the older first. */
  readonly accessKeys: readonly AccessKey[];
  readonly account: AwsAccount;
  readonly userId: string;
  readonly createdAt: number;
  /** The office or home address they work from. */
  readonly sourceIp: string;
}

export interface AccessKey {
  readonly id: string;
  readonly createdAt: number;
  readonly active: boolean;
}

export interface Bucket {
  readonly name: string;
  readonly account: AwsAccount;
  readonly createdAt: number;
  readonly purpose: 'data' | 'logs' | 'assets' | 'backup' | 'exports' | 'terraform';
  readonly encryption: 'aws:kms' | 'AES256' | undefined;
  readonly versioning: boolean;
  readonly logging: boolean;
  /** Meant to be public: a web site's files. */
  readonly website: boolean;
}

export interface Cluster {
  readonly name: string;
  readonly arn: string;
  readonly namespaces: readonly string[];
  readonly workloads: readonly Workload[];
}

export interface Workload {
  readonly namespace: string;
  readonly name: string;
  readonly image: string;
  readonly tag: string;
  readonly replicas: number;
  readonly privileged: boolean;
  readonly port: number;
}

export interface AzureSubscription {
  readonly tenantId: string;
  readonly tenantName: string;
  readonly subscriptionId: string;
  readonly subscriptionName: string;
}

export interface GcpProject {
  readonly organizationId: bigint;
  readonly organizationName: string;
  readonly projectNumber: bigint;
  readonly projectId: string;
  readonly projectName: string;
}

export interface WorldOptions {
  readonly seed: string;
  /** Milliseconds since 1970 UTC. */
  readonly anchor: number;
  /** 1 for the demonstration size. */
  readonly scale: number;
}

const production: AwsAccount = {
  id: '111122223333',
  alias: 'harborline-production',
  environment: 'production',
  region: 'eu-west-1',
};
const staging: AwsAccount = {
  id: '444455556666',
  alias: 'harborline-staging',
  environment: 'staging',
  region: 'eu-west-1',
};
const shared: AwsAccount = {
  id: '777788889999',
  alias: 'harborline-shared',
  environment: 'shared',
  region: 'eu-central-1',
};

export const awsAccounts = { production, staging, shared } as const;

/** Builds the company. Cheap (well under a millisecond per hundred objects): tables are generated later, one by one. */
export function createWorld(options: WorldOptions): World {
  const { seed, anchor, scale } = options;
  const random = (purpose: string): Random => createRandom(`${seed}/${purpose}`);
  const networks = createNetworks(random('networks'));
  return {
    seed,
    anchor,
    scale,
    accounts: [production, staging, shared],
    networks,
    machines: createMachines(random('machines'), networks, anchor),
    people: createPeople(random('people'), anchor),
    buckets: createBuckets(random('buckets'), anchor),
    cluster: createCluster(),
    azure: {
      tenantId: '5f2c1a8e-0d4b-4c53-9a61-7d0be1f3a902',
      tenantName: 'Harborline',
      subscriptionId: 'c8b6d0f2-31a7-4e0f-8b4d-2f9f5f6c7e10',
      subscriptionName: 'Harborline Dispatch',
    },
    gcp: {
      organizationId: 408122906347n,
      organizationName: 'harborline.example',
      projectNumber: 726390184415n,
      projectId: 'harborline-analytics',
      projectName: 'Harborline Analytics',
    },
    random,
  };
}

function createNetworks(random: Random): readonly Network[] {
  const network = (account: AwsAccount, name: string, cidr: string, flowLogs: boolean): Network => ({
    account,
    name,
    cidr,
    flowLogs,
    vpcId: `vpc-0${random.hex(16)}`,
    subnets: [`subnet-0${random.hex(16)}`, `subnet-0${random.hex(16)}`, `subnet-0${random.hex(16)}`],
  });
  return [
    network(production, 'production-main', '10.20.0.0/16', true),
    network(production, 'production-data', '10.21.0.0/16', true),
    network(staging, 'staging-main', '10.30.0.0/16', false),
    network(shared, 'shared-tools', '10.40.0.0/16', true),
    network(shared, 'default', '172.31.0.0/16', false),
  ];
}

interface MachinePlan {
  readonly hostname: string;
  readonly role: MachineRole;
  readonly network: string | undefined;
  readonly ip: string;
  readonly publicIp?: string;
  readonly type: string;
  readonly owner: string;
  readonly provider?: 'Azure' | 'GCP';
  readonly windows?: boolean;
}

const machinePlans: readonly MachinePlan[] = [
  plan('bastion-01', 'bastion', 'production-main', '10.20.0.12', 't3.small', 'platform', '203.0.113.12'),
  plan('orders-api-01', 'orders-api', 'production-main', '10.20.4.21', 'm6i.large', 'orders'),
  plan('orders-api-02', 'orders-api', 'production-main', '10.20.4.22', 'm6i.large', 'orders'),
  plan('orders-api-03', 'orders-api', 'production-main', '10.20.4.23', 'm6i.large', 'orders'),
  plan('web-01', 'web', 'production-main', '10.20.1.31', 'c6i.large', 'platform', '203.0.113.31'),
  plan('web-02', 'web', 'production-main', '10.20.1.32', 'c6i.large', 'platform', '203.0.113.32'),
  plan('tracking-01', 'tracking', 'production-main', '10.20.5.41', 'm6i.xlarge', 'tracking'),
  plan('tracking-02', 'tracking', 'production-main', '10.20.5.42', 'm6i.xlarge', 'tracking'),
  plan('tracking-03', 'tracking', 'production-main', '10.20.5.43', 'm6i.xlarge', 'tracking'),
  plan('node-a1', 'kubernetes-node', 'production-main', '10.20.8.51', 'm6i.2xlarge', 'platform'),
  plan('node-a2', 'kubernetes-node', 'production-main', '10.20.8.52', 'm6i.2xlarge', 'platform'),
  plan('node-b1', 'kubernetes-node', 'production-main', '10.20.9.53', 'm6i.2xlarge', 'platform'),
  plan('node-b2', 'kubernetes-node', 'production-main', '10.20.9.54', 'm6i.2xlarge', 'platform'),
  plan('ledger-db-01', 'database', 'production-data', '10.21.2.61', 'r6i.xlarge', 'finance'),
  plan('ledger-db-02', 'database', 'production-data', '10.21.2.62', 'r6i.xlarge', 'finance'),
  plan('staging-api-01', 'orders-api', 'staging-main', '10.30.4.21', 't3.medium', 'orders'),
  plan('staging-web-01', 'web', 'staging-main', '10.30.1.31', 't3.medium', 'platform', '198.51.100.131'),
  plan('staging-dispatch-01', 'dispatch', 'staging-main', '10.30.6.71', 't3.large', 'tracking', '198.51.100.171'),
  plan('ci-runner-01', 'ci-runner', 'shared-tools', '10.40.3.81', 'c6i.2xlarge', 'platform'),
  plan('ci-runner-02', 'ci-runner', 'shared-tools', '10.40.3.82', 'c6i.2xlarge', 'platform'),
  plan('metrics-01', 'metrics', 'shared-tools', '10.40.2.91', 'm6i.large', 'platform'),
  {
    hostname: 'dispatch-vm-01',
    role: 'dispatch',
    network: undefined,
    ip: '10.60.0.11',
    type: 'Standard_D4s_v5',
    owner: 'tracking',
    provider: 'Azure',
    windows: true,
  },
  {
    hostname: 'analytics-01',
    role: 'analytics',
    network: undefined,
    ip: '10.70.0.11',
    publicIp: '192.0.2.71',
    type: 'n2-standard-8',
    owner: 'data',
    provider: 'GCP',
  },
  {
    hostname: 'analytics-02',
    role: 'analytics',
    network: undefined,
    ip: '10.70.0.12',
    type: 'n2-standard-8',
    owner: 'data',
    provider: 'GCP',
  },
];

function plan(
  hostname: string,
  role: MachineRole,
  network: string,
  ip: string,
  type: string,
  owner: string,
  publicIp?: string,
): MachinePlan {
  return publicIp === undefined
    ? { hostname, role, network, ip, type, owner }
    : { hostname, role, network, ip, type, owner, publicIp };
}

function createMachines(random: Random, networks: readonly Network[], anchor: number): readonly Machine[] {
  const groups = new Map<string, string>();
  return machinePlans.map((entry) => {
    const network = networks.find((candidate) => candidate.name === entry.network);
    const groupKey = `${entry.network ?? entry.provider}/${entry.role}`;
    const securityGroupId = groups.get(groupKey) ?? `sg-0${random.hex(16)}`;
    groups.set(groupKey, securityGroupId);
    const debian = random.chance(0.4);
    const region = network?.account.region ?? (entry.provider === 'Azure' ? 'westeurope' : 'europe-west1');
    return {
      mid: random.hash(),
      hostname: entry.hostname,
      role: entry.role,
      provider: entry.provider ?? 'AWS',
      account: network?.account,
      network,
      zone:
        entry.provider === 'Azure' ? '1' : region + (entry.provider === 'GCP' ? '-b' : random.pick(['a', 'b', 'c'])),
      instanceId:
        entry.provider === 'GCP'
          ? String(random.hash())
          : entry.provider === 'Azure'
            ? 'b7e0a3f4-5d21-4f0c-8a57-90c3d1e2f611'
            : `i-0${random.hex(16)}`,
      instanceType: entry.type,
      imageId: `ami-0${random.hex(16)}`,
      privateIp: entry.ip,
      publicIp: entry.publicIp,
      os: entry.windows ? 'Windows' : 'Linux',
      osName: entry.windows ? 'Windows Server' : debian ? 'Debian' : 'Ubuntu',
      osVersion: entry.windows ? '2022' : debian ? '12' : '22.04',
      kernelRelease: entry.windows ? '10.0.20348' : debian ? '6.1.0-28-cloud-amd64' : '5.15.0-1072-aws',
      securityGroupId,
      volumeIds:
        entry.role === 'database' ? [`vol-0${random.hex(16)}`, `vol-0${random.hex(16)}`] : [`vol-0${random.hex(16)}`],
      launchedAt: anchor - random.integer(12, 400) * 24 * hour,
      requiresMetadataToken: !(
        entry.role === 'tracking' ||
        entry.role === 'ci-runner' ||
        entry.hostname === 'staging-api-01'
      ),
      owner: entry.owner,
    };
  });
}

interface PersonPlan {
  readonly name: string;
  readonly team: Person['team'];
  readonly account: AwsAccount;
  readonly keys: number;
  readonly mfa?: boolean;
  readonly service?: boolean;
}

const personPlans: readonly PersonPlan[] = [
  { name: 'amelia.stone', team: 'platform', account: production, keys: 1 },
  { name: 'bruno.keller', team: 'platform', account: production, keys: 2 },
  { name: 'chiara.rossi', team: 'orders', account: production, keys: 1 },
  { name: 'daniel.okafor', team: 'orders', account: production, keys: 0, mfa: false },
  { name: 'elena.petrova', team: 'tracking', account: production, keys: 1 },
  { name: 'farid.haddad', team: 'tracking', account: staging, keys: 1, mfa: false },
  { name: 'greta.lindqvist', team: 'data', account: production, keys: 1 },
  { name: 'hugo.martins', team: 'data', account: staging, keys: 2 },
  { name: 'ines.moreau', team: 'security', account: shared, keys: 0 },
  { name: 'jonas.weber', team: 'security', account: shared, keys: 1 },
  { name: 'kaito.mori', team: 'finance', account: production, keys: 0, mfa: false },
  { name: 'laura.jensen', team: 'finance', account: production, keys: 0 },
  { name: 'ci-deployer', team: 'platform', account: production, keys: 1, service: true },
  { name: 'svc-backup', team: 'platform', account: production, keys: 1, service: true },
  { name: 'svc-metrics', team: 'platform', account: shared, keys: 1, service: true },
  { name: 'svc-partner-feed', team: 'orders', account: production, keys: 2, service: true },
  { name: 'svc-staging-deploy', team: 'platform', account: staging, keys: 1, service: true },
  { name: 'terraform', team: 'platform', account: shared, keys: 1, service: true },
];

function createPeople(random: Random, anchor: number): readonly Person[] {
  return personPlans.map((entry, index) => {
    const service = entry.service === true;
    const accessKeys: AccessKey[] = [];
    for (let key = 0; key < entry.keys; key++) {
      // Service keys are the old ones: nobody owns their rotation. That is one of the findings.
      const age = service ? random.integer(200, 760) : random.integer(5, 170);
      accessKeys.push({
        id: `AKIA${random.token(16)}`,
        createdAt: anchor - age * 24 * hour,
        active: !(entry.name === 'bruno.keller' && key === 0),
      });
    }
    accessKeys.sort((left, right) => left.createdAt - right.createdAt);
    return {
      name: entry.name,
      email: `${entry.name}@harborline.example`,
      team: entry.team,
      console: !service,
      mfa: !service && entry.mfa !== false,
      kind: service ? 'service' : 'person',
      accessKeys,
      account: entry.account,
      userId: `AIDA${random.token(17)}`,
      createdAt: anchor - random.integer(780, 1500) * 24 * hour,
      sourceIp: service ? '10.40.3.81' : `192.0.2.${20 + index}`,
    };
  });
}

const bucketPlans: readonly (readonly [string, AwsAccount, Bucket['purpose']])[] = [
  ['harborline-customer-exports', production, 'exports'],
  ['harborline-orders-documents', production, 'data'],
  ['harborline-orders-archive', production, 'backup'],
  ['harborline-ledger-backup', production, 'backup'],
  ['harborline-tracking-events', production, 'data'],
  ['harborline-tracking-models', production, 'data'],
  ['harborline-web-assets', production, 'assets'],
  ['harborline-partner-feed', production, 'exports'],
  ['harborline-invoices', production, 'data'],
  ['harborline-production-access-logs', production, 'logs'],
  ['harborline-staging-documents', staging, 'data'],
  ['harborline-staging-exports', staging, 'exports'],
  ['harborline-staging-assets', staging, 'assets'],
  ['harborline-staging-scratch', staging, 'data'],
  ['harborline-staging-access-logs', staging, 'logs'],
  ['harborline-audit-trail', shared, 'logs'],
  ['harborline-build-artifacts', shared, 'data'],
  ['harborline-build-cache', shared, 'data'],
  ['harborline-terraform-state', shared, 'terraform'],
  ['harborline-shared-access-logs', shared, 'logs'],
];

function createBuckets(random: Random, anchor: number): readonly Bucket[] {
  const unencrypted = new Set(['harborline-staging-scratch', 'harborline-build-cache', 'harborline-partner-feed']);
  return bucketPlans.map(([name, account, purpose]) => ({
    name,
    account,
    purpose,
    createdAt: anchor - random.integer(60, 1400) * 24 * hour,
    encryption: unencrypted.has(name)
      ? undefined
      : purpose === 'backup' || purpose === 'exports' || purpose === 'terraform'
        ? 'aws:kms'
        : 'AES256',
    versioning: purpose === 'backup' || purpose === 'terraform' || purpose === 'exports',
    logging: account.environment === 'production' && purpose !== 'logs' && purpose !== 'assets',
    website: purpose === 'assets' && account.environment === 'production',
  }));
}

function createCluster(): Cluster {
  const registry = `${shared.id}.dkr.ecr.${shared.region}.amazonaws.com`;
  const workload = (
    namespace: string,
    name: string,
    image: string,
    tag: string,
    replicas: number,
    port: number,
    privileged = false,
  ): Workload => ({ namespace, name, image, tag, replicas, port, privileged });
  return {
    name: 'harborline-production',
    arn: `arn:aws:eks:${production.region}:${production.id}:cluster/harborline-production`,
    namespaces: ['default', 'kube-system', 'orders', 'payments', 'tracking', 'monitoring'],
    workloads: [
      workload(
        'kube-system',
        'aws-node',
        '602401143452.dkr.ecr.eu-west-1.amazonaws.com/amazon-k8s-cni',
        'v1.18.5',
        4,
        61678,
        true,
      ),
      workload(
        'kube-system',
        'kube-proxy',
        '602401143452.dkr.ecr.eu-west-1.amazonaws.com/eks/kube-proxy',
        'v1.30.5',
        4,
        10256,
        true,
      ),
      workload('kube-system', 'coredns', '602401143452.dkr.ecr.eu-west-1.amazonaws.com/eks/coredns', 'v1.11.3', 2, 53),
      workload('orders', 'quote-service', `${registry}/orders/quote-service`, '4.12.1', 3, 8080),
      workload('orders', 'label-printer', `${registry}/orders/label-printer`, '2.3.0', 2, 8080),
      workload('payments', 'payment-gateway', `${registry}/payments/gateway`, '7.0.4', 3, 8443),
      workload('payments', 'ledger-sync', `${registry}/payments/ledger-sync`, '1.9.2', 1, 8080),
      workload('tracking', 'position-ingest', `${registry}/tracking/position-ingest`, '11.2.0', 4, 9000),
      workload('tracking', 'eta-model', `${registry}/tracking/eta-model`, '3.1.7', 2, 9001),
      workload('monitoring', 'node-exporter', 'quay.io/prometheus/node-exporter', 'v1.8.2', 4, 9100, true),
      workload('monitoring', 'prometheus', 'quay.io/prometheus/prometheus', 'v2.54.1', 1, 9090),
      workload('monitoring', 'grafana', 'docker.io/grafana/grafana', '11.2.2', 1, 3000),
    ],
  };
}

/** The machine of that name; an unknown name is a mistake of ours. */
export function machineNamed(world: World, hostname: string): Machine {
  const machine = world.machines.find((candidate) => candidate.hostname === hostname);
  if (machine === undefined) throw new RangeError(`The sample account has no machine ${hostname}.`);
  return machine;
}

/** The person or service user of that name; an unknown name is a mistake of ours. */
export function personNamed(world: World, name: string): Person {
  const person = world.people.find((candidate) => candidate.name === name);
  if (person === undefined) throw new RangeError(`The sample account has no user ${name}.`);
  return person;
}
