import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';

/** Where the bundles of the views lie. */
export function webviewRoot(extensionUri: vscode.Uri): vscode.Uri {
  return vscode.Uri.joinPath(extensionUri, 'dist', 'webview');
}

/** The page of a view: nothing inline, nothing remote, nothing evaluated. */
export function webviewPage(webview: vscode.Webview, extensionUri: vscode.Uri, view: string, title: string): string {
  const nonce = randomBytes(18).toString('base64');
  const file = (name: string): vscode.Uri => webview.asWebviewUri(vscode.Uri.joinPath(webviewRoot(extensionUri), name));
  const policy = `default-src 'none'; style-src ${webview.cspSource}; script-src 'nonce-${nonce}'`;
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="stylesheet" href="${file(`${view}.css`)}">
</head>
<body>
<script nonce="${nonce}" src="${file(`${view}.js`)}"></script>
</body>
</html>`;
}
