import * as vscode from 'vscode';
import type { Services } from '../../infrastructure/services.ts';
import { openNewPolicy } from './new-policy.ts';

/** Where a newcomer begins: an empty query, an empty policy, and the examples. */
export function activateStart({ context, commands, session }: Services): void {
  commands.register('lql.newQuery', async () => {
    const document = await vscode.workspace.openTextDocument({ language: 'lql', content: '' });
    const editor = await vscode.window.showTextDocument(document);
    await editor.insertSnippet(emptyQuery());
  });
  commands.register('lql.newPolicy', () => openNewPolicy(session.profile.vendorPrefix));
  commands.register('lql.openExamples', () => openExamples(context));
}

/** The three blocks, with a stop at each place that has to be filled. */
function emptyQuery(): vscode.SnippetString {
  return new vscode.SnippetString('{\n  source {\n    ')
    .appendPlaceholder('DATASOURCE', 1)
    .appendText('\n  }\n  filter {\n    ')
    .appendPlaceholder('COLUMN', 2)
    .appendText(' = ')
    .appendPlaceholder("'value'", 3)
    .appendText('\n  }\n  return {\n    ')
    .appendPlaceholder('COLUMN', 4)
    .appendText('\n  }\n}\n');
}

/** Opens a copy of the examples that the person may edit. What they edited there before stays as it is. */
async function openExamples(context: vscode.ExtensionContext): Promise<void> {
  const source = vscode.Uri.joinPath(context.extensionUri, 'examples');
  const target = vscode.Uri.joinPath(context.globalStorageUri, 'examples');
  await copyMissing(source, target);
  const newWindow = (vscode.workspace.workspaceFolders?.length ?? 0) > 0;
  await vscode.commands.executeCommand('vscode.openFolder', target, { forceNewWindow: newWindow });
}

async function copyMissing(source: vscode.Uri, target: vscode.Uri): Promise<void> {
  await vscode.workspace.fs.createDirectory(target);
  const present = new Set((await vscode.workspace.fs.readDirectory(target)).map(([name]) => name));
  for (const [name, type] of await vscode.workspace.fs.readDirectory(source)) {
    const from = vscode.Uri.joinPath(source, name);
    const to = vscode.Uri.joinPath(target, name);
    if (type === vscode.FileType.Directory) await copyMissing(from, to);
    else if (!present.has(name)) await vscode.workspace.fs.copy(from, to);
  }
}
