import path from 'node:path';
import * as vscode from 'vscode';
import { keepText } from '../../../server/api/content/content-folder.ts';
import {
  abortMerge,
  acknowledge,
  beginMerge,
  forget,
  hunksOf,
  type MergeState,
  type PendingMerge,
  removalOf,
  settleMerges,
} from '../../../server/api/content/merges.ts';
import type { Comparison } from '../../../server/core/content/compare.ts';
import { contentKey } from '../../../server/core/content/content-object.ts';
import { conflictsIn } from '../../../server/core/content/merge.ts';
import { wordOf } from '../../../server/core/content/plan.ts';
import { UserError } from '../../infrastructure/errors.ts';
import { plainMessage } from '../../infrastructure/plain-text.ts';
import type { Services } from '../../infrastructure/services.ts';
import { profileLabel } from '../../infrastructure/session/profile.ts';
import { type ContentState, type Known, orBusy, pathIn } from './content-state.ts';

export interface Conflicts extends vscode.Disposable {
  /** Asks how an object that both sides changed, or that one side deleted, goes on. */
  resolve(key: string): Promise<void>;
  /** Merges at once where that is possible, and asks where it is not. */
  merge(key: string): Promise<void>;
}

export interface ConflictActions {
  readonly compare: (key: string) => Promise<void>;
  /** Brings the account's side into the files. */
  readonly take: (key: string) => Promise<void>;
}

interface Choice extends vscode.QuickPickItem {
  readonly act: () => unknown;
}

/** What only a person can decide. Every way ends in a clear state, and no text is lost: what is replaced is kept in `.lql/texts`. */
export function createConflicts(
  { session, log, commands }: Services,
  state: ContentState,
  actions: ConflictActions,
): Conflicts {
  async function resolve(key: string): Promise<void> {
    const merging = state.known?.merges.find(({ merge }) => contentKey(merge.remote) === key);
    if (merging) return choose(`${merging.merge.path} is being merged`, mergingChoices(merging, key));
    const { found } = state.comparisonOf(key);
    const by = found.remote?.updateUser === undefined ? '' : `, last by ${found.remote.updateUser}`;
    await choose(`${wordOf(found.kind)} ${found.id}: ${reasonOf(found)}${by}`, choicesFor(found, key));
  }

  async function choose(title: string, choices: readonly Choice[]): Promise<void> {
    const picked = await vscode.window.showQuickPick(choices, { title, ignoreFocusOut: true });
    await picked?.act();
  }

  function choicesFor(found: Comparison, key: string): Choice[] {
    const account = profileLabel(session.profile);
    const compare: Choice = {
      label: '$(diff) Compare',
      detail: 'Look at both sides first. Nothing changes.',
      act: () => actions.compare(key),
    };
    if (found.local && found.remote) {
      return [
        {
          label: '$(git-merge) Merge…',
          detail: 'Put both sides together, place by place. What one side alone changed is taken over.',
          act: () => merge(key),
        },
        compare,
        {
          label: '$(cloud-download) Take the account’s side',
          detail: 'The file’s text is kept in .lql/texts.',
          act: () => actions.take(key),
        },
        {
          label: '$(file) Keep the file’s side',
          detail: `The next plan changes ${account}. Nothing is written there now.`,
          act: () => keepFile(key),
        },
      ];
    }
    if (found.local) {
      return [
        compare,
        {
          label: '$(add) Keep the file',
          detail: `The next plan creates it in ${account} again. Nothing is written there now.`,
          act: () => settle((options) => forget(found, options)),
        },
        {
          label: '$(trash) Delete it here too',
          detail: 'Its text is kept in .lql/texts. Other objects in the file stay.',
          act: () => deleteHere(key),
        },
      ];
    }
    return [
      compare,
      {
        label: '$(cloud-download) Bring it back',
        detail: 'Write the account’s version into a file.',
        act: () => actions.take(key),
      },
      {
        label: '$(trash) Delete it in the account too',
        detail: `The next plan deletes it in ${account}. Nothing is written there now.`,
        act: () => keepFile(key),
      },
    ];
  }

  function mergingChoices({ kind, merge: pending }: MergeState, key: string): Choice[] {
    const choices: Choice[] = [
      {
        label: '$(git-merge) Go on merging',
        detail: 'Save the file without conflict markers, and the merge is done.',
        act: () => openMerge(pending),
      },
      {
        label: '$(discard) Abort the merge',
        detail: 'The file gets the text that it had before.',
        act: () => settle((options) => abortMerge(pending, options)),
      },
    ];
    if (kind === 'undecided')
      choices.splice(1, 0, {
        label: '$(check) It is merged',
        detail: 'What is in the file now is meant, although it says in places what was there before both changes.',
        act: () => accept(key),
      });
    return choices;
  }

  /** What was seen of the account is from now on what both sides had in common; the file is what holds. */
  async function keepFile(key: string): Promise<void> {
    const { found } = state.comparisonOf(key);
    const { remote } = found;
    if (remote) await settle((options) => acknowledge([remote], options));
  }

  async function settle(work: (options: Known['options']) => Promise<void>): Promise<void> {
    const { known } = state;
    if (!known) throw new UserError('The comparison is out of date. Compare again.');
    await orBusy(work(known.options));
    await state.compareFiles();
  }

  async function deleteHere(key: string): Promise<void> {
    const { known } = state.comparisonOf(key);
    const { comparison, options } = known;
    const removal = removalOf(comparison, options, key);
    if (removal.kind === 'refused') throw new UserError(removal.message);
    const uri = vscode.Uri.file(path.join(options.root, removal.path));
    const document = await vscode.workspace.openTextDocument(uri);
    if (document.isDirty || document.getText().replace(/\r\n/g, '\n') !== removal.before.replace(/\r\n/g, '\n'))
      throw new UserError(`${removal.path} was changed meanwhile. Save it and try again.`);
    await keepText(options.root, removal.before);
    const edit = new vscode.WorkspaceEdit();
    if (removal.text === undefined) edit.deleteFile(uri, { ignoreIfNotExists: true });
    else edit.replace(uri, new vscode.Range(0, 0, document.lineCount, 0), removal.text);
    // By way of the editor, so that it can be undone there too.
    if (!(await vscode.workspace.applyEdit(edit))) throw new UserError(`${removal.path} could not be changed.`);
    if (removal.text !== undefined) await document.save();
    await state.compareFiles();
  }

  async function merge(key: string): Promise<void> {
    const merging = state.known?.merges.find((candidate) => contentKey(candidate.merge.remote) === key);
    if (merging) return openMerge(merging.merge);
    const { found, known } = state.comparisonOf(key);
    if (!found.local || !found.remote) return resolve(key);
    const local = known.comparison.folder.objects.get(key);
    const uri = local && vscode.Uri.file(path.join(known.options.root, local.path));
    const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri?.toString());
    if (open?.isDirty) throw new UserError(`${local?.path} has unsaved changes. Save or revert them, then merge.`);
    const begun = await orBusy(beginMerge(known.comparison, known.options, key));
    await state.compareFiles();
    if (begun.kind === 'refused') throw new UserError(begun.message);
    if (begun.kind === 'merged') {
      void vscode.window.showInformationMessage(
        plainMessage(`${begun.path} holds both sides now: they had changed different lines. The next plan deploys it.`),
      );
      await actions.compare(key);
      return;
    }
    await openMerge(begun.merge);
    const taken = begun.sides.merged.filter(({ from }) => from === 'remote').map(({ field }) => field);
    if (taken.length > 0)
      void vscode.window.showInformationMessage(
        plainMessage(
          `To decide: ${begun.sides.conflicts.join(', ')}. Taken over from the account, which alone changed it: ${taken.join(', ')}.`,
        ),
      );
  }

  async function openMerge(pending: PendingMerge): Promise<void> {
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
    const editor = await vscode.window.showTextDocument(output);
    const first = editor.document.getText().search(/^<{7}/m);
    if (first >= 0)
      editor.revealRange(new vscode.Range(editor.document.positionAt(first), editor.document.positionAt(first)));
  }

  async function accept(key: string): Promise<void> {
    await settle(async (options) => {
      await settleMerges(options, new Set([key]));
    });
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
    else if (picked !== undefined) await openMerge(after.merge);
  }

  return { resolve, merge, dispose: () => vscode.Disposable.from(saving, saved).dispose() };
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

function reasonOf({ state, local, remote }: Comparison): string {
  if (state === 'unknownBase') return 'file and account differ, and nothing here says what they had in common';
  if (!remote)
    return local && state === 'deletedRemotely' ? 'deleted in the account' : 'changed here, deleted in the account';
  return local ? 'changed here and in the account' : 'deleted here, changed in the account';
}
