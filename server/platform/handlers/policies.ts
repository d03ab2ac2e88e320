import { Type } from 'typebox';
import { Check } from 'typebox/value';
import { endpoints, type Handlers } from '../../api/endpoints/index.ts';
import { chosenPolicyIdPattern, defaultPolicyLimit } from '../../core/resources/index.ts';
import { commit, type RequestContext } from '../context.ts';
import { checkPolicyText } from '../execution.ts';
import { searchContent } from '../search/search.ts';
import { badRequest, conflict, forbidden } from '../service-error.ts';
import type { StoredPolicy } from '../state/account-state.ts';
import { findTemplate } from './alert-profile-records.ts';
import { allPolicies, policyRecord, requirePolicy } from './policy-records.ts';
import { findQuery } from './query-records.ts';

const chosenId = Type.String({ pattern: chosenPolicyIdPattern });

export const policyHandlers: Handlers<RequestContext>['policies'] = {
  list: (_, context) => ({ data: allPolicies(context).map((policy) => policyRecord(policy, context)) }),
  async search({ body }, context) {
    const records = allPolicies(context).map((policy) => policyRecord(policy, context));
    return { data: await searchContent(endpoints.policies.search, records, body.filters, context) };
  },
  async create({ body }, context) {
    const { account, user, now } = context;
    refuseTakenId(body.policyId, context);
    await checkSettings(body, context);
    const policyId = newPolicyId(body.policyId, context);
    const policy: StoredPolicy = {
      policyId,
      policyType: body.policyType ?? 'Violation',
      queryId: body.queryId,
      title: body.title,
      enabled: body.enabled,
      description: body.description,
      remediation: body.remediation,
      severity: body.severity,
      limit: body.limit ?? defaultPolicyLimit,
      ...(body.evalFrequency === undefined ? {} : { evalFrequency: body.evalFrequency }),
      alertEnabled: body.alertEnabled,
      ...(body.alertProfile === undefined ? {} : { alertProfile: body.alertProfile }),
      ...(body.tags === undefined ? {} : { tags: [...body.tags] }),
      owner: user,
      lastUpdateTime: new Date(now).toISOString(),
      lastUpdateUser: user,
    };
    account.state.policies[policyId] = policy;
    commit(context, 'Policy', 'CREATE', `Policy ${policyId} was created.`);
    return { data: policyRecord(policy, context) };
  },
  updateMany({ body }, context) {
    for (const { policyId } of body) requirePolicy(context, policyId);
    for (const { policyId, ...change } of body) apply(policyId, change, context);
    const ids = body.map((entry) => entry.policyId);
    commit(context, 'Policy', 'UPDATE', `Policies ${ids.join(', ')} were changed.`);
    return { data: ids.map((policyId) => policyRecord(requirePolicy(context, policyId), context)) };
  },
  listTags(_, context) {
    return { data: [...new Set(allPolicies(context).flatMap((policy) => policy.tags ?? []))].sort() };
  },
  get: ({ params }, context) => ({ data: policyRecord(requirePolicy(context, params.policyId), context) }),
  async update({ params, body }, context) {
    requirePolicy(context, params.policyId);
    if (!isBuiltIn(params.policyId, context)) await checkSettings(body, context);
    requirePolicy(context, params.policyId);
    apply(params.policyId, body, context);
    commit(context, 'Policy', 'UPDATE', `Policy ${params.policyId} was changed.`);
    return { data: policyRecord(requirePolicy(context, params.policyId), context) };
  },
  delete({ params }, context) {
    requirePolicy(context, params.policyId);
    if (isBuiltIn(params.policyId, context))
      throw forbidden(`Policy ${params.policyId} belongs to the vendor and cannot be deleted.`);
    const { state } = context.account;
    delete state.policies[params.policyId];
    delete state.exceptions[params.policyId];
    delete state.evaluations[params.policyId];
    commit(context, 'Policy', 'DELETE', `Policy ${params.policyId} was deleted.`);
    return undefined;
  },
};

function isBuiltIn(policyId: string, context: RequestContext): boolean {
  return !Object.hasOwn(context.account.state.policies, policyId);
}

/** The id the policy gets: the account's name in front of a chosen one, else the next number. */
function newPolicyId(chosen: string | undefined, context: RequestContext): string {
  const { account } = context;
  if (chosen !== undefined) return refuseTakenId(chosen, context);
  const { policies, counters } = account.state;
  let number = counters['policy'] ?? 0;
  do number++;
  while (Object.hasOwn(policies, `${account.name}-default-${number}`));
  counters['policy'] = number;
  return `${account.name}-default-${number}`;
}

/** The whole id behind a chosen one. @throws ServiceError 400 for one that cannot be, 409 for one that is taken */
function refuseTakenId(chosen: string | undefined, { account }: RequestContext): string {
  if (chosen === undefined) return '';
  const own = chosen.startsWith('$account-') ? chosen.slice('$account-'.length) : chosen;
  if (!Check(chosenId, own) || own === 'default' || own.startsWith('default-')) {
    throw badRequest(
      `Invalid data: #1: [policyId: '${own}' must be lower-case letters, then perhaps a hyphen and digits; 'default' is reserved]`,
    );
  }
  const policyId = `${account.name}-${own}`;
  if (Object.hasOwn(account.state.policies, policyId)) throw conflict(`Policy ${policyId} already exists`);
  return policyId;
}

interface Settings {
  readonly policyType?: string;
  readonly queryId?: string;
  readonly alertProfile?: string;
  readonly tags?: readonly string[];
}

/** @throws ServiceError 400 for a type, query, profile or tag that cannot be. */
async function checkSettings(
  { policyType, queryId, alertProfile, tags }: Settings,
  context: RequestContext,
): Promise<void> {
  const types =
    context.settings.switches['policy-types'] === 'compliance' ? ['Violation', 'Compliance'] : ['Violation'];
  if (policyType !== undefined && !types.includes(policyType)) {
    throw badRequest(
      `Invalid data: #1: [policyType: '${policyType}' is not a type of policy (allowed: [${types.join(', ')}])]`,
    );
  }
  if (queryId !== undefined) {
    const query = findQuery(context, queryId);
    if (query === undefined) throw badRequest(`Invalid data: #1: [queryId: query id ${queryId} not found]`);
    await checkPolicyText(context, query.queryText);
  }
  if (alertProfile !== undefined && findTemplate(context, alertProfile) === undefined) {
    throw badRequest(`Invalid data: #1: [alertProfile: there is no alert profile or template ${alertProfile}]`);
  }
  const reserved = tags?.find((tag) => /^(sub)?domain:/.test(tag));
  if (reserved !== undefined) throw badRequest(`Invalid data: #1: [tags: '${reserved}' is set by the service alone]`);
}

/** Changes a policy in place; of one of the vendor's, only what may be changed. */
function apply(policyId: string, change: Partial<StoredPolicy>, context: RequestContext): void {
  const { state } = context.account;
  const own = Object.hasOwn(state.policies, policyId) ? state.policies[policyId] : undefined;
  if (own !== undefined) {
    Object.assign(own, change, { lastUpdateTime: new Date(context.now).toISOString(), lastUpdateUser: context.user });
    return;
  }
  const { enabled, severity, ...rest } = change;
  const [other] = Object.keys(rest);
  if (other !== undefined) {
    throw forbidden(
      `Policy ${policyId} belongs to the vendor: only enabled and severity can be changed, not ${other}.`,
    );
  }
  state.builtInPolicies[policyId] = {
    ...state.builtInPolicies[policyId],
    ...(enabled === undefined ? {} : { enabled }),
    ...(severity === undefined ? {} : { severity }),
  };
}
