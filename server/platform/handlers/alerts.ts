import { endpoints, type Handlers } from '../../api/endpoints/index.ts';
import { assertNever } from '../../core/assert-never.ts';
import type { Value } from '../../core/language/values/value.ts';
import { alertFilterFields, closeReasons, type JsonObjectShape } from '../../core/resources/index.ts';
import { evaluateDuePolicies } from '../alerting/evaluate-policies.ts';
import { commit, type RequestContext } from '../context.ts';
import { recordFields, search } from '../search/search.ts';
import { listRange, type SearchRange, searchRange } from '../search/time-range.ts';
import { badRequest, conflict, notFound } from '../service-error.ts';
import type { AlertChange, StoredAlert, TimelineEntry } from '../state/account-state.ts';
import { firstPage } from './searches.ts';

const filterable: ReadonlySet<string> = new Set(alertFilterFields);

export const alertHandlers: Handlers<RequestContext>['alerts'] = {
  async search({ body }, context) {
    const range = searchRange(body.timeFilter, { bounded: false }, context.now);
    const unknown = body.filters?.find(({ field }) => !filterable.has(field.split('.', 1)[0] ?? ''));
    if (unknown !== undefined) {
      throw badRequest(`Invalid field: '${unknown.field}'. Valid fields are [${alertFilterFields.join(', ')}].`);
    }
    await evaluateDuePolicies(context);
    const records = alertsIn(range, context).map((alert) => alertRecord(alert, context));
    const found = await search(records, body, recordFields(endpoints.alerts.search), context);
    return firstPage(endpoints.alerts.search, found, context);
  },
  async list({ query }, context) {
    const range = listRange(query, context.now);
    await evaluateDuePolicies(context);
    const found = alertsIn(range, context).map((alert) => alertRecord(alert, context));
    return firstPage(endpoints.alerts.list, found, context);
  },
  async get({ params, query }, context) {
    await evaluateDuePolicies(context);
    const alert = requireAlert(context, params.alertId);
    const { scope } = query;
    switch (scope) {
      case 'Details':
        return { data: { ...alertRecord(alert, context), entityMap: entityMap(alert) } };
      case 'Investigation':
        return { data: investigation(alert, context) };
      case 'Events':
        return { data: alert.events };
      case 'RelatedAlerts':
        return { data: relatedAlerts(alert, context) };
      case 'Integrations':
        return { data: [] };
      case 'Timeline':
        return { data: timeline(alert, context).map((entry) => ({ ...entry })) };
      default:
        return assertNever(scope);
    }
  },
  comment({ params, body }, context) {
    const alert = requireAlert(context, params.alertId);
    const entry = timelineEntry(alert, context, 'Comment', body.comment, body.format);
    const change = changeOf(alert, context);
    change.timeline.push(entry);
    change.lastUserUpdatedTime = new Date(context.now).toISOString();
    commit(context, 'Alert', 'UPDATE', `Alert ${alert.alertId} was commented.`);
    return { data: entry };
  },
  close({ params, body }, context) {
    const alert = requireAlert(context, params.alertId);
    if (body.reason === 0 && (body.comment ?? '').trim() === '') {
      throw badRequest('Invalid data: #1: [comment: a comment is required when the reason is 0 (Other)]');
    }
    const change = changeOf(alert, context);
    if (change.status === 'Closed')
      throw conflict(`Alert ${alert.alertId} is closed already and cannot be closed again.`);
    const reason = closeReasons.get(body.reason) ?? String(body.reason);
    const text = body.comment === undefined ? `Closed: ${reason}` : `Closed: ${reason}. ${body.comment}`;
    change.timeline.push(timelineEntry(alert, context, 'StatusChange', text, 'Plaintext'));
    change.status = 'Closed';
    change.reason = body.reason;
    change.closedTime = new Date(context.now).toISOString();
    change.lastUserUpdatedTime = change.closedTime;
    commit(context, 'Alert', 'UPDATE', `Alert ${alert.alertId} was closed: ${reason}.`);
    return undefined;
  },
};

function alertsOf(context: RequestContext): readonly StoredAlert[] {
  return Object.values(context.account.state.alerts);
}

/** Alerts that began inside a range, the latest first. */
function alertsIn(range: SearchRange, context: RequestContext): readonly StoredAlert[] {
  return alertsOf(context)
    .filter(({ startTime = '' }) => {
      const time = Date.parse(startTime);
      return time >= range.startTime && time < range.endTime;
    })
    .toReversed();
}

function requireAlert(context: RequestContext, alertId: string): StoredAlert {
  const { alerts } = context.account.state;
  const alert = Object.hasOwn(alerts, alertId) ? alerts[alertId] : undefined;
  if (alert === undefined) throw notFound('Not found');
  return alert;
}

/** What people did to an alert so far; begins empty. */
function changeOf(alert: StoredAlert, context: RequestContext): AlertChange {
  const { alertChanges } = context.account.state;
  const id = String(alert.alertId);
  const known = Object.hasOwn(alertChanges, id) ? alertChanges[id] : undefined;
  if (known !== undefined) return known;
  const change: AlertChange = { timeline: [], lastUserUpdatedTime: '' };
  alertChanges[id] = change;
  return change;
}

type PlainAlert = { readonly [field: string]: Value } & { readonly alertId: number };

function alertRecord(alert: StoredAlert, context: RequestContext): PlainAlert {
  const { events: _, ...record } = alert;
  const change = context.account.state.alertChanges[String(alert.alertId)];
  return {
    ...(record as PlainAlert),
    status: change?.status ?? 'Open',
    lastUserUpdatedTime: change?.lastUserUpdatedTime ?? '',
  };
}

/** The resources an alert is about, by kind. */
function entityMap(alert: StoredAlert): { readonly [kind: string]: readonly object[] } {
  const map: { [kind: string]: object[] } = {};
  for (const event of alert.events) {
    const kind =
      typeof event['RESOURCE_TYPE'] === 'string' ? 'Resource' : event['MID'] === undefined ? 'Event' : 'Machine';
    const list = map[kind] ?? [];
    map[kind] = list;
    list.push({ KEY: event['RESOURCE_KEY'] ?? event['MID'] ?? event['INSERT_ID'] ?? null, PROPS: event });
  }
  return map;
}

function investigation(alert: StoredAlert, context: RequestContext): { question: string; answer: string }[] {
  const same = alertsOf(context).filter((other) => other.policyId === alert.policyId && other.alertId < alert.alertId);
  const related = relatedAlerts(alert, context);
  return [
    {
      question: 'Has this policy raised an alert before?',
      answer: same.length === 0 ? 'No' : `Yes, ${same.length} times`,
    },
    { question: 'How many findings does the alert hold?', answer: String(alert.events.length) },
    {
      question: 'Are there other alerts about the same source within a day?',
      answer: related.length === 0 ? 'No' : `Yes, ${related.length}`,
    },
  ];
}

const severityRank: { readonly [severity: string]: string } = {
  Critical: '1',
  High: '2',
  Medium: '3',
  Low: '4',
  Info: '5',
};

function relatedAlerts(alert: StoredAlert, context: RequestContext): JsonObjectShape[] {
  const time = Date.parse(alert.startTime ?? '');
  return alertsOf(context)
    .filter((other) => other !== alert && other.source === alert.source)
    .filter((other) => Math.abs(Date.parse(other.startTime ?? '') - time) <= 24 * 3_600_000)
    .map((other) => ({
      eventId: String(other.alertId),
      eventType: other.alertType ?? '',
      eventName: other.alertName ?? '',
      severity: severityRank[other.severity ?? ''] ?? '5',
      startTime: other.startTime ?? '',
      endTime: other.endTime ?? '',
      eventInfo: other.alertInfo ?? {},
    }));
}

function timeline(alert: StoredAlert, context: RequestContext): readonly TimelineEntry[] {
  const created: TimelineEntry = {
    id: 0,
    alertId: alert.alertId,
    createdTime: alert.startTime ?? '',
    entryType: 'AlertCreated',
    entryAuthorType: 'SystemUpdate',
    message: { format: 'Plaintext:1.0', value: alert.alertInfo?.subject ?? '' },
  };
  return [created, ...(context.account.state.alertChanges[String(alert.alertId)]?.timeline ?? [])];
}

function timelineEntry(
  alert: StoredAlert,
  context: RequestContext,
  entryType: string,
  text: string,
  format: 'Plaintext' | 'Markdown' = 'Plaintext',
): TimelineEntry {
  const { counters } = context.account.state;
  const id = (counters['timeline'] ?? 0) + 1;
  counters['timeline'] = id;
  return {
    id,
    alertId: alert.alertId,
    createdTime: new Date(context.now).toISOString(),
    entryType,
    entryAuthorType: 'UserUpdate',
    message: { format: `${format}:1.0`, value: text },
    externalTime: '',
    user: { userGuid: `${context.account.name.toUpperCase()}_USER_1`, username: context.user },
    updateContext: {},
  };
}
