import { createRandom } from './random.ts';
import { hour, minute } from './time.ts';

/**
 * The intrusion that a hunter can follow through the data, as distances before the anchor. All of it lies inside the last 24 hours, and
 * each step leaves its mark in the datasource where it would be found in life:
 *
 * 1. the access key of `ci-deployer`, two years old, is used from an address nobody at Harborline works from (CloudTrailRawEvents);
 * 2. it lists what it can and is refused most of it;
 * 3. it makes itself a second key on `svc-backup` and goes on with that;
 * 4. it opens SSH on the bastion's security group to the world;
 * 5. somebody logs in on `bastion-01` and, from there, on `orders-api-02` (SVC_HA_USER_LOGINS);
 * 6. a process starts from /tmp and leaves a cron entry (SVC_HE_PROCESSES, SVC_HA_FILE_CHANGES);
 * 7. it asks for a host nobody else asks for and sends data there (SVC_HA_DNS_REQUESTS, SVC_HA_CONNECTION_SUMMARY);
 * 8. a workload's credentials are used against the cluster, and a privileged pod starts (SVC_ACT_K8S_AUDIT, SVC_HE_CONTAINERS);
 * 9. `harborline-customer-exports` is made public and read from outside (CloudTrailRawEvents, SVC_CFG_AWS_S3_GET_BUCKET_POLICY_STATUS).
 */
export const intrusion = {
  sourceIp: '198.51.100.23',
  controlIp: '198.51.100.77',
  controlHost: 'telemetry.pkg-mirror.example',
  downloadHost: 'cdn.pkg-mirror.example',
  userAgent: 'aws-cli/2.13.5 Python/3.11.4 Linux/6.1.0-kali9-amd64 exe/x86_64 prompt/off',
  leakedUser: 'ci-deployer',
  secondUser: 'svc-backup',
  bucket: 'harborline-customer-exports',
  entryHost: 'bastion-01',
  targetHost: 'orders-api-02',
  processPath: '/tmp/.cache-8f2e/kworkerd',
  cronPath: '/etc/cron.d/sysstat-refresh',
  podName: 'node-debug-7c9f4',
  podNamespace: 'payments',
  podImage: 'docker.io/library/alpine',
  firstUse: 19 * hour + 42 * minute,
  newKey: 19 * hour + 8 * minute,
  newKeyFirstUse: 18 * hour + 51 * minute,
  portOpened: 18 * hour + 22 * minute,
  entryLogin: 17 * hour + 57 * minute,
  lateralLogin: 17 * hour + 41 * minute,
  processStart: 17 * hour + 33 * minute,
  beaconStart: 17 * hour + 30 * minute,
  beaconEvery: 15 * minute,
  clusterAccess: 9 * hour + 14 * minute,
  podStart: 9 * hour + 3 * minute,
  bucketPublic: 6 * hour + 11 * minute,
  bucketRead: 5 * hour + 48 * minute,
  upload: 5 * hour + 30 * minute,
  stopLogging: 5 * hour + 21 * minute,
} as const;

/** What the intruder leaves in identifiers, fixed by the seed: a key id, a process and its parent. */
export interface IntrusionMarks {
  readonly newKeyId: string;
  readonly processHash: bigint;
  readonly shellHash: bigint;
  readonly processId: number;
  readonly shellId: number;
  readonly fileHash: string;
}

export function intrusionMarks(seed: string): IntrusionMarks {
  const random = createRandom(`${seed}/intrusion`);
  return {
    newKeyId: `AKIA${random.token(16)}`,
    processHash: random.hash(),
    shellHash: random.hash(),
    processId: 48213,
    shellId: 48177,
    fileHash: random.hex(64),
  };
}
