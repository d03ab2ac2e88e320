import type * as vscode from 'vscode';
import {
  CloseAction,
  ErrorAction,
  LanguageClient,
  RevealOutputChannelOn,
  State,
  TransportKind,
} from 'vscode-languageclient/node';
import { assertNever } from '../../../server/core/assert-never.ts';
import {
  type CatalogParams,
  type CatalogResult,
  type ConfigParams,
  type EditQueryParams,
  type EditQueryResult,
  type FilesParams,
  type InspectResult,
  type KeysParams,
  lqlMethods,
  type MissingSchemasParams,
  type RegionInfo,
  type RegionsResult,
  type SchemasParams,
  type SchemasResult,
} from '../../../server/lsp/protocol.ts';
import { showError } from '../errors.ts';
import type { Log } from '../log.ts';
import { querySelector } from '../query-editors.ts';

export interface LanguageClientOptions {
  readonly serverModule: string;
  /** URI of the extension's folder, where the pages of diagnostics are. */
  readonly documentationUri: string;
  readonly log: Log;
  readonly onState: (state: 'starting' | 'running' | 'stopped' | 'failed') => void;
  readonly onMissingSchemas: (params: MissingSchemasParams) => void;
}

/** Edits for the document, or why there are none. */
export type QueryEditOutcome =
  | { readonly kind: 'edits'; readonly edits: readonly vscode.TextEdit[] }
  | { readonly kind: 'refused'; readonly message: string };

export interface RunningClient {
  readonly pid: number | undefined;
  restart(): Promise<void>;
  stop(): Promise<void>;
  sendCatalog(params: CatalogParams): Promise<CatalogResult>;
  sendSchemas(params: SchemasParams): Promise<SchemasResult>;
  sendConfig(params: ConfigParams): Promise<void>;
  sendFiles(params: FilesParams): Promise<void>;
  sendKeys(params: KeysParams): Promise<void>;
  regions(uri: vscode.Uri): Promise<readonly RegionInfo[]>;
  inspect(uri: vscode.Uri, position: vscode.Position): Promise<string | undefined>;
  editQuery(uri: vscode.Uri, params: Omit<EditQueryParams, 'textDocument'>): Promise<QueryEditOutcome>;
}

// Crashes in quick succession mean that starting again does not help. A killed server comes back at once.
const restartsAllowed = 5;
const restartWindowMs = 60_000;

/** Loaded when the first document wants a language server: the protocol library is three times the size of the rest. */
export async function startLanguageClient(options: LanguageClientOptions): Promise<RunningClient> {
  const { log, serverModule } = options;
  const crashes: number[] = [];
  const client = new LanguageClient(
    'lql',
    'LQL Studio language server',
    {
      module: serverModule,
      transport: TransportKind.stdio,
    },
    {
      documentSelector: [...querySelector],
      initializationOptions: { documentationUri: options.documentationUri },
      outputChannel: log.channel,
      revealOutputChannelOn: RevealOutputChannelOn.Never,
      diagnosticCollectionName: 'lql',
      errorHandler: {
        error: () => ({ action: ErrorAction.Continue, handled: true }),
        closed: () => {
          const now = Date.now();
          crashes.push(now);
          const recent = crashes.filter((at) => now - at < restartWindowMs).length;
          if (recent <= restartsAllowed) {
            log.warn('The language server ended unexpectedly and is started again.');
            return { action: CloseAction.Restart, handled: true };
          }
          options.onState('failed');
          const message = `The LQL language server ended ${recent} times within a minute and stays stopped: no diagnostics, no completion.`;
          showError(message, [
            { title: 'Restart', command: 'lql.restartLanguageServer' },
            { title: 'Show Output', command: 'lql.showOutput' },
          ]);
          return { action: CloseAction.DoNotRestart, message, handled: true };
        },
      },
    },
  );
  client.onDidChangeState(({ newState }) => options.onState(stateName(newState)));
  client.onNotification(lqlMethods.missingSchemas, (params: MissingSchemasParams) => options.onMissingSchemas(params));
  await client.start();
  return {
    get pid() {
      return client.serverProcess?.pid;
    },
    restart: async () => {
      crashes.length = 0;
      // A server that failed to start or gave up is not running, and cannot be asked to stop.
      if (client.state === State.Running || client.state === State.Starting) await client.restart();
      else await client.start();
    },
    stop: () => client.dispose(2000),
    sendCatalog: (params) => client.sendRequest<CatalogResult>(lqlMethods.catalog, params),
    sendSchemas: (params) => client.sendRequest<SchemasResult>(lqlMethods.schemas, params),
    sendFiles: (params) => client.sendNotification(lqlMethods.files, params),
    sendKeys: (params) => client.sendNotification(lqlMethods.keys, params),
    sendConfig: (params) => client.sendNotification(lqlMethods.config, params),
    regions: (uri) =>
      client.sendRequest<RegionsResult>(lqlMethods.regions, {
        textDocument: { uri: client.code2ProtocolConverter.asUri(uri) },
      }),
    async inspect(uri, position) {
      const textDocument = { uri: client.code2ProtocolConverter.asUri(uri) };
      const params = { textDocument, position: client.code2ProtocolConverter.asPosition(position) };
      return (await client.sendRequest<InspectResult>(lqlMethods.inspect, params)).text;
    },
    async editQuery(uri, params) {
      const textDocument = { uri: client.code2ProtocolConverter.asUri(uri) };
      const result = await client.sendRequest<EditQueryResult>(lqlMethods.editQuery, { ...params, textDocument });
      if (result.kind === 'refused') return result;
      const edits = await client.protocol2CodeConverter.asTextEdits([...result.edits]);
      return { kind: 'edits', edits };
    },
  };
}

function stateName(state: State): 'starting' | 'running' | 'stopped' | 'failed' {
  switch (state) {
    case State.Running:
      return 'running';
    case State.Starting:
      return 'starting';
    case State.Stopped:
      return 'stopped';
    case State.StartFailed:
      return 'failed';
    default:
      return assertNever(state);
  }
}
