import * as vscode from 'vscode';

/**
 * Which open documents hold queries: every LQL document, and those YAML, JSON and HCL documents in which a query is
 * written beside an id. Drives the context key `lql.editorHasQuery`, the status bar, and when the language server starts.
 */
export interface QueryEditors extends vscode.Disposable {
  /** The active editor when it shows a document that may hold queries. */
  readonly active: vscode.TextEditor | undefined;
  readonly onDidChangeActive: vscode.Event<vscode.TextEditor | undefined>;
  /** Resolves at once when such a document is open, else when the first one is opened. */
  whenFirst(then: () => void): void;
}

const hostLanguages = new Set(['yaml', 'json', 'jsonc', 'terraform', 'hcl']);
// The spellings of the field that holds a query: the service's, and Terraform's resource type.
const queryMarkers = ['queryText', 'lacework_query', 'query_text'];
// Larger host documents are data, not content somebody writes.
const largestHostDocument = 1_000_000;

export function mayHoldQueries(document: vscode.TextDocument): boolean {
  if (document.languageId === 'lql') return true;
  if (!hostLanguages.has(document.languageId)) return false;
  const text = document.getText();
  return text.length <= largestHostDocument && queryMarkers.some((marker) => text.includes(marker));
}

export function createQueryEditors(): QueryEditors {
  const changed = new vscode.EventEmitter<vscode.TextEditor | undefined>();
  let active: vscode.TextEditor | undefined;
  let waiting: (() => void)[] = [];
  let pending: ReturnType<typeof setTimeout> | undefined;

  const update = (): void => {
    const editor = vscode.window.activeTextEditor;
    const next = editor && mayHoldQueries(editor.document) ? editor : undefined;
    if (next === active) return;
    active = next;
    void vscode.commands.executeCommand('setContext', 'lql.editorHasQuery', active !== undefined);
    changed.fire(active);
  };
  const opened = (document: vscode.TextDocument): void => {
    if (waiting.length === 0 || !mayHoldQueries(document)) return;
    const starting = waiting;
    waiting = [];
    for (const start of starting) start();
  };
  // A host document may come to hold a query while it is typed; looking once typing pauses is soon enough.
  const updateSoon = (document: vscode.TextDocument): void => {
    if (document.languageId === 'lql' || !hostLanguages.has(document.languageId)) return;
    clearTimeout(pending);
    pending = setTimeout(() => {
      update();
      opened(document);
    }, 300);
  };
  const subscriptions = [
    changed,
    vscode.window.onDidChangeActiveTextEditor(update),
    vscode.workspace.onDidOpenTextDocument((document) => {
      opened(document);
      update();
    }),
    vscode.workspace.onDidChangeTextDocument(({ document }) => updateSoon(document)),
  ];
  update();
  return {
    get active() {
      return active;
    },
    onDidChangeActive: changed.event,
    whenFirst(then) {
      waiting.push(then);
      for (const document of vscode.workspace.textDocuments) opened(document);
    },
    dispose() {
      clearTimeout(pending);
      for (const subscription of subscriptions) subscription.dispose();
    },
  };
}
