import type {
  AgentAccessToken,
  AlertRecord,
  AlertTimelineEntry,
  DataExportRuleRecord,
  ExceptionRecord,
  IntegrationRecord,
} from '../../core/resources/index.ts';

/** Everything one account holds that people made or that happened since it began. Plain data: it is written to disk as JSON. */
export interface AccountState {
  queries: { [queryId: string]: StoredQuery };
  policies: { [policyId: string]: StoredPolicy };
  /** What was changed about policies of the vendor: only these two fields can be. */
  builtInPolicies: { [policyId: string]: { enabled?: boolean; severity?: StoredPolicy['severity'] } };
  alertProfiles: { [alertProfileId: string]: StoredProfile };
  /** By policy, then by exception. */
  exceptions: { [policyId: string]: { [exceptionId: string]: ExceptionRecord } };
  alertChannels: { [intgGuid: string]: IntegrationRecord };
  cloudAccounts: { [intgGuid: string]: IntegrationRecord };
  containerRegistries: { [intgGuid: string]: IntegrationRecord };
  agentAccessTokens: { [accessToken: string]: AgentAccessToken };
  dataExportRules: { [mcGuid: string]: DataExportRuleRecord };
  /** Alerts that policies fired, by id. */
  alerts: { [alertId: string]: StoredAlert };
  /** What people did to alerts. */
  alertChanges: { [alertId: string]: AlertChange };
  scans: { [csp: string]: { startedAt: number } };
  /** By policy: when it ran last, and which findings were part of an alert. */
  evaluations: { [policyId: string]: PolicyEvaluation };
  /** The last number given out, by kind of thing. */
  counters: { [kind: string]: number };
}

export interface StoredQuery {
  queryId: string;
  queryText: string;
  queryName?: string;
  description?: string;
  owner: string;
  lastUpdateTime: string;
  lastUpdateUser: string;
}

export interface StoredPolicy {
  policyId: string;
  policyType: string;
  queryId: string;
  title: string;
  enabled: boolean;
  description: string;
  remediation: string;
  severity: 'info' | 'low' | 'medium' | 'high' | 'critical';
  limit: number;
  evalFrequency?: 'Hourly' | 'Daily';
  alertEnabled: boolean;
  alertProfile?: string;
  tags?: string[];
  owner: string;
  lastUpdateTime: string;
  lastUpdateUser: string;
}

export interface PolicyEvaluation {
  /** Milliseconds since 1970 UTC; the next run covers the time since. */
  evaluatedAt: number;
  /** Keys of findings that are not new any more, the latest last. */
  reported: string[];
}

export interface StoredTemplate {
  name: string;
  eventName: string;
  description: string;
  subject: string;
}

export interface StoredProfile {
  alertProfileId: string;
  extends: string;
  alerts: StoredTemplate[];
}

export interface StoredAlert extends AlertRecord {
  alertId: number;
  /** The rows that fired it, as the query returned them. */
  events: { [column: string]: unknown }[];
}

/** An entry of an alert's timeline, with what the specification leaves out. */
export type TimelineEntry = AlertTimelineEntry & {
  entryAuthorType: 'SystemUpdate' | 'UserUpdate';
  externalTime?: string;
  updateContext?: object;
};

export interface AlertChange {
  status?: 'Closed';
  closedTime?: string;
  reason?: number;
  timeline: TimelineEntry[];
  lastUserUpdatedTime: string;
}

/** One entry of the audit log. */
export interface AuditEntry {
  createdTime: string;
  accountName: string;
  userName: string;
  eventName: string;
  userAction: 'CREATE' | 'UPDATE' | 'DELETE' | 'EXECUTE';
  eventDescription: string;
}

/** A map by id that knows no id but those put into it: `constructor` and `__proto__` are ids like any other. */
function byId<T>(): { [id: string]: T } {
  return Object.create(null);
}

/** A state with nothing in it, or with what was written before. */
export function accountState(written: Partial<AccountState> = {}): AccountState {
  return {
    queries: Object.assign(byId(), written.queries),
    policies: Object.assign(byId(), written.policies),
    builtInPolicies: Object.assign(byId(), written.builtInPolicies),
    alertProfiles: Object.assign(byId(), written.alertProfiles),
    exceptions: Object.assign(byId(), written.exceptions),
    alertChannels: Object.assign(byId(), written.alertChannels),
    cloudAccounts: Object.assign(byId(), written.cloudAccounts),
    containerRegistries: Object.assign(byId(), written.containerRegistries),
    agentAccessTokens: Object.assign(byId(), written.agentAccessTokens),
    dataExportRules: Object.assign(byId(), written.dataExportRules),
    alerts: Object.assign(byId(), written.alerts),
    alertChanges: Object.assign(byId(), written.alertChanges),
    scans: Object.assign(byId(), written.scans),
    evaluations: Object.assign(byId(), written.evaluations),
    counters: Object.assign(byId(), written.counters),
  };
}
