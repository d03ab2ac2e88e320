import * as vscode from 'vscode';
import type { ChosenProfile } from './api-session.ts';

const newWindowsKey = 'lql.profile';

/**
 * The profile a person picked, by the folder it was picked for. It is kept in the extension's own state, out of reach of
 * the workspace's files; a folder without a choice takes the one made last.
 */
export function createChosenProfile({ globalState }: vscode.ExtensionContext): ChosenProfile {
  const folder = vscode.workspace.workspaceFile ?? vscode.workspace.workspaceFolders?.[0]?.uri;
  const folderKey = folder && `${newWindowsKey} ${folder.toString()}`;
  return {
    read: () => (folderKey && globalState.get<string>(folderKey)) ?? globalState.get<string>(newWindowsKey),
    async write(name) {
      await globalState.update(newWindowsKey, name);
      if (folderKey) await globalState.update(folderKey, name);
    },
  };
}
