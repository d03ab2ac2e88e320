import type { Value } from '../../core/language/values/value.ts';
import { awsColumns, awsRow, collections, standardTags, tagList } from './collections.ts';
import { defaultRelationship, type SampleDatasource, type SampleRow } from './datasource.ts';
import { intrusion } from './story.ts';
import { isoSeconds } from './time.ts';
import { type Machine, machineNamed, type Network, type World } from './world.ts';

/** EC2: machines and what surrounds them. */
export const awsComputeDatasources: readonly SampleDatasource[] = [
  {
    name: 'SVC_CFG_AWS_EC2_INSTANCES',
    description: 'EC2 instances with their network interfaces, volumes and metadata options',
    columns: awsColumns,
    keyColumns: [{ name: '$VPC', dataType: 'String' }],
    relationships: [
      defaultRelationship(
        'SVC_CFG_AWS_EC2_VPCS',
        'ONE',
        'VPC of the instance',
        ['ACCOUNT_ID', 'ACCOUNT_ID'],
        ['$VPC', 'RESOURCE_ID'],
      ),
      {
        name: '(default)',
        to: 'SVC_CFG_AWS_EC2_VOLUMES',
        cardinality: 'MANY',
        description: 'Volumes attached to the instance',
        on: [
          ['ACCOUNT_ID', 'ACCOUNT_ID'],
          ['RESOURCE_ID', '$INSTANCE'],
        ],
      },
    ],
    timeColumn: 'BATCH_END_TIME',
    snapshot: 'lastCollection',
    rows: instanceRows,
  },
  {
    name: 'SVC_CFG_AWS_EC2_SECURITY_GROUPS',
    description: 'EC2 security groups with their rules in both directions',
    columns: awsColumns,
    keyColumns: [{ name: '$VPC', dataType: 'String' }],
    relationships: [
      defaultRelationship(
        'SVC_CFG_AWS_EC2_VPCS',
        'ONE',
        'VPC of the security group',
        ['ACCOUNT_ID', 'ACCOUNT_ID'],
        ['$VPC', 'RESOURCE_ID'],
      ),
    ],
    timeColumn: 'BATCH_END_TIME',
    snapshot: 'lastCollection',
    rows: securityGroupRows,
  },
  {
    name: 'SVC_CFG_AWS_EC2_VPCS',
    description: 'Virtual private clouds',
    columns: awsColumns,
    relationships: [
      defaultRelationship(
        'SVC_CFG_AWS_EC2_VPC_FLOW_LOGS',
        'ONE',
        'Flow log of the VPC, when it has one',
        ['ACCOUNT_ID', 'ACCOUNT_ID'],
        ['RESOURCE_ID', '$VPC'],
      ),
      {
        name: 'instances',
        to: 'SVC_CFG_AWS_EC2_INSTANCES',
        cardinality: 'MANY',
        description: 'Instances inside the VPC',
        on: [
          ['ACCOUNT_ID', 'ACCOUNT_ID'],
          ['RESOURCE_ID', '$VPC'],
        ],
      },
    ],
    timeColumn: 'BATCH_END_TIME',
    snapshot: 'lastCollection',
    rows: vpcRows,
  },
  {
    name: 'SVC_CFG_AWS_EC2_VPC_FLOW_LOGS',
    description: 'Flow logs of VPCs; a VPC without one has no row',
    columns: awsColumns,
    keyColumns: [{ name: '$VPC', dataType: 'String' }],
    relationships: [
      defaultRelationship(
        'SVC_CFG_AWS_EC2_VPCS',
        'ONE',
        'VPC that the flow log watches',
        ['ACCOUNT_ID', 'ACCOUNT_ID'],
        ['$VPC', 'RESOURCE_ID'],
      ),
    ],
    timeColumn: 'BATCH_END_TIME',
    snapshot: 'lastCollection',
    rows: flowLogRows,
  },
  {
    name: 'SVC_CFG_AWS_EC2_VOLUMES',
    description: 'EBS volumes with size, encryption and attachments',
    columns: awsColumns,
    keyColumns: [{ name: '$INSTANCE', dataType: 'String' }],
    relationships: [
      defaultRelationship(
        'SVC_CFG_AWS_EC2_INSTANCES',
        'ONE',
        'Instance that the volume is attached to',
        ['ACCOUNT_ID', 'ACCOUNT_ID'],
        ['$INSTANCE', 'RESOURCE_ID'],
      ),
    ],
    timeColumn: 'BATCH_END_TIME',
    snapshot: 'lastCollection',
    rows: volumeRows,
  },
  {
    name: 'SVC_CFG_AWS_EC2_EBS_ENCRYPTION_BY_DEFAULT',
    description: 'Whether new EBS volumes of an account and region are encrypted',
    columns: awsColumns,
    relationships: [],
    timeColumn: 'BATCH_END_TIME',
    snapshot: 'lastCollection',
    rows: encryptionDefaultRows,
  },
];

type AwsMachine = Machine & { readonly account: NonNullable<Machine['account']>; readonly network: Network };

function awsMachines(world: World): readonly AwsMachine[] {
  return world.machines.filter(
    (machine): machine is AwsMachine => machine.account !== undefined && machine.network !== undefined,
  );
}

function* instanceRows(world: World): Iterable<SampleRow> {
  const machines = awsMachines(world);
  const documents = machines.map((machine) => instanceDocument(world, machine));
  for (const run of collections(world)) {
    for (let index = 0; index < machines.length; index++) {
      const machine = machines[index];
      if (machine === undefined || machine.launchedAt > run.end) continue;
      yield awsRow(
        run,
        index,
        {
          account: machine.account,
          arn: `arn:aws:ec2:${machine.account.region}:${machine.account.id}:instance/${machine.instanceId}`,
          service: 'ec2',
          apiKey: 'describe-instances',
          type: 'ec2:instance',
          id: machine.instanceId,
          tags: standardTags(machine.account, machine.owner, machine.hostname),
          keys: { $VPC: machine.network.vpcId },
        },
        documents[index],
      );
    }
  }
}

function instanceDocument(world: World, machine: AwsMachine): Value {
  const random = world.random(`instance/${machine.hostname}`);
  const subnet = random.pick(machine.network.subnets);
  const publicDns =
    machine.publicIp && `ec2-${machine.publicIp.replaceAll('.', '-')}.${machine.account.region}.compute.amazonaws.com`;
  const association =
    machine.publicIp === undefined
      ? {}
      : { Association: { IpOwnerId: 'amazon', PublicDnsName: publicDns ?? '', PublicIp: machine.publicIp } };
  const group = { GroupId: machine.securityGroupId, GroupName: groupName(machine) };
  return {
    InstanceId: machine.instanceId,
    InstanceType: machine.instanceType,
    ImageId: machine.imageId,
    KeyName: machine.role === 'kubernetes-node' ? 'harborline-nodes' : `harborline-${machine.account.environment}`,
    LaunchTime: isoSeconds(machine.launchedAt),
    Architecture: 'x86_64',
    Hypervisor: 'xen',
    VirtualizationType: 'hvm',
    EbsOptimized: true,
    Monitoring: { State: machine.account.environment === 'production' ? 'enabled' : 'disabled' },
    Placement: { AvailabilityZone: machine.zone, GroupName: '', Tenancy: 'default' },
    State: { Code: 16, Name: 'running' },
    PrivateIpAddress: machine.privateIp,
    PrivateDnsName: `ip-${machine.privateIp.replaceAll('.', '-')}.${machine.account.region}.compute.internal`,
    ...(machine.publicIp === undefined ? {} : { PublicIpAddress: machine.publicIp, PublicDnsName: publicDns ?? '' }),
    VpcId: machine.network.vpcId,
    SubnetId: subnet,
    RootDeviceName: '/dev/sda1',
    RootDeviceType: 'ebs',
    BlockDeviceMappings: machine.volumeIds.map((volumeId, index) => ({
      DeviceName: index === 0 ? '/dev/sda1' : '/dev/sdf',
      Ebs: {
        AttachTime: isoSeconds(machine.launchedAt),
        DeleteOnTermination: index === 0,
        Status: 'attached',
        VolumeId: volumeId,
      },
    })),
    NetworkInterfaces: [
      {
        ...association,
        Description: '',
        Groups: [group],
        MacAddress: macAddress(random.hex(10)),
        NetworkInterfaceId: `eni-0${random.hex(16)}`,
        OwnerId: machine.account.id,
        PrivateIpAddress: machine.privateIp,
        SourceDestCheck: machine.role !== 'kubernetes-node',
        Status: 'in-use',
        SubnetId: subnet,
        VpcId: machine.network.vpcId,
      },
    ],
    SecurityGroups: [group],
    IamInstanceProfile: {
      Arn: `arn:aws:iam::${machine.account.id}:instance-profile/harborline-${machine.role}`,
      Id: `AIPA${random.token(17)}`,
    },
    MetadataOptions: {
      State: 'applied',
      HttpTokens: machine.requiresMetadataToken ? 'required' : 'optional',
      HttpPutResponseHopLimit: machine.role === 'kubernetes-node' ? 2 : 1,
      HttpEndpoint: 'enabled',
      HttpProtocolIpv6: 'disabled',
      InstanceMetadataTags: 'disabled',
    },
    Tags: tagList(standardTags(machine.account, machine.owner, machine.hostname)),
  };
}

/** The hardware address that belongs to ten hexadecimal digits, in the locally administered range. */
export function macAddress(digits: string): string {
  return `02${digits}`.replace(/(..)(?=.)/g, '$1:');
}

function groupName(machine: AwsMachine): string {
  return `${machine.account.environment}-${machine.role}`;
}

interface Rule {
  readonly protocol: 'tcp' | 'udp' | '-1';
  readonly from: number;
  readonly to: number;
  readonly ranges: readonly (readonly [cidr: string, description: string])[];
}

function* securityGroupRows(world: World): Iterable<SampleRow> {
  const groups = new Map<string, AwsMachine>();
  for (const machine of awsMachines(world))
    if (!groups.has(machine.securityGroupId)) groups.set(machine.securityGroupId, machine);
  const opened = world.anchor - intrusion.portOpened;
  for (const run of collections(world)) {
    let position = 0;
    for (const [groupId, machine] of groups) {
      const name = groupName(machine);
      yield awsRow(
        run,
        position++,
        {
          account: machine.account,
          arn: securityGroupArn(machine),
          service: 'ec2',
          apiKey: 'describe-security-groups',
          type: 'ec2:security-group',
          id: groupId,
          tags: standardTags(machine.account, machine.owner, name),
          keys: { $VPC: machine.network.vpcId },
        },
        {
          GroupId: groupId,
          GroupName: name,
          Description: `Traffic of ${machine.role} hosts in ${machine.account.environment}`,
          OwnerId: machine.account.id,
          VpcId: machine.network.vpcId,
          IpPermissions: ingress(machine, run.end >= opened).map(permission),
          IpPermissionsEgress: [
            permission({ protocol: '-1', from: -1, to: -1, ranges: [['0.0.0.0/0', 'Everything outward']] }),
          ],
          Tags: tagList(standardTags(machine.account, machine.owner, name)),
        },
      );
    }
    for (const network of world.networks) {
      const random = world.random(`default-group/${network.vpcId}`);
      const groupId = `sg-0${random.hex(16)}`;
      yield awsRow(
        run,
        position++,
        {
          account: network.account,
          arn: `arn:aws:ec2:${network.account.region}:${network.account.id}:security-group/${groupId}`,
          service: 'ec2',
          apiKey: 'describe-security-groups',
          type: 'ec2:security-group',
          id: groupId,
          keys: { $VPC: network.vpcId },
        },
        {
          GroupId: groupId,
          GroupName: 'default',
          Description: 'default VPC security group',
          OwnerId: network.account.id,
          VpcId: network.vpcId,
          IpPermissions: [],
          IpPermissionsEgress: [permission({ protocol: '-1', from: -1, to: -1, ranges: [['0.0.0.0/0', '']] })],
          Tags: [],
        },
      );
    }
  }
}

/** The resource name of a machine's security group, as audit events and configuration name it. */
export function securityGroupArn(machine: Machine): string {
  const account = machine.account;
  return account === undefined
    ? ''
    : `arn:aws:ec2:${account.region}:${account.id}:security-group/${machine.securityGroupId}`;
}

function ingress(machine: AwsMachine, afterIntrusion: boolean): readonly Rule[] {
  const office = ['192.0.2.0/24', 'Harborline offices'] as const;
  const inside = [machine.network.cidr, 'Inside the VPC'] as const;
  const world = ['0.0.0.0/0', ''] as const;
  const tcp = (port: number, ...ranges: Rule['ranges']): Rule => ({ protocol: 'tcp', from: port, to: port, ranges });
  switch (machine.role) {
    case 'bastion':
      return [tcp(22, ...(afterIntrusion ? [office, world] : [office]))];
    case 'web':
      return [tcp(443, world), tcp(80, world), tcp(22, inside)];
    case 'orders-api':
      return [tcp(8443, inside), tcp(22, inside)];
    case 'tracking':
      return [
        tcp(9000, inside),
        { protocol: 'udp', from: 5000, to: 5010, ranges: [['198.51.100.0/24', 'Vehicle gateway']] },
        tcp(22, inside),
      ];
    case 'kubernetes-node':
      return [{ protocol: '-1', from: -1, to: -1, ranges: [inside] }];
    case 'ci-runner':
      return [tcp(22, inside)];
    case 'metrics':
      return [tcp(3000, office), tcp(9090, inside)];
    case 'database':
      return [tcp(5432, ['10.20.0.0/16', 'Production services'])];
    case 'dispatch':
      return [tcp(3389, world), tcp(8080, office)];
    case 'analytics':
      return [tcp(22, office)];
  }
}

function permission(rule: Rule): Value {
  const ranges = rule.ranges.map(([CidrIp, Description]) =>
    Description === '' ? { CidrIp } : { CidrIp, Description },
  );
  return {
    IpProtocol: rule.protocol,
    ...(rule.protocol === '-1' ? {} : { FromPort: rule.from, ToPort: rule.to }),
    IpRanges: ranges,
    Ipv6Ranges: [],
    PrefixListIds: [],
    UserIdGroupPairs: [],
  };
}

function* vpcRows(world: World): Iterable<SampleRow> {
  for (const run of collections(world)) {
    for (const [index, network] of world.networks.entries()) {
      const { account } = network;
      const tags = network.name === 'default' ? {} : standardTags(account, 'platform', network.name);
      yield awsRow(
        run,
        index,
        {
          account,
          arn: `arn:aws:ec2:${account.region}:${account.id}:vpc/${network.vpcId}`,
          service: 'ec2',
          apiKey: 'describe-vpcs',
          type: 'ec2:vpc',
          id: network.vpcId,
          tags,
        },
        {
          VpcId: network.vpcId,
          CidrBlock: network.cidr,
          CidrBlockAssociationSet: [{ CidrBlock: network.cidr, CidrBlockState: { State: 'associated' } }],
          DhcpOptionsId: 'dopt-0a1b2c3d4e5f60718',
          InstanceTenancy: 'default',
          IsDefault: network.name === 'default',
          OwnerId: account.id,
          State: 'available',
          Tags: tagList(tags),
        },
      );
    }
  }
}

function* flowLogRows(world: World): Iterable<SampleRow> {
  const watched = world.networks.filter((network) => network.flowLogs);
  for (const run of collections(world)) {
    for (const [index, network] of watched.entries()) {
      const { account } = network;
      const flowLogId = `fl-0${world.random(`flow-log/${network.vpcId}`).hex(16)}`;
      // The flow log of the data network stopped delivering: it exists, and still watches nothing.
      const active = network.name !== 'production-data';
      yield awsRow(
        run,
        index,
        {
          account,
          arn: `arn:aws:ec2:${account.region}:${account.id}:vpc-flow-log/${flowLogId}`,
          service: 'ec2',
          apiKey: 'describe-flow-logs',
          type: 'ec2:vpc-flow-log',
          id: flowLogId,
          keys: { $VPC: network.vpcId },
        },
        {
          FlowLogId: flowLogId,
          FlowLogStatus: active ? 'ACTIVE' : 'INACTIVE',
          DeliverLogsStatus: active ? 'SUCCESS' : 'FAILED',
          ResourceId: network.vpcId,
          TrafficType: 'ALL',
          LogDestinationType: 's3',
          LogDestination: `arn:aws:s3:::harborline-${account.environment}-access-logs/flow/`,
          MaxAggregationInterval: 600,
        },
      );
    }
  }
}

function* volumeRows(world: World): Iterable<SampleRow> {
  const volumes: { machine: AwsMachine; volumeId: string; index: number }[] = [];
  for (const machine of awsMachines(world)) {
    for (const [index, volumeId] of machine.volumeIds.entries()) volumes.push({ machine, volumeId, index });
  }
  for (const run of collections(world)) {
    for (const [position, { machine, volumeId, index }] of volumes.entries()) {
      if (machine.launchedAt > run.end) continue;
      const { account } = machine;
      const encrypted = volumeEncrypted(machine);
      yield awsRow(
        run,
        position,
        {
          account,
          arn: `arn:aws:ec2:${account.region}:${account.id}:volume/${volumeId}`,
          service: 'ec2',
          apiKey: 'describe-volumes',
          type: 'ec2:volume',
          id: volumeId,
          tags: standardTags(account, machine.owner, `${machine.hostname}-${index}`),
          keys: { $INSTANCE: machine.instanceId },
        },
        {
          VolumeId: volumeId,
          Size: index === 0 ? 40 : 500,
          VolumeType: 'gp3',
          Iops: 3000,
          Throughput: 125,
          State: 'in-use',
          AvailabilityZone: machine.zone,
          CreateTime: isoSeconds(machine.launchedAt),
          Encrypted: encrypted,
          ...(encrypted ? { KmsKeyId: `arn:aws:kms:${account.region}:${account.id}:alias/aws/ebs` } : {}),
          MultiAttachEnabled: false,
          Attachments: [
            {
              AttachTime: isoSeconds(machine.launchedAt),
              DeleteOnTermination: index === 0,
              Device: index === 0 ? '/dev/sda1' : '/dev/sdf',
              InstanceId: machine.instanceId,
              State: 'attached',
              VolumeId: volumeId,
            },
          ],
        },
      );
    }
  }
}

/** Staging never switched encryption on, and one database predates the switch. */
function volumeEncrypted(machine: AwsMachine): boolean {
  return machine.account.environment !== 'staging' && machine.hostname !== 'ledger-db-02';
}

function* encryptionDefaultRows(world: World): Iterable<SampleRow> {
  for (const run of collections(world)) {
    for (const [index, account] of world.accounts.entries()) {
      yield awsRow(
        run,
        index,
        {
          account,
          arn: `arn:aws:ec2:${account.region}:${account.id}:ebs-encryption-by-default`,
          service: 'ec2',
          apiKey: 'get-ebs-encryption-by-default',
          type: 'ec2:ebs-encryption-by-default',
          id: account.id,
        },
        { EbsEncryptionByDefault: account.environment !== 'staging' },
      );
    }
  }
}

/** The machine whose security group the intruder opens. */
export function entryMachine(world: World): Machine {
  return machineNamed(world, intrusion.entryHost);
}
