import { reservedQueryIdPrefix } from '../../core/resources/index.ts';
import type { PlatformSettings } from '../settings.ts';
import type { StoredQuery } from '../state/account-state.ts';

/** Who owns what the platform itself brings. */
export const vendorOwner = 'Platform';

/** When the platform's own content was last changed. */
export const builtInTime = '2026-01-15T09:00:00.000Z';

const texts: { readonly [name: string]: string } = {
  AWS_CFG_S3_PublicPolicy:
    "{ source { SVC_CFG_AWS_S3 bucket with SVC_CFG_AWS_S3_GET_BUCKET_POLICY_STATUS status } filter { status.RESOURCE_CONFIG:PolicyStatus.IsPublic = 'true' } return distinct { bucket.ACCOUNT_ALIAS, bucket.ACCOUNT_ID, bucket.ARN as RESOURCE_KEY, bucket.RESOURCE_REGION, bucket.RESOURCE_TYPE, bucket.SERVICE, 'The bucket policy makes the bucket public' as COMPLIANCE_FAILURE_REASON } }",
  AWS_CFG_EC2_UnencryptedVolumes:
    "{ source { SVC_CFG_AWS_EC2_VOLUMES } filter { RESOURCE_CONFIG:Encrypted = 'false' } return distinct { ACCOUNT_ALIAS, ACCOUNT_ID, ARN as RESOURCE_KEY, RESOURCE_REGION, RESOURCE_TYPE, SERVICE, 'The volume is not encrypted' as COMPLIANCE_FAILURE_REASON } }",
  AWS_CFG_RDS_Public:
    "{ source { SVC_CFG_AWS_RDS_DB_INSTANCES } filter { RESOURCE_CONFIG:PubliclyAccessible = 'true' } return distinct { ACCOUNT_ALIAS, ACCOUNT_ID, ARN as RESOURCE_KEY, RESOURCE_REGION, RESOURCE_TYPE, SERVICE, 'The database is reachable from the internet' as COMPLIANCE_FAILURE_REASON } }",
  AWS_CTA_RootConsoleLogin:
    "{ source { CloudTrailRawEvents } filter { EVENT_NAME = 'ConsoleLogin' and EVENT:userIdentity.\"type\"::String = 'Root' and ERROR_CODE is null } return distinct { INSERT_ID, INSERT_TIME, EVENT_TIME, EVENT } }",
  AWS_CTA_AccessKeyCreated:
    "{ source { CloudTrailRawEvents } filter { EVENT_SOURCE = 'iam.amazonaws.com' and EVENT_NAME = 'CreateAccessKey' and ERROR_CODE is null } return distinct { INSERT_ID, INSERT_TIME, EVENT_TIME, EVENT } }",
  HE_ProcessFromTemporaryFolder:
    "{ source { SVC_HE_PROCESSES } filter { EXE_PATH like '/tmp/%' or EXE_PATH like '/dev/shm/%' } return distinct { MID, PID_HASH, PROCESS_START_TIME, USERNAME, EXE_PATH, CMDLINE } }",
  AZURE_CFG_Storage_PublicBlobs:
    "{ source { SVC_CFG_AZURE_STORAGE_STORAGEACCOUNTS } filter { RESOURCE_CONFIG:\"properties\".allowBlobPublicAccess = 'true' } return distinct { SUBSCRIPTION_ID, SUBSCRIPTION_NAME, URN as RESOURCE_KEY, RESOURCE_ID, RESOURCE_REGION, RESOURCE_TYPE, SERVICE, 'Containers of the account may be public' as COMPLIANCE_FAILURE_REASON } }",
  GCP_CFG_Storage_SingleObjectRights:
    "{ source { SVC_CFG_GCP_STORAGE_BUCKET } filter { RESOURCE_CONFIG:iamConfiguration.uniformBucketLevelAccess.enabled = 'false' } return distinct { PROJECT_ID, PROJECT_NAME, URN as RESOURCE_KEY, RESOURCE_ID, RESOURCE_REGION, RESOURCE_TYPE, SERVICE, 'Single objects have rights of their own' as COMPLIANCE_FAILURE_REASON } }",
  K8S_CFG_ClusterRole_ExecInPods:
    "{ source { SVC_CFG_K8S_CLUSTER_CLUSTERROLE role, array_to_rows(role.RESOURCE_CONFIG:rules) as (rule) } filter { any_in_array(rule:resources, 'pods/exec') and any_in_array(rule:verbs, 'create') } return distinct { role.CLUSTER_ID, role.URN as RESOURCE_KEY, role.RESOURCE_ID, role.RESOURCE_REGION, role.RESOURCE_TYPE, role.SERVICE, 'The role may run commands in pods' as COMPLIANCE_FAILURE_REASON } }",
};

/** Queries that every account has and nobody can change. */
export function builtInQueries(settings: PlatformSettings): readonly StoredQuery[] {
  if (settings.sample === 'none') return [];
  const reserved = reservedQueryIdPrefix(settings.vendorPrefix);
  return Object.entries(texts).map(([name, text]) => ({
    queryId: reserved + name,
    queryText: text.replaceAll(/\bSVC_/g, `${settings.vendorPrefix}_`),
    owner: vendorOwner,
    lastUpdateTime: builtInTime,
    lastUpdateUser: vendorOwner,
  }));
}
