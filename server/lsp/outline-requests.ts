import type {
  Range,
  SelectionRange,
  SymbolInformation,
  FoldingRange as WireFold,
  DocumentSymbol as WireSymbol,
} from 'vscode-languageserver/node';
import { type Region, toDocumentRange } from '../core/documents/region.ts';
import type { DocumentSymbol } from '../core/language/language-service.ts';
import { encodeTokens, foldingKinds, resourceSymbolKinds, resourceWords, symbolKinds, toRange } from './convert.ts';
import type { LanguageHost, RegionView } from './language-host.ts';
import type { OpenDocument } from './open-documents.ts';
import type { RequestContext, WithDocument, WithPosition } from './request-context.ts';

/** What a document is made of: symbols, folds, selections that grow, colours. */
export function registerOutlineRequests({
  connection,
  capabilities,
  host: getHost,
  guard,
  onDocument,
}: RequestContext): void {
  const isTree = capabilities.textDocument?.documentSymbol?.hierarchicalDocumentSymbolSupport === true;
  connection.onDocumentSymbol(
    onDocument<WithDocument, WireSymbol[] | SymbolInformation[]>(
      'textDocument/documentSymbol',
      [],
      (document, host) => {
        const symbols = host.regions(document).flatMap((view) => viewSymbols(document, host, view));
        return isTree ? symbols : symbols.flatMap((symbol) => listed(document.uri, symbol, undefined));
      },
    ),
  );

  connection.onWorkspaceSymbol(
    guard.request<{ query: string }, SymbolInformation[]>('workspace/symbol', [], async ({ query }) =>
      workspaceSymbols(await getHost(), query),
    ),
  );

  connection.onFoldingRanges(
    onDocument<WithDocument, WireFold[]>('textDocument/foldingRange', [], (document, host) =>
      host
        .regions(document)
        .flatMap((view) =>
          host.service.foldingRanges(view.query).map(({ range, kind }) => {
            const outer = toRange(document.content, toDocumentRange(view.region, range));
            return {
              startLine: outer.start.line,
              endLine: outer.end.line,
              ...(kind === 'comment' ? { kind: foldingKinds.comment } : {}),
            };
          }),
        )
        .filter(({ startLine, endLine }) => endLine > startLine),
    ),
  );

  connection.onSelectionRanges(
    onDocument<WithDocument & { positions: WithPosition['position'][] }, SelectionRange[]>(
      'textDocument/selectionRange',
      [],
      (document, host, { positions }) =>
        positions.map((position) => {
          const hit = host.at(document, document.content.offsetAt(position));
          const ranges =
            hit === undefined
              ? []
              : host.service
                  .selectionRanges(hit.view.query, hit.offset)
                  .map((range) => toRange(document.content, toDocumentRange(hit.view.region, range)));
          return nested(ranges) ?? { range: { start: position, end: position } };
        }),
    ),
  );

  connection.languages.semanticTokens.on(
    onDocument('textDocument/semanticTokens/full', { data: [] }, (document, host) => {
      const tokens = host
        .regions(document)
        .flatMap((view) =>
          host.service
            .semanticTokens(view.query)
            .map((token) => ({ ...token, range: toDocumentRange(view.region, token.range) })),
        );
      return { data: encodeTokens(document.content, tokens) };
    }),
  );
}

/** At most this many symbols answer a search. */
const maxSymbols = 200;

/** Objects of the workspace whose id holds the letters of `query` in their order. */
function workspaceSymbols(host: LanguageHost, query: string): SymbolInformation[] {
  const letters = query.toLowerCase();
  const symbols: SymbolInformation[] = [];
  for (const { id, kind, uri, from, to } of host.index.all()) {
    let at = 0;
    for (const letter of id.toLowerCase()) if (letter === letters[at]) at++;
    if (at < letters.length) continue;
    symbols.push({
      name: id,
      kind: resourceSymbolKinds[kind],
      containerName: resourceWords[kind],
      location: { uri, range: { start: from, end: to } },
    });
    if (symbols.length >= maxSymbols) break;
  }
  return symbols;
}

/** Of a query inside of another document, the query itself comes first. */
function viewSymbols(document: OpenDocument, host: LanguageHost, { region, query }: RegionView): WireSymbol[] {
  const symbols = host.service.documentSymbols(query).map((symbol) => wireSymbol(document, region, symbol));
  if (region.host === 'lql' || symbols.length === 0) return symbols;
  const range = toRange(document.content, region.map.outer);
  const name = region.queryId ?? 'query';
  return [{ name, kind: symbolKinds.query, range, selectionRange: range, children: symbols }];
}

/** A symbol and those in it, for editors that know no trees of them. */
function listed(uri: string, symbol: WireSymbol, parent: string | undefined): SymbolInformation[] {
  const { name, kind, range, children = [] } = symbol;
  const containerName = parent === undefined ? {} : { containerName: parent };
  return [
    { name, kind, location: { uri, range }, ...containerName },
    ...children.flatMap((child) => listed(uri, child, name)),
  ];
}

function wireSymbol(document: OpenDocument, region: Region, symbol: DocumentSymbol): WireSymbol {
  return {
    name: symbol.name,
    detail: symbol.detail,
    kind: symbolKinds[symbol.kind],
    range: toRange(document.content, toDocumentRange(region, symbol.range)),
    selectionRange: toRange(document.content, toDocumentRange(region, symbol.selection)),
    children: symbol.children.map((child) => wireSymbol(document, region, child)),
  };
}

function nested(ranges: readonly Range[]): SelectionRange | undefined {
  let result: SelectionRange | undefined;
  for (const range of [...ranges].reverse()) result = result === undefined ? { range } : { range, parent: result };
  return result;
}
