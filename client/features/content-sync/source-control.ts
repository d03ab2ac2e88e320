import path from 'node:path';
import * as vscode from 'vscode';
import type { MergeState } from '../../../server/api/content/merges.ts';
import type { Comparison, SyncState } from '../../../server/core/content/compare.ts';
import { contentKey } from '../../../server/core/content/content-object.ts';
import { wordOf } from '../../../server/core/content/plan.ts';
import type { Known } from './content-state.ts';
import { since } from './since.ts';

export type GroupId = 'conflicts' | 'toDeploy' | 'toPull';

/** One object in the source control view. */
export interface ContentResource extends vscode.SourceControlResourceState {
  readonly key: string;
}

export interface ContentSourceControl extends vscode.Disposable {
  show(known: Known): void;
}

const groupTitles: readonly (readonly [GroupId, string])[] = [
  ['conflicts', 'Conflicts'],
  ['toDeploy', 'To Deploy'],
  ['toPull', 'To Pull'],
];

/** Which group an object stands in; undefined for what needs nothing. */
export function groupOf(state: SyncState): GroupId | undefined {
  switch (state) {
    case 'conflict':
    case 'unknownBase':
    case 'deletedRemotely':
      return 'conflicts';
    case 'localAhead':
    case 'localOnly':
    case 'deletedLocally':
      return 'toDeploy';
    case 'remoteAhead':
    case 'remoteOnly':
      return 'toPull';
    case 'inSync':
    case 'vendorOwned':
      return undefined;
  }
}

export const stateWords: { readonly [state in SyncState]: string } = {
  inSync: 'in sync',
  vendorOwned: 'belongs to the vendor',
  conflict: 'changed on both sides',
  unknownBase: 'different, and nothing here says since when',
  deletedRemotely: 'deleted in the account',
  localAhead: 'changed here',
  localOnly: 'new here',
  deletedLocally: 'deleted here',
  remoteAhead: 'changed in the account',
  remoteOnly: 'new in the account',
};

const icons: { readonly [state in SyncState]?: string } = {
  conflict: 'warning',
  unknownBase: 'question',
  deletedRemotely: 'warning',
  localAhead: 'edit',
  localOnly: 'add',
  deletedLocally: 'trash',
  remoteAhead: 'cloud-download',
  remoteOnly: 'cloud',
};

/** The account beside the files, as git shows a branch. */
export function createContentSourceControl(
  root: string,
  accountLabel: string,
  originalOf: (file: vscode.Uri) => vscode.Uri | undefined,
): ContentSourceControl {
  const control = vscode.scm.createSourceControl('lql', `LQL: ${accountLabel}`, vscode.Uri.file(root));
  control.inputBox.visible = false;
  // The bars beside the text show what differs from the account, and nothing of how the file is laid out.
  control.quickDiffProvider = { provideOriginalResource: originalOf };
  const groups = new Map(
    groupTitles.map(([id, title]) => {
      const group = control.createResourceGroup(id, title);
      group.hideWhenEmpty = true;
      return [id, group] as const;
    }),
  );
  return {
    show({ comparison: { comparisons, folder }, merges }) {
      const states = new Map<GroupId, ContentResource[]>(groupTitles.map(([id]) => [id, []]));
      for (const merging of merges) states.get('conflicts')?.push(mergingResource(merging, root));
      for (const comparison of comparisons) {
        const file = folder.objects.get(contentKey(comparison))?.path;
        const group = groupOf(comparison.state);
        if (group) states.get(group)?.push(resourceOf(comparison, root, file));
      }
      // A view without anything in it would not say that there is nothing to do.
      const nothing = [...states.values()].every(({ length }) => length === 0);
      for (const [id, group] of groups) {
        group.hideWhenEmpty = id === 'conflicts' || !nothing;
        group.resourceStates = states.get(id) ?? [];
      }
      control.count = [...states.values()].reduce((sum, { length }) => sum + length, 0);
    },
    dispose: () => control.dispose(),
  };
}

/** How many objects stand in each group. */
export function countsOf({ comparison, merges }: Known): { readonly [group in GroupId]: number } {
  const counts = { conflicts: merges.length, toDeploy: 0, toPull: 0 };
  for (const { state } of comparison.comparisons) {
    const group = groupOf(state);
    if (group) counts[group]++;
  }
  return counts;
}

function mergingResource({ kind, merge }: MergeState, root: string): ContentResource {
  const key = contentKey(merge.remote);
  const subject = `${wordOf(merge.remote.kind)} ${merge.remote.id}`;
  return {
    key,
    resourceUri: vscode.Uri.file(path.join(root, merge.path)),
    contextValue: 'merging',
    command: { command: 'lql.mergeContent', title: 'Go on merging', arguments: [{ key }] },
    decorations: {
      tooltip: `${subject}: being merged${kind === 'undecided' ? ', places are still undecided' : ''}`,
      iconPath: new vscode.ThemeIcon('git-merge'),
    },
  };
}

function resourceOf(comparison: Comparison, root: string, file: string | undefined): ContentResource {
  const { kind, id, state, remote } = comparison;
  const key = contentKey(comparison);
  const mine = groupOf(state) === 'toDeploy';
  const by = remote?.updateUser === undefined || mine ? '' : ` by ${remote.updateUser}`;
  const when = remote?.updateTime === undefined || mine ? '' : `, ${since(remote.updateTime, Date.now())}`;
  const icon = icons[state];
  const enabled = kind === 'policy' && remote ? (remote.fields['enabled'] === true ? ' enabled' : ' disabled') : '';
  return {
    key,
    // What has no file yet is named by its id.
    resourceUri: vscode.Uri.file(path.join(root, file ?? id.replace(/[\\/]/g, ' '))),
    // Menus ask for the state, the kind, and whether a policy is enabled.
    contextValue: `${state} ${kind}${enabled}`,
    command: { command: 'lql.compareDeployed', title: 'Compare with the account', arguments: [{ key }] },
    decorations: {
      tooltip: `${wordOf(kind)} ${id}: ${stateWords[state]}${by}${when}`,
      strikeThrough: state === 'deletedLocally' || state === 'deletedRemotely',
      ...(icon === undefined ? {} : { iconPath: new vscode.ThemeIcon(icon) }),
    },
  };
}
