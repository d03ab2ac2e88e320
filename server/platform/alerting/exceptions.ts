import { isJsonObject } from '../../core/language/values/json.ts';
import type { Value } from '../../core/language/values/value.ts';
import type { ExceptionRecord, ResultRow } from '../../core/resources/index.ts';
import { isTagPair } from '../handlers/exceptions.ts';

/** Columns of a finding that the key of a constraint is compared with. */
const columnsOfKey: { readonly [fieldKey: string]: readonly string[] } = {
  accountIds: ['ACCOUNT_ID'],
  subscriptions: ['SUBSCRIPTION_ID', 'SUBSCRIPTION_NAME'],
  projects: ['PROJECT_ID', 'PROJECT_NAME'],
  organizations: ['ORGANIZATION_ID'],
  arns: ['RESOURCE_KEY', 'ARN'],
  regionNames: ['RESOURCE_REGION'],
  resourceNames: ['RESOURCE_ID', 'RESOURCE_KEY', 'ARN', 'URN'],
};

/** Whether an exception that is still in force lets a finding off: every one of its constraints must hold. */
export function isExcepted(row: ResultRow, exception: ExceptionRecord, now: number): boolean {
  const { expiryTime, constraints = [] } = exception;
  if (typeof expiryTime === 'string' && Date.parse(expiryTime) <= now) return false;
  return constraints.length > 0 && constraints.every((constraint) => holds(row, constraint));
}

function holds(row: ResultRow, constraint: object): boolean {
  const { fieldKey, fieldValues }: { fieldKey?: unknown; fieldValues?: unknown } = constraint;
  if (typeof fieldKey !== 'string' || !Array.isArray(fieldValues)) return false;
  if (fieldKey === 'resourceTags')
    return fieldValues.some((pair) => isTagPair(pair) && tagMatches(row['RESOURCE_TAGS'], pair));
  const columns = Object.hasOwn(columnsOfKey, fieldKey) ? (columnsOfKey[fieldKey] ?? []) : [];
  return columns.some((column) => {
    const value = row[column];
    return (
      value !== undefined &&
      value !== null &&
      fieldValues.some((entry) => matches(String(value), String(entry), fieldKey))
    );
  });
}

function matches(value: string, wanted: string, fieldKey: string): boolean {
  if (wanted === '*' || value === wanted) return true;
  // A resource is named by the last part of its path.
  return (
    fieldKey === 'resourceNames' && value.slice(Math.max(value.lastIndexOf('/'), value.lastIndexOf(':')) + 1) === wanted
  );
}

function tagMatches(tags: Value, pair: { readonly key: string; readonly value: string | readonly string[] }): boolean {
  if (!isJsonObject(tags) || !Object.hasOwn(tags, pair.key)) return false;
  const wanted = typeof pair.value === 'string' ? [pair.value] : pair.value;
  return wanted.some((entry) => entry === '*' || entry === String(tags[pair.key]));
}
