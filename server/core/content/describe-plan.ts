import { format } from '../language/format/format.ts';
import type { Value } from '../language/values/value.ts';
import type { OperationResult } from './apply.ts';
import { canonicalText } from './normalise.ts';
import { type Operation, type Plan, wordOf } from './plan.ts';
import { longestSubsequence } from './subsequence.ts';

/** What a plan does to an object, as people read it. */
export const verbs = { create: 'create', update: 'change', delete: 'delete' } as const;
const marks = { create: '+', update: '~', delete: '-' } as const;

/** A plan as a person reviews it: every operation with what it changes, what stands in the way, what it costs. Ends with a line end. */
export function describePlan(plan: Plan, accountLabel: string): string {
  const lines: string[] = [`Plan for ${accountLabel}: ${planSummary(plan)}`];
  for (const warning of plan.warnings) lines.push(`! ${warning}`);
  for (const operation of plan.operations) lines.push('', ...describeOperation(operation));
  if (plan.obstacles.length > 0) {
    lines.push('', 'Left alone:');
    for (const { kind, id, message } of plan.obstacles) lines.push(`  ${wordOf(kind)} ${id}: ${message}`);
  }
  return `${lines.join('\n')}\n`;
}

/** `2 to create, 1 to change, 3 writing calls`. */
export function planSummary({ operations, obstacles, writes }: Plan): string {
  const parts = (['create', 'update', 'delete'] as const).flatMap((action) => {
    // What is changed in two parts is one object.
    const count = operations.filter((operation) => operation.action === action && !operation.part).length;
    return count === 0 ? [] : [`${count} to ${verbs[action]}`];
  });
  if (parts.length === 0) parts.push('nothing to deploy');
  if (obstacles.length > 0) parts.push(`${obstacles.length} left alone`);
  if (writes > 0) parts.push(`${writes} writing ${writes === 1 ? 'call' : 'calls'}`);
  return parts.join(', ');
}

function describeOperation({ action, kind, id, reason, warnings, changes, before, desired }: Operation): string[] {
  const lines = [`${marks[action]} ${verbs[action]} ${wordOf(kind)} ${id} (${reason})`];
  for (const warning of warnings) lines.push(`    ! ${warning}`);
  if (action === 'update' && before?.updateUser !== undefined)
    lines.push(
      `    last changed in the account by ${before.updateUser}${before.updateTime === undefined ? '' : ` at ${before.updateTime}`}`,
    );
  for (const { field } of changes) lines.push(...describeField(field, before?.fields[field], desired?.fields[field]));
  return lines;
}

function describeField(field: string, before: Value, after: Value): string[] {
  // What is not written means what the service fills in; there is nothing to show.
  if (before === undefined && after === undefined) return [];
  const [old, next] = [linesOf(field, before), linesOf(field, after)];
  if (old.length <= 1 && next.length <= 1) {
    if (before === undefined) return [`    ${field}: ${next[0] ?? ''}`];
    return [`    ${field}: ${old[0] ?? ''} → ${next[0] ?? 'nothing'}`];
  }
  return [`    ${field}:`, ...lineDiff(old, next).map((line) => `      ${line}`)];
}

function linesOf(field: string, value: Value): string[] {
  if (value === undefined) return [];
  if (typeof value === 'string') return (field === 'queryText' ? format(value).text.trim() : value).split(/\r?\n/);
  if (!Array.isArray(value)) return [canonicalText(value)];
  const items = value as readonly Value[];
  return items.map((item) => (typeof item === 'string' ? item : canonicalText(item)));
}

const contextLines = 2;

/** Lines with `-`, `+` or two blanks in front; long stretches of equal lines are cut. */
function lineDiff(old: readonly string[], next: readonly string[]): string[] {
  const rows: { readonly mark: ' ' | '-' | '+'; readonly line: string }[] = [];
  const found = longestSubsequence(old, next);
  let added = 0;
  const addUpTo = (end: number): void => {
    for (; added < end; added++) rows.push({ mark: '+', line: next[added] ?? '' });
  };
  for (const [index, line] of old.entries()) {
    const counterpart = found[index];
    if (counterpart !== undefined) {
      addUpTo(counterpart);
      added++;
    }
    rows.push({ mark: counterpart === undefined ? '-' : ' ', line });
  }
  addUpTo(next.length);
  const shown: string[] = [];
  for (const [index, { mark, line }] of rows.entries()) {
    const near = rows
      .slice(Math.max(0, index - contextLines), index + contextLines + 1)
      .some((row) => row.mark !== ' ');
    if (near) shown.push(`${mark} ${line}`);
    else if (shown.at(-1) !== '…') shown.push('…');
  }
  return shown;
}

/** What became of a deployment, one line an operation. */
export function describeResults(results: readonly OperationResult[]): string {
  return results
    .map(({ operation: { action, kind, id }, outcome }) => {
      const subject = `${wordOf(kind)} ${id}`;
      const changedId =
        outcome.kind === 'done' && action === 'create' && outcome.remoteId !== id ? ` as ${outcome.remoteId}` : '';
      return outcome.kind === 'done'
        ? `done: ${verbs[action]} ${subject}${changedId}\n`
        : `${outcome.kind}: ${verbs[action]} ${subject}. ${outcome.message}\n`;
    })
    .join('');
}
