import * as vscode from 'vscode';
import { assertNever } from '../../../server/core/assert-never.ts';
import { plainLabel } from '../../infrastructure/plain-text.ts';
import type { QueryEditors } from '../../infrastructure/query-editors.ts';
import type { RunBudget } from '../../infrastructure/session/account-api.ts';
import type { ApiSession } from '../../infrastructure/session/api-session.ts';
import { type Profile, profileLabel } from '../../infrastructure/session/profile.ts';
import type { CatalogInfo, SessionState } from '../../infrastructure/session/session.ts';

const refreshMs = 5000;

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
    const tooltip = tooltipOf(session, explanation);
    // An equal one is not set again: that would close the hover that somebody reads.
    if (typeof item.tooltip !== 'object' || item.tooltip.value !== tooltip.value) item.tooltip = tooltip;
    item.color = colourOf(state);
    item.backgroundColor = alarm && new vscode.ThemeColor(`statusBarItem.${alarm}Background`);
    item.accessibilityInformation = { label: `LQL account: ${profileLabel(session.profile)}. ${explanation}` };
    item.show();
  };
  update();
  // Ages grow and the hour's runs come back: what a hover tells is not older than this.
  const timer = setInterval(() => {
    if (vscode.window.state.focused) update();
  }, refreshMs);
  return vscode.Disposable.from(
    item,
    session.onDidChange(update),
    editors.onDidChangeActive(update),
    vscode.window.onDidChangeWindowState(({ focused }) => {
      if (focused) update();
    }),
    { dispose: () => clearInterval(timer) },
  );
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
      return { text: `$(sync~spin) ${labelOf(state.profile)}`, explanation: 'Connecting…', alarm: undefined };
    case 'ready': {
      const { profile, catalog } = state;
      const production = profile.kind === 'remote' && profile.environment === 'production';
      const readOnly = profile.kind === 'remote' && profile.readOnly;
      const icon = profile.kind === 'local' ? 'beaker' : production ? 'flame' : 'cloud';
      return {
        text: `$(${icon}) ${labelOf(profile)}${production ? ' PRODUCTION' : ''}${readOnly ? ' $(lock)' : ''}`,
        explanation: describeCatalog(catalog),
        alarm: production ? 'error' : undefined,
      };
    }
    case 'signed-out':
      return {
        text: `$(account) ${labelOf(state.profile)}: sign in`,
        explanation: 'Nobody is signed in. Click to sign in or to choose another account.',
        alarm: 'warning',
      };
    case 'failed':
      return {
        text: `$(warning) ${labelOf(state.profile)}`,
        explanation: state.catalog ? `${state.message}\n\n${describeCatalog(state.catalog)}` : state.message,
        alarm: 'warning',
      };
    default:
      return assertNever(state);
  }
}

// Names and messages come from settings and from the service: they are text here, never markup or links.
function tooltipOf(session: ApiSession, explanation: string): vscode.MarkdownString {
  const { profile } = session;
  const tooltip = new vscode.MarkdownString();
  tooltip.appendText(`${profileLabel(profile)}\n`);
  if (profile.kind === 'local') tooltip.appendText('Sample data on this computer. No account is needed.\n');
  else {
    tooltip.appendText(`${profile.origin}\n`);
    if (profile.account !== undefined) tooltip.appendText(`Account: ${profile.account}\n`);
    if (profile.environment !== 'none') tooltip.appendText(`Environment: ${profile.environment}\n`);
    if (profile.readOnly) tooltip.appendText('Read only: writes are refused before they are sent.\n');
  }
  tooltip.appendText(`\n${explanation}`);
  const { budget, tokenIssuedAt } = session;
  if (tokenIssuedAt !== undefined) tooltip.appendText(`\nAccess token: issued ${ageOf(tokenIssuedAt, Date.now())}.`);
  for (const line of describeBudget(budget)) tooltip.appendText(`\n${line}`);
  return tooltip;
}

/** How the account in use is, on one line of a picker: catalog, token, and what is left of the hour. */
export function describeAccount({ state, budget, tokenIssuedAt }: ApiSession, now = Date.now()): string {
  const parts = [
    state.kind === 'ready' ? `catalog read ${ageOf(state.catalog.fetchedAt, now)}` : present(state).explanation,
  ];
  if (tokenIssuedAt !== undefined) parts.push(`token issued ${ageOf(tokenIssuedAt, now)}`);
  if (budget) {
    const { limit, remaining, resetsAt, queued } = budget;
    const left = remaining > 0 || resetsAt === undefined;
    parts.push(left ? `${remaining} of ${limit} runs left in this hour` : `no run left until ${clockTime(resetsAt)}`);
    if (queued > 0) parts.push(`${queued} waiting`);
  }
  return parts.join(' · ');
}

/** Runs that are left of the hour, when more come, and how many wait. */
function describeBudget(budget: RunBudget | undefined, now = Date.now()): readonly string[] {
  if (!budget) return [];
  const { limit, remaining, resetsAt, queued } = budget;
  const lines = [
    remaining > 0 || resetsAt === undefined
      ? `${remaining} of ${limit} runs are left in this hour; each comes back an hour after it was used.`
      : `No run is left in this hour; the next is possible at ${clockTime(resetsAt)}, in ${minutesUntil(resetsAt, now)}.`,
  ];
  if (queued > 0) lines.push(`${queued} ${queued === 1 ? 'run waits' : 'runs wait'} for that.`);
  return lines;
}

function minutesUntil(time: number, now: number): string {
  const minutes = Math.max(1, Math.ceil((time - now) / 60_000));
  return minutes === 1 ? 'a minute' : `${minutes} minutes`;
}

function clockTime(time: number): string {
  return new Date(time).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' });
}

function describeCatalog({ datasources, fetchedAt }: CatalogInfo, now = Date.now()): string {
  return `Catalog: ${datasources.length} datasources, read ${ageOf(fetchedAt, now)}.`;
}

function ageOf(time: number, now: number): string {
  const minutes = Math.max(0, Math.floor((now - time) / 60_000));
  if (minutes < 1) return 'just now';
  if (minutes < 120) return minutes === 1 ? 'a minute ago' : `${minutes} minutes ago`;
  return minutes < 48 * 60 ? `${Math.floor(minutes / 60)} hours ago` : `${Math.floor(minutes / 1440)} days ago`;
}

/** The environment's colour where the background does not say it already. */
function colourOf(state: SessionState): vscode.ThemeColor | undefined {
  if (state.kind !== 'ready' || state.profile.kind === 'local') return undefined;
  const { environment } = state.profile;
  return environment === 'staging' || environment === 'development'
    ? new vscode.ThemeColor(`lql.${environment}Foreground`)
    : undefined;
}

function labelOf(profile: Profile): string {
  return plainLabel(profileLabel(profile));
}
