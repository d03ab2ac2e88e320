import * as vscode from 'vscode';
import { assertNever } from '../../../server/core/assert-never.ts';
import type { QueryEditors } from '../../infrastructure/query-editors.ts';
import type { Services } from '../../infrastructure/services.ts';
import { type Profile, profileLabel } from '../../infrastructure/session/profile.ts';
import type { SessionState } from '../../infrastructure/session/session.ts';

/** Which account this window talks to: shown in the status bar. */
export function activateConnections({ context, session }: Services, editors: QueryEditors): void {
  const item = vscode.window.createStatusBarItem('lql.account', vscode.StatusBarAlignment.Left, 11);
  item.name = 'LQL Account';
  const update = (): void => {
    if (!editors.active) {
      item.hide();
      return;
    }
    const shown = present(session.state);
    item.text = shown.text;
    item.tooltip = shown.tooltip;
    item.backgroundColor = shown.warning ? new vscode.ThemeColor('statusBarItem.warningBackground') : undefined;
    item.command = shown.command;
    item.show();
  };
  context.subscriptions.push(item, session.onDidChange(update), editors.onDidChangeActive(update));
  update();
}

interface Presented {
  readonly text: string;
  readonly tooltip: string;
  readonly warning: boolean;
  readonly command: string;
}

function present(state: SessionState): Presented {
  switch (state.kind) {
    case 'restricted':
      return {
        text: '$(shield) LQL: restricted',
        tooltip: 'This workspace is not trusted: LQL Studio starts nothing and sends nothing.',
        warning: false,
        command: 'workbench.trust.manage',
      };
    case 'connecting':
      return {
        text: `$(sync~spin) ${label(state.profile)}`,
        tooltip: 'Connecting…',
        warning: false,
        command: 'lql.showOutput',
      };
    case 'ready':
      return {
        text: `$(${state.profile.kind === 'local' ? 'beaker' : 'cloud'}) ${label(state.profile)}`,
        tooltip: `${state.catalog.datasources.length} datasources, read ${new Date(state.catalog.fetchedAt).toLocaleString()}`,
        warning: false,
        command: 'lql.refreshCatalog',
      };
    case 'signed-out':
      return {
        text: `$(account) ${label(state.profile)}: sign in`,
        tooltip: 'Nobody is signed in.',
        warning: true,
        command: 'lql.signIn',
      };
    case 'failed':
      return {
        text: `$(warning) ${label(state.profile)}`,
        tooltip: state.message,
        warning: true,
        command: state.action?.command ?? 'lql.refreshCatalog',
      };
    default:
      return assertNever(state);
  }
}

function label(profile: Profile): string {
  return profileLabel(profile);
}
