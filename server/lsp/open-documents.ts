import { TextDocument, type TextDocumentContentChangeEvent } from 'vscode-languageserver-textdocument';

/** One document as the editor has it now. */
export interface OpenDocument {
  readonly uri: string;
  readonly languageId: string;
  /** The text and its version. Changes in place: read it anew after every wait. */
  readonly content: TextDocument;
}

/** The documents the editor has open, kept in step by its notifications. */
export interface OpenDocuments {
  get(uri: string): OpenDocument | undefined;
  all(): Iterable<OpenDocument>;
  open(uri: string, languageId: string, version: number, text: string): OpenDocument;
  /** Applies incremental or full changes in order. Undefined for a document that is not open. */
  change(uri: string, version: number, changes: TextDocumentContentChangeEvent[]): OpenDocument | undefined;
  close(uri: string): void;
}

export function createOpenDocuments(): OpenDocuments {
  const documents = new Map<string, OpenDocument>();
  return {
    get: (uri) => documents.get(uri),
    all: () => documents.values(),
    open(uri, languageId, version, text) {
      const document = { uri, languageId, content: TextDocument.create(uri, languageId, version, text) };
      documents.set(uri, document);
      return document;
    },
    change(uri, version, changes) {
      const document = documents.get(uri);
      if (document === undefined) return undefined;
      TextDocument.update(document.content, changes, version);
      return document;
    },
    close(uri) {
      documents.delete(uri);
    },
  };
}
