import * as vscode from 'vscode';

/** Where something that is remembered for a document belongs from now on, by its URI; undefined: nowhere, the document is gone. */
export type PlaceOf = (uri: string) => string | undefined;

/** Documents that go on under another URI: renamed files, their folders, and unsaved texts that become files. */
export interface DocumentMoves extends vscode.Disposable {
  readonly onDidMove: vscode.Event<PlaceOf>;
}

// VS Code closes an unsaved text as soon as its file is written. Whatever is closed later was closed for another reason.
const closesWithinMs = 5000;

/** `workspace` is VS Code's own. */
export function createDocumentMoves(
  workspace: Pick<
    typeof vscode.workspace,
    'textDocuments' | 'onDidRenameFiles' | 'onWillSaveTextDocument' | 'onDidSaveTextDocument' | 'onDidCloseTextDocument'
  >,
): DocumentMoves {
  const moved = new vscode.EventEmitter<PlaceOf>();
  /** By the file that is written: the unsaved texts that it may be made of, and when it was written. */
  const saves = new Map<string, { readonly sources: readonly string[]; savedAt: number | undefined }>();
  const subscriptions = [
    moved,
    workspace.onDidRenameFiles(({ files }) => {
      moved.fire((uri) => {
        for (const { oldUri, newUri } of files) {
          const [from, to] = [oldUri.toString(), newUri.toString()];
          if (uri === from || uri.startsWith(`${from}/`)) return to + uri.slice(from.length);
        }
        return uri;
      });
    }),
    // VS Code tells of no link between the two. The file has the text already when it is about to be written, and the unsaved one has it
    // still; afterwards the file may have been formatted, and the other is empty.
    workspace.onWillSaveTextDocument(({ document }) => {
      const sources = workspace.textDocuments.filter((other) => isUnsaved(other) && sameText(other, document));
      saves.delete(keyOf(document));
      if (sources.length > 0) saves.set(keyOf(document), { sources: sources.map(keyOf), savedAt: undefined });
    }),
    workspace.onDidSaveTextDocument((document) => {
      const save = saves.get(keyOf(document));
      if (save) save.savedAt = Date.now();
    }),
    workspace.onDidCloseTextDocument((document) => {
      // A change of the language closes a document and opens it again.
      if (!isUnsaved(document) || !document.isClosed) return;
      const closed = keyOf(document);
      const now = Date.now();
      let target: string | undefined;
      for (const [file, { sources, savedAt }] of saves) {
        if (savedAt === undefined) continue;
        const fresh = now - savedAt <= closesWithinMs;
        if (fresh && sources.includes(closed)) target = file;
        if (!fresh || file === target) saves.delete(file);
      }
      // The next unsaved text gets the same name: what was meant for this one must not wait for it there.
      moved.fire((uri) => (uri === closed ? target : uri));
    }),
  ];
  return {
    onDidMove: moved.event,
    dispose() {
      for (const subscription of subscriptions) subscription.dispose();
    },
  };
}

/**
 * The entries after a move, or undefined where it concerns none of them. What comes to a document that has something of the same name
 * takes its place: of two entries with the same `nameOf` in one document the one that moved is kept.
 */
export function moveEntries<Entry extends readonly [uri: string, ...rest: readonly string[]]>(
  entries: readonly Entry[],
  placeOf: PlaceOf,
  nameOf: (entry: Entry) => string,
  withUri: (entry: Entry, uri: string) => Entry,
): readonly Entry[] | undefined {
  if (entries.every(([uri]) => placeOf(uri) === uri)) return undefined;
  const slotOf = (entry: Entry): string => JSON.stringify([entry[0], nameOf(entry)]);
  const placed = entries.flatMap((entry) => {
    const uri = placeOf(entry[0]);
    return uri === undefined ? [] : [{ entry: withUri(entry, uri), isMoved: uri !== entry[0] }];
  });
  const taken = new Set(placed.flatMap(({ entry, isMoved }) => (isMoved ? [slotOf(entry)] : [])));
  return placed.flatMap(({ entry, isMoved }) => (isMoved || !taken.has(slotOf(entry)) ? [entry] : []));
}

function isUnsaved({ uri }: vscode.TextDocument): boolean {
  return uri.scheme === 'untitled';
}

// Another extension may have laid out the file before we are told of it.
function sameText(a: vscode.TextDocument, b: vscode.TextDocument): boolean {
  const bare = (document: vscode.TextDocument): string => document.getText().replaceAll(/\s+/g, '');
  return bare(a) === bare(b);
}

function keyOf({ uri }: vscode.TextDocument): string {
  return uri.toString();
}
