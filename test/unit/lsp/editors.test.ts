import { afterEach, describe, expect, test } from 'vitest';
import type {
  ClientCapabilities,
  CodeAction,
  CompletionList,
  SignatureHelp,
  SymbolInformation,
  TextEdit as WireTextEdit,
  WorkspaceEdit,
} from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { lqlMethods } from '../../../server/lsp/protocol.ts';
import { type LspSession, type SessionOptions, startSession } from '../../harness/lsp-session.ts';
import { datasourcesAnswer } from '../core/language/features/support.ts';

// Editors differ in what they can do, and some have faults: neither may end in a wrong answer.

const uri = 'file:///project/query.lql';
const open: { stop(): Promise<void> }[] = [];

afterEach(async () => {
  for (const session of open.splice(0)) await session.stop();
});

async function session(options?: SessionOptions): Promise<LspSession> {
  const lsp = await startSession(options);
  open.push(lsp);
  await lsp.request(lqlMethods.catalog, {
    version: 'one',
    origin: 'account',
    vendorPrefix: 'SVC',
    datasources: datasourcesAnswer.data,
  });
  return lsp;
}

const textOf = async (lsp: LspSession, at = uri): Promise<string | undefined> =>
  (await lsp.request<{ text: string }[]>(lqlMethods.regions, { textDocument: { uri: at } }))[0]?.text;

describe('versions', () => {
  const texts = ['{ source { A } return { X } }', '{ source { B } return { Y } }', '{ source { C } return { Z } }'];

  test.each([
    ['the same one over and over', [1, 1, 1]],
    ['falling ones', [9, 8, 7]],
    ['none', [null, null, null]],
  ])('%s: an answer is of the text that came last', async (_, versions) => {
    const lsp = await session();
    const [first, ...later] = texts.map((text, i) => ({ text, version: versions[i] }));
    lsp.notify('textDocument/didOpen', { textDocument: { uri, languageId: 'lql', ...first } });
    expect(await textOf(lsp)).toBe(texts[0]);
    for (const { text, version } of later) {
      lsp.notify('textDocument/didChange', { textDocument: { uri, version }, contentChanges: [{ text }] });
      expect(await textOf(lsp)).toBe(text);
    }
  });

  test('a document that is opened twice is as it was opened last; a change of one that is not open does nothing', async () => {
    const lsp = await session();
    for (const text of texts) {
      lsp.notify('textDocument/didOpen', { textDocument: { uri, languageId: 'lql', version: 1, text } });
      expect(await textOf(lsp)).toBe(text);
    }
    lsp.close(uri);
    lsp.notify('textDocument/didChange', { textDocument: { uri, version: 2 }, contentChanges: [{ text: texts[0] }] });
    expect(await textOf(lsp)).toBeUndefined();
  });

  test('a change without a range, said by null, is the whole text', async () => {
    const lsp = await session();
    lsp.open(uri, texts[0] ?? '');
    const change = { range: null, rangeLength: null, text: texts[1] };
    lsp.notify('textDocument/didChange', { textDocument: { uri, version: 2 }, contentChanges: [change] });
    expect(await textOf(lsp)).toBe(texts[1]);
  });
});

describe('requests behind the closing of their document', () => {
  test('are answered emptily, and the document may come back as another', async () => {
    const lsp = await session();
    lsp.open(uri, '{ source { CFG_KEYS k } return { k.KEY_ID } }');
    const position = { line: 0, character: 20 };
    const params = { textDocument: { uri }, position, range: { start: position, end: position } };
    const methods = [
      'hover',
      'completion',
      'definition',
      'codeAction',
      'formatting',
      'documentSymbol',
      'prepareRename',
    ];
    const ask = (): Promise<unknown[]> =>
      Promise.all(
        methods.map((method) =>
          lsp.request(`textDocument/${method}`, {
            ...params,
            context: { diagnostics: [] },
            options: { tabSize: 2, insertSpaces: true },
          }),
        ),
      );
    expect((await ask())[0]).not.toBeNull();
    // All of it is on the wire before the first answer.
    lsp.close(uri);
    const behind = ask();
    lsp.open(uri, 'queryId: Q\nqueryText: "{ source { A } return { B } }"\n', 'yaml');
    const text = textOf(lsp);
    expect(await behind).toEqual([null, { isIncomplete: false, items: [] }, null, [], [], [], null]);
    expect(await text).toBe('{ source { A } return { B } }');
  });
});

describe('addresses of documents', () => {
  test('with a percent sign that escapes nothing are checked by the lint configuration of their folder', async () => {
    const lsp = await session();
    lsp.notify(lqlMethods.config, {
      folderUri: 'file:///project',
      text: '{ "ignore": ["done/**"] }',
    });
    const codes = async (at: string): Promise<number> => {
      lsp.open(at, "{ source { CFG_KEYS } filter { KEY_ID like 'x' } return { KEY_ID } }");
      return (await lsp.diagnostics(at)).length;
    };
    expect(await codes('file:///project/100%.lql')).toBe(1);
    expect(await codes('file:///project/done/100%.lql')).toBe(0);
  });
});

describe('positions', () => {
  test('count in UTF-16 units behind signs of two, and lines by any of their ends', async () => {
    const lsp = await session();
    const text = "{ source { CFG_KEYS }\r\n filter { KEY_ID = '😀é' and KEY_IDE = '' }\r return { KEY_ID } }";
    lsp.open(uri, text);
    const [error] = await lsp.diagnostics(uri);
    expect(error?.range).toEqual({ start: { line: 1, character: 29 }, end: { line: 1, character: 36 } });
    const hover = (line: number, character: number): Promise<unknown> =>
      lsp.request('textDocument/hover', { textDocument: { uri }, position: { line, character } });
    expect(await hover(2, 12)).toMatchObject({
      range: { start: { line: 2, character: 10 }, end: { line: 2, character: 16 } },
    });
    // Beyond the end of a line is its end, beyond the last line the end of the text.
    for (const [line, character] of [
      [0, 9999],
      [9999, 0],
      [1, 21],
    ] as const)
      expect(await hover(line, character)).toBeNull();
  });
});

describe('an editor that cannot do much', () => {
  const plain: ClientCapabilities = { textDocument: {}, workspace: {} };
  const applied = (text: string, edits: readonly WireTextEdit[]): string =>
    TextDocument.applyEdits(TextDocument.create(uri, 'lql', 1, text), [...edits]);

  test('gets edits by document where it does not know versions of documents', async () => {
    const lsp = await session({ capabilities: plain });
    const text = '{ source { CFG_KEYS k } return { k.KEY_IDE } }';
    lsp.open(uri, text);
    const position = { line: 0, character: 20 };
    const renamed = await lsp.request<WorkspaceEdit>('textDocument/rename', {
      textDocument: { uri },
      position,
      newName: 'keys',
    });
    expect(renamed.documentChanges).toBeUndefined();
    expect(applied(text, renamed.changes?.[uri] ?? [])).toBe('{ source { CFG_KEYS keys } return { keys.KEY_IDE } }');
    const range = { start: { line: 0, character: 36 }, end: { line: 0, character: 36 } };
    const [fix] = await lsp.request<CodeAction[]>('textDocument/codeAction', {
      textDocument: { uri },
      range,
      context: { diagnostics: [] },
    });
    expect(fix?.edit?.documentChanges).toBeUndefined();
    expect(applied(text, fix?.edit?.changes?.[uri] ?? [])).toBe('{ source { CFG_KEYS k } return { k.KEY_ID } }');

    const [one, other] = ['file:///project/q.yaml', 'file:///project/p.yaml'];
    lsp.open(one, 'queryId: Custom_Q\nqueryText: "{ source { A } return { B } }"\n', 'yaml');
    lsp.open(other, 'policyId: $account-a-1\nqueryId: Custom_Q\ntitle: t\nenabled: true\n', 'yaml');
    await lsp.diagnostics(other);
    const everywhere = await lsp.request<WorkspaceEdit>('textDocument/rename', {
      textDocument: { uri: one },
      position: { line: 0, character: 12 },
      newName: 'Custom_R',
    });
    expect(everywhere.documentChanges).toBeUndefined();
    expect(Object.keys(everywhere.changes ?? {}).sort()).toEqual([other, one]);
  });

  test('gets symbols in one list', async () => {
    const lsp = await session({ capabilities: plain });
    lsp.open(uri, '{ source { CFG_KEYS k } return { k.KEY_ID } }');
    const symbols = await lsp.request<SymbolInformation[]>('textDocument/documentSymbol', { textDocument: { uri } });
    expect(symbols.map(({ name, containerName, location }) => [name, containerName, location.uri])).toEqual([
      ['source', undefined, uri],
      ['CFG_KEYS', 'source', uri],
      ['return', undefined, uri],
      ['k.KEY_ID', 'return', uri],
    ]);
  });

  test('gets the parameters of a signature as texts', async () => {
    const lsp = await session({ capabilities: plain });
    lsp.open(uri, '{ source { A } filter { contains(X, 1) } return { X } }');
    const help = await lsp.request<SignatureHelp>('textDocument/signatureHelp', {
      textDocument: { uri },
      position: { line: 0, character: 33 },
    });
    const [signature] = help.signatures;
    const labels = (signature?.parameters ?? []).map(({ label }) => label);
    expect(labels).toHaveLength(2);
    for (const label of labels) expect(signature?.label).toContain(label);
  });
});

describe('the query of a policy', () => {
  test('is proposed from files that are not open, too', async () => {
    const lsp = await session();
    lsp.notify(lqlMethods.files, {
      files: [
        { uri: 'file:///project/q.yaml', text: 'queryId: Custom_Closed\nqueryText: "{ source { A } return { B } }"\n' },
      ],
    });
    const at = 'file:///project/p.yaml';
    lsp.open(at, 'policyId: a\ntitle: t\nenabled: true\nqueryId: \n', 'yaml');
    const list = await lsp.request<CompletionList>('textDocument/completion', {
      textDocument: { uri: at },
      position: { line: 3, character: 9 },
    });
    expect(list.items.map(({ label }) => label)).toEqual(['Custom_Closed']);
  });
});
