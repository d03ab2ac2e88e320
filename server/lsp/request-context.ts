import type { ClientCapabilities, Connection, WorkspaceEdit } from 'vscode-languageserver/node';
import type { Region } from '../core/documents/region.ts';
import type { TextRange } from '../core/text/range.ts';
import { withoutVersions } from './convert.ts';
import type { LanguageHost, RegionView } from './language-host.ts';
import type { OpenDocument, OpenDocuments } from './open-documents.ts';
import type { RequestGuard, RequestHandler } from './request-guard.ts';

export interface RequestServices {
  readonly connection: Connection;
  readonly documents: OpenDocuments;
  readonly host: () => Promise<LanguageHost>;
  readonly guard: RequestGuard;
  readonly capabilities: ClientCapabilities;
  /** VS Code or one of its kin. */
  readonly isVsCode: boolean;
  readonly askForSchemas: (names: Iterable<string>) => Promise<void>;
}

export interface WithDocument {
  readonly textDocument: { readonly uri: string };
}

export interface WithPosition extends WithDocument {
  readonly position: { readonly line: number; readonly character: number };
}

/** The query at a place. */
export interface Hit {
  readonly host: LanguageHost;
  readonly document: OpenDocument;
  readonly view: RegionView;
  /** In the query's text. */
  readonly offset: number;
}

/** What the requests about places and ranges in documents are answered with. Each is: map in, ask the service, map out. */
export interface RequestContext extends RequestServices {
  /** A handler that gets the document, or the empty answer when it is not open. */
  onDocument<Params extends WithDocument, Result>(
    method: string,
    empty: Result,
    handle: (document: OpenDocument, host: LanguageHost, params: Params) => Result,
  ): RequestHandler<Params, Result>;
  /** A handler that gets the query at the position, or the empty answer outside of queries. */
  onPosition<Params extends WithPosition, Result>(
    method: string,
    empty: Result,
    handle: (hit: Hit, params: Params) => Result,
  ): RequestHandler<Params, Result>;
  /** Edits in the form that the editor takes. */
  taken(edit: WorkspaceEdit): WorkspaceEdit;
}

export function createRequestContext(services: RequestServices): RequestContext {
  const { documents, host: getHost, guard, capabilities } = services;
  const takesVersions = capabilities.workspace?.workspaceEdit?.documentChanges === true;
  const onDocument: RequestContext['onDocument'] = (method, empty, handle) =>
    guard.request(method, empty, async (params) => {
      const host = await getHost();
      const document = documents.get(params.textDocument.uri);
      return document === undefined ? empty : handle(document, host, params);
    });
  return {
    ...services,
    onDocument,
    taken: (edit) => (takesVersions ? edit : withoutVersions(edit)),
    onPosition: (method, empty, handle) =>
      onDocument(method, empty, (document, host, params) => {
        const hit = host.at(document, document.content.offsetAt(params.position));
        return hit === undefined ? empty : handle({ host, document, ...hit }, params);
      }),
  };
}

/** The part of the query's text that `range` of the document covers or touches; undefined when they do not meet. */
export function innerRange({ map, text }: Region, range: TextRange): TextRange | undefined {
  if (range.end < map.outer.start || map.outer.end < range.start) return undefined;
  const start = map.toInner(Math.max(range.start, map.outer.start)) ?? 0;
  const end = map.toInner(Math.min(range.end, map.outer.end)) ?? text.length;
  return { start: Math.min(start, end, text.length), end: Math.min(Math.max(start, end), text.length) };
}
