import {
  parseTimeBounds,
  parseTimeRange,
  type TimeRange,
  type TimeRangeResult,
  timeRangePresets,
} from '../core/resources/time-range.ts';
import { UsageError } from './io.ts';

/** The window of `--range`, or of `--start` and `--end`; undefined when none of them was given. */
export function timeRange(
  range: string | undefined,
  start: string | undefined,
  end: string | undefined,
  now: number,
): TimeRange | undefined {
  if (range !== undefined && (start !== undefined || end !== undefined)) {
    throw new UsageError('--range and --start/--end exclude each other.');
  }
  const bounded = start !== undefined || end !== undefined;
  if (!bounded && range === undefined) return undefined;
  if (bounded) return rangeOf(parseTimeBounds(start, end, now));
  return rangeOf(
    parseTimeRange(range ?? '', now),
    `\nRanges with a name: ${timeRangePresets.map(({ text }) => text).join(', ')}.`,
  );
}

/** The window that was read. Throws UsageError with what is wrong about it. */
export function rangeOf(read: TimeRangeResult, advice = ''): TimeRange {
  if (read.kind === 'invalid') throw new UsageError(`${read.message}${advice}`);
  return read.range;
}
