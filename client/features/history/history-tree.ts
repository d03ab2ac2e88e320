import * as vscode from 'vscode';
import { plainLabel } from '../../infrastructure/plain-text.ts';
import { describeEnd, type HistoryEntry } from './history.ts';

export type HistoryNode =
  | { readonly kind: 'section'; readonly title: string; readonly entries: readonly HistoryEntry[] }
  | { readonly kind: 'entry'; readonly entry: HistoryEntry };

/** The history as a tree: starred runs, then the others by day. */
export function createHistoryTree(
  entries: () => readonly HistoryEntry[],
  isRunning: (id: string) => boolean,
): vscode.TreeDataProvider<HistoryNode> & {
  refresh(): void;
  readonly onDidChangeTreeData: vscode.Event<undefined>;
} {
  const changed = new vscode.EventEmitter<undefined>();
  return {
    onDidChangeTreeData: changed.event,
    refresh: () => changed.fire(undefined),
    getChildren(node) {
      if (!node) return sectionsOf(entries(), Date.now());
      return node.kind === 'section' ? node.entries.map((entry) => ({ kind: 'entry', entry })) : [];
    },
    getTreeItem: (node) =>
      node.kind === 'section' ? sectionItem(node.title) : entryItem(node.entry, isRunning(node.entry.id)),
  };
}

function sectionsOf(entries: readonly HistoryEntry[], now: number): HistoryNode[] {
  const sections = new Map<string, HistoryEntry[]>();
  const starred = entries.filter((entry) => entry.starred);
  if (starred.length > 0) sections.set('Starred', starred);
  for (const entry of entries) {
    if (entry.starred) continue;
    const title = dayOf(entry.at, now);
    const section = sections.get(title);
    if (section) section.push(entry);
    else sections.set(title, [entry]);
  }
  return [...sections].map(([title, list]) => ({ kind: 'section', title, entries: list }));
}

function dayOf(at: number, now: number): string {
  const day = new Date(at).toLocaleDateString();
  if (day === new Date(now).toLocaleDateString()) return 'Today';
  if (day === new Date(now - 86_400_000).toLocaleDateString()) return 'Yesterday';
  return day;
}

function sectionItem(title: string): vscode.TreeItem {
  const item = new vscode.TreeItem(title, vscode.TreeItemCollapsibleState.Expanded);
  item.contextValue = 'lqlHistorySection';
  return item;
}

function entryItem(entry: HistoryEntry, running: boolean): vscode.TreeItem {
  const item = new vscode.TreeItem(plainLabel(entry.label ?? entry.title));
  const time = new Date(entry.at).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' });
  item.id = entry.id;
  // A narrow view cuts the end off: on which account it ran is worth more than the words of its range.
  item.description = plainLabel(
    `${describeEnd(entry.end, running)} · ${entry.account} · ${entry.window.label} · ${time}`,
  );
  item.iconPath = running ? new vscode.ThemeIcon('loading~spin') : iconOf(entry);
  item.contextValue = entry.starred ? 'lqlHistoryStarred' : 'lqlHistoryEntry';
  item.tooltip = tooltipOf(entry, running);
  item.command = { command: 'lql.openHistoryEntry', title: 'Open', arguments: [{ kind: 'entry', entry }] };
  return item;
}

function iconOf({ end, starred }: HistoryEntry): vscode.ThemeIcon {
  if (starred) return new vscode.ThemeIcon('star-full', new vscode.ThemeColor('charts.yellow'));
  switch (end?.kind) {
    case 'succeeded':
      return new vscode.ThemeIcon('pass', new vscode.ThemeColor('testing.iconPassed'));
    case 'failed':
      return new vscode.ThemeIcon('error', new vscode.ThemeColor('testing.iconFailed'));
    case 'cancelled':
      return new vscode.ThemeIcon('circle-slash');
    default:
      return new vscode.ThemeIcon('question');
  }
}

// Texts of queries and of the service are shown as text: no markup of theirs is read.
function tooltipOf(entry: HistoryEntry, running: boolean): vscode.MarkdownString {
  const { at, title, window, account, end, queryText, arguments: values = [] } = entry;
  const tooltip = new vscode.MarkdownString();
  tooltip.appendText(`${title} on ${account}\n${new Date(at).toLocaleString()} · ${window.label}\n`);
  tooltip.appendText(`${new Date(window.startTime).toISOString()} – ${new Date(window.endTime).toISOString()}\n`);
  for (const { name, value } of values) tooltip.appendText(`${name} = ${value}\n`);
  tooltip.appendText(end?.kind === 'failed' ? end.message : describeEnd(end, running));
  tooltip.appendCodeblock(queryText.length > 3000 ? `${queryText.slice(0, 3000)}…` : queryText, 'lql');
  return tooltip;
}
