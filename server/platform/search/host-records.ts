import { createHash } from 'node:crypto';
import { valueAt } from '../../core/engine/table.ts';
import { jsonProperty } from '../../core/language/values/json.ts';
import type { Value } from '../../core/language/values/value.ts';
import type { RequestContext } from '../context.ts';
import { userId } from '../sample/processes.ts';
import type { SearchRecord } from './filters.ts';
import { keptRecords } from './kept-records.ts';
import type { SearchRange } from './time-range.ts';

/** Gives the value of a column of the row at hand; timestamps as text. */
type Cell = (column: string) => Value;

interface RecordPlan {
  /** The datasource behind the records, with the neutral prefix. */
  readonly datasource: string;
  /** The column the time range belongs to. */
  readonly time: string;
  /** Makes the record of a row; undefined leaves the row out. */
  readonly record: (cell: Cell) => SearchRecord | undefined;
  /** Records with the same text are the same thing: only the first is kept. */
  readonly unique?: (record: SearchRecord) => string;
}

/** The datasource that a search reads, with the vendor prefix. */
export function hostDatasource(name: HostSearch, { settings }: Pick<RequestContext, 'settings'>): string {
  return plans[name].datasource.replace(/^SVC_/, `${settings.vendorPrefix}_`);
}

/** The records of a search over what agents report, inside a time range. */
export function* hostRecords(name: HostSearch, context: RequestContext, range: SearchRange): Iterable<SearchRecord> {
  const plan: RecordPlan = plans[name];
  const table = context.datasets.table(hostDatasource(name, context), range.startTime, range.endTime);
  if (table === undefined) return;
  const types = new Map(table.columns.map((column) => [column.name, column.type]));
  const time = table.column(plan.time);
  const seen = new Set<string>();
  const recordOf = keptRecords(table, name, (row) =>
    plan.record((column) => {
      const vector = table.column(column);
      const value = vector === undefined ? undefined : valueAt(vector, row);
      return types.get(column) === 'timestamp' && typeof value === 'number' ? new Date(value).toISOString() : value;
    }),
  );
  for (let row = 0; row < table.rowCount; row++) {
    const at = time === undefined ? undefined : valueAt(time, row);
    if (typeof at !== 'number' || at < range.startTime || at >= range.endTime) continue;
    const record = recordOf(row);
    if (record === undefined) continue;
    if (plan.unique !== undefined) {
      const key = plan.unique(record);
      if (seen.has(key)) continue;
      seen.add(key);
    }
    yield record;
  }
}

const batch = (cell: Cell) => ({ startTime: cell('BATCH_START_TIME'), endTime: cell('BATCH_END_TIME') });
const label = (cell: Cell, key: string): Value => jsonProperty(cell('PROPS_LABEL'), key);
const tag = (cell: Cell, key: string): Value => jsonProperty(cell('TAGS'), key);

const plans = {
  changedFiles: {
    datasource: 'SVC_HA_FILE_CHANGES',
    time: 'BATCH_END_TIME',
    record: (cell) => ({
      ...batch(cell),
      mid: cell('MID'),
      filePath: cell('PATH'),
      filedataHash: cell('FILEDATA_HASH'),
      mtime: cell('LAST_MODIFIED_TIME'),
      size: cell('SIZE'),
    }),
  },
  connections: {
    datasource: 'SVC_HA_CONNECTION_SUMMARY',
    time: 'BATCH_END_TIME',
    record: (cell) => ({
      ...batch(cell),
      srcEntityType: cell('SRC_ENTITY_TYPE'),
      srcEntityId: cell('SRC_ENTITY_ID'),
      srcInBytes: cell('SRC_IN_BYTES'),
      srcOutBytes: cell('SRC_OUT_BYTES'),
      dstEntityType: cell('DST_ENTITY_TYPE'),
      dstEntityId: cell('DST_ENTITY_ID'),
      dstInBytes: cell('DST_IN_BYTES'),
      dstOutBytes: cell('DST_OUT_BYTES'),
      endpointDetails: cell('ENDPOINT_DETAILS'),
      numConns: cell('NUM_CONNS'),
    }),
  },
  dns: {
    datasource: 'SVC_HA_DNS_REQUESTS',
    time: 'RECORD_CREATED_TIME',
    record: (cell) => ({
      createdTime: cell('RECORD_CREATED_TIME'),
      mid: cell('MID'),
      fqdn: cell('HOSTNAME'),
      hostIpAddr: cell('HOST_IP_ADDR'),
      ttl: cell('TTL'),
      dnsServerIp: cell('SRV_IP_ADDR'),
    }),
  },
  userLogins: {
    datasource: 'SVC_HA_USER_LOGINS',
    time: 'RECORD_CREATED_TIME',
    record: (cell) => ({
      createdTime: cell('RECORD_CREATED_TIME'),
      mid: cell('MID'),
      activityTime: cell('LOGOFF_TIME') ?? cell('LOGIN_TIME'),
      activityType: cell('EVENT_TYPE'),
      username: cell('USERNAME'),
      uid: cell('UID'),
      sourceIpAddr: cell('IP_ADDR'),
    }),
  },
  agentInfo: {
    datasource: 'SVC_HE_MACHINES',
    time: 'BATCH_END_TIME',
    record: (cell) => ({
      agentVersion: '7.4.0.22188',
      createdTime: cell('RECORD_CREATED_TIME'),
      hostname: cell('HOSTNAME'),
      ipAddr: tag(cell, 'InternalIp'),
      lastUpdate: cell('BATCH_END_TIME'),
      mid: cell('MID'),
      mode: 'ebpf',
      os: cell('KERNEL'),
      status: 'ACTIVE',
      tags: cell('TAGS'),
    }),
  },
  images: {
    datasource: 'SVC_HE_IMAGES',
    time: 'BATCH_END_TIME',
    record: (cell) => ({
      createdTime: cell('IMAGE_CREATED_TIME'),
      mid: cell('MID'),
      imageId: cell('IMAGE_ID'),
      repo: cell('REPO'),
      tag: cell('TAG'),
      size: cell('SIZE'),
      containerType: cell('CONTAINER_TYPE'),
    }),
  },
  internalIpAddresses: {
    datasource: 'SVC_HE_MACHINES',
    time: 'BATCH_END_TIME',
    record: (cell) => ({ ...batch(cell), ipAddr: tag(cell, 'InternalIp'), mid: cell('MID') }),
  },
  k8sPods: {
    datasource: 'SVC_HE_CONTAINERS',
    time: 'BATCH_END_TIME',
    record: (cell) => {
      const podName = label(cell, 'io.kubernetes.pod.name');
      if (podName === undefined) return undefined;
      return {
        ...batch(cell),
        mid: cell('MID'),
        podName,
        primaryIpAddr: cell('IPV4'),
        propsContainer: {
          CONTAINER_ID: cell('CONTAINER_ID'),
          CONTAINER_TYPE: cell('CONTAINER_TYPE'),
          IMAGE_ID: cell('IMAGE_ID'),
          IMAGE_REPO: cell('REPO'),
          IMAGE_TAG: cell('TAG'),
          NAME: cell('CONTAINER_NAME'),
          PRIVILEGED: cell('PRIVILEGED'),
          PROPS_LABEL: cell('PROPS_LABEL'),
        },
      };
    },
  },
  machines: {
    datasource: 'SVC_HE_MACHINES',
    time: 'BATCH_END_TIME',
    record: (cell) => ({
      ...batch(cell),
      mid: cell('MID'),
      hostname: cell('HOSTNAME'),
      machineTags: cell('TAGS'),
      primaryIpAddr: tag(cell, 'InternalIp'),
      entityType: 'Machine',
    }),
  },
  machineDetails: {
    datasource: 'SVC_HE_MACHINES',
    time: 'BATCH_END_TIME',
    record: (cell) => ({
      createdTime: cell('RECORD_CREATED_TIME'),
      mid: cell('MID'),
      hostname: cell('HOSTNAME'),
      domain: cell('DOMAIN'),
      os: cell('OS'),
      osVersion: cell('OS_VERSION'),
      kernel: cell('KERNEL'),
      kernelRelease: cell('KERNEL_RELEASE'),
      kernelVersion: cell('KERNEL_VERSION'),
      tags: cell('TAGS'),
      awsInstanceId: tag(cell, 'VmProvider') === 'AWS' ? tag(cell, 'InstanceId') : undefined,
      awsZone: tag(cell, 'VmProvider') === 'AWS' ? tag(cell, 'Zone') : undefined,
    }),
  },
  networkInterfaces: {
    datasource: 'SVC_HE_MACHINES',
    time: 'BATCH_END_TIME',
    record: (cell) => {
      const route = cell('ROUTE');
      const first: Value = Array.isArray(route) ? route[0] : undefined;
      return {
        createdTime: cell('RECORD_CREATED_TIME'),
        mid: cell('MID'),
        name: jsonProperty(first, 'interface'),
        hwAddr: jsonProperty(first, 'hwAddr'),
        ipAddr: tag(cell, 'InternalIp'),
      };
    },
  },
  newFileHashes: {
    datasource: 'SVC_HA_FILE_CHANGES',
    time: 'BATCH_END_TIME',
    record: (cell) => {
      const filedataHash = cell('FILEDATA_HASH');
      return filedataHash === undefined ? undefined : { ...batch(cell), filedataHash };
    },
    unique: (record) => String(record['filedataHash']),
  },
  packages: {
    datasource: 'SVC_HE_PACKAGES',
    time: 'BATCH_END_TIME',
    record: (cell) => ({
      createdTime: cell('RECORD_CREATED_TIME'),
      mid: cell('MID'),
      packageName: cell('PACKAGE_NAME'),
      version: cell('PACKAGE_VERSION'),
      arch: cell('PACKAGE_ARCH'),
    }),
  },
  processes: {
    datasource: 'SVC_HE_PROCESSES',
    time: 'BATCH_END_TIME',
    record: (cell) => ({
      ...batch(cell),
      mid: cell('MID'),
      pid: cell('PID'),
      ppid: cell('PPID'),
      username: cell('USERNAME'),
      uid: userId(String(cell('USERNAME'))),
      filePath: cell('EXE_PATH'),
      cmdlineHash: createHash('sha256')
        .update(String(cell('CMDLINE')))
        .digest('hex'),
      processStartTime: cell('PROCESS_START_TIME'),
    }),
  },
  users: {
    datasource: 'SVC_HE_USERS',
    time: 'BATCH_END_TIME',
    record: (cell) => ({
      createdTime: cell('RECORD_CREATED_TIME'),
      mid: cell('MID'),
      username: cell('USERNAME'),
      uid: userId(String(cell('USERNAME'))),
      primaryGroupName: cell('PRIMARY_GROUP_NAME'),
      otherGroupNames: cell('OTHER_GROUP_NAMES'),
    }),
  },
} satisfies { readonly [name: string]: RecordPlan };

export type HostSearch = keyof typeof plans;
