import * as vscode from 'vscode';
import type { Services } from '../../infrastructure/services.ts';
import { followContentFiles } from './content-files.ts';
import { createLanguageStatus } from './language-status.ts';

const configFile = 'lql.config.jsonc';

/** The language server's part of the window: its commands, and the lint configuration of the workspace's folders. */
export function activateLanguage(services: Services): void {
  const { context, commands, language, log } = services;
  followContentFiles(services);
  commands.register('lql.showOutput', () => log.show());
  commands.register('lql.restartLanguageServer', async () => {
    await language.restart();
    vscode.window.setStatusBarMessage('$(check) LQL language server restarted', 4000);
  });

  commands.register('lql.inspectQuery', async () => {
    const editor = vscode.window.activeTextEditor;
    const text = editor && (await language.inspect(editor.document, editor.selection.active));
    if (text === undefined) {
      void vscode.window.showInformationMessage(
        'There is no query at the cursor. Put it into a query and inspect again.',
      );
      return;
    }
    const document = await vscode.workspace.openTextDocument({ content: text, language: 'plaintext' });
    await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.Beside, preview: true });
  });

  // The server reads no files: it is told what the configuration says, and when it changes.
  const tell = async (file: vscode.Uri): Promise<void> => {
    const folderUri = vscode.Uri.joinPath(file, '..').toString();
    try {
      const text = Buffer.from(await vscode.workspace.fs.readFile(file)).toString('utf8');
      language.setConfig({ folderUri, text });
    } catch {
      // Gone between the event and now, or never there.
      language.setConfig({ folderUri });
    }
  };
  const watcher = vscode.workspace.createFileSystemWatcher(`**/${configFile}`);
  context.subscriptions.push(
    createLanguageStatus(language),
    watcher,
    watcher.onDidCreate(tell),
    watcher.onDidChange(tell),
    watcher.onDidDelete(tell),
  );
  void commands.guard('Reading the lint configuration', async () => {
    for (const file of await vscode.workspace.findFiles(`**/${configFile}`, '**/node_modules/**', 200))
      await tell(file);
  });
}
