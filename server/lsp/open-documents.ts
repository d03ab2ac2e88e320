import type { Range } from 'vscode-languageserver/node';
import { TextDocument, type TextDocumentContentChangeEvent } from 'vscode-languageserver-textdocument';

/** One document as the editor has it now. */
export interface OpenDocument {
  readonly uri: string;
  readonly languageId: string;
  /** The text and its version. Changes in place: read it anew after every wait. */
  readonly content: TextDocument;
  /** Another number after each change. Not the editor's version, which may stay, fall or be absent. */
  readonly revision: number;
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
  const documents = new Map<string, OpenDocument & { revision: number }>();
  return {
    get: (uri) => documents.get(uri),
    all: () => documents.values(),
    open(uri, languageId, version, text) {
      const document = { uri, languageId, content: TextDocument.create(uri, languageId, version, text), revision: 0 };
      documents.set(uri, document);
      return document;
    },
    change(uri, version, changes) {
      const document = documents.get(uri);
      if (document === undefined) return undefined;
      document.revision++;
      TextDocument.update(document.content, changes.map(withoutNulls), version);
      return document;
    },
    close(uri) {
      documents.delete(uri);
    },
  };
}

/** Some editors write null for what they leave out; a change without a range is the whole text. */
function withoutNulls(change: TextDocumentContentChangeEvent): TextDocumentContentChangeEvent {
  const { text, range }: { readonly text: string; readonly range?: Range | null } = change;
  return range === undefined || range === null ? { text } : { text, range };
}
