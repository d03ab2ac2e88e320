import path from 'node:path';
import * as vscode from 'vscode';
import { contentKey } from '../../../server/core/content/content-object.ts';
import { wordOf } from '../../../server/core/content/plan.ts';
import { profileLabel } from '../../infrastructure/session/profile.ts';
import type { ContentState, Known } from './content-state.ts';
import { since } from './since.ts';
import { groupOf, stateWords } from './source-control.ts';

interface Mark {
  readonly badge: string;
  readonly color: string;
  readonly lines: readonly string[];
}

const conflictMark = { badge: '!', color: 'list.errorForeground' };
const driftMark = { badge: '↓', color: 'list.warningForeground' };

/** Marks files whose objects were changed in the account without them: what, by whom, when. */
export function createDriftDecorations(state: ContentState): vscode.Disposable {
  const changed = new vscode.EventEmitter<undefined>();
  let marks: ReadonlyMap<string, Mark> = new Map();
  const provider: vscode.FileDecorationProvider = {
    onDidChangeFileDecorations: changed.event,
    provideFileDecoration(uri) {
      const mark = uri.scheme === 'file' ? marks.get(uri.fsPath) : undefined;
      return mark && new vscode.FileDecoration(mark.badge, mark.lines.join('\n'), new vscode.ThemeColor(mark.color));
    },
  };
  return vscode.Disposable.from(
    changed,
    vscode.window.registerFileDecorationProvider(provider),
    state.onDidChange((known) => {
      marks = known ? marksOf(known, Date.now()) : new Map();
      changed.fire(undefined);
    }),
  );
}

function marksOf({ comparison, options, merges, profile }: Known, now: number): ReadonlyMap<string, Mark> {
  const marks = new Map<string, Mark>();
  const add = (file: string, mark: typeof conflictMark, line: string): void => {
    const full = path.join(options.root, file);
    const before = marks.get(full);
    const stronger = before?.badge === conflictMark.badge ? conflictMark : mark;
    marks.set(full, { ...stronger, lines: [...(before?.lines ?? []), line] });
  };
  for (const compared of comparison.comparisons) {
    const file = comparison.folder.objects.get(contentKey(compared))?.path;
    const group = groupOf(compared.state);
    if (file === undefined || (group !== 'conflicts' && group !== 'toPull')) continue;
    const { kind, id, remote } = compared;
    const who = remote?.updateUser === undefined ? '' : ` by ${remote.updateUser}`;
    const when = remote?.updateTime === undefined ? '' : `, ${since(remote.updateTime, now)}`;
    const line = `${wordOf(kind)} ${id}: ${stateWords[compared.state]}${who}${when} (${profileLabel(profile)})`;
    add(file, group === 'conflicts' ? conflictMark : driftMark, line);
  }
  for (const { merge } of merges)
    add(merge.path, conflictMark, `${wordOf(merge.remote.kind)} ${merge.remote.id}: being merged`);
  return marks;
}
