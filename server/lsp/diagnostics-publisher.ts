import type { Connection, Diagnostic as WireDiagnostic } from 'vscode-languageserver/node';
import { toDocumentRange } from '../core/documents/region.ts';
import { diagnosticTags, severities, toRange } from './convert.ts';
import type { LanguageHost, RegionView } from './language-host.ts';
import type { OpenDocument, OpenDocuments } from './open-documents.ts';
import type { RequestGuard } from './request-guard.ts';

/** A check that took this many milliseconds makes the next one wait as long; cheap texts are checked at once. */
const patience = 2;
const longestDelayMs = 300;

export interface DiagnosticsPublisher {
  /** The document changed, or what it is checked against: check it soon. */
  schedule(document: OpenDocument): void;
  /** The document was closed: take its diagnostics off the screen. */
  clear(uri: string): void;
  dispose(): void;
}

/**
 * Checks documents and sends what it finds. Texts are read when the check runs, never earlier, and everything happens in one turn,
 * so what is sent always belongs to the newest version.
 */
export function createDiagnosticsPublisher(
  connection: Connection,
  documents: OpenDocuments,
  host: () => Promise<LanguageHost>,
  guard: RequestGuard,
  onChecked: (views: readonly RegionView[]) => void,
): DiagnosticsPublisher {
  /** How to call off the check a document waits for. */
  const waiting = new Map<string, () => void>();
  const costs = new Map<string, number>();

  const check = (uri: string): void => {
    waiting.delete(uri);
    guard.run('textDocument/publishDiagnostics', async () => {
      const language = await host();
      const document = documents.get(uri);
      if (document === undefined || waiting.has(uri)) return;
      const start = performance.now();
      const views = language.regions(document);
      const diagnostics = [
        ...resourceDiagnostics(document, language),
        ...views.flatMap((view) => regionDiagnostics(document, view, language)),
      ];
      costs.set(uri, performance.now() - start);
      await connection.sendDiagnostics({ uri, version: document.content.version, diagnostics });
      onChecked(views);
    });
  };

  return {
    schedule({ uri }) {
      waiting.get(uri)?.();
      const delay = Math.min(longestDelayMs, (costs.get(uri) ?? 0) * patience);
      if (delay < 10) {
        const turn = setImmediate(check, uri);
        waiting.set(uri, () => clearImmediate(turn));
      } else {
        const timer = setTimeout(check, delay, uri);
        waiting.set(uri, () => clearTimeout(timer));
      }
    },
    clear(uri) {
      waiting.get(uri)?.();
      waiting.delete(uri);
      costs.delete(uri);
      connection.sendDiagnostics({ uri, diagnostics: [] }).catch(() => undefined);
    },
    dispose() {
      for (const callOff of waiting.values()) callOff();
      waiting.clear();
    },
  };
}

/** What is wrong with the objects of a document themselves. */
export function resourceDiagnostics(document: OpenDocument, language: LanguageHost): WireDiagnostic[] {
  const { content } = document;
  return language.resourceDiagnostics(document).map((diagnostic) => ({
    ...pageOf(diagnostic.code, language),
    range: toRange(content, diagnostic.range),
    severity: severities[diagnostic.severity],
    code: diagnostic.code,
    source: 'lql',
    message: diagnostic.message,
    ...(diagnostic.tags === undefined ? {} : { tags: diagnostic.tags.map((tag) => diagnosticTags[tag]) }),
  }));
}

/** The diagnostics of one query in terms of its document. What Terraform fills in later cannot be judged, so templates get none. */
export function regionDiagnostics(
  document: OpenDocument,
  { region, query }: RegionView,
  language: LanguageHost,
): WireDiagnostic[] {
  if (region.isTemplate) return [];
  const { uri, content } = document;
  return query.diagnostics.map((diagnostic) => ({
    ...pageOf(diagnostic.code, language),
    range: toRange(content, toDocumentRange(region, diagnostic.range)),
    severity: severities[diagnostic.severity],
    code: diagnostic.code,
    source: 'lql',
    message: diagnostic.message,
    ...(diagnostic.tags === undefined ? {} : { tags: diagnostic.tags.map((tag) => diagnosticTags[tag]) }),
    ...(diagnostic.related === undefined
      ? {}
      : {
          relatedInformation: diagnostic.related.map(({ range, message }) => ({
            location: { uri, range: toRange(content, toDocumentRange(region, range)) },
            message,
          })),
        }),
  }));
}

/** Where the code's page is, for editors that link to it. */
function pageOf(code: string, language: LanguageHost): Pick<WireDiagnostic, 'codeDescription'> {
  const href = language.documentationOf(code);
  return href === undefined ? {} : { codeDescription: { href } };
}
