import * as vscode from 'vscode';
import type { RegionInfo } from '../../../server/lsp/protocol.ts';
import { UserError } from '../../infrastructure/errors.ts';
import type { LanguageServer } from '../../infrastructure/language/language-server.ts';
import { plainLabel } from '../../infrastructure/plain-text.ts';
import type { ResultColumn } from '../../infrastructure/runs.ts';
import { belongsTo } from './query-at.ts';

/** A query that can be run: its text, and where it stands so that errors can be shown there. */
export interface RunTarget {
  readonly text: string;
  /** The query's id where one is written, else the document's name. */
  readonly title: string;
  readonly uri: vscode.Uri | undefined;
  readonly range: vscode.Range | undefined;
  /** Columns of the result where the language server knows them. */
  readonly columns?: readonly ResultColumn[] | undefined;
}

/** What a place in a document stands for: one query, or several of which none is at the place. */
export type FoundTargets =
  | { readonly kind: 'one'; readonly target: RunTarget }
  | { readonly kind: 'several'; readonly targets: readonly RunTarget[] };

/** The selection when there is one, else the query at the cursor, else all queries of the document. Throws UserError. */
export async function targetsInEditor(editor: vscode.TextEditor, language: LanguageServer): Promise<FoundTargets> {
  const { document, selection } = editor;
  if (!selection.isEmpty && document.getText(selection).includes('{')) {
    return { kind: 'one', target: targetOf(document, { text: document.getText(selection), range: selection }) };
  }
  return targetsAt(document, selection.active, language);
}

export async function targetsAt(
  document: vscode.TextDocument,
  position: vscode.Position,
  language: LanguageServer,
): Promise<FoundTargets> {
  const regions = await regionsOf(document, language);
  if (regions.length === 0) {
    throw new UserError(
      document.languageId === 'lql'
        ? 'This file holds no query yet. A query has three blocks: { source { … } filter { … } return { … } }.'
        : 'This file holds no query. In YAML and JSON it stands in the field queryText, in Terraform in query_text, in Markdown in a fence ```lql.',
    );
  }
  const index = belongsTo(
    position.line,
    regions.map(({ range }) => ({ first: range.start.line, last: range.end.line })),
    (line) => document.lineAt(line).text,
  );
  const found = index === undefined ? undefined : regions[index];
  return found
    ? { kind: 'one', target: targetOf(document, found) }
    : { kind: 'several', targets: regions.map((region) => targetOf(document, region)) };
}

/** Asks which of several queries is meant. Throws CancellationError when the person leaves. */
export async function chooseTarget(found: FoundTargets): Promise<RunTarget> {
  if (found.kind === 'one') return found.target;
  const items = found.targets.map((target) => ({
    target,
    label: plainLabel(target.title),
    description: target.range ? `line ${target.range.start.line + 1}` : '',
    detail: plainLabel(target.text.replace(/\s+/g, ' ').trim().slice(0, 200)),
  }));
  const picked = await vscode.window.showQuickPick(items, {
    title: 'Which query?',
    placeHolder: 'The cursor is in none of them',
    matchOnDetail: true,
  });
  if (!picked) throw new vscode.CancellationError();
  return picked.target;
}

interface Region {
  readonly text: string;
  readonly range: vscode.Range;
  readonly queryId?: string | undefined;
  readonly columns?: readonly ResultColumn[] | undefined;
}

/** The queries of a document. Without a language server a whole LQL file counts as one query, so that running still works. */
export async function regionsOf(document: vscode.TextDocument, language: LanguageServer): Promise<readonly Region[]> {
  const regions = await language.regions(document);
  if (regions) return regions.map(toRegion);
  const text = document.getText();
  if (document.languageId !== 'lql' || text.trim() === '') return [];
  return [{ text, range: new vscode.Range(document.positionAt(0), document.positionAt(text.length)) }];
}

function toRegion({ range, text, queryId, columns }: RegionInfo): Region {
  const { start, end } = range;
  return { text, queryId, columns, range: new vscode.Range(start.line, start.character, end.line, end.character) };
}

function targetOf(document: vscode.TextDocument, { text, range, queryId, columns }: Region): RunTarget {
  return { text, range, columns, uri: document.uri, title: queryId ?? titleOf(document.uri) };
}

function titleOf(uri: vscode.Uri): string {
  const name = uri.path.slice(uri.path.lastIndexOf('/') + 1);
  return name.replace(/\.lql$/, '') || 'Query';
}
