// The first vertical slice inside a real extension host: language features, runs, cancel, and a language server that dies.
import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { TestApi } from '../../client/infrastructure/test-api.ts';

const buckets = '{ source { SVC_CFG_AWS_S3 } return distinct { RESOURCE_ID } }';

describe('LQL Studio in the extension host', () => {
  let api: TestApi;

  before(async () => {
    const extension = vscode.extensions.getExtension<TestApi>('lql-studio.lql-studio');
    assert.ok(extension, 'the extension under development is loaded');
    api = await extension.activate();
    await openText(buckets);
    await until('the session is ready', () => api.session.kind === 'ready');
  });

  afterEach(async () => {
    // Closing would ask whether to save.
    while (vscode.window.activeTextEditor) {
      await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    }
  });

  it('activates quickly', () => {
    console.log(`      activate() took ${api.activationMs.toFixed(1)} ms`);
    assert.ok(api.activationMs < 500);
  });

  it('publishes a syntax error, and takes it back when it is mended', async () => {
    const document = await openText('{ source { SVC_CFG_AWS_S3 } return { RESOURCE_ID ');
    await until('an error', () => errorsOf(document).length > 0);
    await setText(document, buckets);
    await until('no error', () => errorsOf(document).length === 0);
  });

  it('names the datasource that was meant', async () => {
    const document = await openText(buckets.replace('SVC_CFG_AWS_S3', 'SVC_CFG_AWS_S33'));
    const [diagnostic] = await until('a diagnostic', () => {
      const found = vscode.languages.getDiagnostics(document.uri);
      return found.length > 0 ? found : undefined;
    });
    assert.match(diagnostic?.message ?? '', /SVC_CFG_AWS_S3\b/);
    assert.equal(document.getText(diagnostic?.range), 'SVC_CFG_AWS_S33');
  });

  it('completes datasources and columns', async () => {
    const document = await openText('{ source { SVC_CFG } return { } }');
    const datasources = await completionsAt(document, document.getText().indexOf('SVC_CFG') + 'SVC_CFG'.length);
    assert.ok(datasources.includes('SVC_CFG_AWS_S3'), datasources.join());
    await setText(document, '{ source { SVC_CFG_AWS_S3 } return {  } }');
    const columns = await completionsAt(document, document.getText().lastIndexOf('{') + 2);
    assert.ok(columns.includes('RESOURCE_ID'), columns.join());
  });

  it('explains a column', async () => {
    const document = await openText(buckets);
    const position = document.positionAt(buckets.indexOf('RESOURCE_ID') + 1);
    const hovers = await vscode.commands.executeCommand<vscode.Hover[]>(
      'vscode.executeHoverProvider',
      document.uri,
      position,
    );
    const text = hovers
      .flatMap((hover) => hover.contents)
      .map((content) => (typeof content === 'string' ? content : content.value));
    assert.match(text.join('\n'), /RESOURCE_ID/);
  });

  it('runs the query under the cursor and keeps its rows', async () => {
    await openText(buckets);
    await vscode.commands.executeCommand('lql.runQuery');
    const last = await until('an outcome', () => api.runs.last);
    assert.equal(last.kind, 'succeeded', JSON.stringify(last));
    assert.ok(last.kind === 'succeeded' && last.rows.length > 0);
    assert.ok(api.results.some((run) => run.rowCount === (last.kind === 'succeeded' ? last.rows.length : -1)));
  });

  it('has its language server back after it was killed', async function () {
    this.timeout(30_000);
    const document = await openText(buckets.replace('RESOURCE_ID', 'RESOURCE_IDD'));
    await until('a diagnostic', () => vscode.languages.getDiagnostics(document.uri).length > 0);
    const { pid } = api.languageServer;
    assert.ok(pid);
    const start = Date.now();
    process.kill(pid, 'SIGKILL');
    await until('another server', () => api.languageServer.pid !== undefined && api.languageServer.pid !== pid);
    await setText(document, buckets.replace('RESOURCE_ID', 'RESOURCE_IDDD'));
    await until('a diagnostic of the new server', () =>
      vscode.languages.getDiagnostics(document.uri).some(({ message }) => message.includes('RESOURCE_IDDD')),
    );
    console.log(`      features were back after ${Date.now() - start} ms`);
    await vscode.commands.executeCommand('lql.restartLanguageServer');
    await setText(document, '{ source {');
    await until('an error after the restart by command', () => errorsOf(document).length > 0);
  });
});

let lastFile = 0;

// A file of its own for each test: VS Code gives the name of an untitled document to the next one before the first is gone.
async function openText(content: string): Promise<vscode.TextDocument> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  assert.ok(folder, 'a folder is open');
  const uri = vscode.Uri.joinPath(folder, `test-${++lastFile}.lql`);
  await vscode.workspace.fs.writeFile(uri, Buffer.from(content));
  const document = await vscode.workspace.openTextDocument(uri);
  await vscode.window.showTextDocument(document);
  return document;
}

async function setText(document: vscode.TextDocument, text: string): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  edit.replace(document.uri, new vscode.Range(0, 0, document.lineCount, 0), text);
  assert.ok(await vscode.workspace.applyEdit(edit));
}

function errorsOf(document: vscode.TextDocument): vscode.Diagnostic[] {
  const all = vscode.languages.getDiagnostics(document.uri);
  return all.filter(({ severity }) => severity === vscode.DiagnosticSeverity.Error);
}

async function completionsAt(document: vscode.TextDocument, offset: number): Promise<string[]> {
  const list = await vscode.commands.executeCommand<vscode.CompletionList>(
    'vscode.executeCompletionItemProvider',
    document.uri,
    document.positionAt(offset),
  );
  return list.items.map(({ label }) => (typeof label === 'string' ? label : label.label));
}

async function until<Value>(what: string, read: () => Value | undefined, limitMs = 15_000): Promise<Value> {
  const end = Date.now() + limitMs;
  for (;;) {
    const value = read();
    if (value) return value;
    if (Date.now() > end) throw new Error(`There was no ${what} within ${limitMs / 1000} s.`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}
