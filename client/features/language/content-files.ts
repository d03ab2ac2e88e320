import * as vscode from 'vscode';
import type { Services } from '../../infrastructure/services.ts';

/** Files that may hold queries, policies, alert profiles or exceptions. */
const pattern = '**/*.{lql,yaml,yml,json,tf}';
const excluded = '**/{node_modules,.git,.terraform,dist,out}/**';

const mostFiles = 3000;
/** Authored content is small; what is larger is data. */
const largestBytes = 300_000;
/** Without one of these words there is nothing to index, and the text is not sent. */
const marks = /\b(?:queryId|query_id|queryText|policyId|alertProfileId)\b/;
const batchSize = 100;

/**
 * Tells the language server, which reads no files, what the workspace holds: so that going from a policy to its query works while the
 * query's file is closed, and a query is checked as its policies demand. Nothing is read before the server runs.
 */
export function followContentFiles({ context, commands, language }: Services): void {
  const read = async (uri: vscode.Uri): Promise<{ uri: string; text?: string }> => {
    try {
      const { size } = await vscode.workspace.fs.stat(uri);
      if (size > largestBytes) return { uri: uri.toString() };
      const text = Buffer.from(await vscode.workspace.fs.readFile(uri)).toString('utf8');
      return marks.test(text) ? { uri: uri.toString(), text } : { uri: uri.toString() };
    } catch {
      // Gone between the event and now.
      return { uri: uri.toString() };
    }
  };
  const tellAll = async (): Promise<void> => {
    const uris = await vscode.workspace.findFiles(pattern, excluded, mostFiles);
    for (let start = 0; start < uris.length; start += batchSize) {
      const files = await Promise.all(uris.slice(start, start + batchSize).map(read));
      language.setFiles(files.filter(({ text }) => text !== undefined));
    }
  };
  const tell = async (uri: vscode.Uri): Promise<void> => {
    if (language.state === 'running') language.setFiles([await read(uri)]);
  };
  const watcher = vscode.workspace.createFileSystemWatcher(pattern);
  context.subscriptions.push(
    watcher,
    watcher.onDidCreate(tell),
    watcher.onDidChange(tell),
    watcher.onDidDelete((uri) => language.state === 'running' && language.setFiles([{ uri: uri.toString() }])),
    language.onDidChangeState((state) => {
      if (state === 'running') void commands.guard('Reading the queries and policies of the workspace', tellAll);
    }),
  );
}
