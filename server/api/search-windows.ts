import { formatTime, maxSearchDays, type TimeRange } from '../core/resources/index.ts';
import type { ApiClient, CallSettings, RowOf } from './client.ts';
import type { BodyOf } from './endpoint.ts';
import type { searches } from './endpoints/searches.ts';
import type { Page } from './paging.ts';

type Searches = typeof searches;

/** A search whose time range the service bounds. */
export type BoundedSearch = Searches[Exclude<keyof Searches, 'events' | 'inventory' | 'containerVulnerabilities'>];

const longestWindow = maxSearchDays * 86_400_000;

/**
 * A range in windows that a search accepts, oldest first. Neighbours do not share a moment: the service counts both ends of a window in, and
 * a record on a border would come twice.
 */
export function splitRange({ start, end }: TimeRange, longest = longestWindow): readonly TimeRange[] {
  const windows: TimeRange[] = [];
  for (let from = start; from < end; from += longest) {
    const until = from + longest;
    windows.push({ start: from, end: until >= end ? end : until - 1 });
  }
  return windows;
}

/** One page of a search over several windows. */
export interface WindowPage<Row> extends Page<Row> {
  readonly window: TimeRange;
  /** How many windows there are, and which one this is, from 0. */
  readonly windows: number;
  readonly windowIndex: number;
}

/** Searches a range of any length: windows of at most seven days one after the other, their pages in the order of time. */
export async function* searchWindows<E extends BoundedSearch>(
  client: ApiClient,
  endpoint: E,
  body: Omit<BodyOf<E>, 'timeFilter'>,
  range: TimeRange,
  settings: CallSettings = {},
): AsyncGenerator<WindowPage<RowOf<E>>, void, undefined> {
  const windows = splitRange(range);
  const call = client.pages as (called: E, callArguments: object) => AsyncGenerator<Page<RowOf<E>>, void, undefined>;
  for (const [windowIndex, window] of windows.entries()) {
    const timeFilter = { startTime: formatTime(window.start), endTime: formatTime(window.end) };
    for await (const page of call(endpoint, { ...settings, body: { ...body, timeFilter } })) {
      yield { ...page, window, windows: windows.length, windowIndex };
    }
  }
}
