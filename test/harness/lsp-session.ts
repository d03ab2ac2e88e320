/**
 * A plain client of the language server: what an editor does, without an editor. The same session drives the server in
 * this process (fast, debuggable) and `dist/server.js --stdio` as another process (what is shipped).
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import {
  type CancellationToken,
  type ClientCapabilities,
  createConnection,
  createMessageConnection,
  type Diagnostic,
  type InitializeResult,
  type MessageConnection,
  ProposedFeatures,
  type PublishDiagnosticsParams,
  StreamMessageReader,
  StreamMessageWriter,
  type TextDocumentContentChangeEvent,
} from 'vscode-languageserver/node';
import { startLanguageServer } from '../../server/lsp/server.ts';
import { repoRoot } from './paths.ts';

export interface SessionOptions {
  /** Folder that is open, as a path. */
  readonly folder?: string;
  readonly initializationOptions?: unknown;
  /** Laid over the capabilities of a capable editor. */
  readonly capabilities?: ClientCapabilities;
}

export interface LspSession {
  readonly initializeResult: InitializeResult;
  readonly connection: MessageConnection;
  /** Notifications of the server other than diagnostics, in order. */
  readonly notifications: readonly { readonly method: string; readonly params: unknown }[];
  /** Answers a request of the server; unanswered methods are answered with null. */
  onRequest(method: string, answer: (params: unknown) => unknown): void;
  open(uri: string, text: string, languageId?: string): void;
  /** Replaces the whole text, or applies incremental changes. */
  change(uri: string, change: string | TextDocumentContentChangeEvent[]): void;
  close(uri: string): void;
  request<Result>(method: string, params: unknown, token?: CancellationToken): Promise<Result>;
  notify(method: string, params: unknown): void;
  /** The diagnostics of the document's current version; waits for them. */
  diagnostics(uri: string): Promise<readonly Diagnostic[]>;
  /** Waits for a notification that has not been taken yet. */
  next(method: string): Promise<unknown>;
  stop(): Promise<void>;
}

const waitLimitMs = 15_000;

const editorCapabilities: ClientCapabilities = {
  workspace: {
    applyEdit: true,
    workspaceEdit: { documentChanges: true },
    configuration: true,
    workspaceFolders: true,
    didChangeWatchedFiles: { dynamicRegistration: true },
  },
  textDocument: {
    synchronization: { didSave: true },
    publishDiagnostics: { relatedInformation: true, versionSupport: true, codeDescriptionSupport: true },
    completion: {
      completionItem: {
        snippetSupport: true,
        documentationFormat: ['markdown', 'plaintext'],
        insertReplaceSupport: true,
        labelDetailsSupport: true,
        resolveSupport: { properties: ['documentation', 'detail'] },
      },
    },
    hover: { contentFormat: ['markdown', 'plaintext'] },
    documentSymbol: { hierarchicalDocumentSymbolSupport: true },
    codeAction: {
      codeActionLiteralSupport: { codeActionKind: { valueSet: ['quickfix', 'refactor', 'source'] } },
      dataSupport: true,
      resolveSupport: { properties: ['edit'] },
    },
    rename: { prepareSupport: true },
    foldingRange: { lineFoldingOnly: true },
    semanticTokens: {
      requests: { full: { delta: true }, range: true },
      tokenTypes: [],
      tokenModifiers: [],
      formats: ['relative'],
    },
  },
  window: { workDoneProgress: true },
};

/** Starts the server of the sources in this process, over paired streams. */
export async function startSession(options: SessionOptions = {}): Promise<LspSession> {
  const toServer = new PassThrough();
  const toClient = new PassThrough();
  const server = createConnection(
    ProposedFeatures.all,
    new StreamMessageReader(toServer),
    new StreamMessageWriter(toClient),
  );
  startLanguageServer(server);
  const client = createMessageConnection(new StreamMessageReader(toClient), new StreamMessageWriter(toServer));
  // Without a process id: the server would watch its parent, which is this process, and keep it alive.
  return initialize(client, options, null, async () => {
    server.dispose();
    toServer.destroy();
    toClient.destroy();
  });
}

/** Starts a server as its own process; `dist/server.js --stdio` unless other arguments for Node are given. */
export async function startSpawnedSession(
  options: SessionOptions & { readonly nodeArguments?: readonly string[] } = {},
): Promise<LspSession & { readonly process: ChildProcess }> {
  const args = options.nodeArguments ?? [path.join(repoRoot, 'dist', 'server.js'), '--stdio'];
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'pipe'] });
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk.toString();
  });
  const exited = once(child, 'exit');
  const client = createMessageConnection(new StreamMessageReader(child.stdout), new StreamMessageWriter(child.stdin));
  const failed = exited.then(([code]) => {
    throw new Error(`The language server ended with code ${String(code)} before it answered. ${errors}`);
  });
  failed.catch(() => undefined);
  const session = await Promise.race([
    initialize(client, options, process.pid, async () => {
      client.sendNotification('exit').catch(() => undefined);
      const timer = setTimeout(() => child.kill('SIGKILL'), 3000);
      await exited;
      clearTimeout(timer);
    }),
    failed,
  ]);
  return Object.assign(session, { process: child });
}

async function initialize(
  connection: MessageConnection,
  options: SessionOptions,
  processId: number | null,
  stop: () => Promise<void>,
): Promise<LspSession> {
  const versions = new Map<string, number>();
  const published = new Map<string, PublishDiagnosticsParams>();
  const notifications: { method: string; params: unknown }[] = [];
  const answers = new Map<string, (params: unknown) => unknown>();
  const taken = new Map<string, number>();
  let wake = Promise.withResolvers<void>();
  const changed = (): void => {
    wake.resolve();
    wake = Promise.withResolvers<void>();
  };
  connection.onNotification((method: string, params: unknown) => {
    if (method === 'textDocument/publishDiagnostics') {
      const diagnostics = params as PublishDiagnosticsParams;
      published.set(diagnostics.uri, diagnostics);
    } else notifications.push({ method, params });
    changed();
  });
  connection.onRequest(
    (method: string, params: unknown) => answers.get(method)?.(params) ?? defaultAnswer(method, params),
  );
  connection.listen();

  // Polling would hide how slow something is; this wakes at each message and gives up with a sentence.
  const until = async <Value>(what: string, read: () => Value | undefined): Promise<Value> => {
    const end = Date.now() + waitLimitMs;
    for (;;) {
      const value = read();
      if (value !== undefined) return value;
      const left = end - Date.now();
      if (left <= 0) {
        const logged = notifications.filter(({ method }) => method === 'window/logMessage');
        const said = logged.map(({ params }) => (params as { message: string }).message).join('\n');
        throw new Error(`The language server did not send ${what} within ${waitLimitMs / 1000} s. ${said}`);
      }
      let timer: NodeJS.Timeout | undefined;
      const expired = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, left);
      });
      await Promise.race([wake.promise, expired]);
      clearTimeout(timer);
    }
  };

  const rootUri = options.folder ? new URL(`file://${path.resolve(options.folder)}`).href : null;
  const initializeResult = await connection.sendRequest<InitializeResult>('initialize', {
    processId,
    rootUri,
    workspaceFolders: rootUri ? [{ uri: rootUri, name: path.basename(options.folder ?? '') }] : null,
    capabilities: { ...editorCapabilities, ...options.capabilities },
    initializationOptions: options.initializationOptions,
  });
  await connection.sendNotification('initialized', {});

  return {
    initializeResult,
    connection,
    notifications,
    onRequest: (method, answer) => void answers.set(method, answer),
    open: (uri, text, languageId = 'lql') => {
      versions.set(uri, 1);
      published.delete(uri);
      void connection.sendNotification('textDocument/didOpen', { textDocument: { uri, languageId, version: 1, text } });
    },
    change: (uri, change) => {
      const version = (versions.get(uri) ?? 0) + 1;
      versions.set(uri, version);
      const contentChanges = typeof change === 'string' ? [{ text: change }] : change;
      void connection.sendNotification('textDocument/didChange', { textDocument: { uri, version }, contentChanges });
    },
    close: (uri) => {
      versions.delete(uri);
      void connection.sendNotification('textDocument/didClose', { textDocument: { uri } });
    },
    // An absent token must not be passed: the library would count it as a second parameter.
    request: (method, params, token) =>
      token ? connection.sendRequest(method, params, token) : connection.sendRequest(method, params),
    notify: (method, params) => void connection.sendNotification(method, params),
    diagnostics: async (uri) => {
      if (initializeResult.capabilities.diagnosticProvider) {
        const params = { textDocument: { uri } };
        const report = await connection.sendRequest<{ items?: Diagnostic[] }>('textDocument/diagnostic', params);
        return report.items ?? [];
      }
      const version = versions.get(uri);
      // Without a version: what a server takes back when a document is closed. It says nothing about one opened after.
      const isCurrent = (it: PublishDiagnosticsParams): boolean => it.version === version;
      return until(`diagnostics of version ${version} of ${uri}`, () => {
        const latest = published.get(uri);
        return latest && isCurrent(latest) ? latest.diagnostics : undefined;
      });
    },
    next: (method) =>
      until(method, () => {
        const matching = notifications.filter((notification) => notification.method === method);
        const count = taken.get(method) ?? 0;
        const found = matching[count];
        if (found) taken.set(method, count + 1);
        return found ? (found.params ?? {}) : undefined;
      }),
    stop: async () => {
      await connection.sendRequest('shutdown').catch(() => undefined);
      await stop();
      connection.dispose();
    },
  };
}

// What every editor answers. Settings that nobody set are null, one for each that was asked for.
function defaultAnswer(method: string, params: unknown): unknown {
  if (method !== 'workspace/configuration') return null;
  const items = (params as { items?: unknown[] }).items ?? [];
  return items.map(() => null);
}
