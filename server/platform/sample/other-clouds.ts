import type { Value } from '../../core/language/values/value.ts';
import { azureColumns, type Collection, collections, gcpColumns } from './collections.ts';
import { defaultRelationship, type SampleDatasource, type SampleRow } from './datasource.ts';
import { day, isoTime, minute } from './time.ts';
import type { World } from './world.ts';

/** One Azure subscription and one Google Cloud project. */
export const otherCloudDatasources: readonly SampleDatasource[] = [
  {
    name: 'SVC_CFG_AZURE_STORAGE_STORAGEACCOUNTS',
    description: 'Azure storage accounts',
    columns: azureColumns,
    relationships: [],
    timeColumn: 'BATCH_END_TIME',
    snapshot: 'lastCollection',
    rows: (world) => azureRows(world, storageAccounts(world)),
  },
  {
    name: 'SVC_CFG_AZURE_NETWORK_NETWORKSECURITYGROUPS',
    description: 'Azure network security groups with their rules',
    columns: azureColumns,
    relationships: [],
    timeColumn: 'BATCH_END_TIME',
    snapshot: 'lastCollection',
    rows: (world) => azureRows(world, networkSecurityGroups()),
  },
  {
    name: 'SVC_CFG_AZURE_COMPUTE_VIRTUALMACHINES',
    description: 'Azure virtual machines',
    columns: azureColumns,
    relationships: [],
    timeColumn: 'BATCH_END_TIME',
    snapshot: 'lastCollection',
    rows: (world) => azureRows(world, virtualMachines(world)),
  },
  {
    name: 'SVC_CFG_AZURE_NETWORK_NETWORKINTERFACES',
    description: 'Azure network interfaces with their addresses',
    columns: azureColumns,
    keyColumns: [{ name: '$MACHINE', dataType: 'String' }],
    relationships: [
      defaultRelationship('SVC_CFG_AZURE_COMPUTE_VIRTUALMACHINES', 'ONE', 'The machine it belongs to', [
        '$MACHINE',
        'URN',
      ]),
    ],
    timeColumn: 'BATCH_END_TIME',
    snapshot: 'lastCollection',
    rows: (world) => azureRows(world, networkInterfaces(world)),
  },
  {
    name: 'SVC_CFG_GCP_STORAGE_BUCKET',
    description: 'Google Cloud storage buckets',
    columns: gcpColumns,
    relationships: [],
    timeColumn: 'BATCH_END_TIME',
    snapshot: 'lastCollection',
    rows: (world) => gcpRows(world, gcpBuckets(world)),
  },
  {
    name: 'SVC_CFG_GCP_COMPUTE_INSTANCE',
    description: 'Google Compute Engine instances',
    columns: gcpColumns,
    relationships: [],
    timeColumn: 'BATCH_END_TIME',
    snapshot: 'lastCollection',
    rows: (world) => gcpRows(world, gcpInstances(world)),
  },
];

interface CloudResource {
  readonly service: string;
  readonly type: string;
  readonly apiKey: string;
  readonly id: string;
  /** Azure: resource group. Google Cloud: unused. */
  readonly group: string;
  readonly region: string;
  readonly config: Value;
  readonly tags: { readonly [key: string]: string };
  /** Values of join key columns (`$…`). */
  readonly keys?: SampleRow;
}

function times(run: Collection, position: number): SampleRow {
  const asked = run.start + 8 * minute + (position % 40) * minute;
  return {
    BATCH_START_TIME: run.start,
    BATCH_END_TIME: run.end,
    QUERY_START_TIME: asked,
    QUERY_END_TIME: asked + 2400,
  };
}

function* azureRows(world: World, resources: readonly CloudResource[]): Iterable<SampleRow> {
  const { azure } = world;
  for (const run of collections(world)) {
    for (const [index, resource] of resources.entries()) {
      yield {
        ...times(run, index),
        URN: azureId(world, resource),
        API_KEY: resource.apiKey,
        SERVICE: resource.service,
        TENANT_ID: azure.tenantId,
        TENANT_NAME: azure.tenantName,
        SUBSCRIPTION_ID: azure.subscriptionId,
        SUBSCRIPTION_NAME: azure.subscriptionName,
        RESOURCE_GROUP: resource.group,
        RESOURCE_TYPE: resource.type,
        RESOURCE_ID: azureId(world, resource),
        RESOURCE_REGION: resource.region,
        RESOURCE_CONFIG: resource.config,
        RESOURCE_TAGS: resource.tags,
        ...resource.keys,
      };
    }
  }
}

function azureId(world: World, resource: Pick<CloudResource, 'group' | 'type' | 'id'>): string {
  return `/subscriptions/${world.azure.subscriptionId}/resourceGroups/${resource.group}/providers/${resource.type}/${resource.id}`;
}

function storageAccounts(world: World): readonly CloudResource[] {
  const account = (
    name: string,
    publicBlobs: boolean,
    minimumTls: string,
    defaultAction: 'Allow' | 'Deny',
  ): CloudResource => ({
    service: 'microsoft.storage',
    type: 'microsoft.storage/storageaccounts',
    apiKey: 'resources',
    id: name,
    group: 'dispatch-weu',
    region: 'westeurope',
    tags: { Environment: 'production', Owner: 'tracking' },
    config: {
      name,
      kind: 'StorageV2',
      location: 'westeurope',
      sku: { name: 'Standard_LRS', tier: 'Standard' },
      properties: {
        accessTier: 'Hot',
        allowBlobPublicAccess: publicBlobs,
        allowSharedKeyAccess: true,
        creationTime: isoTime(world.anchor - 420 * day),
        encryption: { keySource: 'Microsoft.Storage', services: { blob: { enabled: true }, file: { enabled: true } } },
        minimumTlsVersion: minimumTls,
        networkAcls: { bypass: 'AzureServices', defaultAction, ipRules: [], virtualNetworkRules: [] },
        provisioningState: 'Succeeded',
        supportsHttpsTrafficOnly: true,
      },
    },
  });
  return [
    account('hldispatchlabels', true, 'TLS1_0', 'Allow'),
    account('hldispatchdata', false, 'TLS1_2', 'Deny'),
    account('hldispatchdiag', false, 'TLS1_2', 'Allow'),
  ];
}

function networkSecurityGroups(): readonly CloudResource[] {
  const rule = (
    name: string,
    port: string,
    source: string,
    priority: number,
    access: 'Allow' | 'Deny' = 'Allow',
  ): Value => ({
    name,
    properties: {
      access,
      description: '',
      destinationAddressPrefix: '*',
      destinationPortRange: port,
      direction: 'Inbound',
      priority,
      protocol: 'Tcp',
      provisioningState: 'Succeeded',
      sourceAddressPrefix: source,
      sourcePortRange: '*',
    },
  });
  const group = (name: string, rules: readonly Value[]): CloudResource => ({
    service: 'microsoft.network',
    type: 'microsoft.network/networksecuritygroups',
    apiKey: 'resources',
    id: name,
    group: 'dispatch-weu',
    region: 'westeurope',
    tags: { Environment: 'production' },
    config: { name, location: 'westeurope', properties: { provisioningState: 'Succeeded', securityRules: rules } },
  });
  return [
    group('dispatch-front', [rule('https', '443', 'Internet', 100), rule('rdp-vendor', '3389', '*', 310)]),
    group('dispatch-data', [rule('sql', '1433', '10.60.0.0/16', 100), rule('deny-all', '*', '*', 4000, 'Deny')]),
  ];
}

function virtualMachines(world: World): readonly CloudResource[] {
  return world.machines
    .filter((machine) => machine.provider === 'Azure')
    .map((machine) => ({
      service: 'microsoft.compute',
      type: 'microsoft.compute/virtualmachines',
      apiKey: 'resources',
      id: machine.hostname,
      group: 'dispatch-weu',
      region: 'westeurope',
      tags: { Environment: 'production', Owner: machine.owner },
      config: {
        name: machine.hostname,
        location: 'westeurope',
        zones: [machine.zone],
        properties: {
          hardwareProfile: { vmSize: machine.instanceType },
          osProfile: { computerName: machine.hostname, adminUsername: 'hladmin' },
          provisioningState: 'Succeeded',
          storageProfile: {
            osDisk: {
              name: `${machine.hostname}-os`,
              osType: machine.os,
              managedDisk: { storageAccountType: 'Premium_LRS' },
            },
          },
          vmId: machine.instanceId,
        },
      },
    }));
}

function networkInterfaces(world: World): readonly CloudResource[] {
  return virtualMachines(world).map((machine): CloudResource => {
    const { privateIp, publicIp } = world.machines.find(({ hostname }) => hostname === machine.id) ?? {};
    return {
      service: 'microsoft.network',
      type: 'microsoft.network/networkinterfaces',
      apiKey: 'resources',
      id: `${machine.id}-nic`,
      group: machine.group,
      region: machine.region,
      tags: machine.tags,
      keys: { $MACHINE: azureId(world, machine) },
      config: {
        name: `${machine.id}-nic`,
        location: machine.region,
        properties: {
          enableIPForwarding: false,
          ipConfigurations: [
            {
              name: 'primary',
              properties: {
                primary: true,
                privateIPAddress: privateIp,
                privateIPAllocationMethod: 'Static',
                ...(publicIp === undefined ? {} : { publicIPAddress: { id: `${machine.id}-ip`, ipAddress: publicIp } }),
              },
            },
          ],
          provisioningState: 'Succeeded',
          virtualMachine: { id: azureId(world, machine) },
        },
      },
    };
  });
}

function* gcpRows(world: World, resources: readonly CloudResource[]): Iterable<SampleRow> {
  const { gcp } = world;
  for (const run of collections(world)) {
    for (const [index, resource] of resources.entries()) {
      yield {
        ...times(run, index),
        URN: `//${resource.service}/projects/${gcp.projectId}/${resource.group}/${resource.id}`,
        API_KEY: resource.apiKey,
        SERVICE: resource.service,
        ORGANIZATION_ID: gcp.organizationId,
        ORGANIZATION_NAME: gcp.organizationName,
        PROJECT_NUMBER: gcp.projectNumber,
        PROJECT_ID: gcp.projectId,
        PROJECT_NAME: gcp.projectName,
        FOLDER_IDS: ['918273645546'],
        FOLDER_NAMES: ['data'],
        PARENT_RESOURCE_ID: String(gcp.projectNumber),
        RESOURCE_TYPE: resource.type,
        RESOURCE_ID: resource.id,
        RESOURCE_REGION: resource.region,
        RESOURCE_CONFIG: resource.config,
        RESOURCE_TAGS: resource.tags,
      };
    }
  }
}

function gcpBuckets(world: World): readonly CloudResource[] {
  const bucket = (name: string, uniform: boolean, prevention: 'enforced' | 'inherited'): CloudResource => ({
    service: 'storage.googleapis.com',
    type: 'storage.googleapis.com/Bucket',
    apiKey: 'assets',
    id: name,
    group: 'buckets',
    region: 'europe-west1',
    tags: { team: 'data' },
    config: {
      name,
      location: 'EUROPE-WEST1',
      storageClass: 'STANDARD',
      timeCreated: isoTime(world.anchor - 300 * day),
      iamConfiguration: { publicAccessPrevention: prevention, uniformBucketLevelAccess: { enabled: uniform } },
      versioning: { enabled: name.endsWith('models') },
      labels: { team: 'data' },
    },
  });
  return [
    bucket('harborline-analytics-raw', true, 'enforced'),
    bucket('harborline-analytics-models', true, 'enforced'),
    bucket('harborline-analytics-reports', false, 'inherited'),
  ];
}

function gcpInstances(world: World): readonly CloudResource[] {
  return world.machines
    .filter((machine) => machine.provider === 'GCP')
    .map((machine) => ({
      service: 'compute.googleapis.com',
      type: 'compute.googleapis.com/Instance',
      apiKey: 'assets',
      id: machine.instanceId,
      group: `zones/${machine.zone}/instances`,
      region: machine.zone,
      tags: { team: machine.owner },
      config: {
        id: machine.instanceId,
        name: machine.hostname,
        zone: `https://www.googleapis.com/compute/v1/projects/${world.gcp.projectId}/zones/${machine.zone}`,
        machineType: `https://www.googleapis.com/compute/v1/projects/${world.gcp.projectId}/zones/${machine.zone}/machineTypes/${machine.instanceType}`,
        status: 'RUNNING',
        canIpForward: false,
        labels: { team: machine.owner },
        networkInterfaces: [
          {
            name: 'nic0',
            networkIP: machine.privateIp,
            accessConfigs:
              machine.publicIp === undefined
                ? []
                : [{ name: 'External NAT', natIP: machine.publicIp, type: 'ONE_TO_ONE_NAT' }],
          },
        ],
        serviceAccounts: [
          {
            email: `${String(world.gcp.projectNumber)}-compute@developer.gserviceaccount.com`,
            scopes: ['https://www.googleapis.com/auth/cloud-platform'],
          },
        ],
        shieldedInstanceConfig: {
          enableSecureBoot: machine.publicIp === undefined,
          enableVtpm: true,
          enableIntegrityMonitoring: true,
        },
      },
    }));
}
