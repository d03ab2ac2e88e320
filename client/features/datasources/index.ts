import * as vscode from 'vscode';
import type { Column } from '../../../server/core/language/catalog/catalog.ts';
import { UserError } from '../../infrastructure/errors.ts';
import type { Services } from '../../infrastructure/services.ts';

/** What the account offers to query: read anew, and looked into. */
export function activateDatasources({ commands, session }: Services): void {
  commands.register('lql.refreshCatalog', async () => {
    const { datasources } = await vscode.window.withProgress(
      { location: vscode.ProgressLocation.Window, title: 'Reading the datasources of the account' },
      () => session.refreshCatalog(),
    );
    vscode.window.setStatusBarMessage(`$(check) ${datasources.length} datasources`, 4000);
  });
  commands.register('lql.previewDatasource', async (argument: unknown) => {
    const name = typeof argument === 'string' ? argument : await pickDatasource(session);
    if (name === undefined) return;
    const text = previewQuery(name, await session.columnsOf(name));
    const document = await vscode.workspace.openTextDocument({ language: 'lql', content: text });
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand('lql.runQuery', { text, title: name, uri: document.uri.toString() });
  });
}

async function pickDatasource(session: Services['session']): Promise<string | undefined> {
  const { state } = session;
  const catalog = state.kind === 'ready' || state.kind === 'failed' ? state.catalog : undefined;
  const datasources = catalog?.datasources ?? (await session.refreshCatalog()).datasources;
  return vscode.window.showQuickPick([...datasources].sort(), {
    title: 'Preview a datasource',
    placeHolder: 'Shows up to 100 rows of the last 7 days',
  });
}

/** A query that shows every column of a datasource. Throws UserError when its columns are not known. */
function previewQuery(datasource: string, columns: readonly Column[] | undefined): string {
  if (!columns) {
    throw new UserError(
      `The columns of ${datasource} are not known: the account lists none, and the service has no schema for it. Write a query with the columns you know.`,
      [{ title: 'New Query', command: 'lql.newQuery' }],
    );
  }
  const names = columns.map(({ name }) => `    ${name}`).join(',\n');
  return `-- Preview of ${datasource}\n-- @range last 7 days\n-- @limit 100\n{\n  source {\n    ${datasource}\n  }\n  return {\n${names}\n  }\n}\n`;
}
