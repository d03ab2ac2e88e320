import * as vscode from 'vscode';
import { errorsIn } from './local-errors.ts';
import { indexOfWord, quotedNames } from './quoted-names.ts';
import type { RunTarget } from './run-target.ts';

/** What the service said against a query, shown on the query until its text changes or it is run again. */
export interface ServiceDiagnostics extends vscode.Disposable {
  show(target: RunTarget, message: string): void;
  /** Takes away what was said against this query; what was said against others of its document stays. */
  clear(target: RunTarget): void;
}

export function createServiceDiagnostics(): ServiceDiagnostics {
  const collection = vscode.languages.createDiagnosticCollection('lql-service');
  const subscriptions = [
    collection,
    // The answer was about the old text.
    vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      if (contentChanges.length > 0) collection.delete(document.uri);
    }),
    vscode.workspace.onDidCloseTextDocument(({ uri }) => collection.delete(uri)),
  ];
  const othersThan = (uri: vscode.Uri, range: vscode.Range): readonly vscode.Diagnostic[] =>
    (collection.get(uri) ?? []).filter((diagnostic) => !range.contains(diagnostic.range));
  return {
    show({ uri, range, text }, message) {
      const document = vscode.workspace.textDocuments.find((open) => open.uri.toString() === uri?.toString());
      if (!uri || !range || !document) return;
      const place = narrow(document, range, text, message);
      // What the editor says at the very same place the service need not say a second time.
      if (errorsIn(uri, range).some((error) => error.range.isEqual(place))) return;
      const diagnostic = new vscode.Diagnostic(place, message, vscode.DiagnosticSeverity.Error);
      diagnostic.source = 'LQL service';
      collection.set(uri, [...othersThan(uri, range), diagnostic]);
    },
    clear: ({ uri, range }) => {
      if (uri) collection.set(uri, range ? othersThan(uri, range) : undefined);
    },
    dispose() {
      for (const subscription of subscriptions) subscription.dispose();
    },
  };
}

/** The first name that the message quotes and the query contains, else the query's first line: the service gives no positions. */
function narrow(document: vscode.TextDocument, range: vscode.Range, text: string, message: string): vscode.Range {
  const whole = document.getText(range);
  const offset = document.offsetAt(range.start);
  for (const name of quotedNames(message)) {
    if (!text.includes(name)) continue;
    const at = indexOfWord(whole, name);
    if (at >= 0)
      return new vscode.Range(document.positionAt(offset + at), document.positionAt(offset + at + name.length));
  }
  const line = document.lineAt(range.start.line);
  return range.isSingleLine ? range : new vscode.Range(range.start, line.range.end);
}
