/** Ids across documents: links from where an object is mentioned to where it is defined, and renaming a query everywhere at once. */
import type { DocumentLink, Location, Range, TextDocumentEdit, WorkspaceEdit } from 'vscode-languageserver/node';
import type { Mention } from '../core/workspace/content-index.ts';
import { resourceWords, toRange } from './convert.ts';
import type { LanguageHost } from './language-host.ts';
import type { OpenDocument, OpenDocuments } from './open-documents.ts';

/** Where the object that `mention` speaks of is defined, or what refers to it. */
export function locations(host: LanguageHost, { kind, id }: Mention, role: Mention['role']): Location[] {
  const found = role === 'definition' ? host.index.definitions(kind, id) : host.index.references(kind, id);
  return found.map(({ uri, from, to }) => ({ uri, range: { start: from, end: to } }));
}

/** A link at each mention whose object is in the workspace. */
export function documentLinks(document: OpenDocument, host: LanguageHost): DocumentLink[] {
  return host.mentions(document).flatMap((mention): DocumentLink[] => {
    if (mention.role !== 'reference') return [];
    const [definition] = host.index.definitions(mention.kind, mention.id);
    if (definition === undefined) return [];
    return [
      {
        range: toRange(document.content, mention.range),
        target: `${definition.uri}#L${definition.from.line + 1}`,
        tooltip: `Open the ${resourceWords[mention.kind]} ${mention.id}`,
      },
    ];
  });
}

export type MentionRename =
  | { readonly kind: 'edit'; readonly edit: WorkspaceEdit }
  | { readonly kind: 'refused'; readonly reason: string };

/** The id itself at the place of a mention, without the quotes around it; undefined where it cannot be changed. */
export function renamePlace(
  document: OpenDocument,
  mention: Mention,
): { range: Range; placeholder: string } | undefined {
  const range = idRange(mention);
  if (mention.kind !== 'query' || range === undefined || document.uri !== mention.uri) return undefined;
  return { range, placeholder: mention.id };
}

const queryId = /^[A-Za-z][A-Za-z0-9_]*$/;
const longestId = 100;

/** Writes another id wherever the query is defined and mentioned, in open and in closed documents. */
export function renameMention(
  host: LanguageHost,
  documents: OpenDocuments,
  { kind, id }: Mention,
  newName: string,
): MentionRename {
  const refused = (reason: string): MentionRename => ({ kind: 'refused', reason });
  if (kind !== 'query') return refused('Only queries can be renamed: the service gives the other objects their ids.');
  if (!queryId.test(newName) || newName.length > longestId)
    return refused(
      `'${newName}' cannot be the id of a query: it begins with a letter, and letters, digits and underscores follow.`,
    );
  if (newName === id) return { kind: 'edit', edit: { documentChanges: [] } };
  if (host.index.definitions('query', newName).length > 0)
    return refused(`There is a query '${newName}' already. Choose another id.`);
  const mentions = [...host.index.definitions('query', id), ...host.index.references('query', id)];
  const changes = new Map<string, TextDocumentEdit>();
  for (const mention of mentions) {
    const range = idRange(mention);
    if (range === undefined)
      return refused(
        `'${id}' also stands in ${mention.uri}, where its place is not known. Rename it there by hand first.`,
      );
    const { uri } = mention;
    const version = documents.get(uri)?.content.version ?? null;
    const change = changes.get(uri) ?? { textDocument: { uri, version }, edits: [] };
    change.edits.push({ range, newText: newName });
    changes.set(uri, change);
  }
  return { kind: 'edit', edit: { documentChanges: [...changes.values()] } };
}

/** The id without quotes around it; undefined where something else stands, such as an id written with escapes. */
function idRange({ id, range, from, to }: Mention): Range | undefined {
  const around = range.end - range.start - id.length;
  if (from.line !== to.line || (around !== 0 && around !== 2)) return undefined;
  const quote = around / 2;
  return {
    start: { line: from.line, character: from.character + quote },
    end: { line: to.line, character: to.character - quote },
  };
}
