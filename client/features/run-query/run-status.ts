import * as vscode from 'vscode';
import type { LanguageServer } from '../../infrastructure/language/language-server.ts';
import { plainLabel } from '../../infrastructure/plain-text.ts';
import type { QueryEditors } from '../../infrastructure/query-editors.ts';
import { onSettingChange, readSetting } from '../../infrastructure/settings.ts';
import { timeZoneSetting } from '../../infrastructure/time-zone.ts';
import { defaultRangeSetting, type RangeMemory, rangeFor } from './ranges.ts';
import type { QueuedRun } from './run-queue.ts';
import { type FoundTargets, targetsInEditor } from './run-target.ts';
import { describeWindow, resolveRange } from './window-text.ts';

/** The status bar's part of running: the time range of the query at the cursor, and what runs at the moment. */
export interface RunStatus extends vscode.Disposable {
  setRunning(running: readonly QueuedRun[], waiting: number): void;
}

export function createRunStatus({
  editors,
  memory,
  language,
}: {
  editors: QueryEditors;
  memory: RangeMemory;
  language: LanguageServer;
}): RunStatus {
  const range = vscode.window.createStatusBarItem('lql.timeRange', vscode.StatusBarAlignment.Right, 100.5);
  range.name = 'LQL Time Range';
  range.command = 'lql.chooseTimeRange';
  const running = vscode.window.createStatusBarItem('lql.running', vscode.StatusBarAlignment.Left, 39);
  running.name = 'LQL Run';
  running.command = 'lql.cancelRun';
  let ticking: ReturnType<typeof setInterval> | undefined;
  let pending: ReturnType<typeof setTimeout> | undefined;

  const update = async (): Promise<void> => {
    const editor = editors.active;
    if (!editor) {
      range.hide();
      return;
    }
    let found: FoundTargets;
    try {
      found = await targetsInEditor(editor, language);
    } catch {
      // Nothing to run here, so there is nothing to say about its time range.
      range.hide();
      return;
    }
    if (editor !== editors.active) return;
    if (found.kind === 'several') {
      // Which of them is meant is asked when one is run.
      range.hide();
      return;
    }
    const { target } = found;
    const chosen = rangeFor(target.text, target.uri, memory);
    const resolved = resolveRange(chosen.text, Date.now());
    range.text =
      resolved.kind === 'window' ? `$(calendar) ${plainLabel(chosen.text)}` : `$(warning) ${plainLabel(chosen.text)}`;
    const origin = { query: 'Written in the query.', file: 'Chosen for this file.', default: 'From your settings.' }[
      chosen.from
    ];
    const times =
      resolved.kind === 'window'
        ? describeWindow(resolved.window, readSetting(timeZoneSetting, editor.document.uri))
        : resolved.message;
    range.tooltip = `Time range of the query\n${times}\n${origin}`;
    range.accessibilityInformation = { label: `Time range of the query: ${chosen.text}` };
    range.show();
  };
  const updateSoon = (): void => {
    clearTimeout(pending);
    pending = setTimeout(() => void update(), 150);
  };
  const subscriptions = [
    range,
    running,
    editors.onDidChangeActive(() => void update()),
    memory.onDidChange(() => void update()),
    language.onDidChangeState(updateSoon),
    vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => {
      if (textEditor === editors.active) updateSoon();
    }),
    vscode.workspace.onDidChangeTextDocument(({ document }) => {
      if (document === editors.active?.document) updateSoon();
    }),
    onSettingChange(defaultRangeSetting, () => void update()),
    onSettingChange(timeZoneSetting, () => void update()),
  ];
  void update();

  return {
    setRunning(runs, waiting) {
      clearInterval(ticking);
      const [first] = runs;
      if (!first) {
        running.hide();
        return;
      }
      const since = Date.now();
      const show = (): void => {
        const seconds = Math.floor((Date.now() - since) / 1000);
        const others = runs.length > 1 ? ` +${runs.length - 1}` : '';
        const time = seconds > 0 ? ` ${seconds} s` : '';
        const queued = waiting > 0 ? `, ${waiting} ${waiting === 1 ? 'waits' : 'wait'}` : '';
        running.text = `$(loading~spin) ${plainLabel(first.title)}${others}${time}${queued}`;
      };
      running.tooltip = `Running ${runs.map(({ title }) => title).join(', ')}${waiting > 0 ? `, ${waiting} waiting` : ''}. Click to cancel.`;
      show();
      running.show();
      ticking = setInterval(show, 1000);
    },
    dispose() {
      clearInterval(ticking);
      clearTimeout(pending);
      for (const subscription of subscriptions) subscription.dispose();
    },
  };
}
