import path from 'node:path';
import * as vscode from 'vscode';
import type { PendingMerge } from '../../../server/api/content/merges.ts';
import { UserError } from '../../infrastructure/errors.ts';
import type { Services } from '../../infrastructure/services.ts';
import { profileLabel } from '../../infrastructure/session/profile.ts';
import type { ContentState } from './content-state.ts';

/** Opens what is being merged: in VS Code's own editor for that where it can, else the file at its first conflict marker. */
export async function openMerge(pending: PendingMerge, { session, log }: Services, state: ContentState): Promise<void> {
  const { known } = state;
  if (!known) throw new UserError('The comparison is out of date. Compare again.');
  const output = vscode.Uri.file(path.join(known.options.root, pending.path));
  const { remote } = pending;
  const at = remote.updateTime === undefined ? '' : new Date(remote.updateTime).toLocaleString();
  const side = (name: string, text: string): vscode.Uri => state.documents.set(`merge/${name}/${pending.path}`, text);
  const sides = {
    base: side('base', pending.base),
    input1: {
      uri: side('account', pending.account),
      title: profileLabel(session.profile),
      description: 'in the account',
      detail: [remote.updateUser, at].filter(Boolean).join(', '),
    },
    input2: { uri: side('file', pending.local), title: 'Your file', description: pending.path },
    output,
  };
  // The editor for merges is VS Code's own affair and may go: then the markers in the file are what is edited.
  await readAnew(output);
  const offered = await vscode.commands.getCommands(false);
  if (offered.includes(mergeEditor)) {
    try {
      await vscode.commands.executeCommand(mergeEditor, sides);
      return;
    } catch (error) {
      log.warn('The merge editor could not be opened; the conflict markers are shown instead', error);
    }
  }
  const document = await vscode.workspace.openTextDocument(output);
  const first = document.positionAt(Math.max(0, document.getText().search(/^<{7}/m)));
  await vscode.window.showTextDocument(document, { selection: new vscode.Range(first, first) });
}

const mergeEditor = '_open.mergeEditor';
const patienceMs = 5000;

/** Waits until VS Code has seen what was written: its merge editor begins anew only where it finds conflict markers. */
async function readAnew(file: vscode.Uri): Promise<void> {
  const plain = (text: string): string => text.replace(/\r\n?/g, '\n').replace(/^\ufeff/, '');
  const written = plain(new TextDecoder().decode(await vscode.workspace.fs.readFile(file)));
  const document = await vscode.workspace.openTextDocument(file);
  const end = Date.now() + patienceMs;
  while (!document.isDirty && plain(document.getText()) !== written && Date.now() < end)
    await new Promise((resolve) => setTimeout(resolve, 50));
}
