import * as vscode from 'vscode';
import { timeRangePresets } from '../../../server/core/resources/time-range.ts';
import { plainLabel } from '../../infrastructure/plain-text.ts';
import type { RunWindow } from '../../infrastructure/runs.ts';
import { describeWindow, resolveRange } from './window-text.ts';

interface RangeItem extends vscode.QuickPickItem {
  /** Undefined: not a range, only an explanation. */
  readonly range: string | undefined;
}

/**
 * Asks for a time range: presets, or anything the grammar knows, with the absolute times of what is typed shown while it
 * is typed. Undefined when the person leaves.
 */
export function pickRange(
  current: string,
  zone: 'utc' | 'local',
  lastRun: RunWindow | undefined,
): Promise<string | undefined> {
  const picker = vscode.window.createQuickPick<RangeItem>();
  picker.title = 'Time range of the query';
  // The walkthrough takes the focus back when its button was pressed, and the question would be gone before it is read.
  picker.ignoreFocusOut = true;
  picker.placeholder = 'Pick one, or type: -24h · -1w@w · last 3 days · 2026-01-05 to 2026-01-06T12:00:00Z';
  const now = Date.now();
  const offered = timeRangePresets.map(({ label, text }) => itemOf(text, now, zone, text === current, label));
  if (!timeRangePresets.some(({ text }) => text === current)) offered.unshift(itemOf(current, now, zone, true));
  if (lastRun) {
    const same = `${new Date(lastRun.startTime).toISOString()} to ${new Date(lastRun.endTime).toISOString()}`;
    offered.push(itemOf(same, now, zone, same === current, 'Same window as the last run'));
  }
  picker.items = offered;
  picker.activeItems = picker.items.filter(({ range }) => range === current);

  return new Promise((resolve) => {
    picker.onDidChangeValue((value) => {
      const typed = value.trim();
      if (typed === '') {
        picker.items = offered;
        return;
      }
      const matching = offered.filter(({ range }) => range !== typed && range?.includes(typed.toLowerCase()));
      const { description, ...item } = itemOf(typed, Date.now(), zone, false);
      // What is typed may be long: its times get a line of their own.
      picker.items = [{ ...item, detail: item.detail ?? description ?? '', alwaysShow: true }, ...matching];
    });
    picker.onDidAccept(() => {
      const range = picker.selectedItems[0]?.range;
      if (range === undefined) return;
      resolve(range);
      picker.hide();
    });
    picker.onDidHide(() => {
      resolve(undefined);
      picker.dispose();
    });
    picker.show();
  });
}

function itemOf(range: string, now: number, zone: 'utc' | 'local', chosen: boolean, label = range): RangeItem {
  const resolved = resolveRange(range, now);
  if (resolved.kind === 'refused')
    return { label: `$(warning) ${plainLabel(range)}`, detail: resolved.message, range: undefined };
  return {
    label: chosen ? `$(check) ${plainLabel(label)}` : plainLabel(label),
    description: describeWindow(resolved.window, zone),
    range,
  };
}
