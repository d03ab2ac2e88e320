import type { AlertProfileRecord } from '../../core/resources/index.ts';
import { sampleDatasources } from '../sample/sample-account.ts';
import type { PlatformSettings } from '../settings.ts';
import type { StoredTemplate } from '../state/account-state.ts';

/** A profile with all that belongs to it: what it inherits is resolved. */
export interface FullProfile extends AlertProfileRecord {
  readonly alertProfileId: string;
  readonly extends: string | null;
  readonly fields: { readonly name: string }[];
  readonly descriptionKeys: { readonly name: string; readonly spec: string }[];
  readonly alerts: StoredTemplate[];
}

/** Fields that every profile has: what is known of a finding beside its row. */
const metadataFields = [
  '_EVENT_COUNT',
  '_POLICY_ID',
  '_SEVERITY',
  '_OCCURRENCE',
  '_PRIMARY_TAG',
  '_POLICY_DESCRIPTION',
  '_RISK',
  '_POLICY_TITLE',
  '_POLICY_SEVERITY',
] as const;

/** Those of them that a template may mention. */
const metadataKeys = ['_POLICY_ID', '_OCCURRENCE', '_PRIMARY_TAG', '_POLICY_DESCRIPTION', '_POLICY_TITLE'] as const;

interface ProfilePlan {
  readonly id: string;
  /** The datasource whose columns are fields of the profile, with the neutral prefix. */
  readonly datasource: string;
  /** Further result columns that queries of this kind return by convention. */
  readonly columns?: readonly string[];
  readonly subject: string;
  readonly templates: readonly string[];
  readonly eventName: string;
}

const configurationColumns = ['RESOURCE_KEY', 'COMPLIANCE_FAILURE_REASON'] as const;

const plans: readonly ProfilePlan[] = [
  {
    id: 'CFG_AWS_DEFAULT_PROFILE',
    datasource: 'SVC_CFG_AWS_S3',
    columns: configurationColumns,
    subject: '{{RESOURCE_TYPE}} {{RESOURCE_KEY}} in account {{ACCOUNT_ID}}',
    templates: ['CFG_AWS_NewViolation', 'CFG_AWS_Violation', 'CFG_AWS_PolicyChanged'],
    eventName: 'AWS Configuration Violation',
  },
  {
    id: 'CFG_AZURE_DEFAULT_PROFILE',
    datasource: 'SVC_CFG_AZURE_STORAGE_STORAGEACCOUNTS',
    columns: configurationColumns,
    subject: '{{RESOURCE_TYPE}} {{RESOURCE_KEY}} in subscription {{SUBSCRIPTION_ID}}',
    templates: ['Violation'],
    eventName: 'Azure Configuration Violation',
  },
  {
    id: 'CFG_GCP_DEFAULT_PROFILE',
    datasource: 'SVC_CFG_GCP_STORAGE_BUCKET',
    columns: configurationColumns,
    subject: '{{RESOURCE_TYPE}} {{RESOURCE_KEY}} in project {{PROJECT_ID}}',
    templates: ['Violation'],
    eventName: 'GCP Configuration Violation',
  },
  {
    id: 'CFG_K8S_CLUSTER_DEFAULT_PROFILE',
    datasource: 'SVC_CFG_K8S_CLUSTER_CLUSTERROLE',
    subject: '{{RESOURCE_ID}} in {{CLUSTER_ID}}',
    templates: ['Violation'],
    eventName: 'Kubernetes Configuration Violation',
  },
  {
    id: 'CloudTrail_Alerts',
    datasource: 'CloudTrailRawEvents',
    subject: '{{EVENT_NAME}} at {{EVENT_TIME}}',
    templates: ['CloudTrailDefaultAlert_AwsResource'],
    eventName: 'AWS CloudTrail Alert',
  },
  {
    id: 'HE_FILES_DEFAULT_PROFILE',
    datasource: 'SVC_HE_FILES',
    subject: '{{PATH}} on machine {{MID}}',
    templates: ['HE_File_NewViolation', 'HE_File_Violation', 'HE_File_PolicyChanged'],
    eventName: 'Host File Violation',
  },
  {
    id: 'HE_PROCESSES_DEFAULT_PROFILE',
    datasource: 'SVC_HE_PROCESSES',
    subject: '{{EXE_PATH}} on machine {{MID}}',
    templates: ['HE_Process_NewViolation', 'HE_Process_Violation'],
    eventName: 'Host Process Violation',
  },
  {
    id: 'HE_USERS_DEFAULT_PROFILE',
    datasource: 'SVC_HE_USERS',
    subject: '{{USERNAME}} on machine {{MID}}',
    templates: ['HE_User_NewViolation'],
    eventName: 'Host User Violation',
  },
  {
    id: 'HE_CONTAINERS_DEFAULT_PROFILE',
    datasource: 'SVC_HE_CONTAINERS',
    subject: '{{CONTAINER_NAME}} on machine {{MID}}',
    templates: ['HE_Container_Violation'],
    eventName: 'Container Violation',
  },
  {
    id: 'HE_Machines',
    datasource: 'SVC_HE_MACHINES',
    subject: '{{HOSTNAME}}',
    templates: ['HE_Machine_NewViolation', 'HE_Machine_PolicyChanged'],
    eventName: 'Machine Violation',
  },
  {
    id: 'HA_SYSCALLS_EXEC_DEFAULT_PROFILE',
    datasource: 'SVC_HA_SYSCALLS_EXEC',
    subject: '{{EXE_PATH}} on machine {{MID}}',
    templates: ['Violation'],
    eventName: 'Started Program Violation',
  },
];

const baseName = 'LPP_BaseProfile';

/** The profile from which all others descend. It has no alerts and cannot be extended by people. */
export function baseProfileId(vendorPrefix: string): string {
  return `${vendorPrefix}_${baseName}`;
}

/** Profiles that every account has and nobody can change; the base first. */
export function builtInProfiles({ vendorPrefix }: PlatformSettings): readonly FullProfile[] {
  const base: FullProfile = {
    alertProfileId: baseProfileId(vendorPrefix),
    extends: null,
    fields: metadataFields.map((name) => ({ name })),
    descriptionKeys: metadataKeys.map(key),
    alerts: [],
  };
  return [base, ...plans.map((plan) => fromPlan(plan, vendorPrefix))];
}

function fromPlan(plan: ProfilePlan, vendorPrefix: string): FullProfile {
  const datasource = sampleDatasources.find((candidate) => candidate.name === plan.datasource);
  const columns = [...(datasource?.columns.map((column) => column.name) ?? []), ...(plan.columns ?? [])];
  return {
    alertProfileId: `${vendorPrefix}_${plan.id}`,
    extends: baseProfileId(vendorPrefix),
    fields: [...columns, ...metadataFields].map((name) => ({ name })),
    descriptionKeys: [...columns, ...metadataKeys].map(key),
    alerts: plan.templates.map((name) => ({
      name,
      eventName: plan.eventName,
      description: `{{_OCCURRENCE}}: {{_POLICY_TITLE}} (${plan.subject})`,
      subject: plan.subject,
    })),
  };
}

function key(name: string): { readonly name: string; readonly spec: string } {
  return { name, spec: `{{${name}}}` };
}
