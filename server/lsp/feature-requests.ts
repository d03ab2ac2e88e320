import {
  type ClientCapabilities,
  CodeActionKind,
  type Connection,
  DocumentHighlightKind,
  type FormattingOptions,
  type Hover,
  InlayHintKind,
  type Location,
  LSPErrorCodes,
  MarkupKind,
  type Range,
  ResponseError,
  type SelectionRange,
  type SymbolInformation,
  type CodeAction as WireCodeAction,
  type Diagnostic as WireDiagnostic,
  type FoldingRange as WireFold,
  type DocumentSymbol as WireSymbol,
  type TextEdit as WireTextEdit,
  type WorkspaceEdit,
} from 'vscode-languageserver/node';
import { type Region, toDocumentEdits, toDocumentRange } from '../core/documents/region.ts';
import type { CodeAction, DocumentSymbol, Fix, FormatOptions } from '../core/language/language-service.ts';
import type { TextEdit } from '../core/text/edits.ts';
import { rangesTouch, type TextRange } from '../core/text/range.ts';
import type { CompletionRequests } from './completion-requests.ts';
import {
  encodeTokens,
  foldingKinds,
  markup,
  resourceSymbolKinds,
  resourceWords,
  symbolKinds,
  toRange,
  toTextEdits,
} from './convert.ts';
import { regionDiagnostics, resourceDiagnostics } from './diagnostics-publisher.ts';
import type { LanguageHost, RegionView } from './language-host.ts';
import { documentLinks, locations, renameMention, renamePlace } from './mention-edits.ts';
import type { OpenDocument, OpenDocuments } from './open-documents.ts';
import type { RequestGuard } from './request-guard.ts';

export interface FeatureServices {
  readonly documents: OpenDocuments;
  readonly host: () => Promise<LanguageHost>;
  readonly guard: RequestGuard;
  readonly completion: CompletionRequests;
  readonly capabilities: ClientCapabilities;
  readonly askForSchemas: (names: Iterable<string>) => Promise<void>;
}

interface WithDocument {
  readonly textDocument: { readonly uri: string };
}

interface WithPosition extends WithDocument {
  readonly position: { readonly line: number; readonly character: number };
}

interface Hit {
  readonly host: LanguageHost;
  readonly document: OpenDocument;
  readonly view: RegionView;
  /** In the query's text. */
  readonly offset: number;
}

/** Answers the requests about places and ranges in documents. Each is: map in, ask the service, map out. */
export function registerFeatureRequests(connection: Connection, services: FeatureServices): void {
  const { documents, host: getHost, guard, completion, askForSchemas, capabilities } = services;

  /** A handler that gets the document, or the empty answer when it is not open. */
  const onDocument = <Params extends WithDocument, Result>(
    method: string,
    empty: Result,
    handle: (document: OpenDocument, host: LanguageHost, params: Params) => Result,
  ) =>
    guard.request<Params, Result>(method, empty, async (params) => {
      const host = await getHost();
      const document = documents.get(params.textDocument.uri);
      return document === undefined ? empty : handle(document, host, params);
    });

  /** A handler that gets the query at the position, or the empty answer outside of queries. */
  const onPosition = <Params extends WithPosition, Result>(
    method: string,
    empty: Result,
    handle: (hit: Hit, params: Params) => Result,
  ) =>
    onDocument<Params, Result>(method, empty, (document, host, params) => {
      const hit = host.at(document, document.content.offsetAt(params.position));
      return hit === undefined ? empty : handle({ host, document, ...hit }, params);
    });

  connection.onCompletion(
    onDocument(
      'textDocument/completion',
      { isIncomplete: false, items: [] },
      (document, host, params: WithPosition & { context?: { triggerCharacter?: string } }) => {
        const offset = document.content.offsetAt(params.position);
        const { list, missingSchemas } = completion.complete(host, document, offset);
        if (missingSchemas.length > 0) guard.run('lql/missingSchemas', () => askForSchemas(missingSchemas));
        // A blank behind a colon asks for the value of a field; in a query a blank asks only where something new begins: popping up behind every word would be in the way.
        if (
          params.context?.triggerCharacter === ' ' &&
          !opensByBlank(document, offset, host.at(document, offset) !== undefined)
        )
          return { isIncomplete: false, items: [] };
        return list;
      },
    ),
  );
  connection.onCompletionResolve((item) => completion.resolve(item));

  const { hover, signatureHelp } = capabilities.textDocument ?? {};
  const hoversMarkdown = hover?.contentFormat?.includes(MarkupKind.Markdown) === true;
  const { documentationFormat } = signatureHelp?.signatureInformation ?? {};
  const helpsWithMarkdown = documentationFormat?.includes(MarkupKind.Markdown) === true;
  connection.onHover(
    onDocument<WithPosition, Hover | null>('textDocument/hover', null, (document, host, { position }) => {
      const offset = document.content.offsetAt(position);
      const hit = host.at(document, offset);
      const found =
        hit === undefined
          ? host.hoverResource(document, offset)
          : host.service.hover(hit.view.query, hit.offset, { catalogAge: host.catalogAge(Date.now()) });
      if (found === undefined) return null;
      const outer = hit === undefined ? found.range : toDocumentRange(hit.view.region, found.range);
      return { contents: markup(found.markdown, hoversMarkdown), range: toRange(document.content, outer) };
    }),
  );

  connection.onSignatureHelp(
    onPosition('textDocument/signatureHelp', null, ({ host, view, offset }) => {
      const found = host.service.signatureHelp(view.query, offset);
      if (found === undefined) return null;
      const { label, documentation, parameters, activeParameter } = found;
      return {
        signatures: [
          {
            label,
            documentation: markup(documentation, helpsWithMarkdown),
            parameters: parameters.map((parameter) => ({
              label: [...parameter.label] as [number, number],
              documentation: markup(parameter.documentation, helpsWithMarkdown),
            })),
          },
        ],
        activeSignature: 0,
        activeParameter,
      };
    }),
  );

  const occurrencesAt = ({ host, document, view, offset }: Hit): { range: Range; kind: 'declaration' | 'use' }[] =>
    (host.service.namedThingAt(view.query, offset)?.occurrences ?? []).map(({ range, kind }) => ({
      range: toRange(document.content, toDocumentRange(view.region, range)),
      kind,
    }));
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
          return renamed.kind === 'refused' ? refuse(renamed.reason) : renamed.edit;
        }
        const hit = host.at(document, outer);
        if (hit === undefined) return null;
        const renamed = host.service.rename(hit.view.query, hit.offset, newName);
        if (renamed.kind === 'refused') return refuse(renamed.reason);
        return workspaceEdit(document, hit.view.region, renamed.edits) ?? null;
      },
    ),
  );

  connection.onDocumentLinks(onDocument('textDocument/documentLink', [], documentLinks));

  connection.onDocumentSymbol(
    onDocument('textDocument/documentSymbol', [], (document, host) => {
      const views = host.regions(document);
      return views.flatMap((view) => {
        const symbols = host.service
          .documentSymbols(view.query)
          .map((symbol) => wireSymbol(document, view.region, symbol));
        const id = view.region.queryId;
        if (view.region.host === 'lql' || symbols.length === 0) return symbols;
        const range = toRange(document.content, view.region.map.outer);
        return [{ name: id ?? 'query', kind: symbolKinds.query, range, selectionRange: range, children: symbols }];
      });
    }),
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

  connection.onCodeAction(
    onDocument<WithDocument & { range: Range; context: { only?: string[] } }, WireCodeAction[]>(
      'textDocument/codeAction',
      [],
      (document, host, { range, context }) => {
        const start = document.content.offsetAt(range.start);
        const end = document.content.offsetAt(range.end);
        return wireActions(document, host, { start, end }, context.only);
      },
    ),
  );

  const format = (
    document: OpenDocument,
    host: LanguageHost,
    options: FormattingOptions,
    within: TextRange | undefined,
  ): WireTextEdit[] =>
    host.regions(document).flatMap(({ region, query }) => {
      const inner = within === undefined ? undefined : innerRange(region, within);
      if (within !== undefined && inner === undefined) return [];
      const edits = host.service.format(query, formatOptions(options), inner);
      return toTextEdits(document.content, toDocumentEdits(region, edits) ?? []);
    });
  connection.onDocumentFormatting(
    onDocument<WithDocument & { options: FormattingOptions }, WireTextEdit[]>(
      'textDocument/formatting',
      [],
      (document, host, { options }) => format(document, host, options, undefined),
    ),
  );
  connection.onDocumentRangeFormatting(
    onDocument<WithDocument & { options: FormattingOptions; range: Range }, WireTextEdit[]>(
      'textDocument/rangeFormatting',
      [],
      (document, host, { options, range }) =>
        format(document, host, options, {
          start: document.content.offsetAt(range.start),
          end: document.content.offsetAt(range.end),
        }),
    ),
  );
  connection.onDocumentOnTypeFormatting(
    onPosition<WithPosition & { options: FormattingOptions }, WireTextEdit[]>(
      'textDocument/onTypeFormatting',
      [],
      ({ host, document, view: { region, query }, offset }, { options }) => {
        const block = host.service.closedBlock(query, offset);
        if (block === undefined) return [];
        const edits = host.service.format(query, formatOptions(options), block);
        return toTextEdits(document.content, toDocumentEdits(region, edits) ?? []);
      },
    ),
  );

  connection.languages.inlayHint.on(
    onDocument('textDocument/inlayHint', [], (document, host, { range }: WithDocument & { range: Range }) => {
      const start = document.content.offsetAt(range.start);
      const end = document.content.offsetAt(range.end);
      return host.regions(document).flatMap((view) => {
        const inner = innerRange(view.region, { start, end });
        if (inner === undefined) return [];
        return host.service.inlayHints(view.query, inner).map(({ offset, label }) => ({
          position: document.content.positionAt(view.region.map.toOuter(offset, 'after')),
          label,
          kind: InlayHintKind.Parameter,
          paddingRight: true,
        }));
      });
    }),
  );
}

/** Behind `with`, `on`, `,`, `::` or an operator something must follow; elsewhere a blank is only a blank. */
function opensByBlank(document: OpenDocument, offset: number, isInQuery: boolean): boolean {
  const before = document.content.getText({
    start: document.content.positionAt(Math.max(0, offset - 24)),
    end: document.content.positionAt(offset),
  });
  if (!isInQuery) return /:\s$/.test(before);
  return /(?:\b(?:with|on|in|and|or|not|like|rlike|ilike|is)|[=<>,({|+*/%-])\s+$/i.test(before);
}

/** The part of the query's text that `range` of the document covers or touches; undefined when they do not meet. */
function innerRange({ map, text }: Region, range: TextRange): TextRange | undefined {
  if (range.end < map.outer.start || map.outer.end < range.start) return undefined;
  const start = map.toInner(Math.max(range.start, map.outer.start)) ?? 0;
  const end = map.toInner(Math.min(range.end, map.outer.end)) ?? text.length;
  return { start: Math.min(start, end, text.length), end: Math.min(Math.max(start, end), text.length) };
}

function formatOptions({ tabSize, insertSpaces }: FormattingOptions): Partial<FormatOptions> {
  return { indent: insertSpaces ? tabSize : 'tab' };
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

function workspaceEdit(document: OpenDocument, region: Region, edits: readonly TextEdit[]): WorkspaceEdit | undefined {
  const outer = toDocumentEdits(region, edits);
  if (outer === undefined) return undefined;
  const { uri, content } = document;
  return { documentChanges: [{ textDocument: { uri, version: content.version }, edits: toTextEdits(content, outer) }] };
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

/** Quick fixes for a range; fixes for everything only where asked for by kind. Fix-all edits of all queries of a document go into one action. */
function wireActions(
  document: OpenDocument,
  host: LanguageHost,
  range: TextRange,
  only: readonly string[] | undefined,
): WireCodeAction[] {
  const wants = (kind: string): boolean =>
    only === undefined || only.some((wanted) => kind === wanted || kind.startsWith(`${wanted}.`));
  const actions: WireCodeAction[] = [];
  for (const view of host.regions(document)) {
    const { region, query } = view;
    if (region.isTemplate) continue;
    const inner = innerRange(region, range);
    if (wants(CodeActionKind.QuickFix) && inner !== undefined) {
      const wireDiagnostics = regionDiagnostics(document, view, host);
      for (const action of host.service.codeActions(query, inner)) {
        if (action.kind !== 'fixAll') actions.push(...quickFix(document, view, action, wireDiagnostics));
      }
    }
  }
  if (wants(CodeActionKind.QuickFix)) {
    const resources = host.resourceDiagnostics(document);
    const wireDiagnostics = resourceDiagnostics(document, host);
    resources.forEach((diagnostic, i) => {
      if (!rangesTouch(diagnostic.range, range)) return;
      for (const fix of diagnostic.fixes) actions.push(documentFix(document, fix, wireDiagnostics[i]));
      const silence = host.silenceResource(document, diagnostic);
      if (silence === undefined) return;
      const title = `Silence ${diagnostic.code} on this line (say why behind the colon)`;
      actions.push(documentFix(document, { title, edits: [silence], safe: false }, wireDiagnostics[i]));
    });
  }
  const fixAll = only !== undefined && wants('source.fixAll.lql') ? host.fixAll(document) : [];
  if (fixAll.length > 0) {
    const { uri, content } = document;
    const edit = {
      documentChanges: [{ textDocument: { uri, version: content.version }, edits: toTextEdits(content, fixAll) }],
    };
    actions.push({ title: 'Fix all that can be fixed safely', kind: 'source.fixAll.lql', edit });
  }
  return actions;
}

function documentFix(document: OpenDocument, fix: Fix, diagnostic: WireDiagnostic | undefined): WireCodeAction {
  const { uri, content } = document;
  return {
    title: fix.title,
    kind: CodeActionKind.QuickFix,
    edit: {
      documentChanges: [{ textDocument: { uri, version: content.version }, edits: toTextEdits(content, fix.edits) }],
    },
    ...(diagnostic === undefined ? {} : { diagnostics: [diagnostic] }),
    ...(fix.safe ? { isPreferred: true } : {}),
  };
}

function quickFix(
  document: OpenDocument,
  view: RegionView,
  action: CodeAction,
  wireDiagnostics: ReturnType<typeof regionDiagnostics>,
): WireCodeAction[] {
  const edit = workspaceEdit(document, view.region, action.edits);
  if (edit === undefined) return [];
  const index = action.diagnostic === undefined ? -1 : view.query.diagnostics.indexOf(action.diagnostic);
  const diagnostic = wireDiagnostics[index];
  return [
    {
      title: action.title,
      kind: CodeActionKind.QuickFix,
      edit,
      ...(diagnostic === undefined ? {} : { diagnostics: [diagnostic] }),
      ...(action.preferred ? { isPreferred: true } : {}),
    },
  ];
}
