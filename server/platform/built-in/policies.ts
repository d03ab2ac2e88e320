import { reservedQueryIdPrefix } from '../../core/resources/index.ts';
import type { PlatformSettings } from '../settings.ts';
import type { StoredPolicy } from '../state/account-state.ts';
import { builtInTime, vendorOwner } from './queries.ts';

interface PolicyPlan {
  readonly query: string;
  readonly title: string;
  readonly description: string;
  readonly remediation: string;
  readonly severity: StoredPolicy['severity'];
  /** Profile and template without the vendor prefix. */
  readonly alertProfile: string;
  readonly tags: readonly string[];
}

const plans: readonly PolicyPlan[] = [
  {
    query: 'AWS_CFG_S3_PublicPolicy',
    title: 'S3 bucket is public by its policy',
    description: 'The policy of a bucket lets anybody read it. Data meant for a few becomes readable by all.',
    remediation: 'Remove the statement with the principal * and switch the public access block on.',
    severity: 'critical',
    alertProfile: 'CFG_AWS_DEFAULT_PROFILE.CFG_AWS_NewViolation',
    tags: ['domain:AWS', 'subdomain:Configuration'],
  },
  {
    query: 'AWS_CFG_EC2_UnencryptedVolumes',
    title: 'EBS volume is not encrypted',
    description: 'Snapshots and discarded disks of an unencrypted volume can be read by whoever gets hold of them.',
    remediation: 'Copy the volume through an encrypted snapshot and switch encryption by default on.',
    severity: 'medium',
    alertProfile: 'CFG_AWS_DEFAULT_PROFILE.CFG_AWS_Violation',
    tags: ['domain:AWS', 'subdomain:Configuration'],
  },
  {
    query: 'AWS_CFG_RDS_Public',
    title: 'Database is reachable from the internet',
    description: 'A database with a public address invites guessing of its passwords.',
    remediation: 'Switch public access off and reach the database through the network of its services.',
    severity: 'high',
    alertProfile: 'CFG_AWS_DEFAULT_PROFILE.CFG_AWS_NewViolation',
    tags: ['domain:AWS', 'subdomain:Configuration'],
  },
  {
    query: 'AWS_CTA_RootConsoleLogin',
    title: 'Root user logged in to the console',
    description: 'Daily work does not need the root user; a login of it is an emergency or an intrusion.',
    remediation: 'Ask who it was. Use single users with a second factor, and lock the root credentials away.',
    severity: 'high',
    alertProfile: 'CloudTrail_Alerts.CloudTrailDefaultAlert_AwsResource',
    tags: ['domain:AWS', 'subdomain:Cloud Activity'],
  },
  {
    query: 'AWS_CTA_AccessKeyCreated',
    title: 'Access key created',
    description: 'A long-lived access key was created. Intruders make keys to stay.',
    remediation: 'Check that its owner asked for it. Delete it otherwise, and look at what its creator did before.',
    severity: 'medium',
    alertProfile: 'CloudTrail_Alerts.CloudTrailDefaultAlert_AwsResource',
    tags: ['domain:AWS', 'subdomain:Cloud Activity'],
  },
  {
    query: 'HE_ProcessFromTemporaryFolder',
    title: 'Program runs from a temporary folder',
    description: 'Installed software does not run from folders that anybody can write to; dropped programs do.',
    remediation: 'Look at the process, its parent and its connections; isolate the machine when nobody knows it.',
    severity: 'high',
    alertProfile: 'HE_PROCESSES_DEFAULT_PROFILE.HE_Process_NewViolation',
    tags: ['domain:Host', 'subdomain:Process'],
  },
  {
    query: 'AZURE_CFG_Storage_PublicBlobs',
    title: 'Storage account allows public containers',
    description: 'One setting of a container is enough to make everything in it readable by all.',
    remediation:
      'Forbid public access at the account, and hand out signed addresses where somebody outside has to read.',
    severity: 'medium',
    alertProfile: 'CFG_AZURE_DEFAULT_PROFILE.Violation',
    tags: ['domain:Azure', 'subdomain:Configuration'],
  },
  {
    query: 'GCP_CFG_Storage_SingleObjectRights',
    title: 'Bucket gives rights to single objects',
    description: 'Rights that hang on single objects are seen by no review of the bucket.',
    remediation: 'Switch uniform access on.',
    severity: 'medium',
    alertProfile: 'CFG_GCP_DEFAULT_PROFILE.Violation',
    tags: ['domain:GCP', 'subdomain:Configuration'],
  },
  {
    query: 'K8S_CFG_ClusterRole_ExecInPods',
    title: 'Cluster role may run commands in pods',
    description: 'Whoever bears the role can become every workload of the cluster.',
    remediation: 'Take the right back when the debugging is over, and bind it to one namespace while it lasts.',
    severity: 'medium',
    alertProfile: 'CFG_K8S_CLUSTER_DEFAULT_PROFILE.Violation',
    tags: ['domain:K8s', 'subdomain:Configuration'],
  },
];

/** Policies that every account has. Only their enabled flag and severity can be changed. */
export function builtInPolicies(settings: PlatformSettings): readonly StoredPolicy[] {
  if (settings.sample === 'none') return [];
  const { vendorPrefix } = settings;
  return plans.map((plan, index) => ({
    policyId: `${vendorPrefix.toLowerCase()}-global-${index + 1}`,
    policyType: 'Violation',
    queryId: reservedQueryIdPrefix(vendorPrefix) + plan.query,
    title: plan.title,
    enabled: true,
    description: plan.description,
    remediation: plan.remediation,
    severity: plan.severity,
    limit: 1000,
    evalFrequency: 'Hourly',
    alertEnabled: true,
    alertProfile: `${vendorPrefix}_${plan.alertProfile}`,
    tags: [...plan.tags],
    owner: vendorOwner,
    lastUpdateTime: builtInTime,
    lastUpdateUser: vendorOwner,
  }));
}
