import { type Static, Type } from 'typebox';
import { closedObject, jsonObject, openObject, timestamp } from './shapes.ts';

export const policySeverities = ['info', 'low', 'medium', 'high', 'critical'] as const;
export const evaluationFrequencies = ['Hourly', 'Daily'] as const;

/** What a chosen policy id looks like behind the account's name: lower-case letters, then perhaps a hyphen and digits. */
export const chosenPolicyIdPattern = '^[a-z]{1,16}(-[0-9]{1,8})?$';
/** Records a policy run yields at most, when the policy does not say. */
export const defaultPolicyLimit = 1000;

const severity = Type.Enum(policySeverities, { description: 'Lower-case, unlike the severity of alerts.' });
const policyText = (description: string) => Type.String({ minLength: 1, description });

const settings = {
  queryId: policyText('Id of the query that the policy runs.'),
  title: policyText('Title of the policy.'),
  enabled: Type.Boolean({ description: 'Whether the policy is evaluated.' }),
  description: policyText('What the policy finds, and why it matters.'),
  remediation: policyText('What to do about a finding.'),
  severity,
  alertEnabled: Type.Boolean({ description: 'Whether findings are sent as alerts.' }),
};

const optionalSettings = {
  policyType: Type.Optional(
    Type.String({
      minLength: 1,
      default: 'Violation',
      description: 'Violation; the real service also knows Compliance and Manual.',
    }),
  ),
  limit: Type.Optional(
    Type.Number({ minimum: 1, default: defaultPolicyLimit, description: 'Most records one run of the policy yields.' }),
  ),
  evalFrequency: Type.Optional(
    Type.Enum(evaluationFrequencies, {
      deprecated: true,
      description: 'Deprecated: the service decides when to evaluate.',
    }),
  ),
  alertProfile: Type.Optional(
    Type.String({
      minLength: 1,
      description: 'Alert profile and template that word the alerts, as `profile.template`.',
    }),
  ),
  tags: Type.Optional(Type.Array(Type.String({ minLength: 1 }), { description: 'Labels, by convention `key:value`.' })),
};

export const PolicyCreate = closedObject({
  policyId: Type.Optional(
    Type.String({
      minLength: 1,
      description:
        'A chosen id, as `$account-name-1` or `name-1`; the service puts the account in front. Without one it makes its own.',
    }),
  ),
  ...settings,
  ...optionalSettings,
});
export type PolicyCreate = Static<typeof PolicyCreate>;

export const PolicyUpdate = closedObject({
  queryId: Type.Optional(settings.queryId),
  title: Type.Optional(settings.title),
  enabled: Type.Optional(settings.enabled),
  description: Type.Optional(settings.description),
  remediation: Type.Optional(settings.remediation),
  severity: Type.Optional(severity),
  alertEnabled: Type.Optional(settings.alertEnabled),
  ...optionalSettings,
});
export type PolicyUpdate = Static<typeof PolicyUpdate>;

/** One entry of the bulk change, which takes a bare array of them. */
export const PolicyBulkChange = closedObject({
  policyId: Type.String({ minLength: 1 }),
  enabled: Type.Optional(Type.Boolean()),
  severity: Type.Optional(severity),
});
export type PolicyBulkChange = Static<typeof PolicyBulkChange>;

/** A key that exceptions of a policy may constrain. */
export const ConstraintField = openObject({
  fieldKey: Type.String(),
  dataType: Type.Optional(Type.String({ description: 'String or KVTagPair.' })),
  multiValue: Type.Optional(Type.Boolean()),
});
export type ConstraintField = Static<typeof ConstraintField>;

/** A policy as the service returns it. Built-in ones may lack what their creators did not need, so little is required. */
export const PolicyRecord = openObject({
  policyId: Type.String(),
  policyType: Type.Optional(Type.String()),
  queryId: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  queryText: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  title: Type.Optional(Type.String()),
  enabled: Type.Optional(Type.Boolean()),
  description: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  remediation: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  severity: Type.Optional(Type.String()),
  limit: Type.Optional(Type.Union([Type.Number(), Type.Null()])),
  evalFrequency: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  alertEnabled: Type.Optional(Type.Boolean()),
  alertProfile: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  tags: Type.Optional(Type.Union([Type.Array(Type.String()), Type.Null()])),
  owner: Type.Optional(Type.String()),
  lastUpdateTime: Type.Optional(timestamp()),
  lastUpdateUser: Type.Optional(Type.String()),
  exceptionConfiguration: Type.Optional(
    Type.Union([
      openObject({ constraintFields: Type.Optional(Type.Array(ConstraintField)) }),
      jsonObject(),
      Type.Null(),
    ]),
  ),
});
export type PolicyRecord = Static<typeof PolicyRecord>;
