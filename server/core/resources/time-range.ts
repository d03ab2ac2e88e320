import { addUnits, formatTime, isTime, parseTime, startOfUnit, type TimeUnit } from './time.ts';

/** A window: `start` before `end`, both milliseconds since 1970. */
export interface TimeRange {
  readonly start: number;
  readonly end: number;
}

export type TimeRangeResult =
  | { readonly kind: 'range'; readonly range: TimeRange }
  /** `message` says what is wrong with the text and what to write instead. */
  | { readonly kind: 'invalid'; readonly message: string };

/** Windows to offer for choice. Their texts go through `parseTimeRange`, so each run takes the window anew. */
export const timeRangePresets = [
  { label: 'Last hour', text: 'last 1 hour' },
  { label: 'Last 24 hours', text: 'last 24 hours' },
  { label: 'Last 7 days', text: 'last 7 days' },
  { label: 'Last 30 days', text: 'last 30 days' },
  { label: 'Today', text: 'today' },
  { label: 'Yesterday', text: 'yesterday' },
  { label: 'This week', text: 'this week' },
  { label: 'Previous week', text: 'previous week' },
  { label: 'This month', text: 'this month' },
] as const;
export const defaultTimeRange = 'last 24 hours';

/**
 * Reads a window: `today`, `yesterday`, `this|current|previous|last <unit>`, `last <n> <units>`; or one moment, from which it reaches until
 * now (`-24h`, `2031-04-01`); or two moments, as `-2d to -1d`, `2031-04-01..2031-04-02` or with a slash. Moments are those of `parseTime`.
 */
export function parseTimeRange(text: string, now: number): TimeRangeResult {
  const trimmed = text.trim();
  if (trimmed.length > maxLength) return { kind: 'invalid', message: `The time range is too long. ${howToWrite}` };
  if (trimmed === '') return { kind: 'invalid', message: `The time range is empty. ${howToWrite}` };
  const natural = parseNatural(trimmed.toLowerCase().replaceAll(/\s+/g, ' '), now);
  if (natural) return natural;
  const separator = /\s+(?:to|until)\s+|\s*\.\.\s*|\s*\/\s*/i.exec(trimmed);
  if (!separator) return parseTimeBounds(trimmed, undefined, now);
  return parseTimeBounds(trimmed.slice(0, separator.index), trimmed.slice(separator.index + separator[0].length), now);
}

/** The window between two moments written by a person. Without a start it begins 24 hours before now, without an end it reaches until now. */
export function parseTimeBounds(start: string | undefined, end: string | undefined, now: number): TimeRangeResult {
  const from = parseTime(start ?? '-24h', now);
  if (from.kind === 'invalid') return from;
  const until = parseTime(end ?? 'now', now);
  if (until.kind === 'invalid') return until;
  return ordered(from.time, until.time);
}

const maxLength = 160;
const howToWrite =
  "Write for example 'last 7 days', 'yesterday', '-24h', '2026-01-30 to 2026-01-31' or '-2d@d to @d'; times are UTC.";

function ordered(start: number, end: number): TimeRangeResult {
  if (start < end) return { kind: 'range', range: { start, end } };
  return {
    kind: 'invalid',
    message: `The start is not before its end (${formatTime(start)} to ${formatTime(end)}). Choose an earlier start or a later end.`,
  };
}

const unitNames: ReadonlyMap<string, TimeUnit> = new Map([
  ['year', 'y'],
  ['month', 'mon'],
  ['week', 'w'],
  ['day', 'd'],
  ['hour', 'h'],
  ['minute', 'm'],
  ['second', 's'],
]);

function parseNatural(text: string, now: number): TimeRangeResult | undefined {
  if (text === 'today') return ordered(startOfUnit(now, 'd'), now);
  if (text === 'yesterday') return previous('d', now);
  const match = /^(this|current|previous|last|past)(?: (\d{1,6}))? (year|month|week|day|hour|minute|second)s?$/.exec(
    text,
  );
  const unit = unitNames.get(match?.[3] ?? '');
  if (!match || !unit) return undefined;
  const [, adjective, count] = match;
  switch (adjective) {
    case 'last':
    case 'past': {
      const start = addUnits(now, -Number(count ?? 1), unit);
      if (isTime(start)) return ordered(start, now);
      return { kind: 'invalid', message: `'${text}' reaches back beyond the calendar. ${howToWrite}` };
    }
    case 'previous':
      return count === undefined || count === '1' ? previous(unit, now) : undefined;
    default:
      return count === undefined ? ordered(startOfUnit(now, unit), now) : undefined;
  }
}

function previous(unit: TimeUnit, now: number): TimeRangeResult {
  const end = startOfUnit(now, unit);
  return ordered(startOfUnit(end - 1, unit), end);
}
