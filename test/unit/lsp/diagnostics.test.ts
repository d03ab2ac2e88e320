import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type {
  ClientCapabilities,
  FullDocumentDiagnosticReport,
  WorkspaceDiagnosticReport,
} from 'vscode-languageserver/node';
import { lqlMethods } from '../../../server/lsp/protocol.ts';
import { type LspSession, type SessionOptions, startSession, startSpawnedSession } from '../../harness/lsp-session.ts';
import { repoRoot } from '../../harness/paths.ts';
import { datasourcesAnswer } from '../core/language/features/support.ts';

const uri = 'file:///project/query.lql';
const wrong = '{ source { CFG_KEYS } return { KEY_IDE } }';
const right = '{ source { CFG_KEYS } return { KEY_ID } }';
const catalog = { version: 'one', origin: 'account', vendorPrefix: 'SVC', datasources: datasourcesAnswer.data };
const asking: ClientCapabilities = {
  textDocument: { diagnostic: { dynamicRegistration: true } },
  workspace: { diagnostics: { refreshSupport: true } },
};
const open: { stop(): Promise<void> }[] = [];

afterEach(async () => {
  for (const session of open.splice(0)) await session.stop();
});

interface Watched {
  readonly lsp: LspSession;
  /** Documents that diagnostics were sent of, unasked. */
  readonly pushed: string[];
  /** How often the client was asked to ask again. */
  readonly refreshes: () => number;
}

async function start(options: SessionOptions, startIt = startSession): Promise<Watched> {
  const lsp = await startIt(options);
  open.push(lsp);
  const pushed: string[] = [];
  let refreshes = 0;
  lsp.connection.onNotification('textDocument/publishDiagnostics', (params: { uri: string }) => {
    pushed.push(params.uri);
  });
  lsp.onRequest('workspace/diagnostic/refresh', () => {
    refreshes++;
    return null;
  });
  return { lsp, pushed, refreshes: () => refreshes };
}

const ask = (lsp: LspSession, at: string, previousResultId?: string): Promise<FullDocumentDiagnosticReport> =>
  lsp.request('textDocument/diagnostic', {
    textDocument: { uri: at },
    ...(previousResultId === undefined ? {} : { previousResultId }),
  });

/** Behind an answer stands all that was on its way; a check that waits for its turn has had it twice over. */
async function settled(lsp: LspSession): Promise<void> {
  for (let turn = 0; turn < 3; turn++) {
    await lsp.request('textDocument/documentSymbol', { textDocument: { uri } });
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

describe('an editor that asks for diagnostics', () => {
  test.each([
    ['in this process', startSession],
    ['as it is shipped', startSpawnedSession],
  ])('is answered and told nothing unasked, %s', async (_, startIt) => {
    const { lsp, pushed } = await start({ capabilities: asking }, startIt);
    expect(lsp.initializeResult.capabilities.diagnosticProvider).toEqual({
      identifier: 'lql',
      interFileDependencies: true,
      workspaceDiagnostics: true,
    });
    await lsp.request(lqlMethods.catalog, catalog);
    lsp.open(uri, wrong);
    const first = await ask(lsp, uri);
    expect(first).toMatchObject({
      kind: 'full',
      items: [{ code: 'unknown-column', source: 'lql', range: { start: { line: 0, character: 31 } } }],
    });
    expect(await ask(lsp, uri, first.resultId)).toEqual({ kind: 'unchanged', resultId: first.resultId });
    lsp.change(uri, right);
    const second = await ask(lsp, uri, first.resultId);
    expect(second).toMatchObject({ kind: 'full', items: [] });
    expect(second.resultId).not.toBe(first.resultId);
    lsp.close(uri);
    expect(await ask(lsp, uri, second.resultId)).toEqual({ kind: 'full', items: [] });
    expect(pushed).toEqual([]);
  });

  test('is asked to ask again, once, when what its documents are checked against is new', async () => {
    const { lsp, refreshes } = await start({ capabilities: asking });
    lsp.open(uri, wrong);
    expect((await ask(lsp, uri)).items).toEqual([]);
    expect(refreshes()).toBe(0);
    await lsp.request(lqlMethods.catalog, catalog);
    await settled(lsp);
    expect(refreshes()).toBe(1);
    expect((await ask(lsp, uri)).items).toHaveLength(1);
    await settled(lsp);
    expect(refreshes()).toBe(1);
  });

  test('is not asked for ever about a document that it does not ask about', async () => {
    const { lsp, refreshes } = await start({ capabilities: asking });
    const [one, other] = ['file:///project/one.yaml', 'file:///project/other.yaml'];
    const text = 'queryId: Custom_Same\nqueryText: |-\n  { source { A } return { B } }\n';
    lsp.open(one, text, 'yaml');
    expect((await ask(lsp, one)).items).toEqual([]);
    lsp.open(other, text, 'yaml');
    for (let round = 0; round < 4; round++) {
      expect((await ask(lsp, other)).items.map(({ code }) => code)).toEqual(['duplicate-id']);
      await settled(lsp);
    }
    expect(refreshes()).toBe(1);
  });

  test('hears of the workspace what is open, what has not changed, and what is closed', async () => {
    const { lsp, pushed } = await start({ capabilities: asking });
    await lsp.request(lqlMethods.catalog, catalog);
    const second = 'file:///project/second.lql';
    lsp.open(uri, wrong);
    lsp.open(second, right);
    const all = (previousResultIds: readonly { uri: string; value: string }[]): Promise<WorkspaceDiagnosticReport> =>
      lsp.request('workspace/diagnostic', { previousResultIds });
    const { items } = await all([]);
    expect(items).toMatchObject([
      { uri, version: 1, kind: 'full', items: [{ code: 'unknown-column' }] },
      { uri: second, version: 1, kind: 'full', items: [] },
    ]);
    lsp.change(second, wrong);
    lsp.close(uri);
    const previous = items.map((item) => ({ uri: item.uri, value: item.resultId ?? '' }));
    expect((await all(previous)).items).toMatchObject([
      { uri: second, version: 2, kind: 'full', items: [{ code: 'unknown-column' }] },
      { uri, version: null, kind: 'full', items: [] },
    ]);
    const { items: later } = await all([]);
    expect(await all(later.map((item) => ({ uri: item.uri, value: item.resultId ?? '' })))).toEqual({
      items: [{ uri: second, version: 2, kind: 'unchanged', resultId: later[0]?.resultId }],
    });
    expect(pushed).toEqual([]);
    await expect(lsp.request('workspace/diagnostic', {})).rejects.toThrow(/previousResultIds/);
  });
});

describe('an editor that is told diagnostics', () => {
  test.each([
    ['asks, but cannot be asked to ask again', { capabilities: { textDocument: { diagnostic: {} } } }],
    ['is a VS Code', { capabilities: { ...asking, general: { markdown: { parser: 'marked' } } } }],
  ] satisfies [string, SessionOptions][])('since it %s', async (_, options) => {
    const { lsp, pushed, refreshes } = await start(options);
    expect(lsp.initializeResult.capabilities.diagnosticProvider).toBeUndefined();
    lsp.open(uri, wrong);
    await vi.waitFor(() => expect(pushed).toEqual([uri]));
    await lsp.request(lqlMethods.catalog, catalog);
    await vi.waitFor(() => expect(pushed).toEqual([uri, uri]));
    await expect(ask(lsp, uri)).rejects.toThrow(/Unhandled method/);
    expect(refreshes()).toBe(0);
  });
});

test('a VS Code is known by what its client library says of itself', () => {
  const library = path.join(repoRoot, 'node_modules', 'vscode-languageclient', 'lib', 'common', 'client.js');
  expect(readFileSync(library, 'utf8')).toMatch(/markdown = \{\s*parser: 'marked'/);
});

describe('what other documents say', () => {
  const one = 'file:///project/one.yaml';
  const other = 'file:///project/other.yaml';
  // A policy needs `distinct` behind an expansion; a query of its own does not.
  const query = (id: string): string =>
    `queryId: ${id}\nqueryText: |-\n  { source { AuditEvents e, array_to_rows(e.EVENT:x) as (i) } return { e.INSERT_ID } }\n`;
  const fromOthers = async (lsp: LspSession): Promise<unknown[]> =>
    (await lsp.diagnostics(one)).map(({ code }) => code).filter((code) => /^(?:policy|duplicate)-/.test(String(code)));

  test('of an id reaches a document that nobody touches, and leaves it again', async () => {
    const lsp = await startSession();
    open.push(lsp);
    lsp.open(one, query('Custom_Same'), 'yaml');
    expect(await fromOthers(lsp)).toEqual([]);
    lsp.open(other, query('Custom_Same'), 'yaml');
    await vi.waitFor(async () => expect(await fromOthers(lsp)).toEqual(['duplicate-id']));
    lsp.change(other, query('Custom_Other'));
    await vi.waitFor(async () => expect(await fromOthers(lsp)).toEqual([]));
    lsp.notify(lqlMethods.files, { files: [{ uri: 'file:///project/closed.yaml', text: query('Custom_Same') }] });
    await vi.waitFor(async () => expect(await fromOthers(lsp)).toEqual(['duplicate-id']));
    lsp.notify(lqlMethods.files, { files: [{ uri: 'file:///project/closed.yaml' }] });
    await vi.waitFor(async () => expect(await fromOthers(lsp)).toEqual([]));
    lsp.change(other, query('Custom_Same'));
    await vi.waitFor(async () => expect(await fromOthers(lsp)).toEqual(['duplicate-id']));
    lsp.close(other);
    await vi.waitFor(async () => expect(await fromOthers(lsp)).toEqual([]));
  });

  test('of a policy leaves its query when the policy is closed and is no file', async () => {
    const lsp = await startSession();
    open.push(lsp);
    lsp.open(one, query('Custom_Q'), 'yaml');
    expect(await fromOthers(lsp)).toEqual([]);
    lsp.open(other, 'policyId: $account-a-1\nqueryId: Custom_Q\ntitle: t\nenabled: true\n', 'yaml');
    await vi.waitFor(async () => expect(await fromOthers(lsp)).not.toEqual([]));
    lsp.close(other);
    await vi.waitFor(async () => expect(await fromOthers(lsp)).toEqual([]));
  });
});
