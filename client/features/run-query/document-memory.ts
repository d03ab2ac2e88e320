import * as vscode from 'vscode';
import { type DocumentMoves, moveEntries } from './document-moves.ts';

/** A text, or several, that a person gave for a document. */
export type DocumentEntry = readonly [uri: string, ...rest: readonly string[]];

/** What is remembered for documents with the workspace, the newest first. It goes where its document goes. */
export interface DocumentMemory<Entry extends DocumentEntry> extends vscode.Disposable {
  readonly entries: readonly Entry[];
  write(entries: readonly Entry[]): Promise<void>;
  readonly onDidChange: vscode.Event<void>;
}

export interface DocumentMemoryOptions<Entry extends DocumentEntry> {
  readonly key: string;
  /** The oldest beyond so many are forgotten. */
  readonly mostRemembered: number;
  /** Of two entries with the same name in one document the one that moved there is kept. */
  readonly nameOf: (entry: Entry) => string;
  readonly withUri: (entry: Entry, uri: string) => Entry;
}

export function createDocumentMemory<Entry extends DocumentEntry>(
  state: vscode.Memento,
  moves: DocumentMoves,
  { key, mostRemembered, nameOf, withUri }: DocumentMemoryOptions<Entry>,
): DocumentMemory<Entry> {
  const changed = new vscode.EventEmitter<void>();
  const read = (): readonly Entry[] => state.get<readonly Entry[]>(key, []);
  const write = async (entries: readonly Entry[]): Promise<void> => {
    await state.update(key, entries.slice(0, mostRemembered));
    changed.fire();
  };
  const following = moves.onDidMove((placeOf) => {
    const next = moveEntries(read(), placeOf, nameOf, withUri);
    if (next) void write(next);
  });
  return {
    get entries() {
      return read();
    },
    write,
    onDidChange: changed.event,
    dispose() {
      changed.dispose();
      following.dispose();
    },
  };
}
