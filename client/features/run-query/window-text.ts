import { parseTimeRange } from '../../../server/core/resources/time-range.ts';
import type { RunWindow } from '../../infrastructure/runs.ts';

export type ResolvedRange =
  | { readonly kind: 'window'; readonly window: RunWindow }
  | { readonly kind: 'refused'; readonly message: string };

/** Fixes a range to the clock: relative ranges move with `now`, milliseconds since 1970 UTC. */
export function resolveRange(text: string, now: number): ResolvedRange {
  const parsed = parseTimeRange(text, now);
  if (parsed.kind === 'invalid') return { kind: 'refused', message: parsed.message };
  return { kind: 'window', window: { startTime: parsed.range.start, endTime: parsed.range.end, label: text } };
}

/** `2026-01-05 00:00 – 2026-01-06 12:30 UTC (1 d 12 h 30 m)`, seconds only where they are not zero. The zone is named: what is typed is UTC in either. */
export function describeWindow({ startTime, endTime }: RunWindow, zone: 'utc' | 'local'): string {
  const suffix = zone === 'utc' ? 'UTC' : 'local time';
  return `${formatTime(startTime, zone)} – ${formatTime(endTime, zone)} ${suffix} (${formatLength(endTime - startTime)})`;
}

function formatTime(time: number, zone: 'utc' | 'local'): string {
  const date = new Date(time);
  // A local time is the UTC time of a moment shifted by the zone's offset at that moment.
  const shifted = zone === 'utc' ? date : new Date(time - date.getTimezoneOffset() * 60_000);
  const text = shifted.toISOString();
  const seconds = text.slice(17, 19) === '00' ? '' : text.slice(16, 19);
  return `${text.slice(0, 10)} ${text.slice(11, 16)}${seconds}`;
}

export function formatLength(milliseconds: number): string {
  let rest = Math.max(0, Math.round(milliseconds / 1000));
  const parts: string[] = [];
  for (const [unit, seconds] of [
    ['d', 86_400],
    ['h', 3600],
    ['m', 60],
    ['s', 1],
  ] as const) {
    const count = Math.floor(rest / seconds);
    rest -= count * seconds;
    if (count > 0) parts.push(`${count} ${unit}`);
  }
  return parts.slice(0, 3).join(' ') || '0 s';
}
