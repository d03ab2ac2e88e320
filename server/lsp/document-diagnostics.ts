import type { Connection, Diagnostic as WireDiagnostic } from 'vscode-languageserver/node';
import { toDocumentRange } from '../core/documents/region.ts';
import { diagnosticTags, severities, toRange } from './convert.ts';
import type { LanguageHost, RegionView } from './language-host.ts';
import type { OpenDocument, OpenDocuments } from './open-documents.ts';
import type { RequestGuard } from './request-guard.ts';

/** How diagnostics come to the editor: it is told them, or it asks. */
export interface DiagnosticsDelivery {
  /** The text of a document is new. */
  changed(document: OpenDocument): void;
  /** What these documents are checked against is new. */
  outdated(documents: readonly OpenDocument[]): void;
  closed(uri: string): void;
  dispose(): void;
}

export interface DeliveryServices {
  readonly connection: Connection;
  readonly documents: OpenDocuments;
  readonly checks: DocumentChecks;
  readonly host: () => Promise<LanguageHost>;
  readonly guard: RequestGuard;
  /** Called behind each check, when its diagnostics are on their way. */
  readonly onChecked: (views: readonly RegionView[]) => void;
}

export interface CheckedDocument {
  readonly views: readonly RegionView[];
  readonly diagnostics: WireDiagnostic[];
}

/** Checks documents, and knows which of them other documents have overtaken. */
export interface DocumentChecks {
  check(document: OpenDocument, language: LanguageHost): CheckedDocument;
  /** The documents of which others say something else than when they were checked; each change is told once. */
  takeOvertaken(language: LanguageHost): readonly OpenDocument[];
  forget(uri: string): void;
}

export function createDocumentChecks(documents: OpenDocuments): DocumentChecks {
  const toldByOthers = new Map<string, string>();
  return {
    check(document, language) {
      const views = language.regions(document);
      const diagnostics = [
        ...resourceDiagnostics(document, language),
        ...views.flatMap((view) => regionDiagnostics(document, view, language)),
      ];
      toldByOthers.set(document.uri, language.toldByOthers(document.uri));
      return { views, diagnostics };
    },
    takeOvertaken: (language) =>
      [...documents.all()].filter(({ uri }) => {
        const told = toldByOthers.get(uri);
        const now = language.toldByOthers(uri);
        if (told === undefined || told === now) return false;
        // A client that is asked to ask again may leave out what it does not show: it must not be asked for ever.
        toldByOthers.set(uri, now);
        return true;
      }),
    forget: (uri) => void toldByOthers.delete(uri),
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
