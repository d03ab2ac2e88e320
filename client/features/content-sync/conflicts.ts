import path from 'node:path';
import * as vscode from 'vscode';
import { keepText } from '../../../server/api/content/content-folder.ts';
import { abortMerge, acknowledge, forget, type MergeState, removalOf } from '../../../server/api/content/merges.ts';
import type { Comparison } from '../../../server/core/content/compare.ts';
import { contentKey } from '../../../server/core/content/content-object.ts';
import { wordOf } from '../../../server/core/content/plan.ts';
import { UserError } from '../../infrastructure/errors.ts';
import type { Services } from '../../infrastructure/services.ts';
import { profileLabel } from '../../infrastructure/session/profile.ts';
import { type ContentState, type Known, orBusy } from './content-state.ts';
import { createMerging, type Merging } from './merging.ts';

export interface Conflicts extends vscode.Disposable {
  /** Asks how an object that both sides changed, or that one side deleted, goes on. */
  resolve(key: string): Promise<void>;
  readonly merge: Merging['merge'];
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
export function createConflicts(services: Services, state: ContentState, actions: ConflictActions): Conflicts {
  const { session } = services;
  const merging = createMerging(services, state, { compare: actions.compare, ask: resolve });

  async function resolve(key: string): Promise<void> {
    const pending = state.known?.merges.find(({ merge }) => contentKey(merge.remote) === key);
    if (pending) return choose(`${pending.merge.path} is being merged`, mergingChoices(pending, key));
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
          act: () => merging.merge(key),
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
        act: () => merging.open(pending),
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
        act: () => merging.accept(key),
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

  return { resolve, merge: merging.merge, dispose: () => merging.dispose() };
}

function reasonOf({ state, local, remote }: Comparison): string {
  if (state === 'unknownBase') return 'file and account differ, and nothing here says what they had in common';
  if (!remote)
    return local && state === 'deletedRemotely' ? 'deleted in the account' : 'changed here, deleted in the account';
  return local ? 'changed here and in the account' : 'deleted here, changed in the account';
}
