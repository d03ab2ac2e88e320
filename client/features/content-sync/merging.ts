import path from 'node:path';
import * as vscode from 'vscode';
import { beginMerge, hunksOf, type PendingMerge, settleMerges } from '../../../server/api/content/merges.ts';
import { contentKey } from '../../../server/core/content/content-object.ts';
import { conflictsIn } from '../../../server/core/content/merge.ts';
import { UserError } from '../../infrastructure/errors.ts';
import { plainMessage } from '../../infrastructure/plain-text.ts';
import type { Services } from '../../infrastructure/services.ts';
import { type ContentState, orBusy, pathIn } from './content-state.ts';
import { openMerge } from './merge-editor.ts';

export interface Merging extends vscode.Disposable {
  /** Merges at once where that is possible, and asks where it is not. */
  merge(key: string): Promise<void>;
  open(pending: PendingMerge): Promise<void>;
  /** What is in the file now is meant: a person said so. */
  accept(key: string): Promise<void>;
}

export interface MergingActions {
  readonly compare: (key: string) => Promise<void>;
  /** Asks about what cannot be merged, because one side has nothing. */
  readonly ask: (key: string) => Promise<void>;
}

/** Merges from their beginning to the save that ends them. */
export function createMerging(services: Services, state: ContentState, { compare, ask }: MergingActions): Merging {
  const { commands } = services;
  const open = (pending: PendingMerge): Promise<void> => openMerge(pending, services, state);

  async function merge(key: string): Promise<void> {
    const merging = state.known?.merges.find((candidate) => contentKey(candidate.merge.remote) === key);
    if (merging) return open(merging.merge);
    const { found, known } = state.comparisonOf(key);
    if (!found.local || !found.remote) return ask(key);
    const local = known.comparison.folder.objects.get(key);
    const uri = local && vscode.Uri.file(path.join(known.options.root, local.path));
    const shown = vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri?.toString());
    if (shown?.isDirty) throw new UserError(`${local?.path} has unsaved changes. Save or revert them, then merge.`);
    const begun = await orBusy(beginMerge(known.comparison, known.options, key));
    await state.compareFiles();
    if (begun.kind === 'refused') throw new UserError(begun.message);
    if (begun.kind === 'merged') {
      void vscode.window.showInformationMessage(
        plainMessage(`${begun.path} holds both sides now: they had changed different lines. The next plan deploys it.`),
      );
      await compare(key);
      return;
    }
    await open(begun.merge);
    const taken = begun.sides.merged.filter(({ from }) => from === 'remote').map(({ field }) => field);
    if (taken.length > 0)
      void vscode.window.showInformationMessage(
        plainMessage(
          `To decide: ${begun.sides.conflicts.join(', ')}. Taken over from the account, which alone changed it: ${taken.join(', ')}.`,
        ),
      );
  }

  async function accept(key: string): Promise<void> {
    const { known } = state;
    if (!known) throw new UserError('The comparison is out of date. Compare again.');
    await orBusy(settleMerges(known.options, new Set([key])));
    await state.compareFiles();
  }

  // An autosave in the middle is nobody's word that anything is done or forgotten.
  const byHand = new Set<string>();
  const saving = vscode.workspace.onWillSaveTextDocument(({ document, reason }) => {
    if (reason === vscode.TextDocumentSaveReason.Manual) byHand.add(document.uri.toString());
  });
  const saved = vscode.workspace.onDidSaveTextDocument(({ uri }) => {
    const manual = byHand.delete(uri.toString());
    void commands.guard('Ending the merge', () => afterSave(uri, manual));
  });

  async function afterSave(uri: vscode.Uri, manual: boolean): Promise<void> {
    const { known } = state;
    const file = known && pathIn(known.options.root, uri);
    const before = known?.merges.find(({ merge: pending }) => pending.path === file);
    if (!before) return;
    const next = await state.compareFiles();
    const after = next?.merges.find(({ merge: pending }) => pending.path === file);
    const key = contentKey(before.merge.remote);
    if (!after) {
      const deploy = 'Deploy This File';
      const picked = await vscode.window.showInformationMessage(
        plainMessage(`${file} is merged. The next plan deploys it.`),
        deploy,
      );
      if (picked === deploy) await vscode.commands.executeCommand('lql.deployFile', uri);
      return;
    }
    if (!manual || after.kind !== 'undecided') return;
    const done = 'It Is Merged';
    const places = `${after.places} of ${conflictsIn(hunksOf(after.merge))} places`;
    const picked = await vscode.window.showWarningMessage(
      plainMessage(
        `${places} that both sides changed still say what was there before. The merge goes on until they are decided.`,
      ),
      done,
      'Go On Merging',
    );
    if (picked === done) await accept(key);
    else if (picked !== undefined) await open(after.merge);
  }

  return { merge, open, accept, dispose: () => vscode.Disposable.from(saving, saved).dispose() };
}
