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
  commands.register('lql.openExamples', (from: unknown) => openExamples(context, from === 'walkthrough'));
  void commands.guard('Opening the first example', () => arriveInExamples(context));
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

/** Remembered over the change of the window: when the examples were asked for, and whether the walkthrough goes on there. */
interface Asked {
  readonly at: number;
  readonly walkthrough: boolean;
}

const askedKey = 'lql.examplesAsked';
// A window that comes up later was opened for another reason.
const askedMs = 120_000;

/** Opens a copy of the examples that the person may edit. What they edited there before stays as it is. */
async function openExamples(context: vscode.ExtensionContext, walkthrough: boolean): Promise<void> {
  const source = vscode.Uri.joinPath(context.extensionUri, 'examples');
  const target = examplesOf(context);
  await copyMissing(source, target);
  await context.globalState.update(askedKey, { at: Date.now(), walkthrough } satisfies Asked);
  const folders = vscode.workspace.workspaceFolders ?? [];
  if (folders.some(({ uri }) => uri.toString() === target.toString())) await arriveInExamples(context);
  else await vscode.commands.executeCommand('vscode.openFolder', target, { forceNewWindow: folders.length > 0 });
}

/** In the window of the examples: the first of them is open, and the walkthrough, which stayed behind, goes on beside it. */
async function arriveInExamples(context: vscode.ExtensionContext): Promise<void> {
  const asked = context.globalState.get<Asked>(askedKey);
  const target = examplesOf(context);
  const isThere = vscode.workspace.workspaceFolders?.some(({ uri }) => uri.toString() === target.toString());
  if (!asked || !isThere) return;
  await context.globalState.update(askedKey, undefined);
  if (Date.now() - asked.at > askedMs) return;
  const first = vscode.Uri.joinPath(target, '01-first-query.lql');
  await vscode.window.showTextDocument(first, { preview: false, viewColumn: vscode.ViewColumn.One });
  if (!asked.walkthrough) return;
  const walkthrough = `${context.extension.id}#start`;
  await vscode.commands.executeCommand(
    'workbench.action.openWalkthrough',
    { category: walkthrough, step: 'run' },
    true,
  );
}

function examplesOf(context: vscode.ExtensionContext): vscode.Uri {
  return vscode.Uri.joinPath(context.globalStorageUri, 'examples');
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
