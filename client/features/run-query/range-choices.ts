import { timeRangePresets } from '../../../server/core/resources/time-range.ts';
import { plainLabel } from '../../infrastructure/plain-text.ts';
import type { RunWindow } from '../../infrastructure/runs.ts';
import { describeWindow, resolveRange } from './window-text.ts';

/** A line of the question for a time range, as VS Code shows it. */
export interface RangeChoice {
  readonly label: string;
  readonly description?: string;
  readonly detail?: string;
  readonly alwaysShow?: boolean;
  /** Undefined: not a range, only an explanation. */
  readonly range: string | undefined;
}

/** The presets, the range in use where it is none of them, and the very window of the last run: its rows can be compared with others. */
export function offeredRanges(
  current: string,
  now: number,
  zone: 'utc' | 'local',
  lastRun: RunWindow | undefined,
): readonly RangeChoice[] {
  const named: { readonly label: string; readonly text: string }[] = [...timeRangePresets];
  if (lastRun) named.push({ label: 'Same window as the last run', text: absoluteRange(lastRun) });
  const offered = named.map(({ label, text }) => choiceOf(text, now, zone, text === current, label));
  return named.some(({ text }) => text === current) ? offered : [choiceOf(current, now, zone, true), ...offered];
}

/** What is offered while something is typed: that itself, with its times or with what is wrong, and what was offered and is called so. */
export function rangesFor(
  typed: string,
  offered: readonly RangeChoice[],
  now: number,
  zone: 'utc' | 'local',
): readonly RangeChoice[] {
  const text = typed.trim();
  if (text === '') return offered;
  const matching = offered.filter(
    ({ range, label }) => range !== text && label.toLowerCase().includes(text.toLowerCase()),
  );
  const { description, ...choice } = choiceOf(text, now, zone, false);
  // What is typed may be long: its times get a line of their own.
  return [{ ...choice, detail: choice.detail ?? description ?? '', alwaysShow: true }, ...matching];
}

/** The window to the millisecond, as a range that means the same at any time. */
function absoluteRange({ startTime, endTime }: RunWindow): string {
  return `${new Date(startTime).toISOString()} to ${new Date(endTime).toISOString()}`;
}

function choiceOf(range: string, now: number, zone: 'utc' | 'local', chosen: boolean, label = range): RangeChoice {
  const resolved = resolveRange(range, now);
  if (resolved.kind === 'refused')
    return { label: `$(warning) ${plainLabel(range)}`, detail: resolved.message, range: undefined };
  return {
    label: chosen ? `$(check) ${plainLabel(label)}` : plainLabel(label),
    description: describeWindow(resolved.window, zone),
    range,
  };
}
