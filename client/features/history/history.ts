import type { NamedValue } from '../../../server/core/documents/run-directives.ts';
import type { RunEnd, RunWindow } from '../../infrastructure/runs.ts';
import { parseWhole, type Setting } from '../../infrastructure/setting.ts';

/** A run as it is remembered: text, window and how it ended. Never its rows. */
export interface HistoryEntry {
  readonly id: string;
  /** Milliseconds since 1970 UTC. */
  readonly at: number;
  readonly title: string;
  readonly queryText: string;
  readonly uri: string | undefined;
  readonly window: RunWindow;
  /** The account as the person knew it. */
  readonly account: string;
  /** Tells the account from all others, whatever it is called. */
  readonly accountKey?: string | undefined;
  /** Named arguments that were sent beside the window. */
  readonly arguments?: readonly NamedValue[] | undefined;
  /** Undefined while it runs, and for a run whose window was closed before it ended. */
  readonly end: HistoryEnd | undefined;
  readonly starred: boolean;
  readonly label: string | undefined;
}

export type HistoryEnd =
  | { readonly kind: 'succeeded'; readonly rowCount: number; readonly durationMs: number }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'cancelled' };

/** One line of the history's file. Lines are only ever appended, so windows do not overwrite one another. */
export type HistoryEvent =
  | { readonly kind: 'started'; readonly entry: Omit<HistoryEntry, 'end' | 'starred' | 'label'> }
  | { readonly kind: 'ended'; readonly id: string; readonly end: HistoryEnd }
  | { readonly kind: 'marked'; readonly id: string; readonly starred: boolean; readonly label: string | undefined }
  | { readonly kind: 'removed'; readonly id: string }
  | { readonly kind: 'cleared'; readonly at: number };

export interface HistoryLimits {
  readonly entries: number;
  readonly ageMs: number;
}

const dayMs = 86_400_000;

/** How much is remembered; a repository has no say in it. Starred and labelled entries are kept whatever the limits say: the person asked for them. */
export const maxEntriesSetting: Setting<number> = {
  key: 'lql.history.maxEntries',
  fallback: 500,
  parse: (value) => parseWhole(value, 10, 5000),
  userOnly: true,
};
export const maxAgeDaysSetting: Setting<number> = {
  key: 'lql.history.maxAgeDays',
  fallback: 90,
  parse: (value) => parseWhole(value, 1, 3650),
  userOnly: true,
};

export function historyLimitsOf(maxEntries: number, maxAgeDays: number): HistoryLimits {
  return { entries: maxEntries, ageMs: maxAgeDays * dayMs };
}

export const historyLimits: HistoryLimits = historyLimitsOf(maxEntriesSetting.fallback, maxAgeDaysSetting.fallback);

// A query is rarely longer than a page. What is longer by far is cut out of the memory, not out of the run.
const longestText = 100_000;
const longestMessage = 2000;
/** A line of a list shows no more. */
const longestExcerpt = 300;

/** The entries after all events, the newest first. */
export function foldHistory(
  events: Iterable<HistoryEvent>,
  now: number,
  limits = historyLimits,
): readonly HistoryEntry[] {
  const entries = new Map<string, HistoryEntry>();
  const change = (id: string, changes: Partial<HistoryEntry>): void => {
    const entry = entries.get(id);
    if (entry) entries.set(id, { ...entry, ...changes });
  };
  for (const event of events) {
    switch (event.kind) {
      case 'started':
        entries.set(event.entry.id, { ...event.entry, end: undefined, starred: false, label: undefined });
        break;
      case 'ended':
        change(event.id, { end: event.end });
        break;
      case 'marked':
        change(event.id, { starred: event.starred, label: event.label });
        break;
      case 'removed':
        entries.delete(event.id);
        break;
      case 'cleared':
        for (const [id, entry] of entries) if (!isKept(entry) && entry.at <= event.at) entries.delete(id);
        break;
      default:
        // A line of a newer version: it says nothing to this one.
        break;
    }
  }
  const newestFirst = [...entries.values()].sort((a, b) => b.at - a.at);
  let others = 0;
  return newestFirst.filter((entry) => isKept(entry) || (now - entry.at <= limits.ageMs && ++others <= limits.entries));
}

/** The events that give these entries: the shortest file with the same meaning. */
export function eventsOf(entries: readonly HistoryEntry[]): readonly HistoryEvent[] {
  return [...entries]
    .reverse()
    .flatMap(({ end, starred, label, ...entry }): HistoryEvent[] => [
      { kind: 'started', entry },
      ...(end ? [{ kind: 'ended' as const, id: entry.id, end }] : []),
      ...(starred || label ? [{ kind: 'marked' as const, id: entry.id, starred, label }] : []),
    ]);
}

/** Reads the lines of the file. A torn or foreign line is left out; the others count. */
export function parseHistory(text: string): readonly HistoryEvent[] {
  return text.split('\n').flatMap((line): HistoryEvent[] => {
    if (line === '') return [];
    try {
      const value: unknown = JSON.parse(line);
      return isEvent(value) ? [value] : [];
    } catch {
      return [];
    }
  });
}

/** An end as it is kept: counts and words, shortened where they are endless. */
export function endToKeep(end: RunEnd): HistoryEnd {
  switch (end.kind) {
    case 'succeeded':
      return { kind: 'succeeded', rowCount: end.rowCount, durationMs: Math.round(end.durationMs) };
    case 'failed':
      return { kind: 'failed', message: end.message.slice(0, longestMessage) };
    case 'cancelled':
      return { kind: 'cancelled' };
  }
}

export function textToKeep(queryText: string): string {
  return queryText.slice(0, longestText);
}

/** `42 rows in 1.2 s`, `3 rows in 40 ms`, or what happened instead. Without an end the run goes on, or its window was closed before it came. */
export function describeEnd(end: HistoryEnd | undefined, running = false): string {
  if (!end) return running ? 'running' : 'did not end here';
  switch (end.kind) {
    case 'succeeded':
      return `${end.rowCount.toLocaleString('en')} ${end.rowCount === 1 ? 'row' : 'rows'} in ${describeDuration(end.durationMs)}`;
    case 'failed':
      return 'failed';
    case 'cancelled':
      return 'cancelled';
  }
}

function describeDuration(milliseconds: number): string {
  return milliseconds < 1000 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1000).toFixed(1)} s`;
}

/** The text on one line, without the comments before it: what a list has room for should tell one query from the next. */
export function summaryOf(queryText: string): string {
  const withoutComments = queryText.replace(/^(?:\s*(?:--|\/\/)[^\n]*\n)+/, '');
  return withoutComments.replace(/\s+/g, ' ').trim();
}

/** Whether every word is somewhere in what is remembered of the run: its names, account, range, arguments, error, and all of its text. */
export function isFound(entry: HistoryEntry, words: readonly string[]): boolean {
  const { title, label = '', account, window, queryText, arguments: values = [], end } = entry;
  const error = end?.kind === 'failed' ? end.message : '';
  const given = values.map(({ name, value }) => `${name}=${value}`);
  const all = [title, label, account, window.label, describeEnd(end), error, ...given, queryText]
    .join('\n')
    .toLowerCase();
  return words.every((word) => all.includes(word));
}

/** What is typed into a search, as the words that `isFound` and `excerptOf` take. */
export function wordsOf(typed: string): readonly string[] {
  return typed
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
}

/** The part of the text to show for a search: its beginning, or the line where the first word that is not there stands. */
export function excerptOf(queryText: string, words: readonly string[]): string {
  const summary = summaryOf(queryText).slice(0, longestExcerpt);
  const [word] = words.filter((each) => !summary.toLowerCase().includes(each));
  const line = word && queryText.split('\n').find((each) => each.toLowerCase().includes(word));
  if (!word || !line) return summary;
  const from = Math.max(0, line.toLowerCase().indexOf(word) - longestExcerpt / 2);
  return `… ${line.slice(from, from + longestExcerpt).trim()}`;
}

export function isKept(entry: HistoryEntry): boolean {
  return entry.starred || entry.label !== undefined;
}

function isEvent(value: unknown): value is HistoryEvent {
  if (typeof value !== 'object' || value === null) return false;
  const { kind, id, at, entry, end, starred }: Readonly<Record<string, unknown>> = { ...value };
  switch (kind) {
    case 'started':
      return isStart(entry);
    case 'ended':
      return typeof id === 'string' && isEnd(end);
    case 'marked':
      return typeof id === 'string' && typeof starred === 'boolean';
    case 'removed':
      return typeof id === 'string';
    case 'cleared':
      return typeof at === 'number';
    default:
      return false;
  }
}

function isStart(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const {
    id,
    at,
    title,
    queryText,
    account,
    accountKey,
    window,
    arguments: values,
  }: Readonly<Record<string, unknown>> = { ...value };
  const texts = [id, title, queryText, account].every((text) => typeof text === 'string');
  if (!texts || typeof at !== 'number' || typeof window !== 'object' || window === null) return false;
  if (accountKey !== undefined && typeof accountKey !== 'string') return false;
  if (values !== undefined && !(Array.isArray(values) && values.every(isNamedValue))) return false;
  const { startTime, endTime, label }: Readonly<Record<string, unknown>> = { ...window };
  return typeof startTime === 'number' && typeof endTime === 'number' && typeof label === 'string';
}

function isEnd(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { kind, rowCount, durationMs, message }: Readonly<Record<string, unknown>> = { ...value };
  if (kind === 'succeeded') return typeof rowCount === 'number' && typeof durationMs === 'number';
  return kind === 'cancelled' || (kind === 'failed' && typeof message === 'string');
}

function isNamedValue(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { name, value: text }: Readonly<Record<string, unknown>> = { ...value };
  return typeof name === 'string' && typeof text === 'string';
}
