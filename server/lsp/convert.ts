/** Between our words (offsets, kinds) and those of the Language Server Protocol. */
import {
  CompletionItemKind,
  DiagnosticSeverity,
  DiagnosticTag,
  FoldingRangeKind,
  type MarkupContent,
  MarkupKind,
  type Range,
  SymbolKind,
  type TextEdit as WireTextEdit,
  type WorkspaceEdit,
} from 'vscode-languageserver/node';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { type Region, toDocumentEdits } from '../core/documents/region.ts';
import type { ResourceKind } from '../core/documents/resources/resource-kinds.ts';
import type { Severity } from '../core/language/diagnostics/diagnostic.ts';
import type { CompletionKind } from '../core/language/features/completion/completion-item.ts';
import type { DocumentSymbol } from '../core/language/features/document-symbols.ts';
import { plainText } from '../core/language/features/markdown.ts';
import type { SemanticToken, SemanticTokenKind } from '../core/language/features/semantic-tokens.ts';
import type { TextEdit } from '../core/text/edits.ts';
import type { TextRange } from '../core/text/range.ts';
import type { OpenDocument } from './open-documents.ts';

export function toRange(content: TextDocument, range: TextRange): Range {
  return { start: content.positionAt(range.start), end: content.positionAt(range.end) };
}

export function toTextEdits(content: TextDocument, edits: readonly TextEdit[]): WireTextEdit[] {
  return edits.map(({ range, newText }) => ({ range: toRange(content, range), newText }));
}

/** Edits of a document in the version that it has now. */
export function documentEdit({ uri, content }: OpenDocument, edits: readonly TextEdit[]): WorkspaceEdit {
  return { documentChanges: [{ textDocument: { uri, version: content.version }, edits: toTextEdits(content, edits) }] };
}

/** Edits of a query as edits of its document; undefined where the document cannot hold what they write. */
export function queryEdit(
  document: OpenDocument,
  region: Region,
  edits: readonly TextEdit[],
): WorkspaceEdit | undefined {
  const outer = toDocumentEdits(region, edits);
  return outer && documentEdit(document, outer);
}

/** The same edits for an editor that does not take them by versions of documents. */
export function withoutVersions({ documentChanges = [] }: WorkspaceEdit): WorkspaceEdit {
  const changes: { [uri: string]: WireTextEdit[] } = {};
  for (const change of documentChanges) {
    if (!('textDocument' in change)) continue;
    const { uri } = change.textDocument;
    changes[uri] = [...(changes[uri] ?? []), ...(change.edits as WireTextEdit[])];
  }
  return { changes };
}

/** Our Markdown as the editor takes it. */
export function markup(markdown: string, takesMarkdown: boolean): MarkupContent {
  return takesMarkdown
    ? { kind: MarkupKind.Markdown, value: markdown }
    : { kind: MarkupKind.PlainText, value: plainText(markdown) };
}

export const severities: Readonly<Record<Severity, DiagnosticSeverity>> = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  info: DiagnosticSeverity.Information,
  hint: DiagnosticSeverity.Hint,
};

export const diagnosticTags = {
  unnecessary: DiagnosticTag.Unnecessary,
  deprecated: DiagnosticTag.Deprecated,
} as const;

export const completionKinds: Readonly<Record<CompletionKind, CompletionItemKind>> = {
  keyword: CompletionItemKind.Keyword,
  operator: CompletionItemKind.Operator,
  datasource: CompletionItemKind.Class,
  family: CompletionItemKind.Module,
  column: CompletionItemKind.Field,
  alias: CompletionItemKind.Variable,
  function: CompletionItemKind.Function,
  key: CompletionItemKind.Property,
  relationship: CompletionItemKind.Reference,
  type: CompletionItemKind.TypeParameter,
  snippet: CompletionItemKind.Snippet,
  status: CompletionItemKind.Event,
};

export const symbolKinds: Readonly<Record<DocumentSymbol['kind'], SymbolKind>> = {
  query: SymbolKind.Function,
  block: SymbolKind.Namespace,
  datasource: SymbolKind.Class,
  expansion: SymbolKind.Array,
  column: SymbolKind.Field,
};

export const resourceSymbolKinds: Readonly<Record<ResourceKind, SymbolKind>> = {
  query: SymbolKind.Function,
  policy: SymbolKind.Event,
  alertProfile: SymbolKind.Struct,
  exception: SymbolKind.Constant,
};

export const resourceWords: Readonly<Record<ResourceKind, string>> = {
  query: 'query',
  policy: 'policy',
  alertProfile: 'alert profile',
  exception: 'policy exception',
};

export const foldingKinds = { comment: FoldingRangeKind.Comment, block: FoldingRangeKind.Region } as const;

/** Names from the protocol's own list, so that every theme colours them. */
const tokenTypes: Readonly<Record<SemanticTokenKind, string>> = {
  datasource: 'class',
  alias: 'variable',
  column: 'property',
  expansion: 'parameter',
  key: 'enumMember',
  function: 'function',
  type: 'type',
  query: 'namespace',
};

export const tokenLegend = {
  tokenTypes: [...new Set(Object.values(tokenTypes))],
  tokenModifiers: ['declaration', 'deprecated'],
};

/** The protocol's five numbers for each token. Tokens must be in order and on one line each; others are left out. */
export function encodeTokens(content: TextDocument, tokens: readonly SemanticToken[]): number[] {
  const data: number[] = [];
  let line = 0;
  let character = 0;
  for (const { range, kind, declaration, deprecated } of tokens) {
    const { start, end } = toRange(content, range);
    if (start.line !== end.line) continue;
    const deltaLine = start.line - line;
    data.push(
      deltaLine,
      deltaLine === 0 ? start.character - character : start.character,
      end.character - start.character,
      tokenLegend.tokenTypes.indexOf(tokenTypes[kind]),
      (declaration ? 1 : 0) | (deprecated ? 2 : 0),
    );
    line = start.line;
    character = start.character;
  }
  return data;
}
