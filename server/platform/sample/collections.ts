import type { Value } from '../../core/language/values/value.ts';
import { column, type SampleColumn, type SampleRow } from './datasource.ts';
import { day, historyDays, hour, lastCollectionAge, minute } from './time.ts';
import type { AwsAccount, World } from './world.ts';

/** One daily run that reads the configuration of every cloud account. Times in milliseconds since 1970 UTC. */
export interface Collection {
  readonly start: number;
  readonly end: number;
}

/** The collection runs of the sample account's history, the oldest first. */
export function collections(world: World): readonly Collection[] {
  const runs: Collection[] = [];
  for (let age = historyDays - 1; age >= 0; age--) {
    const end = world.anchor - lastCollectionAge - age * day;
    runs.push({ start: end - hour, end });
  }
  return runs;
}

export const batchColumns: readonly SampleColumn[] = [
  column('BATCH_START_TIME', 'Timestamp', 'Start of the collection run that found the resource'),
  column('BATCH_END_TIME', 'Timestamp', 'End of the collection run that found the resource'),
  column('QUERY_START_TIME', 'Timestamp', 'When the cloud provider was asked'),
  column('QUERY_END_TIME', 'Timestamp', 'When the cloud provider had answered'),
];

export const resourceColumns: readonly SampleColumn[] = [
  column('RESOURCE_TYPE', 'String', 'Kind of resource, as service:kind'),
  column('RESOURCE_ID', 'String', 'Id or name of the resource inside its service'),
  column('RESOURCE_REGION', 'String', 'Region of the resource; resources without one have a global region'),
  column('RESOURCE_CONFIG', 'JSON', "The resource as the cloud provider's own API describes it"),
  column('RESOURCE_TAGS', 'JSON', 'Tags of the resource, key by key'),
];

export const awsColumns: readonly SampleColumn[] = [
  ...batchColumns,
  column('ARN', 'String', 'Amazon resource name'),
  column('API_KEY', 'String', 'The provider call that returned the resource'),
  column('SERVICE', 'String', 'AWS service'),
  column('ACCOUNT_ID', 'String', 'Number of the AWS account'),
  column('ACCOUNT_ALIAS', 'String', 'Alias of the AWS account'),
  ...resourceColumns,
];

export const azureColumns: readonly SampleColumn[] = [
  ...batchColumns,
  column('URN', 'String', 'Azure resource id'),
  column('API_KEY', 'String', 'The provider call that returned the resource'),
  column('SERVICE', 'String', 'Azure resource provider'),
  column('TENANT_ID', 'String', 'Id of the Microsoft Entra tenant'),
  column('TENANT_NAME', 'String', 'Name of the tenant'),
  column('SUBSCRIPTION_ID', 'String', 'Id of the subscription'),
  column('SUBSCRIPTION_NAME', 'String', 'Name of the subscription'),
  column('RESOURCE_GROUP', 'String', 'Resource group'),
  ...resourceColumns,
];

export const gcpColumns: readonly SampleColumn[] = [
  ...batchColumns,
  column('URN', 'String', 'Full resource name'),
  column('API_KEY', 'String', 'The provider call that returned the resource'),
  column('SERVICE', 'String', 'Google Cloud service'),
  column('ORGANIZATION_ID', 'Number', 'Number of the organization'),
  column('ORGANIZATION_NAME', 'String', 'Name of the organization'),
  column('PROJECT_NUMBER', 'Number', 'Number of the project'),
  column('PROJECT_ID', 'String', 'Id of the project'),
  column('PROJECT_NAME', 'String', 'Name of the project'),
  column('FOLDER_IDS', 'JSON', 'Ids of the folders above the project, the nearest first'),
  column('FOLDER_NAMES', 'JSON', 'Names of the folders above the project, the nearest first'),
  column('PARENT_RESOURCE_ID', 'String', 'Resource that holds this one'),
  ...resourceColumns,
];

/** What tells one AWS resource from another; the rest of a row follows from the run that found it. */
export interface AwsResource {
  readonly account: AwsAccount;
  readonly arn: string;
  readonly service: string;
  readonly apiKey: string;
  readonly type: string;
  readonly id: string;
  /** The account's region unless given. */
  readonly region?: string;
  readonly tags?: { readonly [key: string]: string };
  /** Values of join key columns (`$…`). */
  readonly keys?: { readonly [column: string]: Value };
}

/** One row: the resource as `run` found it. `position` spreads the provider calls over the run. */
export function awsRow(run: Collection, position: number, resource: AwsResource, config: Value): SampleRow {
  const asked = run.start + 2 * minute + (position % 50) * minute;
  return {
    BATCH_START_TIME: run.start,
    BATCH_END_TIME: run.end,
    QUERY_START_TIME: asked,
    QUERY_END_TIME: asked + 1700 + (position % 7) * 310,
    ARN: resource.arn,
    API_KEY: resource.apiKey,
    SERVICE: resource.service,
    ACCOUNT_ID: resource.account.id,
    ACCOUNT_ALIAS: resource.account.alias,
    RESOURCE_TYPE: resource.type,
    RESOURCE_ID: resource.id,
    RESOURCE_REGION: resource.region ?? resource.account.region,
    RESOURCE_CONFIG: config,
    RESOURCE_TAGS: resource.tags ?? {},
    ...resource.keys,
  };
}

/** The tags every Harborline resource carries. */
export function standardTags(account: AwsAccount, owner: string, name?: string): { readonly [key: string]: string } {
  const tags = { Environment: account.environment, Owner: owner, CostCenter: `hl-${owner}` };
  return name === undefined ? tags : { Name: name, ...tags };
}

/** Tags in the list form that AWS uses inside its own documents. */
export function tagList(tags: { readonly [key: string]: string }): readonly { Key: string; Value: string }[] {
  return Object.entries(tags).map(([Key, Value]) => ({ Key, Value }));
}
