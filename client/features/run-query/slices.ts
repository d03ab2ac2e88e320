import type { RunWindow } from '../../infrastructure/runs.ts';

const day = 86_400_000;

/** As long as the service's searches take; what it refuses for queries nobody has written down. */
export const sliceMs = 7 * day;

/** More slices than this would use up the runs of an hour for one answer. */
export const mostSlices = 60;

export interface Slice {
  readonly startTime: number;
  readonly endTime: number;
}

/** The window cut into pieces of at most `length` milliseconds, the newest first, without gap or overlap. */
export function slicesOf({ startTime, endTime }: RunWindow, length = sliceMs): readonly Slice[] {
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
