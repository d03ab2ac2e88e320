/**
 * The language server: wires the language service to a connection. It has no network and no secrets; the only files it reads are
 * those its start-up options name. What takes long to load (the parser) is loaded behind the answer to `initialize`.
 */
import {
  type Connection,
  type InitializeParams,
  type InitializeResult,
  TextDocumentSyncKind,
} from 'vscode-languageserver/node';
import { followJsonFile } from './catalog-files.ts';
import { tokenLegend } from './convert.ts';
import { asksForDiagnostics, createDiagnosticsAnswers, diagnosticProvider } from './diagnostics-answers.ts';
import { createDiagnosticsPublisher } from './diagnostics-publisher.ts';
import { createDocumentChecks } from './document-diagnostics.ts';
import { registerFeatureRequests } from './feature-requests.ts';
import type { LanguageHost, RegionView } from './language-host.ts';
import { createOpenDocuments } from './open-documents.ts';
import {
  type CatalogParams,
  type CatalogResult,
  type ConfigParams,
  type EditQueryParams,
  type EditQueryResult,
  type FilesParams,
  type InitializationOptions,
  type InspectParams,
  type InspectResult,
  type KeysParams,
  lqlMethods,
  type MissingSchemasParams,
  type RegionsParams,
  type SchemasParams,
  type SchemasResult,
} from './protocol.ts';
import { regionInfos } from './region-infos.ts';
import { createRequestGuard } from './request-guard.ts';

/** Serves `connection` until it ends. Nothing is asked of the caller but the open connection. */
export function startLanguageServer(connection: Connection): void {
  const documents = createOpenDocuments();
  const guard = createRequestGuard(connection);
  let options: InitializationOptions = {};
  let loading: Promise<LanguageHost> | undefined;
  let policyQueries = '';
  const loadHost = async (): Promise<LanguageHost> => {
    const { createLanguageHost } = await import('./language-host.ts');
    const language = createLanguageHost(options.vendorPrefix ?? 'SVC', options.documentationUri);
    policyQueries = language.policyQueries();
    return language;
  };
  const host = (): Promise<LanguageHost> => {
    loading ??= loadHost();
    return loading;
  };
  const ended: (() => void)[] = [];

  /** Datasources the client was asked for, of the catalog named by `version`: asked once each. */
  let asked = { version: '', names: new Set<string>() };
  const askForSchemas = async (names: Iterable<string>): Promise<void> => {
    const version = (await host()).catalogVersion;
    if (version === undefined) return;
    if (asked.version !== version) asked = { version, names: new Set() };
    const missing = [...new Set(names)].filter((name) => !asked.names.has(name)).sort();
    if (missing.length === 0) return;
    for (const name of missing) asked.names.add(name);
    const params: MissingSchemasParams = { version, datasources: missing };
    await connection.sendNotification(lqlMethods.missingSchemas, params);
  };
  const checks = createDocumentChecks(documents);
  /**
   * Queries that a policy uses are checked for more, and an id must be given once: when another document changes that, those it concerns are
   * checked again.
   */
  const recheckDependents = async (): Promise<void> => {
    const language = await host();
    const now = language.policyQueries();
    if (now === policyQueries) delivery.outdated(checks.takeOvertaken(language));
    else {
      policyQueries = now;
      recheckAll();
    }
  };
  const onChecked = (views: readonly RegionView[]): void => {
    guard.run('lql/files', recheckDependents);
    const names = views.flatMap(({ query }) => query.model.missingSchemas);
    if (names.length > 0) guard.run(lqlMethods.missingSchemas, () => askForSchemas(names));
  };
  const deliveryServices = { connection, documents, checks, host, guard, onChecked };
  let delivery = createDiagnosticsPublisher(deliveryServices);
  const recheckAll = (): void => delivery.outdated([...documents.all()]);

  connection.onInitialize((params: InitializeParams): InitializeResult => {
    options = readOptions(params.initializationOptions);
    const isVsCode = /visual studio code|vscode|code - oss|cursor|vscodium/i.test(params.clientInfo?.name ?? '');
    registerFeatureRequests({
      connection,
      documents,
      host,
      guard,
      capabilities: params.capabilities,
      isVsCode,
      askForSchemas,
    });
    const asks = asksForDiagnostics(params.capabilities);
    if (asks) delivery = createDiagnosticsAnswers(deliveryServices);
    return {
      capabilities: asks ? { ...capabilities, diagnosticProvider } : capabilities,
      serverInfo: { name: 'LQL language server' },
    };
  });

  connection.onInitialized(() => {
    const { catalogFile, schemasFile, vendorPrefix = 'SVC' } = options;
    // The answer to `initialize` is on its way: now there is time to load.
    setImmediate(() => guard.run('loading', async () => void (await host())));
    if (schemasFile !== undefined)
      ended.push(
        followJsonFile(schemasFile, (answer) =>
          guard.run('schemasFile', async () => {
            const language = await host();
            if (answer.kind === 'failed')
              connection.console.warn(`The schemas file ${schemasFile} was not read: ${answer.reason}.`);
            else {
              language.setSchemas(undefined, answer.value);
              recheckAll();
            }
          }),
        ),
      );
    if (catalogFile !== undefined)
      ended.push(
        followJsonFile(catalogFile, (answer) =>
          guard.run('catalogFile', async () => {
            const language = await host();
            if (answer.kind === 'failed') {
              const left =
                language.catalogVersion === undefined
                  ? 'Completion has no datasources.'
                  : 'The catalog read before stays in use.';
              connection.console.warn(`The catalog file ${catalogFile} was not read: ${answer.reason}. ${left}`);
              return;
            }
            const count = language.setCatalogFromFile(answer.value, answer.modifiedAt, vendorPrefix);
            connection.console.info(`The catalog file has ${count} datasources.`);
            recheckAll();
          }),
        ),
      );
  });

  connection.onDidOpenTextDocument(({ textDocument: { uri, languageId, version, text } }) =>
    delivery.changed(documents.open(uri, languageId, version, text)),
  );
  connection.onDidChangeTextDocument(({ textDocument: { uri, version }, contentChanges }) => {
    const document = documents.change(uri, version, contentChanges);
    if (document !== undefined) delivery.changed(document);
  });
  connection.onDidCloseTextDocument(({ textDocument: { uri } }) => {
    documents.close(uri);
    delivery.closed(uri);
    checks.forget(uri);
    guard.run('textDocument/didClose', async () => {
      if (loading === undefined) return;
      (await loading).forget(uri);
      await recheckDependents();
    });
  });

  connection.onRequest(
    lqlMethods.catalog,
    guard.request<CatalogParams, CatalogResult>(lqlMethods.catalog, { datasources: 0 }, async (params) => {
      const datasources = (await host()).setCatalog(params);
      recheckAll();
      return { datasources };
    }),
  );
  connection.onRequest(
    lqlMethods.schemas,
    guard.request<SchemasParams, SchemasResult>(
      lqlMethods.schemas,
      { accepted: false },
      async ({ version, schemas }) => {
        const accepted = (await host()).setSchemas(version, schemas);
        if (accepted) recheckAll();
        return { accepted };
      },
    ),
  );
  connection.onNotification(lqlMethods.files, ({ files }: FilesParams) =>
    guard.run(lqlMethods.files, async () => {
      const language = await host();
      for (const { uri, text } of files) language.setFile(uri, text);
      await recheckDependents();
    }),
  );
  connection.onNotification(lqlMethods.keys, (params: KeysParams) =>
    guard.run(lqlMethods.keys, async () => {
      if ((await host()).observeKeys(params)) recheckAll();
    }),
  );
  connection.onNotification(lqlMethods.config, (params: ConfigParams) =>
    guard.run(lqlMethods.config, async () => {
      (await host()).setConfig(params.folderUri, params.text);
      recheckAll();
    }),
  );
  connection.onRequest(
    lqlMethods.regions,
    guard.request<RegionsParams, ReturnType<typeof regionInfos>>(lqlMethods.regions, [], async ({ textDocument }) => {
      const language = await host();
      const document = documents.get(textDocument.uri);
      return document === undefined ? [] : regionInfos(document, language.regions(document));
    }),
  );

  connection.onRequest(
    lqlMethods.inspect,
    guard.request<InspectParams, InspectResult>(lqlMethods.inspect, {}, async ({ textDocument, position }) => {
      const language = await host();
      const document = documents.get(textDocument.uri);
      const hit = document && language.at(document, document.content.offsetAt(position));
      if (hit === undefined) return {};
      const { inspectQuery, pictureText } = await import('../core/language/language-service.ts');
      return { text: pictureText(inspectQuery(hit.view.query, hit.view.region.queryId)) };
    }),
  );

  const noServer: EditQueryResult = { kind: 'refused', message: 'The language server could not read the query.' };
  connection.onRequest<EditQueryResult, void>(
    lqlMethods.editQuery,
    guard.request<EditQueryParams, EditQueryResult>(lqlMethods.editQuery, noServer, async (params) => {
      const language = await host();
      const document = documents.get(params.textDocument.uri);
      if (!document) return { kind: 'refused', message: 'The document of the query is not open.' };
      const { editQuery } = await import('./edit-query.ts');
      return editQuery(document, language.regions(document), params);
    }),
  );

  connection.onShutdown(() => {
    delivery.dispose();
    for (const end of ended) end();
  });
  connection.listen();
}

const capabilities: InitializeResult['capabilities'] = {
  positionEncoding: 'utf-16',
  textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental },
  completionProvider: { triggerCharacters: ['.', ':', '{', '(', ',', "'", '"', ' '], resolveProvider: true },
  hoverProvider: true,
  signatureHelpProvider: { triggerCharacters: ['(', ','], retriggerCharacters: [')'] },
  definitionProvider: true,
  workspaceSymbolProvider: true,
  referencesProvider: true,
  documentHighlightProvider: true,
  documentSymbolProvider: true,
  foldingRangeProvider: true,
  selectionRangeProvider: true,
  renameProvider: { prepareProvider: true },
  documentLinkProvider: {},
  codeActionProvider: { codeActionKinds: ['quickfix', 'source.fixAll.lql'] },
  documentFormattingProvider: true,
  documentRangeFormattingProvider: true,
  documentOnTypeFormattingProvider: { firstTriggerCharacter: '}' },
  inlayHintProvider: true,
  linkedEditingRangeProvider: true,
  semanticTokensProvider: { legend: tokenLegend, full: true },
};

function readOptions(given: unknown): InitializationOptions {
  if (typeof given !== 'object' || given === null) return {};
  const text = (key: keyof InitializationOptions): string | undefined => {
    const value = (given as Readonly<Record<string, unknown>>)[key];
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  const catalogFile = text('catalogFile');
  const schemasFile = text('schemasFile');
  const vendorPrefix = text('vendorPrefix');
  const documentationUri = text('documentationUri');
  return {
    ...(catalogFile === undefined ? {} : { catalogFile }),
    ...(schemasFile === undefined ? {} : { schemasFile }),
    ...(vendorPrefix === undefined ? {} : { vendorPrefix }),
    ...(documentationUri === undefined ? {} : { documentationUri: documentationUri.replace(/\/$/, '') }),
  };
}
