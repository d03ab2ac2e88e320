import * as vscode from 'vscode';
import type { RunWindow } from '../../infrastructure/runs.ts';
import { offeredRanges, type RangeChoice, rangesFor } from './range-choices.ts';

/**
 * Asks for a time range: presets, or anything the grammar knows, with the absolute times of what is typed shown while it
 * is typed. Undefined when the person leaves.
 */
export function pickRange(
  current: string,
  zone: 'utc' | 'local',
  lastRun: RunWindow | undefined,
): Promise<string | undefined> {
  const picker = vscode.window.createQuickPick<RangeChoice>();
  picker.title = 'Time range of the query';
  // The walkthrough takes the focus back when its button was pressed, and the question would be gone before it is read.
  picker.ignoreFocusOut = true;
  picker.placeholder = 'Pick one, or type: -24h · -1w@w · last 3 days · 2026-01-05 to 2026-01-06T12:00:00Z';
  const offered = offeredRanges(current, Date.now(), zone, lastRun);
  picker.items = offered;
  picker.activeItems = picker.items.filter(({ range }) => range === current);

  return new Promise((resolve) => {
    picker.onDidChangeValue((value) => {
      picker.items = rangesFor(value, offered, Date.now(), zone);
      // VS Code puts what is typed first, because it is called so to the letter, even if it is no range and Enter would do nothing.
      picker.activeItems = picker.items.filter(({ range }) => range !== undefined).slice(0, 1);
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
