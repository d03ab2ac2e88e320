import type { ConstraintField, PolicyRecord } from '../../core/resources/index.ts';
import { builtInPolicies } from '../built-in/policies.ts';
import type { AccountContext } from '../context.ts';
import { notFound } from '../service-error.ts';
import type { StoredPolicy } from '../state/account-state.ts';
import { findQuery } from './query-records.ts';

/** Every policy of an account: the vendor's with what was changed about them, then its own. */
export function allPolicies(context: AccountContext): readonly StoredPolicy[] {
  const { state } = context.account;
  const vendor = builtInPolicies(context.settings).map((policy) => ({
    ...policy,
    ...state.builtInPolicies[policy.policyId],
  }));
  return [...vendor, ...Object.values(state.policies)];
}

/** @throws ServiceError 404 */
export function requirePolicy(context: AccountContext, policyId: string): StoredPolicy {
  const policy = allPolicies(context).find((candidate) => candidate.policyId === policyId);
  if (policy === undefined) throw notFound(`Policy ${policyId} not found`);
  return policy;
}

/** A policy as answers carry it: with the text of its query and the keys its exceptions may use. */
export function policyRecord(policy: StoredPolicy, context: AccountContext): PolicyRecord {
  return {
    ...policy,
    queryText: findQuery(context, policy.queryId)?.queryText ?? null,
    exceptionConfiguration: { constraintFields: constraintFields(policy, context).map((entry) => ({ ...entry })) },
  };
}

/** What an exception of a policy may name follows from the datasource its query begins with. */
export function constraintFields(policy: StoredPolicy, context: AccountContext): readonly ConstraintField[] {
  const text = findQuery(context, policy.queryId)?.queryText ?? '';
  const source = /\bsource\s*\{\s*([A-Za-z][A-Za-z0-9_]*)/i.exec(text)?.[1] ?? '';
  if (/_CFG_AWS(_|$)/.test(source)) return awsFields;
  if (/_CFG_AZURE_/.test(source)) return azureFields;
  if (/_CFG_GCP_/.test(source)) return gcpFields;
  return [];
}

const text = (fieldKey: string): ConstraintField => ({ fieldKey, dataType: 'String', multiValue: true });
const tags: ConstraintField = { fieldKey: 'resourceTags', dataType: 'KVTagPair', multiValue: true };

const awsFields: readonly ConstraintField[] = [
  text('accountIds'),
  text('arns'),
  text('resourceNames'),
  text('regionNames'),
  tags,
];
const azureFields: readonly ConstraintField[] = [
  text('subscriptions'),
  text('resourceNames'),
  text('regionNames'),
  tags,
];
const gcpFields: readonly ConstraintField[] = [text('projects'), text('organizations'), text('resourceNames'), tags];
