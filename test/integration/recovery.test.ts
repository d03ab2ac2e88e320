// What happens when the processes around the extension die, in the real extension host.
import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { TestApi } from '../../client/infrastructure/test-api.ts';

const query = '{ source { SVC_HE_MACHINES } return distinct { HOSTNAME } }';

describe('The local platform', () => {
  let api: TestApi;

  before(async () => {
    const extension = vscode.extensions.getExtension<TestApi>('lql-studio.lql-studio');
    assert.ok(extension);
    api = await extension.activate();
    const document = await vscode.workspace.openTextDocument({ language: 'lql', content: query });
    await vscode.window.showTextDocument(document);
    await until('a session', () => api.session.kind === 'ready');
  });

  after(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));

  it('is started again by the run that misses it', async function () {
    this.timeout(60_000);
    await vscode.commands.executeCommand('lql.runQuery');
    assert.equal(api.runs.last?.kind, 'succeeded', JSON.stringify(api.runs.last));
    const pid = api.localPlatformPid;
    assert.ok(pid);
    process.kill(pid, 'SIGKILL');
    await until('the end of the process', () => api.localPlatformPid !== pid);
    const before = api.runs.last;
    const start = Date.now();
    await vscode.commands.executeCommand('lql.runQuery');
    const last = await until('another outcome', () => (api.runs.last === before ? undefined : api.runs.last));
    assert.equal(last.kind, 'succeeded', JSON.stringify(last));
    console.log(`      rows were there ${Date.now() - start} ms after the process had been killed`);
    assert.ok(api.localPlatformPid);
    assert.notEqual(api.localPlatformPid, pid);
  });

  it('answers runs that are started at once, two at a time', async function () {
    this.timeout(60_000);
    const shownBefore = api.results.length;
    const runs = Array.from({ length: 5 }, (_, index) =>
      vscode.commands.executeCommand('lql.runQuery', { text: query, title: `run ${index}` }),
    );
    assert.ok(api.runs.running <= 5);
    await Promise.all(runs);
    assert.equal(api.runs.running, 0);
    const shown = api.results.slice(-5);
    assert.ok(api.results.length >= shownBefore);
    assert.deepEqual([...new Set(shown.map(({ phase }) => phase))], ['succeeded']);
  });

  it('a cancel of everything ends at once, and nothing arrives late', async function () {
    this.timeout(60_000);
    let run = vscode.commands.executeCommand('lql.runQuery', { text: query, title: 'to be cancelled' });
    // A run on this computer takes a few milliseconds: every turn of the loop looks for it. One that was over before it was seen
    // is tried again.
    let ended = false;
    run.then(
      () => (ended = true),
      () => (ended = true),
    );
    while (api.runs.running === 0) {
      await new Promise((resolve) => setImmediate(resolve));
      if (!ended) continue;
      ended = false;
      run = vscode.commands.executeCommand('lql.runQuery', { text: query, title: 'to be cancelled' });
      run.then(
        () => (ended = true),
        () => (ended = true),
      );
    }
    const start = performance.now();
    await vscode.commands.executeCommand('lql.cancelRun');
    const took = performance.now() - start;
    console.log(`      the cancel took ${took.toFixed(1)} ms`);
    assert.equal(api.runs.running, 0);
    assert.equal(api.runs.last?.kind, 'cancelled');
    await run;
    await new Promise((resolve) => setTimeout(resolve, 500));
    assert.equal(api.runs.last?.kind, 'cancelled');
  });
});

async function until<Value>(
  what: string,
  read: () => Value | undefined,
  limitMs = 20_000,
): Promise<NonNullable<Value>> {
  const end = Date.now() + limitMs;
  for (;;) {
    const value = read();
    if (value) return value;
    if (Date.now() > end) throw new Error(`There was no ${what} within ${limitMs / 1000} s.`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
