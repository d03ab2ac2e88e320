import * as vscode from 'vscode';
import { writeContentFile } from '../../../server/api/content/content-folder.ts';
import { type ContentOptions, planDeployment } from '../../../server/api/content/content-sync.ts';
import { noteChanges } from '../../../server/api/content/note-changes.ts';
import type { OperationResult } from '../../../server/core/content/apply.ts';
import { type Comparison, compare } from '../../../server/core/content/compare.ts';
import { type ContentFields, contentKey, type RemoteObject } from '../../../server/core/content/content-object.ts';
import { readContentFile } from '../../../server/core/content/files/content-file.ts';
import { defaultLayout } from '../../../server/core/content/files/file-names.ts';
import { updatedFileText } from '../../../server/core/content/files/write-file.ts';
import { UserError } from '../../infrastructure/errors.ts';
import { plainMessage } from '../../infrastructure/plain-text.ts';
import type { Services } from '../../infrastructure/services.ts';
import { profileLabel } from '../../infrastructure/session/profile.ts';
import { type ContentState, isUnsavedIn, type Known, pathIn } from './content-state.ts';
import type { Deployments } from './deployments.ts';

export interface Policies {
  /** Enables or disables policies in the account, and says so in their files. Without keys: those at the cursor, else a choice. */
  setEnabled(enabled: boolean, keys: readonly string[]): Promise<void>;
}

/** Policies are switched by a plan of their own that changes nothing else, whatever else the files say. */
export function createPolicies({ session }: Services, state: ContentState, deployments: Deployments): Policies {
  return {
    async setEnabled(enabled, given) {
      const editor = vscode.window.activeTextEditor;
      const known = await state.compare();
      const named = given.length > 0 ? given : atCursor(known, editor);
      const keys = named.length > 0 ? named : await pick(known, enabled);
      if (keys.length === 0) return;
      const wanted = new Map<string, Comparison>();
      for (const key of keys) {
        const remote = known.comparison.remote.get(key);
        if (remote?.kind !== 'policy')
          throw new UserError(
            `${key.split('\n')[1] ?? key} is no policy of ${profileLabel(session.profile)}. Deploy it first.`,
          );
        // The vendor's own policies can be switched too, and nothing else of them can be changed.
        const before: RemoteObject = { ...remote, vendorOwned: false };
        const local = { ...remote, fields: { ...remote.fields, enabled } };
        wanted.set(key, compare(remote, { base: before, local, remote: before, wasSynchronised: true }));
      }
      if ([...wanted.values()].every(({ state: of }) => of === 'inSync')) {
        void vscode.window.showInformationMessage(
          plainMessage(
            `${keys.length === 1 ? 'The policy is' : 'The policies are'} ${enabled ? 'enabled' : 'disabled'} already.`,
          ),
        );
        return;
      }
      const comparisons = known.comparison.comparisons.map((it) => wanted.get(contentKey(it)) ?? it);
      const request = { prune: false, only: new Set(keys), overwrite: new Set<string>() };
      const plan = planDeployment({ ...known.comparison, comparisons }, known.options, request);
      await deployments.review(plan, known.options, {
        done: (results, options) => noteSwitched(known, results, enabled, options),
      });
    },
  };

  async function pick(known: Known, enabled: boolean): Promise<readonly string[]> {
    const items = [...known.comparison.remote]
      .filter(([, { kind, fields }]) => kind === 'policy' && fields['enabled'] === !enabled)
      .map(([key, { id, remoteId, fields, vendorOwned }]) => ({
        label: String(fields['title'] ?? id),
        description: `${remoteId} · ${String(fields['severity'] ?? '')}${vendorOwned ? ' · the vendor’s' : ''}`,
        detail: Array.isArray(fields['tags']) ? fields['tags'].join(', ') : '',
        key,
      }));
    const word = enabled ? 'Enable' : 'Disable';
    if (items.length === 0)
      throw new UserError(`${profileLabel(session.profile)} has no policy that could be ${word.toLowerCase()}d.`);
    const picked = await vscode.window.showQuickPick(items, {
      canPickMany: true,
      title: `${word} Policies of ${profileLabel(session.profile)}`,
      placeHolder: 'By title, id, severity or tag',
      matchOnDescription: true,
      matchOnDetail: true,
    });
    return (picked ?? []).map(({ key }) => key);
  }
}

/** The policy in which the cursor stands, or the only one of the file. */
function atCursor({ options }: Known, editor: vscode.TextEditor | undefined): readonly string[] {
  const file = editor && pathIn(options.root, editor.document.uri);
  if (!editor || file === undefined) return [];
  const text = editor.document.getText();
  const found = readContentFile(file, text, options.layout ?? defaultLayout, options.account.names).objects.filter(
    ({ kind }) => kind === 'policy',
  );
  const offset = editor.document.offsetAt(editor.selection.active);
  const here = found.length === 1 ? found : found.filter(({ range }) => range.start <= offset && offset <= range.end);
  return here.slice(0, 1).map(contentKey);
}

/**
 * The one field is the same on both sides now, and that is all that is noted: what else differed, differs still, and is neither the file's
 * change nor seen by anybody because of this.
 */
async function noteSwitched(
  { comparison }: Known,
  results: readonly OperationResult[],
  enabled: boolean,
  options: ContentOptions,
): Promise<void> {
  const { root, account, layout = defaultLayout } = options;
  const switched = (fields: ContentFields): ContentFields => ({ ...fields, enabled });
  const unsaved = isUnsavedIn(root);
  const done = results.flatMap(({ operation, outcome }) => (outcome.kind === 'done' ? [contentKey(operation)] : []));
  await noteChanges(results, comparison, options);
  for (const key of done) {
    const local = comparison.folder.objects.get(key);
    const text = local && comparison.folder.files.find(({ path }) => path === local.path)?.text;
    if (!local || text === undefined) continue;
    const next = updatedFileText(text, local, { ...local, fields: switched(local.fields) });
    const holds =
      next !== undefined &&
      readContentFile(local.path, next, layout, account.names).objects.some((it) => contentKey(it) === key);
    const written = holds && !unsaved(local.path) && (await writeContentFile(root, local.path, next, text));
    if (!written)
      void vscode.window.showWarningMessage(
        plainMessage(
          `${local.path} could not be changed. Write “enabled: ${enabled}” there, or the next plan takes the change back.`,
        ),
      );
  }
}
