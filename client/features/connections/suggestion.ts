import * as vscode from 'vscode';
import { plainMessage } from '../../infrastructure/plain-text.ts';
import type { Services } from '../../infrastructure/services.ts';
import type { ApiSession } from '../../infrastructure/session/api-session.ts';
import { parseString, type Setting } from '../../infrastructure/setting.ts';
import { onSettingChange, readSetting } from '../../infrastructure/settings.ts';

/** A name and nothing else: a workspace may say which of the person's own accounts its content is for, never where that is. */
const suggestionSetting: Setting<string> = {
  key: 'lql.connections.suggestedAccount',
  fallback: '',
  parse: parseString,
};

/** Considers the suggestion now, and again when it changes or the workspace comes to be trusted. */
export function watchSuggestion({ context, commands, session }: Services): vscode.Disposable {
  const consider = (): void =>
    void commands.guard('Considering the suggested account', () => considerSuggestion(context, session));
  consider();
  return vscode.Disposable.from(
    onSettingChange(suggestionSetting, consider),
    vscode.workspace.onDidGrantWorkspaceTrust(consider),
  );
}

const answeredKey = 'lql.suggestionsAnswered';

/** Asks once a folder and name whether the account that the workspace suggests shall be used. */
async function considerSuggestion(context: vscode.ExtensionContext, session: ApiSession): Promise<void> {
  const name = readSetting(suggestionSetting);
  if (name === '' || name === session.profile.name || !vscode.workspace.isTrusted) return;
  const suggested = session.profiles().profiles.find((profile) => profile.name === name);
  const answered = context.workspaceState.get<readonly string[]>(answeredKey, []);
  if (!suggested || answered.includes(name)) return;
  await context.workspaceState.update(answeredKey, [...answered, name]);
  const use = `Use '${name}'`;
  const answer = await vscode.window.showInformationMessage(
    plainMessage(
      `This workspace suggests your account '${name}' for its queries. Now it is '${session.profile.name}'.`,
    ),
    use,
    'Keep',
  );
  if (answer === use) await session.use(suggested);
}
