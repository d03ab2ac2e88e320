import { randomUUID } from 'node:crypto';
import path from 'node:path';
import * as vscode from 'vscode';
import { UserError } from '../../infrastructure/errors.ts';
import { plainLabel } from '../../infrastructure/plain-text.ts';
import type { RunObserver } from '../../infrastructure/runs.ts';
import type { Services } from '../../infrastructure/services.ts';
import { onSettingChange, readSetting } from '../../infrastructure/settings.ts';
import {
  describeEnd,
  endToKeep,
  excerptOf,
  type HistoryEntry,
  type HistoryEvent,
  historyLimitsOf,
  isFound,
  isKept,
  maxAgeDaysSetting,
  maxEntriesSetting,
  textToKeep,
  wordsOf,
} from './history.ts';
import { createHistoryStore } from './history-store.ts';
import { createHistoryTree, type HistoryNode } from './history-tree.ts';

/** Every run, remembered over restarts: searched, starred, run again. Rows are never kept. */
export function activateHistory({ context, commands, log }: Services): RunObserver {
  const store = createHistoryStore(path.join(context.globalStorageUri.fsPath, 'history.jsonl'), () =>
    historyLimitsOf(readSetting(maxEntriesSetting), readSetting(maxAgeDaysSetting)),
  );
  let entries: readonly HistoryEntry[] = [];
  /** Runs of this window that have not ended yet. */
  const running = new Set<string>();
  const tree = createHistoryTree(
    () => entries,
    (id) => running.has(id),
  );
  const view = vscode.window.createTreeView('lql.history', { treeDataProvider: tree, showCollapseAll: false });
  context.subscriptions.push(view);

  const reload = async (): Promise<void> => {
    entries = await store.read();
    tree.refresh();
  };
  const record = (event: HistoryEvent): void => {
    store
      .append(event)
      .then(() => (view.visible ? reload() : undefined))
      .catch((error: unknown) => log.warn('The history could not be written', error));
  };
  const change = async (event: HistoryEvent): Promise<void> => {
    await store.append(event);
    await reload();
  };
  // Other windows write too: what is shown is read when it comes into sight.
  context.subscriptions.push(
    view.onDidChangeVisibility(({ visible }) => void (visible && commands.guard('Reading the history', reload))),
  );
  if (view.visible) void commands.guard('Reading the history', reload);
  context.subscriptions.push(
    ...[maxEntriesSetting, maxAgeDaysSetting].map((setting) =>
      onSettingChange(setting, () => void commands.guard('Reading the history', reload)),
    ),
  );

  const rerun = ({ queryText, title, uri, window, account, accountKey, arguments: values = [] }: HistoryEntry) =>
    vscode.commands.executeCommand('lql.runQuery', {
      text: queryText,
      title,
      range: window.label,
      arguments: values,
      account: { key: accountKey, label: account },
      ...(uri === undefined ? {} : { uri }),
    });
  const open = async ({ queryText }: HistoryEntry): Promise<void> => {
    const document = await vscode.workspace.openTextDocument({ language: 'lql', content: queryText });
    await vscode.window.showTextDocument(document, { preview: true });
  };

  commands.register('lql.openHistoryEntry', (node: unknown) => open(entryOf(node, entries)));
  commands.register('lql.rerunHistoryEntry', (node: unknown) => rerun(entryOf(node, entries)));
  commands.register('lql.starHistoryEntry', (node: unknown) => {
    const { id, starred, label } = entryOf(node, entries);
    return change({ kind: 'marked', id, starred: !starred, label });
  });
  commands.register('lql.labelHistoryEntry', async (node: unknown) => {
    const { id, starred, label, title } = entryOf(node, entries);
    const typed = await vscode.window.showInputBox({
      title: 'Label of the run',
      prompt: 'Labelled runs are kept, however old. An empty label takes it away.',
      value: label ?? title,
    });
    if (typed !== undefined) await change({ kind: 'marked', id, starred, label: typed.trim() || undefined });
  });
  commands.register('lql.removeHistoryEntry', (node: unknown) =>
    change({ kind: 'removed', id: entryOf(node, entries).id }),
  );
  commands.register('lql.clearHistory', async () => {
    await reload();
    const kept = entries.filter(isKept).length;
    const clear = 'Clear';
    const answer = await vscode.window.showWarningMessage(
      `Forget ${entries.length - kept} runs?`,
      {
        modal: true,
        detail: `${kept > 0 ? `${kept} starred or labelled runs are kept. ` : ''}Results kept on disk are forgotten too. This cannot be undone.`,
      },
      clear,
    );
    if (answer !== clear) return;
    await change({ kind: 'cleared', at: Date.now() });
    // Rows that were kept on disk are as much a trace of the past as the list of runs.
    await vscode.commands.executeCommand('lql.clearKeptResults');
  });
  commands.register('lql.searchHistory', async () => {
    await reload();
    const picked = await pick(entries, (id) => running.has(id));
    if (picked) await (picked.action === 'open' ? open(picked.entry) : rerun(picked.entry));
  });

  return {
    started({ title, queryText, uri, window, accountLabel, accountKey, arguments: values = [] }) {
      const id = randomUUID();
      const entry = {
        id,
        at: Date.now(),
        title,
        queryText: textToKeep(queryText),
        uri,
        window,
        account: accountLabel,
        accountKey,
        ...(values.length > 0 ? { arguments: values } : {}),
      };
      running.add(id);
      record({ kind: 'started', entry });
      return (end) => {
        running.delete(id);
        record({ kind: 'ended', id, end: endToKeep(end) });
      };
    },
  };
}

interface PickedEntry {
  readonly entry: HistoryEntry;
  readonly action: 'rerun' | 'open';
}

/** Search over all that is remembered. VS Code itself would look at no more than what its list shows of a text. */
function pick(entries: readonly HistoryEntry[], isRunning: (id: string) => boolean): Promise<PickedEntry | undefined> {
  const picker = vscode.window.createQuickPick<vscode.QuickPickItem & { readonly entry: HistoryEntry }>();
  const openButton = { iconPath: new vscode.ThemeIcon('go-to-file'), tooltip: 'Open the text' };
  picker.title = 'Runs of the past';
  picker.placeholder =
    entries.length > 0 ? 'Search by name, account, time range or text; Enter runs again' : 'No query was run yet';
  const itemOf = (entry: HistoryEntry, words: readonly string[]) => ({
    entry,
    alwaysShow: true,
    label: `${entry.starred ? '$(star-full) ' : ''}${plainLabel(entry.label ?? entry.title)}`,
    description: plainLabel(
      `${describeEnd(entry.end, isRunning(entry.id))} · ${entry.account} · ${entry.window.label} · ${new Date(entry.at).toLocaleString()}`,
    ),
    detail: plainLabel(excerptOf(entry.queryText, words)),
    buttons: [openButton],
  });
  const search = (typed: string): void => {
    const words = wordsOf(typed);
    picker.items = entries.filter((entry) => isFound(entry, words)).map((entry) => itemOf(entry, words));
  };
  picker.onDidChangeValue(search);
  search('');
  return new Promise((resolve) => {
    picker.onDidTriggerItemButton(({ item }) => {
      resolve({ entry: item.entry, action: 'open' });
      picker.hide();
    });
    picker.onDidAccept(() => {
      const [item] = picker.selectedItems;
      if (item) resolve({ entry: item.entry, action: 'rerun' });
      picker.hide();
    });
    picker.onDidHide(() => {
      resolve(undefined);
      picker.dispose();
    });
    picker.show();
  });
}

function entryOf(node: unknown, entries: readonly HistoryEntry[]): HistoryEntry {
  const id = isEntryNode(node) ? node.entry.id : undefined;
  const entry = entries.find((candidate) => candidate.id === id);
  if (!entry) {
    throw new UserError('Choose a run in the history first; this one is no longer there.', [
      { title: 'Search History', command: 'lql.searchHistory' },
    ]);
  }
  return entry;
}

function isEntryNode(node: unknown): node is HistoryNode & { kind: 'entry' } {
  return (
    typeof node === 'object' &&
    node !== null &&
    'entry' in node &&
    typeof node.entry === 'object' &&
    node.entry !== null &&
    'id' in node.entry
  );
}
