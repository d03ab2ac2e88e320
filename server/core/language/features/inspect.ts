import { createLineIndex } from '../../text/line-index.ts';
import type { Expression, Node } from '../syntax/ast.ts';
import { childrenOf } from '../syntax/walk.ts';
import { dataTypeOf } from '../types/types.ts';
import type { AnalyzedText } from './analyzed-text.ts';

interface TreeLine {
  readonly depth: number;
  readonly kind: string;
  readonly start: number;
  readonly end: number;
  readonly type?: string;
  readonly text?: string;
}

/** What the language makes of one query, as plain data. */
export interface QueryPicture {
  readonly queryId: string | undefined;
  readonly tokens: readonly { readonly kind: string; readonly place: string; readonly text: string }[];
  readonly tree: readonly TreeLine[];
  readonly sources: readonly {
    readonly name: string;
    readonly kind: string;
    readonly datasource: string | undefined;
  }[];
  readonly resultColumns: readonly { readonly name: string; readonly dataType: string }[];
  readonly diagnostics: readonly { readonly code: string; readonly place: string; readonly message: string }[];
}

const longestSnippet = 60;
// Trees deeper than the parser's own guard do not occur; the cap keeps this walk safe by itself.
const deepest = 2_000;

export function inspectQuery(query: AnalyzedText, queryId: string | undefined): QueryPicture {
  const { parsed, model, diagnostics } = query;
  const { text } = parsed;
  const lines = createLineIndex(text);
  const place = (offset: number): string => {
    const { line, character } = lines.positionAt(offset);
    return `${line + 1}:${character + 1}`;
  };
  const tree: TreeLine[] = [];
  const visit = (node: Node, depth: number): void => {
    const children = childrenOf(node);
    const { start, end } = node.range;
    const type = model.types.get(node as Expression);
    tree.push({
      depth,
      kind: node.kind,
      start,
      end,
      ...(type === undefined ? {} : { type: dataTypeOf(type) }),
      ...(children.length === 0 ? { text: snippet(text.slice(start, end)) } : {}),
    });
    if (depth < deepest) for (const child of children) visit(child, depth + 1);
  };
  visit(parsed.file, 0);
  return {
    queryId,
    tokens: parsed.tokens.map((token) => ({
      kind: token.kind,
      place: place(token.start),
      text: snippet(text.slice(token.start, token.end)),
    })),
    tree,
    sources: [...model.scopes.values()].flatMap((scope) =>
      scope.sources.map((source) => ({
        name: source.name,
        kind: source.kind,
        datasource: source.kind === 'datasource' ? source.datasource?.name : undefined,
      })),
    ),
    resultColumns: model.resultColumns.map(({ name, type }) => ({ name, dataType: dataTypeOf(type) })),
    diagnostics: diagnostics.map(({ code, range, message }) => ({ code, place: place(range.start), message })),
  };
}

/** The same for a person to read: tokens, tree with types, sources, result columns, diagnostics. */
export function pictureText(shown: QueryPicture): string {
  const sections: readonly (readonly [string, readonly string[]])[] = [
    ['Tokens', shown.tokens.map(({ kind, place, text }) => `${place.padEnd(8)} ${kind.padEnd(16)} ${text}`)],
    [
      'Tree',
      shown.tree.map(({ depth, kind, start, end, type, text }) => {
        const suffix = `${type === undefined ? '' : ` : ${type}`}${text === undefined ? '' : `  ${text}`}`;
        return `${'  '.repeat(depth)}${kind} ${start}–${end}${suffix}`;
      }),
    ],
    ['Sources', shown.sources.map(({ name, kind, datasource }) => `${name} (${datasource ?? kind})`)],
    ['Result columns', shown.resultColumns.map(({ name, dataType }) => `${name} ${dataType}`)],
    ['Diagnostics', shown.diagnostics.map(({ place, message, code }) => `${place.padEnd(8)} ${message} [${code}]`)],
  ];
  const title = shown.queryId === undefined ? '' : `Query ${shown.queryId}\n\n`;
  return title + sections.map(([name, lines]) => `${name}\n${lines.map((line) => `  ${line}\n`).join('')}`).join('\n');
}

function snippet(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length > longestSnippet ? `${line.slice(0, longestSnippet - 1)}…` : line;
}
