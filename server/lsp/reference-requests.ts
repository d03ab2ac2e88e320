import {
  DocumentHighlightKind,
  type Location,
  LSPErrorCodes,
  type Range,
  ResponseError,
  type WorkspaceEdit,
} from 'vscode-languageserver/node';
import { toDocumentRange } from '../core/documents/region.ts';
import { queryEdit, toRange } from './convert.ts';
import { documentLinks, locations, renameMention, renamePlace } from './mention-edits.ts';
import type { Hit, RequestContext, WithPosition } from './request-context.ts';

/** Where something is defined and used, and its renaming: names within a query, ids across documents. */
export function registerReferenceRequests({
  connection,
  documents,
  onDocument,
  onPosition,
  taken,
}: RequestContext): void {
  connection.onDefinition(
    onDocument<WithPosition, Location[] | Location | null>(
      'textDocument/definition',
      null,
      (document, host, { position }) => {
        const offset = document.content.offsetAt(position);
        const mention = host.mentionAt(document, offset);
        if (mention !== undefined) return locations(host, mention, 'definition');
        const hit = host.at(document, offset);
        const declaration = hit && occurrencesAt({ host, document, ...hit })[0];
        return declaration === undefined ? null : { uri: document.uri, range: declaration.range };
      },
    ),
  );
  connection.onReferences(
    onDocument<WithPosition & { context: { includeDeclaration: boolean } }, Location[]>(
      'textDocument/references',
      [],
      (document, host, { position, context }) => {
        const offset = document.content.offsetAt(position);
        const mention = host.mentionAt(document, offset);
        if (mention !== undefined) {
          const definitions = context.includeDeclaration ? locations(host, mention, 'definition') : [];
          return [...definitions, ...locations(host, mention, 'reference')];
        }
        const hit = host.at(document, offset);
        return (hit === undefined ? [] : occurrencesAt({ host, document, ...hit }))
          .filter(({ kind }) => context.includeDeclaration || kind === 'use')
          .map(({ range }) => ({ uri: document.uri, range }));
      },
    ),
  );
  connection.onDocumentHighlight(
    onPosition('textDocument/documentHighlight', [], (hit) =>
      occurrencesAt(hit).map(({ range, kind }) => ({
        range,
        kind: kind === 'declaration' ? DocumentHighlightKind.Write : DocumentHighlightKind.Read,
      })),
    ),
  );
  connection.languages.onLinkedEditingRange(
    onPosition('textDocument/linkedEditingRange', null, (hit) => {
      if (hit.host.service.prepareRename(hit.view.query, hit.offset) === undefined) return null;
      const ranges = occurrencesAt(hit).map(({ range }) => range);
      return ranges.length < 2 ? null : { ranges };
    }),
  );

  connection.onPrepareRename(
    onDocument<WithPosition, { range: Range; placeholder: string } | null>(
      'textDocument/prepareRename',
      null,
      (document, host, { position }) => {
        const outer = document.content.offsetAt(position);
        const mention = host.mentionAt(document, outer);
        if (mention !== undefined) return renamePlace(document, mention) ?? null;
        const hit = host.at(document, outer);
        const found = hit && host.service.prepareRename(hit.view.query, hit.offset);
        if (hit === undefined || found === undefined) return null;
        const range = toRange(document.content, toDocumentRange(hit.view.region, found.range));
        return { range, placeholder: found.placeholder };
      },
    ),
  );
  connection.onRenameRequest(
    onDocument<WithPosition & { newName: string }, WorkspaceEdit | null>(
      'textDocument/rename',
      null,
      (document, host, { position, newName }) => {
        const refuse = (reason: string): never => {
          throw new ResponseError(LSPErrorCodes.RequestFailed, reason);
        };
        const outer = document.content.offsetAt(position);
        const mention = host.mentionAt(document, outer);
        if (mention !== undefined) {
          const renamed = renameMention(host, documents, mention, newName);
          return renamed.kind === 'refused' ? refuse(renamed.reason) : taken(renamed.edit);
        }
        const hit = host.at(document, outer);
        if (hit === undefined) return null;
        const renamed = host.service.rename(hit.view.query, hit.offset, newName);
        if (renamed.kind === 'refused') return refuse(renamed.reason);
        const edit = queryEdit(document, hit.view.region, renamed.edits);
        return edit === undefined ? null : taken(edit);
      },
    ),
  );

  connection.onDocumentLinks(onDocument('textDocument/documentLink', [], documentLinks));
}

function occurrencesAt({ host, document, view, offset }: Hit): { range: Range; kind: 'declaration' | 'use' }[] {
  return (host.service.namedThingAt(view.query, offset)?.occurrences ?? []).map(({ range, kind }) => ({
    range: toRange(document.content, toDocumentRange(view.region, range)),
    kind,
  }));
}
