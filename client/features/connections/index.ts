import * as vscode from 'vscode';
import { plainLabel } from '../../infrastructure/plain-text.ts';
import type { QueryEditors } from '../../infrastructure/query-editors.ts';
import type { Services } from '../../infrastructure/services.ts';
import { type Profile, profileLabel, profilesSetting } from '../../infrastructure/session/profile.ts';
import type { SessionState } from '../../infrastructure/session/session.ts';
import { createAccountStatus, describeAccount } from './account-status.ts';
import { registerAccountsMenu } from './authentication.ts';
import { importAccounts } from './import-accounts.ts';
import { removeProfile, signIn } from './sign-in.ts';
import { watchSuggestion } from './suggestion.ts';

/** Which account this window talks to: shown, switched, signed in to. */
export function activateConnections(services: Services, editors: QueryEditors): void {
  const { context, commands, session } = services;
  context.subscriptions.push(createAccountStatus(session, editors), registerAccountsMenu(session));
  const tellSignedIn = ({ kind }: SessionState): void => {
    const signedIn = kind === 'ready' && session.profile.kind === 'remote';
    void vscode.commands.executeCommand('setContext', 'lql.signedIn', signedIn);
  };
  context.subscriptions.push(session.onDidChange(tellSignedIn), watchSuggestion(services));

  commands.register('lql.signIn', (name: unknown) => signIn(session, typeof name === 'string' ? name : undefined));
  commands.register('lql.importAccount', () => importAccounts(session));
  commands.register('lql.switchAccount', async () => {
    const picked = await pickAccount(session);
    await picked?.act();
  });
  commands.register('lql.signOut', async () => {
    const { profile } = session;
    if (profile.kind === 'local') {
      void vscode.window.showInformationMessage(
        'The local platform needs no account, so there is nothing to sign out of.',
      );
      return;
    }
    await session.signOut(profile);
  });
  commands.register('lql.removeAccount', async () => {
    const { profile } = session;
    if (profile.kind === 'local') {
      void vscode.window.showInformationMessage('The local platform comes with LQL Studio and cannot be removed.');
      return;
    }
    const remove = 'Remove';
    const answer = await vscode.window.showWarningMessage(
      `Remove the account '${profile.name}' from VS Code?`,
      {
        modal: true,
        detail: `Its entry in your settings and its key for ${profile.origin} are deleted. Nothing changes in the account.`,
      },
      remove,
    );
    if (answer !== remove) return;
    await session.signOut(profile);
    await removeProfile(profile.name);
  });
}

interface AccountItem extends vscode.QuickPickItem {
  readonly act: () => unknown;
}

async function pickAccount(session: Services['session']): Promise<AccountItem | undefined> {
  const { profiles, problems } = session.profiles();
  const run = (command: string) => (): unknown => vscode.commands.executeCommand(command);
  // The one in use comes first, where Enter is: who only looked changes nothing.
  const isCurrent = ({ name }: Profile): boolean => name === session.profile.name;
  const ordered = [...profiles.filter(isCurrent), ...profiles.filter((profile) => !isCurrent(profile))];
  const items: AccountItem[] = ordered.map((profile) => ({
    label: `${isCurrent(profile) ? '$(check) ' : ''}${plainLabel(profileLabel(profile))}`,
    description: describe(profile),
    // What the status bar tells by a hover, for whoever works by keyboard.
    ...(isCurrent(profile) ? { detail: plainLabel(describeAccount(session)) } : {}),
    act: () => session.use(profile),
  }));
  for (const { name, message } of problems) {
    items.push({
      label: `$(warning) ${plainLabel(name)}`,
      detail: plainLabel(message),
      act: () => vscode.commands.executeCommand('workbench.action.openSettings', profilesSetting.key),
    });
  }
  const actions: AccountItem[] = [
    { label: '$(add) Sign in to another account…', act: run('lql.signIn') },
    {
      label: '$(desktop-download) Import an account of the vendor’s command line tool…',
      act: run('lql.importAccount'),
    },
    { label: '$(refresh) Read the datasources anew', act: run('lql.refreshCatalog') },
  ];
  if (session.state.kind === 'failed') {
    const title = session.profile.kind === 'local' ? 'Start the local platform again' : 'Try to connect again';
    actions.unshift({ label: `$(debug-restart) ${title}`, act: run('lql.refreshCatalog') });
  }
  if (session.profile.kind === 'remote') {
    const { profile } = session;
    if (session.state.kind === 'signed-out' || session.state.kind === 'failed') {
      actions.unshift({
        label: `$(key) Sign in to ${plainLabel(profile.name)}…`,
        act: () => vscode.commands.executeCommand('lql.signIn', profile.name),
      });
    }
    actions.push({ label: `$(sign-out) Sign out of ${plainLabel(profile.name)}`, act: run('lql.signOut') });
    actions.push({ label: `$(trash) Remove ${plainLabel(profile.name)}…`, act: run('lql.removeAccount') });
  }
  const separator: AccountItem = { label: '', kind: vscode.QuickPickItemKind.Separator, act: () => undefined };
  return vscode.window.showQuickPick([...items, separator, ...actions], {
    title: 'Account for queries in this window',
    placeHolder: `Now: ${profileLabel(session.profile)}`,
  });
}

function describe(profile: Profile): string {
  if (profile.kind === 'local') return 'sample data on this computer, no account needed';
  const parts = [new URL(profile.origin).host];
  if (profile.environment !== 'none') parts.push(profile.environment);
  if (profile.readOnly) parts.push('read only');
  return parts.join(' · ');
}
