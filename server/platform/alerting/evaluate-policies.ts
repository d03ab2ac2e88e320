import { jsonText } from '../../core/language/values/json.ts';
import type { Value } from '../../core/language/values/value.ts';
import type { ResultRow } from '../../core/resources/index.ts';
import type { AccountContext, RequestContext } from '../context.ts';
import { checkQueryText, runQuery } from '../execution.ts';
import { findTemplate } from '../handlers/alert-profile-records.ts';
import { allPolicies } from '../handlers/policy-records.ts';
import { findQuery } from '../handlers/query-records.ts';
import { ServiceError } from '../service-error.ts';
import type { PolicyEvaluation, StoredAlert, StoredPolicy } from '../state/account-state.ts';
import { isExcepted } from './exceptions.ts';
import { renderTemplate } from './render-template.ts';

/** A policy runs again when this long has passed since it last ran, in milliseconds. */
const evaluationIntervals = { Hourly: 3_600_000, Daily: 24 * 3_600_000 } as const;

/** What running policies takes: no request, for they also run when nobody asks. */
export interface EvaluationContext extends AccountContext, Pick<RequestContext, 'datasets' | 'now'> {
  /** Aborted when the platform ends; runs under way then end without a trace. */
  readonly lifetime: AbortSignal;
}

/** The first run of a policy covers this much of the past. */
const firstRange = 24 * 3_600_000;

/** So many keys of findings are remembered a policy. */
const maxReported = 20_000;

/** Accounts whose policies are being evaluated: a second caller waits for the first. */
const running = new WeakMap<object, Promise<void>>();

/** Runs the policies of an account that are due. */
export async function evaluateDuePolicies(context: EvaluationContext): Promise<void> {
  const { account } = context;
  const known = running.get(account);
  if (known !== undefined) return known;
  const run = evaluate(context).finally(() => running.delete(account));
  running.set(account, run);
  return run;
}

async function evaluate(context: EvaluationContext): Promise<void> {
  const { state } = context.account;
  let changed = false;
  for (const { policyId } of allPolicies(context)) {
    const due = duePolicy(policyId, context);
    if (due === undefined) continue;
    const rows = await findings(due.policy, due.last?.evaluatedAt ?? context.now - firstRange, context);
    if (context.lifetime.aborted) return;
    // Others had their turn while it ran: it may be gone, switched off or changed.
    const { policy, last } = duePolicy(policyId, context) ?? {};
    // A query that cannot run now (its datasource is gone) is tried again at the next occasion.
    if (rows === undefined || policy?.queryId !== due.policy.queryId) continue;
    const reported = new Set(last?.reported);
    const fresh = rows.filter((row) => !reported.has(findingKey(row)));
    for (const row of fresh) reported.add(findingKey(row));
    state.evaluations[policy.policyId] = { evaluatedAt: context.now, reported: [...reported].slice(-maxReported) };
    if (fresh.length > 0) fire(policy, fresh, last === undefined, context);
    changed = true;
  }
  if (changed) context.account.commit();
}

/** A policy that is due, with its last run. */
function duePolicy(
  policyId: string,
  context: EvaluationContext,
): { readonly policy: StoredPolicy; readonly last: PolicyEvaluation | undefined } | undefined {
  const policy = allPolicies(context).find((candidate) => candidate.policyId === policyId);
  if (policy === undefined || !policy.enabled || !policy.alertEnabled) return undefined;
  const { evaluations } = context.account.state;
  const last = Object.hasOwn(evaluations, policyId) ? evaluations[policyId] : undefined;
  const interval = evaluationIntervals[policy.evalFrequency ?? 'Hourly'];
  return last !== undefined && context.now - last.evaluatedAt < interval ? undefined : { policy, last };
}

/** The rows of a policy's query that no exception lets off, at most its limit; undefined when the query cannot be run. */
async function findings(
  policy: StoredPolicy,
  startTime: number,
  context: EvaluationContext,
): Promise<ResultRow[] | undefined> {
  const query = findQuery(context, policy.queryId);
  if (query === undefined) return undefined;
  try {
    const run = { ...context, signal: context.lifetime };
    const rows = await runQuery(
      run,
      await checkQueryText(run, query.queryText),
      { startTime, endTime: context.now },
      policy.limit,
    );
    const exceptions = Object.values(context.account.state.exceptions[policy.policyId] ?? {});
    return rows.filter((row) => !exceptions.some((exception) => isExcepted(row, exception, context.now)));
  } catch (error) {
    if (error instanceof ServiceError) return undefined;
    throw error;
  }
}

/** What makes two findings the same: the resource, else the event and its time, else the whole row. */
function findingKey(row: ResultRow): string {
  const resource = row['RESOURCE_KEY'] ?? row['ARN'] ?? row['URN'];
  if (resource !== undefined && resource !== null) return jsonText(resource);
  const { INSERT_ID: event } = row;
  return event === undefined || event === null ? jsonText(row) : jsonText([event, row['EVENT_TIME']]);
}

function fire(policy: StoredPolicy, rows: readonly ResultRow[], first: boolean, context: EvaluationContext): void {
  const { state } = context.account;
  const alertId = (state.counters['alert'] ?? 0) + 1;
  state.counters['alert'] = alertId;
  const times = rows.flatMap((row) => eventTime(row) ?? []).sort();
  const startTime = times[0] ?? new Date(context.now).toISOString();
  const wording = policy.alertProfile === undefined ? undefined : findTemplate(context, policy.alertProfile);
  const values = { ...rows[0], ...metadata(policy, rows.length, first) };
  const source = sourceOf(rows[0] ?? {}, findQuery(context, policy.queryId)?.queryText ?? '');
  const alert: StoredAlert = {
    alertId,
    alertType: 'PolicyViolation',
    alertName: wording?.template.eventName ?? policy.title,
    alertInfo: {
      subject: wording === undefined ? policy.title : renderTemplate(wording.template.subject, values),
      description: wording === undefined ? policy.description : renderTemplate(wording.template.description, values),
    },
    severity: policy.severity.charAt(0).toUpperCase() + policy.severity.slice(1),
    status: 'Open',
    category: 'Policy',
    subCategory: source.subCategory,
    source: source.source,
    derivedFields: { category: 'Policy', sub_category: source.subCategory, source: source.source },
    startTime,
    endTime: times.at(-1) ?? startTime,
    lastUserUpdatedTime: '',
    policyId: policy.policyId,
    // Events are kept as JSON, which has no exact form for large integers: they become text.
    events: rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, storable(value)]))),
  };
  state.alerts[String(alertId)] = alert;
}

function metadata(policy: StoredPolicy, count: number, first: boolean): { readonly [key: string]: Value } {
  return {
    _EVENT_COUNT: count,
    _POLICY_ID: policy.policyId,
    _POLICY_TITLE: policy.title,
    _POLICY_DESCRIPTION: policy.description,
    _POLICY_SEVERITY: policy.severity,
    _SEVERITY: policy.severity,
    _RISK: policy.severity,
    _PRIMARY_TAG: policy.tags?.[0] ?? '',
    _OCCURRENCE: first ? 'Violation' : 'New violation',
  };
}

function eventTime(row: ResultRow): string | undefined {
  for (const name of ['EVENT_TIME', 'LOGIN_TIME', 'PROCESS_START_TIME', 'RECORD_CREATED_TIME', 'BATCH_END_TIME']) {
    const value = row[name];
    if (typeof value === 'string' && /^\d{4}-/.test(value)) return value;
  }
  return undefined;
}

function sourceOf(row: ResultRow, queryText: string): { readonly source: string; readonly subCategory: string } {
  const [, family = ''] = /\bsource\s*\{\s*([A-Za-z][A-Za-z0-9_]*)/i.exec(queryText) ?? [];
  if (family === 'CloudTrailRawEvents') return { source: 'AWS', subCategory: 'Cloud Activity' };
  if (family.includes('_ACT_K8S_')) return { source: 'K8s', subCategory: 'Kubernetes Activity' };
  if (family.includes('_CFG_K8S_')) return { source: 'K8s', subCategory: 'Configuration' };
  if (family.includes('_CFG_AZURE_')) return { source: 'Azure', subCategory: 'Configuration' };
  if (family.includes('_CFG_GCP_')) return { source: 'GCP', subCategory: 'Configuration' };
  if (family.includes('_CFG_') || row['ACCOUNT_ID'] !== undefined)
    return { source: 'AWS', subCategory: 'Configuration' };
  return { source: 'Agent', subCategory: family.includes('_HA_') ? 'Host Activity' : 'Host' };
}

function storable(value: Value): unknown {
  return JSON.parse(JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? part.toString() : part)));
}
