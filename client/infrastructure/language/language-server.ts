import * as vscode from 'vscode';
import type {
  CatalogParams,
  ConfigParams,
  EditQueryParams,
  FilesParams,
  KeysParams,
  MissingSchemasParams,
  RegionInfo,
  SchemasParams,
} from '../../../server/lsp/protocol.ts';
import type { Log } from '../log.ts';
import type { QueryEditOutcome, RunningClient } from './language-client.ts';

export type LanguageServerState = 'stopped' | 'starting' | 'running' | 'failed';

/**
 * The language server as the rest of the extension sees it: started when the first document wants it, started again
 * when it dies, and told each time what it has to know. Its code is loaded only then.
 */
export interface LanguageServer extends vscode.Disposable {
  readonly state: LanguageServerState;
  readonly onDidChangeState: vscode.Event<LanguageServerState>;
  /** Names datasources whose columns open documents need. */
  readonly onMissingSchemas: vscode.Event<MissingSchemasParams>;
  start(): Promise<void>;
  restart(): Promise<void>;
  /** Replaces the catalog; schemas of the old one are forgotten. */
  setCatalog(catalog: CatalogParams): void;
  addSchemas(schemas: SchemasParams): void;
  setConfig(config: ConfigParams): void;
  /** Files of the workspace that are there or changed, or gone; nothing is kept for a server that is not running. */
  setFiles(files: FilesParams['files']): void;
  /** Keys of the rows that a query returned; nothing is kept for a server that is not running. */
  addKeys(keys: KeysParams): void;
  /** The queries in a document; undefined while no server answers. */
  regions(document: vscode.TextDocument): Promise<readonly RegionInfo[] | undefined>;
  /** What the language makes of the query at a place, for a person to read; undefined where there is none. */
  inspect(document: vscode.TextDocument, position: vscode.Position): Promise<string | undefined>;
  /** Edits that turn a value of a result into a condition or a column of its query. */
  editQuery(document: vscode.TextDocument, params: Omit<EditQueryParams, 'textDocument'>): Promise<QueryEditOutcome>;
  /** Process id, for the tests that kill it. */
  readonly pid: number | undefined;
}

export function createLanguageServer(serverModule: string, documentationUri: string, log: Log): LanguageServer {
  const stateChanged = new vscode.EventEmitter<LanguageServerState>();
  const missing = new vscode.EventEmitter<MissingSchemasParams>();
  let state: LanguageServerState = 'stopped';
  let client: RunningClient | undefined;
  let starting: Promise<void> | undefined;
  let catalog: CatalogParams | undefined;
  let schemas: SchemasParams | undefined;
  const configs = new Map<string, ConfigParams>();

  const setState = (next: LanguageServerState): void => {
    if (state === next) return;
    state = next;
    stateChanged.fire(next);
  };
  const send = (what: string, work: Promise<unknown> | undefined): void => {
    // A server that dies meanwhile is told again when it is back; nobody needs to hear of this one message.
    work?.catch((error: unknown) => log.debug(`${what} did not reach the language server: ${String(error)}`));
  };
  const tellEverything = (): void => {
    for (const config of configs.values()) send('the lint configuration', client?.sendConfig(config));
    if (catalog) send('the catalog', client?.sendCatalog(catalog));
    if (schemas) send('schemas', client?.sendSchemas(schemas));
  };
  const launch = async (): Promise<void> => {
    setState('starting');
    const { startLanguageClient } = await import('./language-client.ts');
    client = await startLanguageClient({
      serverModule,
      documentationUri,
      log,
      onState: (next) => {
        setState(next);
        if (next === 'running') tellEverything();
      },
      onMissingSchemas: (params) => missing.fire(params),
    });
    tellEverything();
  };

  return {
    get state() {
      return state;
    },
    get pid() {
      return client?.pid;
    },
    onDidChangeState: stateChanged.event,
    onMissingSchemas: missing.event,
    start() {
      starting ??= launch().catch((error: unknown) => {
        starting = undefined;
        setState('failed');
        throw error;
      });
      return starting;
    },
    async restart() {
      await starting?.catch(() => undefined);
      if (!client) return this.start();
      await client.restart();
    },
    setCatalog(next) {
      catalog = next;
      if (schemas?.version !== next.version) schemas = undefined;
      if (state === 'running') send('the catalog', client?.sendCatalog(next));
    },
    addSchemas(next) {
      if (catalog?.version !== next.version) return;
      schemas = { version: next.version, schemas: { ...schemas?.schemas, ...next.schemas } };
      if (state === 'running') send('schemas', client?.sendSchemas(next));
    },
    setConfig(config) {
      configs.set(config.folderUri, config);
      if (state === 'running') send('the lint configuration', client?.sendConfig(config));
    },
    setFiles(files) {
      if (state === 'running' && files.length > 0) send('files', client?.sendFiles({ files }));
    },
    addKeys(keys) {
      if (state === 'running' && keys.columns.length > 0) send('keys of rows', client?.sendKeys(keys));
    },
    async regions(document) {
      if (state !== 'running') return undefined;
      try {
        return await client?.regions(document.uri);
      } catch (error) {
        log.debug(`The language server gave no regions: ${String(error)}`);
        return undefined;
      }
    },
    async inspect(document, position) {
      await this.start();
      return client?.inspect(document.uri, position);
    },
    async editQuery(document, params) {
      await this.start();
      const outcome = await client?.editQuery(document.uri, params);
      return outcome ?? { kind: 'refused', message: 'The language server is not running.' };
    },
    async dispose() {
      stateChanged.dispose();
      missing.dispose();
      await client?.stop();
    },
  };
}
