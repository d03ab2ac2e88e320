import type { RunWindow } from '../../infrastructure/runs.ts';

const day = 86_400_000;

/** As long as the service's searches take; what it refuses for queries nobody has written down. */
export const sliceMs = 7 * day;

/** Slices to choose from, the longest first: what is cut at the longer ones is tried with the next. */
const ladder = [sliceMs, day, 6 * 3_600_000, 3_600_000];
export const shortestSliceMs = 3_600_000;

/** More slices than this would use up the runs of an hour for one answer. */
export const mostSlices = 60;

export interface Slice {
  readonly startTime: number;
  readonly endTime: number;
}

/** The window cut into pieces of at most `length` milliseconds, the newest first, without gap or overlap. */
export function slicesOf({ startTime, endTime }: RunWindow, length: number): readonly Slice[] {
  const slices: Slice[] = [];
  for (let end = endTime; end > startTime; end -= length)
    slices.push({ startTime: Math.max(startTime, end - length), endTime: end });
  return slices;
}

/** Whether a refusal may be about the length of the window, so that shorter windows are worth an offer. */
export function mayBeTooLong(message: string, window: RunWindow): boolean {
  const count = Math.ceil((window.endTime - window.startTime) / sliceMs);
  return count > 1 && count <= mostSlices && /time|range|window|days?\b|period/i.test(message);
}

/** The slices that may show what a cut result lacks, in milliseconds; undefined where none are short enough and few enough. */
export function finerSlice({ startTime, endTime }: RunWindow, current: number | undefined): number | undefined {
  const length = endTime - startTime;
  return ladder.find((slice) => slice < Math.min(length, current ?? length) && Math.ceil(length / slice) <= mostSlices);
}

/** `7 days`, `1 day`, `6 hours`. */
export function describeSlice(milliseconds: number): string {
  const [count, unit] = milliseconds % day === 0 ? [milliseconds / day, 'day'] : [milliseconds / 3_600_000, 'hour'];
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

/** `5 slices of at most 7 days`. */
export function describeSlices(window: RunWindow, length: number): string {
  return `${slicesOf(window, length).length} slices of at most ${describeSlice(length)}`;
}
