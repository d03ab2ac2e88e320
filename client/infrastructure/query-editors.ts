import * as vscode from 'vscode';

/**
 * Which open documents hold queries: every LQL document, and those YAML, JSON, HCL and Markdown documents in which
 * a query is written. Drives the context key `lql.editorHasQuery`, the status bar, and when the language server starts.
 */
export interface QueryEditors extends vscode.Disposable {
  /** The active editor when it shows a document that may hold queries. */
  readonly active: vscode.TextEditor | undefined;
  readonly onDidChangeActive: vscode.Event<vscode.TextEditor | undefined>;
  /** The active editor, or, where something else than a text is in front (the walkthrough), that of the query last worked on. */
  activeOrRecent(): Promise<vscode.TextEditor | undefined>;
  /** Resolves at once when such a document is open, else when the first one is opened. */
  whenFirst(then: () => void): void;
}

const hostLanguages: readonly string[] = [
  'yaml',
  'json',
  'jsonc',
  'terraform',
  'terraform-vars',
  'opentofu',
  'hcl',
  'markdown',
];
// Terraform is plain text to a VS Code without an extension for it.
const hostEnding = /\.(?:tf|tofu|hcl)$/i;
// What stands before a query in each of them: the service's field, Terraform's attribute and resource, a fence of Markdown.
const queryMarker = /queryText|query_text|lacework_query|(?:```|~~~)[ \t]*lql/i;
// Larger host documents are data, not content somebody writes.
const largestHostDocument = 1_000_000;

// Not those of `git:` and its like: what was committed long ago would be complained about beside what is written now.
const schemes = ['file', 'untitled', 'vscode-vfs'];

/** The documents the language server is told of, and those that get code lenses. */
export const querySelector: readonly (
  | { readonly scheme: string; readonly language: string }
  | { readonly scheme: string; readonly pattern: string }
)[] = schemes.flatMap((scheme) => [
  ...['lql', ...hostLanguages].map((language) => ({ scheme, language })),
  { scheme, pattern: '**/*.{tf,tofu,hcl}' },
]);

export function mayHoldQueries(document: vscode.TextDocument): boolean {
  if (document.languageId === 'lql') return true;
  if (!isHost(document)) return false;
  const text = document.getText();
  return text.length <= largestHostDocument && queryMarker.test(text);
}

function isHost({ languageId, uri }: vscode.TextDocument): boolean {
  return hostLanguages.includes(languageId) || hostEnding.test(uri.path);
}

export function createQueryEditors(): QueryEditors {
  const changed = new vscode.EventEmitter<vscode.TextEditor | undefined>();
  let active: vscode.TextEditor | undefined;
  let recent: vscode.Uri | undefined;
  let waiting: (() => void)[] = [];
  let pending: ReturnType<typeof setTimeout> | undefined;

  const update = (): void => {
    const editor = vscode.window.activeTextEditor;
    const next = editor && mayHoldQueries(editor.document) ? editor : undefined;
    if (next === active) return;
    active = next;
    recent = active?.document.uri ?? recent;
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
    if (document.languageId === 'lql' || !isHost(document)) return;
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
    async activeOrRecent() {
      const viewColumn = recent && columnOf(recent);
      if (active || vscode.window.activeTextEditor || !recent || viewColumn === undefined) return active;
      const editor = await vscode.window.showTextDocument(recent, { viewColumn });
      return mayHoldQueries(editor.document) ? editor : undefined;
    },
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

/** Where a document has a tab; undefined where it has none. */
function columnOf(uri: vscode.Uri): vscode.ViewColumn | undefined {
  return vscode.window.tabGroups.all.find(({ tabs }) =>
    tabs.some(({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === uri.toString()),
  )?.viewColumn;
}
