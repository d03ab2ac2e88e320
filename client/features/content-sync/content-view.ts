import path from 'node:path';
import * as vscode from 'vscode';
import { contentKey } from '../../../server/core/content/content-object.ts';
import { readContentFile } from '../../../server/core/content/files/content-file.ts';
import { defaultLayout } from '../../../server/core/content/files/file-names.ts';
import { textAsDeployed } from '../../../server/core/content/files/write-file.ts';
import { createLineIndex } from '../../../server/core/text/line-index.ts';
import { profileLabel } from '../../infrastructure/session/profile.ts';
import { type ContentState, type Known, pathIn } from './content-state.ts';
import { type ContentSourceControl, createContentSourceControl } from './source-control.ts';

/** What is known, in the source control view, in the bars beside the text, and among the problems. */
export function createContentView(state: ContentState): vscode.Disposable {
  const { documents } = state;
  const diagnostics = vscode.languages.createDiagnosticCollection('lql-content');
  // Files whose bars are shown: their originals change with the account.
  const watched = new Set<vscode.Uri>();
  let control: { readonly key: string; readonly view: ContentSourceControl } | undefined;

  function show(known: Known | undefined): void {
    if (!known) {
      control?.view.dispose();
      control = undefined;
      diagnostics.clear();
      return;
    }
    const { options } = known;
    const key = `${options.account.id}\n${options.root}`;
    if (control?.key !== key) {
      control?.view.dispose();
      control = { key, view: createContentSourceControl(options.root, profileLabel(known.profile), originalOf) };
    }
    for (const file of watched) originalOf(file);
    control.view.show(known);
    showProblems(known);
  }

  function showProblems({ comparison: { problems, folder }, options: { root }, merges }: Known): void {
    const byFile = new Map<string, vscode.Diagnostic[]>();
    // That a file with conflict markers cannot be read is no news to whoever merges it.
    const merging = new Set(merges.map(({ merge }) => merge.path));
    for (const { path: of, range, message } of problems) {
      if (of === undefined || merging.has(of)) continue;
      const text = folder.files.find((file) => file.path === of)?.text ?? '';
      const lines = createLineIndex(text);
      const start = lines.positionAt(range?.start ?? 0);
      const place = new vscode.Range(start.line, start.character, start.line, start.character + 1);
      const diagnostic = new vscode.Diagnostic(place, message, vscode.DiagnosticSeverity.Warning);
      diagnostic.source = 'lql content';
      byFile.set(of, [...(byFile.get(of) ?? []), diagnostic]);
    }
    diagnostics.clear();
    for (const [file, found] of byFile) diagnostics.set(vscode.Uri.file(path.join(root, file)), found);
  }

  /** The file as it would be if it said what the account says. */
  function originalOf(file: vscode.Uri): vscode.Uri | undefined {
    const { known } = state;
    const relative = known && pathIn(known.options.root, file);
    if (!known || relative === undefined) return undefined;
    const { comparison, options, merges } = known;
    const found = comparison.folder.files.find((candidate) => candidate.path === relative);
    const merging = merges.find(({ merge }) => merge.path === relative);
    if (!found) return undefined;
    watched.add(file);
    if (merging) return documents.set(`original/${relative}`, merging.merge.account);
    let { text } = found;
    for (const { kind, id } of found.objects) {
      const there = comparison.remote.get(contentKey({ kind, id }));
      const here = readContentFile(relative, text, options.layout ?? defaultLayout, options.account.names).objects.find(
        (object) => object.kind === kind && object.id === id,
      );
      if (there && here) text = textAsDeployed(text, here, there) ?? text;
    }
    return documents.set(`original/${relative}`, text);
  }

  return vscode.Disposable.from(
    diagnostics,
    state.onDidChange(show),
    new vscode.Disposable(() => control?.view.dispose()),
  );
}
