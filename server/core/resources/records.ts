import { type TProperties, Type } from 'typebox';
import { jsonObject, openObject, timestamp } from './shapes.ts';

/**
 * The records of the searchable data sets. Nothing is required: a search may ask for some fields only. Field names that the specification
 * does not show come from the service's public documentation.
 */

const text = Type.String();
const integer = Type.Unsafe<number | bigint>({ type: 'integer' });
const number = Type.Number();
const object = jsonObject();
const moment = timestamp();

function record<P extends TProperties>(fields: P) {
  return Type.Partial(openObject(fields), { additionalProperties: true });
}

export const ChangedFileRecord = record({
  startTime: moment,
  endTime: moment,
  mid: integer,
  filePath: text,
  filedataHash: text,
  mtime: moment,
  size: integer,
  threatInfo: Type.Unknown(),
});
export const ConnectionRecord = record({
  startTime: moment,
  endTime: moment,
  srcEntityType: text,
  srcEntityId: object,
  srcInBytes: integer,
  srcOutBytes: integer,
  dstEntityType: text,
  dstEntityId: object,
  dstInBytes: integer,
  dstOutBytes: integer,
  endpointDetails: Type.Unknown(),
  numConns: integer,
});
export const DnsRecord = record({
  createdTime: moment,
  mid: integer,
  fqdn: text,
  hostIpAddr: text,
  ttl: integer,
  dnsServerIp: text,
});
export const UserLoginRecord = record({
  createdTime: moment,
  mid: integer,
  activityTime: moment,
  activityType: text,
  username: text,
  uid: integer,
  sourceIpAddr: text,
});
export const AgentInfoRecord = record({
  agentVersion: text,
  createdTime: moment,
  hostname: text,
  ipAddr: text,
  lastUpdate: text,
  mid: integer,
  mode: text,
  os: text,
  status: text,
  tags: object,
});
export const ImageRecord = record({
  createdTime: moment,
  mid: integer,
  imageId: text,
  repo: text,
  tag: text,
  size: integer,
  containerType: text,
});
export const InternalIpAddressRecord = record({ startTime: moment, endTime: moment, ipAddr: text, mid: integer });
export const K8sPodRecord = record({
  startTime: moment,
  endTime: moment,
  mid: integer,
  podName: text,
  primaryIpAddr: text,
  propsContainer: object,
});
export const MachineRecord = record({
  startTime: moment,
  endTime: moment,
  mid: integer,
  hostname: text,
  machineTags: object,
  primaryIpAddr: text,
  entityType: text,
});
export const MachineDetailRecord = record({
  createdTime: moment,
  mid: integer,
  hostname: text,
  domain: text,
  os: text,
  osVersion: text,
  kernel: text,
  kernelRelease: text,
  kernelVersion: text,
  tags: object,
  awsInstanceId: text,
  awsZone: text,
});
export const NetworkInterfaceRecord = record({
  createdTime: moment,
  mid: integer,
  name: text,
  hwAddr: text,
  ipAddr: text,
});
export const NewFileHashRecord = record({ startTime: moment, endTime: moment, filedataHash: text });
export const PackageRecord = record({
  createdTime: moment,
  mid: integer,
  packageName: text,
  version: text,
  arch: text,
});
export const ProcessRecord = record({
  startTime: moment,
  endTime: moment,
  mid: integer,
  pid: integer,
  ppid: integer,
  username: text,
  uid: integer,
  filePath: text,
  cmdlineHash: text,
  podName: text,
  processStartTime: moment,
  containerId: text,
});
export const UserRecord = record({
  createdTime: moment,
  mid: integer,
  username: text,
  uid: integer,
  primaryGroupName: text,
  otherGroupNames: Type.Unknown(),
});
export const EventRecord = record({
  id: integer,
  startTime: moment,
  endTime: moment,
  eventType: text,
  srcType: text,
  srcEvent: object,
  dstType: text,
  dstEvent: object,
  eventCount: number,
});
export const CloudActivityRecord = record({
  startTime: moment,
  endTime: moment,
  eventType: text,
  eventId: integer,
  eventModel: text,
  eventActor: text,
  entityMap: object,
});
export const ComplianceEvaluationRecord = record({
  account: object,
  evalType: text,
  id: text,
  reason: text,
  recommendation: text,
  region: text,
  reportTime: moment,
  resource: text,
  section: text,
  severity: text,
  status: text,
});
export const InventoryRecord = record({
  apiKey: text,
  cloudDetails: object,
  csp: text,
  startTime: moment,
  endTime: moment,
  resourceConfig: Type.Unknown(),
  resourceId: text,
  resourceRegion: text,
  resourceTags: Type.Unknown(),
  resourceType: text,
  service: text,
  status: object,
  urn: text,
});
export const ContainerVulnerabilityRecord = record({
  startTime: moment,
  vulnId: text,
  imageId: text,
  evalCtx: object,
  evalGuid: text,
  featureKey: object,
  featureProps: object,
  packageStatus: text,
  fixInfo: object,
  severity: text,
  status: text,
  props: object,
  riskScore: number,
  riskInfo: object,
});
