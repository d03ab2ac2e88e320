import * as vscode from 'vscode';
import { assertNever } from '../../../server/core/assert-never.ts';
import type { QueryEditors } from '../../infrastructure/query-editors.ts';
import type { RunBudget } from '../../infrastructure/session/account-api.ts';
import type { ApiSession } from '../../infrastructure/session/api-session.ts';
import { type Profile, profileLabel } from '../../infrastructure/session/profile.ts';
import type { CatalogInfo, SessionState } from '../../infrastructure/session/session.ts';

/** The status bar's part of the account: where a run would go, unmistakable for production. A click switches. */
export function createAccountStatus(session: ApiSession, editors: QueryEditors): vscode.Disposable {
  // On the left, where a narrow window hides nothing.
  const item = vscode.window.createStatusBarItem('lql.account', vscode.StatusBarAlignment.Left, 40);
  item.name = 'LQL Account';
  item.command = 'lql.switchAccount';
  const update = (): void => {
    if (!editors.active) {
      item.hide();
      return;
    }
    const { state } = session;
    const { text, explanation, alarm } = present(state);
    item.text = text;
    item.tooltip = tooltipOf(session.profile, explanation, describeBudget(session.budget));
    item.backgroundColor = alarm && new vscode.ThemeColor(`statusBarItem.${alarm}Background`);
    item.accessibilityInformation = { label: `LQL account: ${profileLabel(session.profile)}. ${explanation}` };
    item.show();
  };
  update();
  return vscode.Disposable.from(item, session.onDidChange(update), editors.onDidChangeActive(update));
}

interface Presented {
  readonly text: string;
  readonly explanation: string;
  readonly alarm: 'warning' | 'error' | undefined;
}

function present(state: SessionState): Presented {
  switch (state.kind) {
    case 'restricted':
      return {
        text: '$(shield) LQL: language only',
        explanation: 'This workspace is not trusted: LQL Studio starts nothing and sends nothing.',
        alarm: undefined,
      };
    case 'connecting':
      return { text: `$(sync~spin) ${profileLabel(state.profile)}`, explanation: 'Connecting…', alarm: undefined };
    case 'ready': {
      const { profile, catalog } = state;
      const production = profile.kind === 'remote' && profile.environment === 'production';
      const icon = profile.kind === 'local' ? 'beaker' : production ? 'flame' : 'cloud';
      return {
        text: `$(${icon}) ${profileLabel(profile)}${production ? ' PRODUCTION' : ''}`,
        explanation: describeCatalog(catalog),
        alarm: production ? 'error' : undefined,
      };
    }
    case 'signed-out':
      return {
        text: `$(account) ${profileLabel(state.profile)}: sign in`,
        explanation: 'Nobody is signed in. Click to sign in or to choose another account.',
        alarm: 'warning',
      };
    case 'failed':
      return {
        text: `$(warning) ${profileLabel(state.profile)}`,
        explanation: state.catalog ? `${state.message}\n\n${describeCatalog(state.catalog)}` : state.message,
        alarm: 'warning',
      };
    default:
      return assertNever(state);
  }
}

// Names and messages come from settings and from the service: they are text here, never markup or links.
function tooltipOf(profile: Profile, explanation: string, budget: string | undefined): vscode.MarkdownString {
  const tooltip = new vscode.MarkdownString();
  tooltip.appendText(`${profileLabel(profile)}\n`);
  if (profile.kind === 'local') tooltip.appendText('Sample data on this computer. No account is needed.\n');
  else {
    tooltip.appendText(`${profile.origin}\n`);
    if (profile.environment !== 'none') tooltip.appendText(`Environment: ${profile.environment}\n`);
    if (profile.readOnly) tooltip.appendText('Read only: writes are refused before they are sent.\n');
  }
  tooltip.appendText(`\n${explanation}`);
  if (budget) tooltip.appendText(`\n${budget}`);
  return tooltip;
}

function describeBudget(budget: RunBudget | undefined): string | undefined {
  if (!budget) return undefined;
  const { limit, remaining, resetsAt } = budget;
  if (resetsAt === undefined || remaining > 0) return `${remaining} of ${limit} runs are left in this hour.`;
  const minutes = Math.max(1, Math.ceil((resetsAt - Date.now()) / 60_000));
  return `No run is left in this hour; the next is possible in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}.`;
}

export function describeCatalog({ datasources, fetchedAt }: CatalogInfo, now = Date.now()): string {
  const minutes = Math.max(0, Math.floor((now - fetchedAt) / 60_000));
  const age =
    minutes < 1
      ? 'just now'
      : minutes < 120
        ? `${minutes} minutes ago`
        : minutes < 48 * 60
          ? `${Math.floor(minutes / 60)} hours ago`
          : `${Math.floor(minutes / 1440)} days ago`;
  return `${datasources.length} datasources, read ${age}.`;
}
