import * as vscode from 'vscode';
import { profileLabel } from '../../infrastructure/session/profile.ts';
import type { ContentState, Known } from './content-state.ts';
import { since } from './since.ts';
import { countsOf } from './source-control.ts';

/** In the status bar, beside the account: how many objects wait on either side. Shown once somebody compared. */
export function createContentStatus(state: ContentState): vscode.Disposable {
  const item = vscode.window.createStatusBarItem('lql.content', vscode.StatusBarAlignment.Left, 39);
  item.name = 'LQL Content';
  item.command = 'workbench.view.scm';
  const update = (known: Known | undefined): void => {
    if (!known) {
      item.hide();
      return;
    }
    const { conflicts, toDeploy, toPull } = countsOf(known);
    const parts = [
      ...(conflicts > 0 ? [`$(warning) ${conflicts}`] : []),
      ...(toPull > 0 ? [`$(arrow-down)${toPull}`] : []),
      ...(toDeploy > 0 ? [`$(arrow-up)${toDeploy}`] : []),
    ];
    // A file without a query does not bring the account's own item along: production is said here too.
    const { profile } = known;
    const production = profile.kind === 'remote' && profile.environment === 'production';
    const state = parts.length === 0 ? '$(check) in sync' : parts.join(' ');
    item.text = production ? `$(flame) ${profileLabel(profile)} ${state}` : `LQL ${state}`;
    item.backgroundColor = production ? new vscode.ThemeColor('statusBarItem.errorBackground') : undefined;
    const words = [
      `${conflicts} to resolve`,
      `${toPull} to pull`,
      `${toDeploy} to deploy`,
      `compared ${since(new Date(known.askedAt).toISOString(), Date.now())}`,
    ];
    const tooltip = new vscode.MarkdownString();
    tooltip.appendText(`Content and ${profileLabel(known.profile)}\n${words.join('\n')}`);
    item.tooltip = tooltip;
    item.accessibilityInformation = { label: `LQL content: ${words.join(', ')}` };
    item.show();
  };
  return vscode.Disposable.from(item, state.onDidChange(update));
}
