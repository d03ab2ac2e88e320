import type { RunDescription } from '../../infrastructure/runs.ts';

/** What is written of an export beside its rows: where they come from, so that they can be had again. */
export interface ExportRecord {
  readonly title: string;
  readonly description: Pick<RunDescription, 'queryText' | 'window' | 'accountLabel' | 'arguments'>;
  /** Milliseconds since 1970 UTC. */
  readonly startedAt: number;
  readonly exportedAt: number;
  /** Rows of the file, and of the whole result. */
  readonly rowCount: number;
  readonly wholeCount: number;
  /** What had to be known about the rows. */
  readonly note: string | undefined;
}

/** Markdown that holds query, window, arguments and account. The query in it can be run again over the same window. */
export function describeExport({ title, description, startedAt, exportedAt, ...counts }: ExportRecord): string {
  const { queryText, window, accountLabel, arguments: values = [] } = description;
  const iso = (time: number): string => new Date(time).toISOString();
  const { rowCount, wholeCount, note } = counts;
  const facts: readonly (readonly [string, string])[] = [
    ['Rows', rowCount === wholeCount ? `${rowCount}` : `${rowCount} of ${wholeCount}, as they were filtered`],
    ['Account', accountLabel],
    ['Window', `${iso(window.startTime)} to ${iso(window.endTime)} (${window.label})`],
    ...values.map(({ name, value }) => [`Argument ${name}`, value] as const),
    ['Run', iso(startedAt)],
    ['Exported', iso(exportedAt)],
    ...(note === undefined ? [] : [['Note', note] as const]),
  ];
  // Of several directives the last one counts: these are the window and the values that were really used.
  const directives = [
    `-- @range ${iso(window.startTime)} to ${iso(window.endTime)}`,
    ...values.map(({ name, value }) => `-- @arg ${name}=${oneLine(value)}`),
  ];
  const fence = fenceFor(queryText);
  return [
    `# ${escaped(oneLine(title))}`,
    '',
    ...facts.map(([name, value]) => `- ${escaped(name)}: ${escaped(oneLine(value))}`),
    '',
    `${fence}lql`,
    queryText.trim(),
    ...directives,
    fence,
    '',
  ].join('\n');
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** Names and messages are text here: no link, picture or tag comes out of them. */
function escaped(text: string): string {
  return text.replace(/[\\`*_{}[\]<>#|!]/g, '\\$&');
}

/** A fence that is longer than any in the text. */
function fenceFor(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  return '`'.repeat(longest + 1);
}
