import { createHash } from 'node:crypto';
import * as vscode from 'vscode';
import type { ApiSession } from '../../infrastructure/session/api-session.ts';
import { profileLabel, type RemoteProfile } from '../../infrastructure/session/profile.ts';

const authenticationId = 'lql';

/**
 * The accounts in VS Code's Accounts menu. Other extensions may ask for these sessions: what they get is an opaque id, never a
 * key and never a token of the service.
 */
export function registerAccountsMenu(session: ApiSession): vscode.Disposable {
  const changed = new vscode.EventEmitter<vscode.AuthenticationProviderAuthenticationSessionsChangeEvent>();
  let shown: readonly vscode.AuthenticationSession[] = [];
  const refresh = async (): Promise<void> => {
    const next = (await session.signedIn()).map(entryOf);
    const added = next.filter(({ id }) => !shown.some((entry) => entry.id === id));
    const removed = shown.filter(({ id }) => !next.some((entry) => entry.id === id));
    shown = next;
    if (added.length > 0 || removed.length > 0) changed.fire({ added, removed, changed: [] });
  };
  const provider: vscode.AuthenticationProvider = {
    onDidChangeSessions: changed.event,
    async getSessions() {
      await refresh();
      return [...shown];
    },
    async createSession() {
      await vscode.commands.executeCommand('lql.signIn');
      await refresh();
      const [entry] = shown.filter(({ account }) => account.label === profileLabel(session.profile));
      if (!entry) throw new vscode.CancellationError();
      return entry;
    },
    async removeSession(id) {
      const profile = (await session.signedIn()).find((candidate) => entryOf(candidate).id === id);
      if (profile) await session.signOut(profile);
      await refresh();
    },
  };
  return vscode.Disposable.from(
    changed,
    vscode.authentication.registerAuthenticationProvider(authenticationId, 'LQL Studio', provider, {
      supportsMultipleAccounts: true,
    }),
    session.onDidChange(() => void refresh()),
  );
}

function entryOf(profile: RemoteProfile): vscode.AuthenticationSession {
  const id = createHash('sha256').update(`${profile.origin} ${profile.name}`).digest('hex').slice(0, 32);
  return { id, accessToken: id, account: { id, label: profileLabel(profile) }, scopes: [] };
}
