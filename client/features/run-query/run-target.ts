import * as vscode from 'vscode';
import type { RegionInfo } from '../../../server/lsp/protocol.ts';
import { UserError } from '../../infrastructure/errors.ts';
import type { LanguageServer } from '../../infrastructure/language/language-server.ts';
import type { ResultColumn } from '../../infrastructure/runs.ts';

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

/** The selection when there is one, else the query at the cursor, else the only query of the document. Throws UserError. */
export async function targetInEditor(editor: vscode.TextEditor, language: LanguageServer): Promise<RunTarget> {
  const { document, selection } = editor;
  if (!selection.isEmpty && document.getText(selection).includes('{')) {
    return target(document, { text: document.getText(selection), range: selection });
  }
  return targetAt(document, selection.active, language);
}

export async function targetAt(
  document: vscode.TextDocument,
  position: vscode.Position,
  language: LanguageServer,
): Promise<RunTarget> {
  const regions = await regionsOf(document, language);
  const found =
    regions.find(({ range }) => range.contains(position)) ??
    // A comment above a query belongs to it; a cursor on one runs that query.
    regions.find(({ range }) => range.start.isAfterOrEqual(position)) ??
    regions.at(-1);
  if (!found) {
    throw new UserError(
      document.languageId === 'lql'
        ? 'This file holds no query yet. A query has three blocks: { source { … } filter { … } return { … } }.'
        : 'This file holds no query. In YAML and JSON it stands in the field queryText, in Terraform in query_text, in Markdown in a fence ```lql.',
    );
  }
  return target(document, found);
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

function target(document: vscode.TextDocument, { text, range, queryId, columns }: Region): RunTarget {
  return { text, range, columns, uri: document.uri, title: queryId ?? titleOf(document.uri) };
}

function titleOf(uri: vscode.Uri): string {
  const name = uri.path.slice(uri.path.lastIndexOf('/') + 1);
  return name.replace(/\.lql$/, '') || 'Query';
}
