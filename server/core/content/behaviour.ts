import type { Value } from '../language/values/value.ts';
import type { ResultRow } from '../resources/execution.ts';
import { type ContentFields, type ContentKind, type ContentObject, contentKey } from './content-object.ts';
import { canonicalText, fieldMeaning } from './normalise.ts';
import type { Plan } from './plan.ts';

/** A policy that finds something else once the plan is applied, with what a reviewer needs to judge it. */
export interface PolicyUse {
  /** Account-neutral. */
  readonly id: string;
  readonly title: string | undefined;
  readonly severity: string | undefined;
  readonly enabled: boolean;
}

/** Two texts to be run over the same window: what the policies run today, and what they run once the plan is applied. */
export interface BehaviourCheck {
  /** The query that the policies run once the plan is applied. */
  readonly queryId: string;
  /** The one they run today: another only where a policy changes its `queryId`. */
  readonly deployedQueryId: string;
  readonly deployedText: string;
  readonly newText: string;
  /** Policies that use it; empty for a query that nobody uses yet. */
  readonly policies: readonly PolicyUse[];
}

/**
 * What has to be run to see what a plan does to hits: one check a query whose text changes, and one a pair of queries between which policies
 * change. `account` holds the objects as the plan saw them. Queries that are new or deleted have nothing to be compared with and are left out.
 */
export function behaviourChecks(plan: Plan, account: ReadonlyMap<string, ContentObject>): BehaviourCheck[] {
  const after = new Map<string, ContentObject | undefined>(
    plan.operations.map((operation) => [contentKey(operation), operation.desired]),
  );
  const nowAt = (key: string): ContentObject | undefined => (after.has(key) ? after.get(key) : account.get(key));
  const texts = (kind: ContentKind, id: string): { deployed: string | undefined; next: string | undefined } => {
    const key = contentKey({ kind, id });
    return { deployed: textOf(account.get(key)?.fields), next: textOf(nowAt(key)?.fields) };
  };
  const checks = new Map<string, BehaviourCheck & { readonly policies: PolicyUse[] }>();
  const check = (
    deployedQueryId: string,
    queryId: string,
  ): (BehaviourCheck & { policies: PolicyUse[] }) | undefined => {
    const key = `${deployedQueryId}\n${queryId}`;
    const known = checks.get(key);
    if (known) return known;
    const deployedText = texts('query', deployedQueryId).deployed;
    const newText = texts('query', queryId).next;
    if (deployedText === undefined || newText === undefined || sameText(deployedText, newText)) return undefined;
    const made = { queryId, deployedQueryId, deployedText, newText, policies: [] };
    checks.set(key, made);
    return made;
  };
  for (const { kind, action, id } of plan.operations) if (kind === 'query' && action === 'update') check(id, id);
  for (const policy of account.values()) {
    if (policy.kind !== 'policy') continue;
    const next = nowAt(contentKey(policy));
    const [from, to] = [textIn(policy.fields, 'queryId'), next && textIn(next.fields, 'queryId')];
    if (!next || from === undefined || to === undefined) continue;
    check(from, to)?.policies.push({
      id: policy.id,
      title: textIn(next.fields, 'title'),
      severity: textIn(next.fields, 'severity'),
      enabled: next.fields['enabled'] === true,
    });
  }
  return [...checks.values()];
}

const textOf = (fields: ContentFields | undefined): string | undefined => fields && textIn(fields, 'queryText');

function textIn(fields: ContentFields, field: string): string | undefined {
  const value = fields[field];
  return typeof value === 'string' ? value : undefined;
}

function sameText(a: string, b: string): boolean {
  const meaning = (queryText: string): string => canonicalText(fieldMeaning('query', 'queryText', { queryText }));
  return meaning(a) === meaning(b);
}

/** How the rows of two runs differ. Rows count as often as they occur. */
export interface HitComparison {
  /** Rows of each run. */
  readonly before: number;
  readonly after: number;
  readonly same: number;
  readonly added: number;
  readonly lost: number;
  /** The first rows that only one of the runs has, with all their columns. */
  readonly addedRows: readonly ResultRow[];
  readonly lostRows: readonly ResultRow[];
  /** Columns that only one of the runs has: they say nothing about whether a row is a new one. */
  readonly addedColumns: readonly string[];
  readonly lostColumns: readonly string[];
  /** A run gave as many rows as the service gives at most: what lies beyond is not known, and the counts are of what was seen. */
  readonly isCut: boolean;
}

export interface HitOptions {
  /** Most rows kept of either side. */
  readonly sample: number;
  /** Rows at which the service cuts a result. */
  readonly cutAt: number;
  /** Columns of the results as the texts say, for those that no row has a value in. */
  readonly columns?: { readonly before: readonly string[]; readonly after: readonly string[] };
}

/**
 * Compares two results by value. Columns are matched by name, whatever their order and the case of their letters; rows are equal when they are
 * in all columns that both results have. A column without a value is null. Runs in the sum of the rows.
 */
export function compareHits(
  before: readonly ResultRow[],
  after: readonly ResultRow[],
  { sample, cutAt, columns }: HitOptions,
): HitComparison {
  const [old, next] = [columnsOf(before, columns?.before), columnsOf(after, columns?.after)];
  const shared = [...old].filter((name) => next.has(name)).sort();
  // Rows that have no column in common cannot be the same.
  const comparable = shared.length > 0 || (old.size === 0 && next.size === 0);
  const keyOf = rowKey(shared);
  const added = comparable ? without(after, before, keyOf) : after;
  const lost = comparable ? without(before, after, keyOf) : before;
  return {
    before: before.length,
    after: after.length,
    same: after.length - added.length,
    added: added.length,
    lost: lost.length,
    addedRows: added.slice(0, sample),
    lostRows: lost.slice(0, sample),
    // An empty result does not tell its columns.
    addedColumns: old.size === 0 ? [] : [...next].filter((name) => !old.has(name)),
    lostColumns: next.size === 0 ? [] : [...old].filter((name) => !next.has(name)),
    isCut: before.length >= cutAt || after.length >= cutAt,
  };
}

/** The rows that are left when each of the others has taken one of its like away. */
function without(
  rows: readonly ResultRow[],
  others: readonly ResultRow[],
  keyOf: (row: ResultRow) => string,
): readonly ResultRow[] {
  const counts = new Map<string, number>();
  for (const row of others) {
    const key = keyOf(row);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return rows.filter((row) => {
    const key = keyOf(row);
    const left = counts.get(key) ?? 0;
    counts.set(key, left - 1);
    return left <= 0;
  });
}

function columnsOf(rows: readonly ResultRow[], declared: readonly string[] = []): Set<string> {
  const names = new Set(declared.map((name) => name.toUpperCase()));
  for (const row of rows) for (const name of Object.keys(row)) names.add(name.toUpperCase());
  return names;
}

function rowKey(columns: readonly string[]): (row: ResultRow) => string {
  // The service gives the names in one spelling; another one costs a look through the row.
  const valueIn = (row: ResultRow, name: string): Value => {
    if (Object.hasOwn(row, name)) return row[name];
    const written = Object.keys(row).find((key) => key.toUpperCase() === name);
    return written === undefined ? undefined : row[written];
  };
  return (row) => columns.map((name) => canonicalText(valueIn(row, name))).join('\u0000');
}
