import * as vscode from 'vscode';
import { plainLabel } from '../../infrastructure/plain-text.ts';
import type { Services } from '../../infrastructure/services.ts';
import type { SavedQuery } from '../../infrastructure/session/account-api.ts';

interface QueryItem extends vscode.QuickPickItem {
  readonly query: SavedQuery;
}

/** The queries that are registered in the account: found by id or text, opened, run. */
export function activateSavedQueries({ commands, session }: Services): void {
  commands.register('lql.openSavedQuery', async () => {
    const queries = await vscode.window.withProgress(
      { location: vscode.ProgressLocation.Window, title: 'Reading the queries of the account' },
      () => session.withApi((api) => api.queries()),
    );
    const picked = await pick(queries);
    if (!picked) return;
    const { queryId, queryText } = picked.query;
    const document = await vscode.workspace.openTextDocument({ language: 'lql', content: queryText });
    await vscode.window.showTextDocument(document);
    // The service keeps a query on one line: nobody reads that.
    await vscode.commands.executeCommand('editor.action.formatDocument');
    if (picked.run) {
      const uri = document.uri.toString();
      await vscode.commands.executeCommand('lql.runQuery', { text: document.getText(), title: queryId, uri });
    }
  });
}

function pick(queries: readonly SavedQuery[]): Promise<{ query: SavedQuery; run: boolean } | undefined> {
  const picker = vscode.window.createQuickPick<QueryItem>();
  const runButton = { iconPath: new vscode.ThemeIcon('play'), tooltip: 'Open and run' };
  picker.title = 'Queries of the account';
  picker.placeholder = queries.length > 0 ? 'Search by id, owner or text' : 'The account has no registered queries';
  picker.matchOnDescription = true;
  picker.matchOnDetail = true;
  picker.items = [...queries]
    .sort((a, b) => a.queryId.localeCompare(b.queryId))
    .map((query) => ({
      query,
      label: plainLabel(query.queryId),
      description: plainLabel(query.owner ?? ''),
      detail: plainLabel(query.queryText.replace(/\s+/g, ' ').slice(0, 300)),
      buttons: [runButton],
    }));
  return new Promise((resolve) => {
    const settle = (item: QueryItem | undefined, run: boolean): void => {
      resolve(item && { query: item.query, run });
      picker.hide();
    };
    picker.onDidTriggerItemButton(({ item }) => settle(item, true));
    picker.onDidAccept(() => settle(picker.selectedItems[0], false));
    picker.onDidHide(() => {
      resolve(undefined);
      picker.dispose();
    });
    picker.show();
  });
}
