import { type Static, type TSchema, Type } from 'typebox';
import { closedObject, jsonObject, openObject, timestamp } from './shapes.ts';

export const alertChannelTypes = [
  'AwsS3',
  'CiscoSparkWebhook',
  'CloudwatchEb',
  'Datadog',
  'EmailUser',
  'GcpPubsub',
  'IbmQradar',
  'Jira',
  'MicrosoftTeams',
  'NewRelicInsights',
  'PagerDutyApi',
  'ServiceNowRest',
  'SlackChannel',
  'SplunkHec',
  'VictorOps',
  'Webhook',
] as const;
export const cloudAccountTypes = [
  'AwsCfg',
  'AwsCtSqs',
  'AwsEksAudit',
  'AwsUsGovCfg',
  'AwsUsGovCtSqs',
  'AzureAlSeq',
  'AzureCfg',
  'GcpAtSes',
  'GcpCfg',
] as const;
export const containerRegistryTypes = ['ContVulnCfg'] as const;
/** Subtypes whose integrations carry no state; every other integration without one reads Pending. */
export const statelessRegistrySubtypes = ['PROXY_SCANNER', 'INLINE_SCANNER'] as const;

export const AlertChannelType = Type.Enum(alertChannelTypes);
export const CloudAccountType = Type.Enum(cloudAccountTypes);
export const ContainerRegistryType = Type.Enum(containerRegistryTypes);

/**
 * An integration as the service returns it. `data` may hold credentials, which the service blanks: writing back what was read would
 * erase them.
 */
export const IntegrationRecord = openObject({
  intgGuid: Type.String(),
  name: Type.String(),
  type: Type.String(),
  enabled: Type.Number(),
  data: Type.Optional(jsonObject()),
  isOrg: Type.Optional(Type.Number()),
  createdOrUpdatedBy: Type.Optional(Type.String()),
  createdOrUpdatedTime: Type.Optional(timestamp()),
  props: Type.Optional(Type.Union([jsonObject(), Type.Null()])),
  state: Type.Optional(Type.Union([jsonObject(), Type.String(), Type.Null()])),
});
export type IntegrationRecord = Static<typeof IntegrationRecord>;

export const AlertChannelWrite = integration(AlertChannelType);
export const AlertChannelPatch = integrationPatch(AlertChannelType);
export const CloudAccountWrite = integration(CloudAccountType);
export const CloudAccountPatch = integrationPatch(CloudAccountType);
export const ContainerRegistryWrite = integration(ContainerRegistryType);
export const ContainerRegistryPatch = integrationPatch(ContainerRegistryType);

export const MapPolicies = closedObject({
  evaluate: Type.Optional(Type.Boolean({ description: 'True evaluates all policies for the integration.' })),
  policyGuids: Type.Optional(Type.Array(Type.String({ minLength: 1 }), { description: 'Ids of the policies to map.' })),
});
export type MapPolicies = Static<typeof MapPolicies>;

function integration<T extends TSchema>(type: T) {
  return closedObject({ name: name(), type, enabled: enabled(), data: jsonObject() });
}

function integrationPatch<T extends TSchema>(type: T) {
  return closedObject({
    name: Type.Optional(name()),
    type: Type.Optional(type),
    enabled: Type.Optional(enabled()),
    data: Type.Optional(jsonObject()),
  });
}

function name() {
  return Type.String({ pattern: '(?!^ +$)^.+$', description: 'Not empty, and not of spaces alone.' });
}

function enabled() {
  return Type.Number({ minimum: 0, maximum: 1, description: '1 enabled, 0 disabled.' });
}
