import * as vscode from 'vscode';

/** Scheme of read-only documents about content: plans, results, what the account has. */
export const contentScheme = 'lql-content';

/** Plans and results lie here. By this name the manifest gives them their language, in which what is created, changed and deleted has a colour. */
export const shownFolder = '.lql-shown';

export interface ContentDocuments extends vscode.Disposable {
  /** Makes or changes a document and says where it is. */
  set(path: string, text: string): vscode.Uri;
}

/** Texts that are shown and not edited. They live as long as the window. */
export function createContentDocuments(): ContentDocuments {
  const texts = new Map<string, string>();
  const changed = new vscode.EventEmitter<vscode.Uri>();
  const registration = vscode.workspace.registerTextDocumentContentProvider(contentScheme, {
    onDidChange: changed.event,
    provideTextDocumentContent: (uri) => texts.get(uri.toString()) ?? '',
  });
  return {
    set(path, text) {
      const uri = vscode.Uri.from({ scheme: contentScheme, path: `/${path}` });
      texts.set(uri.toString(), text);
      changed.fire(uri);
      return uri;
    },
    dispose() {
      registration.dispose();
      changed.dispose();
    },
  };
}
