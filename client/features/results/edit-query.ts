import * as vscode from 'vscode';
import { UserError } from '../../infrastructure/errors.ts';
import type { LanguageServer } from '../../infrastructure/language/language-server.ts';
import type { FromResultsView } from '../../protocol/results.ts';
import type { Run } from './run.ts';

export type EditQueryMessage = Extract<FromResultsView, { kind: 'editQuery' }>;

/** Changes the text of the run's query in its editor, where it can be looked at, undone, and run again. */
export async function editQuery(run: Run, message: EditQueryMessage, language: LanguageServer): Promise<void> {
  const { uri, queryText } = run.description;
  const column = run.store.columns[message.column]?.name;
  if (uri === undefined || column === undefined)
    throw new UserError('This result has no document whose query could be edited.');
  const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(uri, true));
  const editor = await vscode.window.showTextDocument(document, { preserveFocus: false, preview: false });
  const outcome = await language.editQuery(document, {
    queryText,
    edit: message.edit,
    column,
    path: message.path,
    value: { kind: message.valueKind, text: message.value ?? '' },
  });
  if (outcome.kind === 'refused') throw new UserError(outcome.message);
  const change = new vscode.WorkspaceEdit();
  change.set(document.uri, [...outcome.edits]);
  if (!(await vscode.workspace.applyEdit(change)))
    throw new UserError('VS Code did not apply the edit. Is the file read-only?');
  const last = outcome.edits.at(-1);
  if (last) editor.revealRange(last.range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
}
