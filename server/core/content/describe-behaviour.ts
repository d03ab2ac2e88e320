import type { ResultRow } from '../resources/execution.ts';
import { formatTime } from '../resources/time.ts';
import type { TimeRange } from '../resources/time-range.ts';
import type { BehaviourCheck, HitComparison } from './behaviour.ts';
import { canonicalText } from './normalise.ts';

/** What became of one check. */
export interface QueryBehaviour {
  readonly check: BehaviourCheck;
  /** The window both texts ran over. */
  readonly range: TimeRange;
  readonly outcome:
    | { readonly kind: 'compared'; readonly hits: HitComparison }
    /** One of the texts could not be run; `message` is the service's. */
    | { readonly kind: 'failed'; readonly side: 'deployed' | 'new'; readonly message: string };
}

/** `12 hits become 9: 1 added, 4 lost`. */
export function hitSummary({ before, after, added, lost, isCut }: HitComparison): string {
  const count = (rows: number): string => `${rows} ${rows === 1 ? 'hit' : 'hits'}`;
  const cut = isCut ? ' (as far as the service gives rows: the result is cut)' : '';
  if (added === 0 && lost === 0) return `${count(before)}, the same as before${cut}`;
  const verb = before === 1 ? 'becomes' : 'become';
  return `${count(before)} ${verb} ${after}: ${added} added, ${lost} lost${cut}`;
}

/** The checks as a person reads them, below the plan. Ends with a line end. */
export function describeBehaviour(queries: readonly QueryBehaviour[]): string {
  const lines: string[] = ['Hits of the deployed and of the new text:'];
  for (const { check, range, outcome } of queries) {
    const from = check.deployedQueryId === check.queryId ? '' : ` (instead of ${check.deployedQueryId})`;
    const window = `${formatTime(range.start)} to ${formatTime(range.end)}`;
    if (outcome.kind === 'failed') {
      const what = outcome.side === 'new' ? 'The new text' : 'The deployed text';
      lines.push(`  query ${check.queryId}${from}, ${window}: ${what} could not be run. ${outcome.message}`);
    } else {
      const { hits } = outcome;
      lines.push(`  query ${check.queryId}${from}, ${window}: ${hitSummary(hits)}`);
      if (hits.addedColumns.length > 0) lines.push(`    new columns: ${hits.addedColumns.join(', ')}`);
      if (hits.lostColumns.length > 0) lines.push(`    columns gone: ${hits.lostColumns.join(', ')}`);
      lines.push(...sampleLines('+', hits.addedRows, hits.added), ...sampleLines('-', hits.lostRows, hits.lost));
    }
    for (const { id, title, severity, enabled } of check.policies) {
      const about = [severity, enabled ? undefined : 'disabled'].filter((part) => part !== undefined).join(', ');
      const name = title === undefined ? id : `${id} “${title}”`;
      const found = outcome.kind === 'compared' ? `: ${outcome.hits.added} added, ${outcome.hits.lost} lost` : '';
      lines.push(`    policy ${name}${about === '' ? '' : ` (${about})`}${found}`);
    }
    if (check.policies.length === 0) lines.push('    no policy uses it');
  }
  return `${lines.join('\n')}\n`;
}

const longestLine = 160;

function sampleLines(mark: '+' | '-', rows: readonly ResultRow[], count: number): string[] {
  const lines = rows.map((row) => {
    const text = canonicalText(row);
    return `    ${mark} ${text.length > longestLine ? `${text.slice(0, longestLine - 1)}…` : text}`;
  });
  if (count > rows.length) lines.push(`    ${mark} … and ${count - rows.length} more`);
  return lines;
}
