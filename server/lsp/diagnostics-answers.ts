import type {
  ClientCapabilities,
  Diagnostic,
  DocumentDiagnosticReport,
  PreviousResultId,
  ServerCapabilities,
  WorkspaceDiagnosticReport,
} from 'vscode-languageserver/node';
import type { DeliveryServices, DiagnosticsDelivery } from './document-diagnostics.ts';
import type { LanguageHost } from './language-host.ts';
import type { OpenDocument } from './open-documents.ts';
import type { WithDocument } from './request-context.ts';

/**
 * Whether a client asks for diagnostics rather than being told them. One that cannot be asked to ask again would not hear of a new catalog.
 * VS Code's own client library, known in every kind of VS Code by what shows its Markdown, is told: it would ask for every tab at every change,
 * and for the workspace every other second.
 */
export function asksForDiagnostics({ general, textDocument, workspace }: ClientCapabilities): boolean {
  if (general?.markdown?.parser === 'marked') return false;
  return textDocument?.diagnostic !== undefined && workspace?.diagnostics?.refreshSupport === true;
}

export const diagnosticProvider: NonNullable<ServerCapabilities['diagnosticProvider']> = {
  identifier: 'lql',
  interFileDependencies: true,
  workspaceDiagnostics: true,
};

type Report = { kind: 'full'; resultId: string; items: Diagnostic[] } | { kind: 'unchanged'; resultId: string };

/** Answers clients that ask for diagnostics, and asks them to ask again. Of the workspace it knows what is open, as it reads no files. */
export function createDiagnosticsAnswers(services: DeliveryServices): DiagnosticsDelivery {
  const { connection, documents, checks, host, guard, onChecked } = services;

  /** What was answered last of each document, by the name under which the client may say that it has it. */
  const given = new Map<string, { readonly resultId: string; readonly text: string }>();
  // A client may still have answers of a server that ended.
  const started = Date.now().toString(36);
  let count = 0;

  const report = (document: OpenDocument, language: LanguageHost, previous: string | undefined): Report => {
    const { views, diagnostics } = checks.check(document, language);
    onChecked(views);
    const text = JSON.stringify(diagnostics);
    const last = given.get(document.uri);
    if (last !== undefined && last.text === text && last.resultId === previous)
      return { kind: 'unchanged', resultId: previous };
    const resultId = `${started}.${count++}`;
    given.set(document.uri, { resultId, text });
    return { kind: 'full', resultId, items: diagnostics };
  };

  connection.languages.diagnostics.on(
    guard.request<WithDocument & { previousResultId?: string }, DocumentDiagnosticReport>(
      'textDocument/diagnostic',
      { kind: 'full', items: [] },
      async ({ textDocument, previousResultId }) => {
        const language = await host();
        const document = documents.get(textDocument.uri);
        return document === undefined ? { kind: 'full', items: [] } : report(document, language, previousResultId);
      },
    ),
  );
  connection.languages.diagnostics.onWorkspace(
    guard.request<{ previousResultIds: PreviousResultId[] }, WorkspaceDiagnosticReport>(
      'workspace/diagnostic',
      { items: [] },
      async ({ previousResultIds }) => {
        const language = await host();
        const previous = new Map(previousResultIds.map(({ uri, value }) => [uri, value]));
        const items: WorkspaceDiagnosticReport['items'] = [];
        for (const document of documents.all()) {
          const { uri, content } = document;
          items.push({ uri, version: content.version, ...report(document, language, previous.get(uri)) });
        }
        for (const uri of previous.keys())
          if (documents.get(uri) === undefined) items.push({ uri, version: null, kind: 'full', items: [] });
        return { items };
      },
    ),
  );

  let asking: NodeJS.Immediate | undefined;
  return {
    // The client knows, and asks when it wants to.
    changed: () => undefined,
    closed: (uri) => void given.delete(uri),
    outdated({ length }) {
      if (length === 0) return;
      asking ??= setImmediate(() => {
        asking = undefined;
        guard.run('workspace/diagnostic/refresh', () => connection.languages.diagnostics.refresh());
      });
    },
    dispose: () => clearImmediate(asking),
  };
}
