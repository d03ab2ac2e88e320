import type { Value } from '../language/values/value.ts';
import { policySeverities } from '../resources/policy.ts';
import type { ContentKind, ContentObject } from './content-object.ts';
import type { OperationAction } from './plan.ts';

/** What makes an account see less than before: the changes that guard nobody and that nobody notices. */
export function warningsOf(
  action: OperationAction,
  kind: ContentKind,
  before: ContentObject | undefined,
  after: ContentObject | undefined,
): string[] {
  if (action === 'delete')
    return [
      kind === 'policy'
        ? 'The policy stops finding anything, and exceptions that it has in the account go with it. Undoing the deployment brings them back.'
        : 'It is deleted from the account.',
    ];
  if (kind === 'exception' && action === 'create') return ['The policy stops reporting what the exception covers.'];
  if (kind !== 'policy' || !before || !after) return [];
  const warnings: string[] = [];
  const order: readonly Value[] = policySeverities;
  const rank = (object: ContentObject): number => order.indexOf(object.fields['severity']);
  if (rank(after) < rank(before)) {
    warnings.push(`Severity is lowered from ${show(before.fields['severity'])} to ${show(after.fields['severity'])}.`);
  }
  if (before.fields['enabled'] === true && after.fields['enabled'] === false) warnings.push('The policy is disabled.');
  if (before.fields['alertEnabled'] === true && after.fields['alertEnabled'] === false)
    warnings.push('Its alerts are muted.');
  const [old, now] = [before.fields['limit'], after.fields['limit']];
  if (typeof old === 'number' && typeof now === 'number' && now < old)
    warnings.push(`Its limit is lowered from ${old} to ${now} records.`);
  return warnings;
}

const show = (value: Value): string => (typeof value === 'string' ? value : 'nothing');
