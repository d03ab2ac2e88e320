import { existsSync } from 'node:fs';
import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type {
  CodeAction,
  CompletionList,
  Hover,
  MarkupContent,
  SignatureHelp,
  TextEdit as WireTextEdit,
} from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { lqlMethods } from '../../../server/lsp/protocol.ts';
import { type LspSession, type SessionOptions, startSession } from '../../harness/lsp-session.ts';
import { parseMarkers } from '../../harness/markers.ts';
import { repoRoot } from '../../harness/paths.ts';
import { datasourcesAnswer } from '../core/language/features/support.ts';

const uri = 'file:///project/query.lql';
const open: { stop(): Promise<void> }[] = [];

afterEach(async () => {
  for (const session of open.splice(0)) await session.stop();
});

async function session(options?: SessionOptions): Promise<LspSession> {
  const started = await startSession(options);
  open.push(started);
  return started;
}

async function withCatalog(): Promise<LspSession> {
  const started = await session();
  const answer = await started.request(lqlMethods.catalog, {
    version: 'one',
    origin: 'account',
    vendorPrefix: 'SVC',
    datasources: datasourcesAnswer.data,
    fetchedAt: Date.now() - 3 * 3_600_000,
  });
  expect(answer).toEqual({ datasources: 5 });
  return started;
}

/** Opens a marked text and gives the position of its cursor. */
function openMarked(
  lsp: LspSession,
  marked: string,
  languageId = 'lql',
  at = uri,
): { line: number; character: number } {
  const { text, cursor } = parseMarkers(marked);
  lsp.open(at, text, languageId);
  const before = text.slice(0, cursor).split('\n');
  return { line: before.length - 1, character: before.at(-1)?.length ?? 0 };
}

async function completionLabels(lsp: LspSession, marked: string, languageId?: string, at = uri): Promise<string[]> {
  const position = openMarked(lsp, marked, languageId, at);
  const list = await lsp.request<CompletionList>('textDocument/completion', { textDocument: { uri: at }, position });
  return list.items.map((item) => item.label);
}

describe('keys of rows', () => {
  test('complete and are checked, for the catalog they belong to', async () => {
    const lsp = await withCatalog();
    const at = 'file:///project/keys.lql';
    const asked = await completionLabels(lsp, '{ source { AuditEvents } return { EVENT:$0x as X } }', undefined, at);
    expect(asked).not.toContain('userName');
    lsp.notify(lqlMethods.keys, {
      queryText: '{ source { AuditEvents a } return { a.EVENT:identity as WHO } }',
      columns: [
        { name: 'WHO', keys: [{ name: 'userName', keys: [] }] },
        { name: 'NOPE', keys: [{ name: 'x', keys: [] }] },
        7,
      ],
    });
    const text = '{ source { AuditEvents } filter { EVENT:identity.username is null } return { EVENT } }';
    lsp.open(uri, text);
    const [found] = await lsp.diagnostics(uri);
    expect([found?.code, found?.message]).toEqual(['json-key-case', expect.stringContaining("'userName'")]);
    expect(
      await completionLabels(lsp, '{ source { AuditEvents } return { EVENT:identity.$0 as X } }', undefined, at),
    ).toContain('userName');
    await lsp.request(lqlMethods.catalog, {
      version: 'sample',
      origin: 'sample',
      vendorPrefix: 'SVC',
      datasources: datasourcesAnswer.data,
    });
    lsp.change(uri, `${text}\n`);
    expect(await lsp.diagnostics(uri)).toEqual([]);
  });
});

describe('diagnostics', () => {
  test('of a text with a syntax error, then of its mended version', async () => {
    const lsp = await session();
    lsp.open(uri, '{ source { A } filter { } return { X } }');
    expect((await lsp.diagnostics(uri)).length).toBeGreaterThan(0);
    lsp.change(uri, '{ source { A } return { X } }');
    const errors = (await lsp.diagnostics(uri)).filter(({ severity }) => severity === 1);
    expect(errors).toEqual([]);
  });

  test('an unknown column is reported once the catalog is there, at its place', async () => {
    const lsp = await session();
    lsp.open(uri, '{ source { CFG_KEYS } return { KEY_IDD } }');
    expect((await lsp.diagnostics(uri)).filter(({ severity }) => severity === 1)).toEqual([]);
    await lsp.request(lqlMethods.catalog, {
      version: 'x',
      origin: 'account',
      vendorPrefix: 'SVC',
      datasources: datasourcesAnswer.data,
    });
    lsp.change(uri, '{ source { CFG_KEYS } return { KEY_IDE } }');
    const [error] = (await lsp.diagnostics(uri)).filter(({ severity }) => severity === 1);
    expect(error?.range).toEqual({ start: { line: 0, character: 31 }, end: { line: 0, character: 38 } });
    expect(error?.message).toContain('KEY_ID');
  });

  test('codes link to their pages, which exist', async () => {
    const documentationUri = pathToFileURL(repoRoot).href;
    const lsp = await session({ initializationOptions: { documentationUri } });
    lsp.open(uri, "{ source { A } filter { X like 'x' and } return { X } }");
    lsp.open('file:///b.lql', "{ source { A } filter { X rlike 'x' } return { X, X } }");
    lsp.open('file:///c.yaml', 'policyId: $account-a-1\nqueryId: Q\nenabled: true\ntitel: t\n', 'yaml');
    const found = [
      ...(await lsp.diagnostics(uri)),
      ...(await lsp.diagnostics('file:///b.lql')),
      ...(await lsp.diagnostics('file:///c.yaml')),
    ];
    const pages = found.map(({ codeDescription }) => fileURLToPath(codeDescription?.href ?? ''));
    expect(pages.length).toBeGreaterThan(3);
    for (const page of pages) expect(existsSync(page), page).toBe(true);
  });

  test('closing a document takes them away', async () => {
    const lsp = await session();
    lsp.open(uri, '{ source {');
    expect((await lsp.diagnostics(uri)).length).toBeGreaterThan(0);
    lsp.close(uri);
    expect(await lsp.diagnostics(uri)).toEqual([]);
  });

  test('many quick changes end with those of the last version', async () => {
    const lsp = await session();
    lsp.open(uri, '');
    for (const end of ['{', '{ source', '{ source { A }', '{ source { A } return { X } }']) lsp.change(uri, end);
    expect((await lsp.diagnostics(uri)).filter(({ severity }) => severity === 1)).toEqual([]);
  });
});

describe('catalog', () => {
  test('completion and hover from a catalog sent by the client', async () => {
    const lsp = await withCatalog();
    expect(await completionLabels(lsp, '{ source { $0 } }')).toContain('CFG_BUCKETS');
    const position = openMarked(lsp, '{ source { CFG_BU$0CKETS } return { ARN } }');
    const hover = await lsp.request<Hover>('textDocument/hover', { textDocument: { uri }, position });
    expect(hover.contents).toMatchObject({ kind: 'markdown' });
    const value = (hover.contents as { value: string }).value;
    expect(value).toContain('4 columns');
    expect(value).toContain('read 3 hours ago');
    expect(value).not.toContain('<b>');
    expect(value).not.toContain('](javascript');
  });

  test('missing schemas are asked for once, and complete when they come', async () => {
    const lsp = await withCatalog();
    lsp.open(uri, '{ source { HE_FILES } return { PATH } }');
    expect(await lsp.next(lqlMethods.missingSchemas)).toEqual({ version: 'one', datasources: ['HE_FILES'] });
    expect(await completionLabels(lsp, '{ source { HE_FILES } return { $0 } }')).toContain(
      'Loading the columns of HE_FILES…',
    );
    const schemas = { HE_FILES: [{ name: 'PATH', type: 'string' }] };
    expect(await lsp.request(lqlMethods.schemas, { version: 'other', schemas })).toEqual({ accepted: false });
    expect(await lsp.request(lqlMethods.schemas, { version: 'one', schemas })).toEqual({ accepted: true });
    expect(await completionLabels(lsp, '{ source { HE_FILES } return { $0 } }')).toContain('PATH');
    expect(lsp.notifications.filter(({ method }) => method === lqlMethods.missingSchemas)).toHaveLength(1);
  });

  test('documentation of a proposal comes when it is looked at', async () => {
    const lsp = await withCatalog();
    const position = openMarked(lsp, '{ source { CFG_KEY$0 } }');
    const list = await lsp.request<CompletionList>('textDocument/completion', { textDocument: { uri }, position });
    const item = list.items.find(({ label }) => label === 'CFG_KEYS');
    expect(item?.documentation).toBeUndefined();
    const resolved = await lsp.request<{ documentation: { value: string } }>('completionItem/resolve', item);
    expect(resolved.documentation.value).toContain('Encryption keys');
  });

  test('a catalog file is read, and read again when it changes', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'lql-catalog-'));
    try {
      const catalogFile = path.join(folder, 'catalog.json');
      await writeFile(
        catalogFile,
        JSON.stringify({ data: [{ name: 'FIRST', resultSchema: [{ name: 'A', dataType: 'String' }] }] }),
      );
      const lsp = await session({ initializationOptions: { catalogFile } });
      await lsp.next('window/logMessage');
      expect(await completionLabels(lsp, '{ source { $0 } }')).toEqual(['FIRST']);
      await writeFile(catalogFile, JSON.stringify([{ name: 'SECOND' }]));
      await utimes(catalogFile, new Date(), new Date(Date.now() + 5000));
      await lsp.next('window/logMessage');
      expect(await completionLabels(lsp, '{ source { $0 } }')).toEqual(['SECOND']);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  test.each([
    ['absent.json', undefined],
    ['broken.json', '{ "data": ['],
    ['strange.json', '{"data": [1, null, {"name": 7}, {"name": "GOOD"}]}'],
  ])('a bad catalog file (%s) is told, and the server lives on', async (name, content) => {
    const folder = await mkdtemp(path.join(tmpdir(), 'lql-catalog-'));
    try {
      const catalogFile = path.join(folder, name);
      if (content !== undefined) await writeFile(catalogFile, content);
      const lsp = await session({ initializationOptions: { catalogFile } });
      const { message } = (await lsp.next('window/logMessage')) as { message: string };
      expect(message).toMatch(
        content?.includes('GOOD') === true ? /1 datasources/ : /was not read: (?:there is no such file|it is not JSON)/,
      );
      expect(await completionLabels(lsp, '{ $0 }')).toContain('source');
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

describe('documents that hold queries', () => {
  const yaml = 'queryId: A\nqueryText: |-\n  {\n    source { CFG_KEYS }\n    return { $0 }\n  }\n';

  test('completion, diagnostics and regions inside YAML', async () => {
    const lsp = await withCatalog();
    const at = 'file:///project/query.yaml';
    expect(await completionLabels(lsp, yaml, 'yaml', at)).toContain('KEY_ID');
    lsp.change(at, yaml.replace('$0', 'KEY_IDE'));
    const [error] = (await lsp.diagnostics(at)).filter(({ severity }) => severity === 1);
    expect(error?.range).toEqual({ start: { line: 4, character: 13 }, end: { line: 4, character: 20 } });
    const regions = await lsp.request<{ queryId: string; text: string; runnable: boolean }[]>(lqlMethods.regions, {
      textDocument: { uri: at },
    });
    expect(regions).toMatchObject([
      { queryId: 'A', text: '{\n  source { CFG_KEYS }\n  return { KEY_IDE }\n}', runnable: true },
    ]);
  });

  test('regions name the columns of the result, unless the service would have to name one', async () => {
    const lsp = await withCatalog();
    const at = 'file:///project/columns.lql';
    const columnsOf = async (returned: string): Promise<unknown> => {
      lsp.open(at, `{ source { CFG_KEYS } return { ${returned} } }`, 'lql');
      await lsp.diagnostics(at);
      const [region] = await lsp.request<{ columns?: unknown }[]>(lqlMethods.regions, { textDocument: { uri: at } });
      return region?.columns;
    };
    expect(await columnsOf('KEY_ID, KEY_ID as Again')).toEqual([
      { name: 'KEY_ID', type: 'string' },
      { name: 'Again', type: 'string' },
    ]);
    expect(await columnsOf('KEY_ID, LENGTH(KEY_ID)')).toBeUndefined();
    expect(await columnsOf('KEY_ID, = ')).toBeUndefined();
  });

  test('a .lql file that is YAML', async () => {
    const lsp = await withCatalog();
    expect(await completionLabels(lsp, yaml)).toContain('KEY_ID');
  });

  test('a misspelt field of a policy is reported with its fix, beside what is wrong with the query in it', async () => {
    const lsp = await withCatalog();
    const at = 'file:///project/policy.yaml';
    const text =
      'policyId: $account-keys-1\nqueryId: Q\ntitle: t\nenabled: true\ndescription: d\nremediation: r\nalertEnabled: true\nseverty: high\nqueryText: |-\n  { source { CFG_KEYS } return { KEY_IDE } }\n';
    lsp.open(at, text, 'yaml');
    const found = await lsp.diagnostics(at);
    expect(found.map(({ code, range }) => [code, range.start.line])).toEqual([
      ['unknown-field', 7],
      ['missing-field', 0],
      [expect.stringContaining('column'), 9],
    ]);
    const range = { start: { line: 7, character: 2 }, end: { line: 7, character: 2 } };
    const params = { textDocument: { uri: at }, range, context: { diagnostics: [] } };
    const [action] = await lsp.request<CodeAction[]>('textDocument/codeAction', params);
    expect(action?.title).toContain('severity');
    expect(action?.diagnostics?.[0]?.code).toBe('unknown-field');
  });

  test('an id that the vendor of the account in use keeps for itself is reported, and none before that is known', async () => {
    const lsp = await session({});
    const at = 'file:///project/reserved.yaml';
    const text = 'queryId: LW_Global_Keys\nqueryText: "{ source { A } return { B } }"\n';
    const found = async () => (await lsp.diagnostics(at)).filter(({ code }) => code === 'invalid-id').length;
    lsp.open(at, text, 'yaml');
    expect(await found()).toBe(0);
    for (const [vendorPrefix, count] of [
      ['LW', 1],
      ['SVC', 0],
    ] as const) {
      await lsp.request(lqlMethods.catalog, {
        version: vendorPrefix,
        origin: 'account',
        vendorPrefix,
        datasources: [],
      });
      // What is open is checked anew by itself.
      await vi.waitFor(async () => expect(await found()).toBe(count), { timeout: 10_000 });
    }
  });

  test('fields and their values complete and hover outside of the query', async () => {
    const lsp = await withCatalog();
    lsp.open('file:///project/q.yaml', 'queryId: Custom_Q\nqueryText: |-\n  { source { A } return { B } }\n', 'yaml');
    await lsp.diagnostics('file:///project/q.yaml');
    const at = 'file:///project/policy.yaml';
    const policy = 'policyId: a\npolicyType: Violation\ntitle: t\nenabled: true\n';
    expect(await completionLabels(lsp, `${policy}queryId: $0`, 'yaml', at)).toEqual(['Custom_Q']);
    expect(await completionLabels(lsp, `${policy}sev$0`, 'yaml', at)).toContain('severity');
    const position = openMarked(lsp, `${policy}sever$0ity: low\n`, 'yaml', at);
    const hover = await lsp.request<Hover>('textDocument/hover', { textDocument: { uri: at }, position });
    expect((hover.contents as { value: string }).value).toContain('critical');
  });

  test('text that is not LQL is left alone', async () => {
    const lsp = await withCatalog();
    const at = 'file:///project/policy.yaml';
    lsp.open(at, 'queryText: |\n  package x\n  allow { input.y }\n---\nqueryText: |\n  {"version": "2.0.0"}\n', 'yaml');
    expect(await lsp.diagnostics(at)).toEqual([]);
    expect(await lsp.request(lqlMethods.regions, { textDocument: { uri: at } })).toEqual([]);
  });
});

describe('edits from results', () => {
  const asked = { edit: 'filter', column: 'N', path: ['user', 'type'], value: { kind: 'string', text: 'x' } };
  test('reach the query inside YAML, in its own indentation', async () => {
    const lsp = await session();
    const at = 'file:///project/queries.yaml';
    const text = 'queryId: Q\nqueryText: |-\n  {\n    source { A }\n    return { N }\n  }\n';
    lsp.open(at, text, 'yaml');
    const result = await lsp.request<{ kind: string; edits: WireTextEdit[] }>(lqlMethods.editQuery, {
      ...asked,
      textDocument: { uri: at },
      queryText: '{\n  source { A }\n  return { N }\n}',
    });
    const document = TextDocument.create(at, 'yaml', 1, text);
    expect(TextDocument.applyEdits(document, result.edits)).toBe(
      `queryId: Q\nqueryText: |-\n  {\n    source { A }\n    filter {\n      N:user."type" = 'x'\n    }\n    return { N }\n  }\n`,
    );
  });
  test('are refused with a reason when the query is gone', async () => {
    const lsp = await session();
    lsp.open(uri, 'nothing to see');
    const result = await lsp.request<{ kind: string; message: string }>(lqlMethods.editQuery, {
      ...asked,
      textDocument: { uri },
      queryText: '{ source { A } return { N } }',
    });
    expect(result).toMatchObject({ kind: 'refused' });
  });
});

describe('across documents', () => {
  const policyUri = 'file:///project/policy.yaml';
  const queryUri = 'file:///project/query.yaml';
  const policy = 'policyId: $account-a-1\nqueryId: Custom_Q\ntitle: t\nenabled: true\n';
  // A policy needs `distinct` behind an expansion; a query of its own does not.
  const query =
    'queryId: Custom_Q\nqueryText: |-\n  { source { AuditEvents e, array_to_rows(e.EVENT:x) as (i) } return { e.INSERT_ID } }\n';
  const policyFindings = async (lsp: LspSession): Promise<string[]> =>
    (await lsp.diagnostics(queryUri)).map(({ code }) => String(code)).filter((code) => code.startsWith('policy'));

  test('from a policy to its query and back, also into files that are not open', async () => {
    const lsp = await withCatalog();
    lsp.notify(lqlMethods.files, { files: [{ uri: queryUri, text: query }] });
    lsp.open(policyUri, policy, 'yaml');
    const position = { line: 1, character: 12 };
    const params = { textDocument: { uri: policyUri }, position };
    expect(await lsp.request('textDocument/definition', params)).toEqual([
      { uri: queryUri, range: { start: { line: 0, character: 9 }, end: { line: 0, character: 17 } } },
    ]);
    const references = await lsp.request<{ uri: string }[]>('textDocument/references', {
      ...params,
      context: { includeDeclaration: true },
    });
    expect(references.map(({ uri: at }) => at)).toEqual([queryUri, policyUri]);
    const symbols = await lsp.request<{ name: string }[]>('workspace/symbol', { query: 'cusq' });
    expect(symbols.map(({ name }) => name)).toEqual(['Custom_Q']);
    lsp.notify(lqlMethods.files, { files: [{ uri: queryUri }] });
    expect(await lsp.request('textDocument/definition', params)).toEqual([]);
  });

  test('a query is renamed wherever it stands, and linked from where it is used', async () => {
    const lsp = await withCatalog();
    const json = '{"policyId": "$account-b-1", "queryId": "Custom_Q", "title": "t", "enabled": true}';
    const jsonUri = 'file:///project/policy.json';
    lsp.notify(lqlMethods.files, { files: [{ uri: queryUri, text: query }] });
    lsp.open(jsonUri, json, 'json');
    lsp.open(policyUri, policy, 'yaml');
    const textDocument = { uri: policyUri };
    expect(await lsp.request('textDocument/documentLink', { textDocument })).toEqual([
      {
        range: { start: { line: 1, character: 9 }, end: { line: 1, character: 17 } },
        target: `${queryUri}#L1`,
        tooltip: 'Open the query Custom_Q',
      },
    ]);
    const position = { line: 1, character: 12 };
    const place = { start: { line: 1, character: 9 }, end: { line: 1, character: 17 } };
    expect(await lsp.request('textDocument/prepareRename', { textDocument, position })).toEqual({
      range: place,
      placeholder: 'Custom_Q',
    });
    const { documentChanges } = await lsp.request<{
      documentChanges: { textDocument: { uri: string; version: number | null }; edits: WireTextEdit[] }[];
    }>('textDocument/rename', { textDocument, position, newName: 'Other_Q' });
    const after = Object.fromEntries(
      documentChanges.map(({ textDocument: { uri: at }, edits }) => {
        const text = at === queryUri ? query : at === jsonUri ? json : policy;
        return [at, TextDocument.applyEdits(TextDocument.create(at, 'yaml', 1, text), edits)];
      }),
    );
    expect(after).toEqual({
      [queryUri]: query.replace('Custom_Q', 'Other_Q'),
      [jsonUri]: json.replace('Custom_Q', 'Other_Q'),
      [policyUri]: policy.replace('Custom_Q', 'Other_Q'),
    });
    expect(documentChanges.find((change) => change.textDocument.uri === queryUri)?.textDocument.version).toBeNull();
    for (const [newName, reason] of [
      ['1 bad', /begins with a letter/],
      ['Taken_Q', /is a query 'Taken_Q' already/],
    ] as const) {
      lsp.notify(lqlMethods.files, {
        files: [{ uri: 'file:///project/taken.yaml', text: query.replace('Custom_Q', 'Taken_Q') }],
      });
      await expect(lsp.request('textDocument/rename', { textDocument, position, newName })).rejects.toThrow(reason);
    }
    const atPolicy = { textDocument, position: { line: 0, character: 14 } };
    expect(await lsp.request('textDocument/prepareRename', atPolicy)).toBeNull();
    await expect(lsp.request('textDocument/rename', { ...atPolicy, newName: 'x' })).rejects.toThrow(/Only queries/);
  });

  test('a query gets the checks of policies as soon as a policy uses it, and loses them with it', async () => {
    const lsp = await withCatalog();
    lsp.open(queryUri, query, 'yaml');
    const changed = async (text: string): Promise<string[]> => {
      lsp.change(queryUri, text);
      return policyFindings(lsp);
    };
    expect(await changed(`${query}# 1`)).toEqual([]);
    lsp.open(policyUri, policy, 'yaml');
    await lsp.diagnostics(policyUri);
    expect((await changed(`${query}# 2`)).length).toBeGreaterThan(0);
    lsp.close(policyUri);
    expect(await changed(`${query}# 3`)).toEqual([]);
  });
});

describe('the alert profile of a policy', () => {
  test('tells which columns its query must return, also from files that are not open', async () => {
    const lsp = await withCatalog();
    const policyUri = 'file:///project/policy.yaml';
    const profileUri = 'file:///project/profile.yaml';
    const queryUri = 'file:///project/query.yaml';
    const profile = (subject: string): string =>
      `alertProfileId: Acme_P\nextends: SVC_P\nalerts:\n  - name: One\n    eventName: e\n    subject: '${subject}'\n    description: d\n`;
    const policy = 'policyId: $account-a-1\nqueryId: Custom_Q\ntitle: t\nenabled: true\nalertProfile: Acme_P.One\n';
    lsp.notify(lqlMethods.files, {
      files: [
        { uri: profileUri, text: profile('{{KEY_ID}} {{ACCOUNT_ID}}') },
        { uri: policyUri, text: policy },
      ],
    });
    const query = 'queryId: Custom_Q\nqueryText: |-\n  { source { CFG_KEYS } return { KEY_ID } }\n';
    lsp.open(queryUri, query, 'yaml');
    const found = async (text: string): Promise<unknown[]> => {
      lsp.change(queryUri, text);
      return (await lsp.diagnostics(queryUri)).map(({ code, message }) => [code, message]);
    };
    const missing = [['policy-missing-field', expect.stringContaining('ACCOUNT_ID')]];
    expect(await found(`${query}# 1`)).toEqual(missing);
    lsp.open(profileUri, profile('{{KEY_ID}}'), 'yaml');
    await lsp.diagnostics(profileUri);
    expect(await found(`${query}# 2`)).toEqual([]);
    lsp.close(profileUri);
    expect(await found(`${query}# 3`)).toEqual(missing);
  });
});

describe('changes', () => {
  const options = { tabSize: 2, insertSpaces: true };

  /** The text of an open document after the edits of a request. */
  function applied(text: string, edits: readonly WireTextEdit[]): string {
    return TextDocument.applyEdits(TextDocument.create(uri, 'lql', 1, text), [...edits]);
  }

  function editsOf(action: CodeAction | undefined): readonly WireTextEdit[] {
    const [change] = action?.edit?.documentChanges ?? [];
    if (change === undefined || !('edits' in change)) throw new Error('the action has no edits');
    return change.edits as WireTextEdit[];
  }

  test('formatting a bare query and one inside of YAML', async () => {
    const lsp = await session();
    const flat = '{ source { A } FILTER { X = 1 } return { X } }';
    lsp.open(uri, flat);
    const bare = applied(
      flat,
      await lsp.request<WireTextEdit[]>('textDocument/formatting', { textDocument: { uri }, options }),
    );
    expect(bare).toContain('\n  filter {');
    const at = 'file:///a.yaml';
    const yaml = `queryId: X\nqueryText: |-\n    ${flat}\nz: 1\n`;
    lsp.open(at, yaml, 'yaml');
    const edits = await lsp.request<WireTextEdit[]>('textDocument/formatting', { textDocument: { uri: at }, options });
    expect(applied(yaml, edits)).toBe(
      `queryId: X\nqueryText: |-\n${bare.trimEnd().replace(/^(?=.)/gm, '    ')}\nz: 1\n`,
    );
  });

  test('a query on one line of a host that holds no line ends is left as it is', async () => {
    const lsp = await session();
    lsp.open('file:///a.yaml', "queryText: '{ source { A } FILTER { X = 1 } return { X } }'\n", 'yaml');
    expect(await lsp.request('textDocument/formatting', { textDocument: { uri: 'file:///a.yaml' }, options })).toEqual(
      [],
    );
  });

  test('closing a block formats it, and nothing else', async () => {
    const lsp = await session();
    const { text, cursor } = parseMarkers('{ source {A} filter {X=1}$0 return {X} }');
    lsp.open(uri, text);
    const position = { line: 0, character: cursor };
    const edits = await lsp.request<WireTextEdit[]>('textDocument/onTypeFormatting', {
      textDocument: { uri },
      position,
      ch: '}',
      options,
    });
    expect(applied(text, edits)).toContain('X = 1');
    expect(applied(text, edits)).toMatch(/^\{ source \{A\}/);
    expect(applied(text, edits)).toMatch(/return \{X\} \}$/);
  });

  test('a quick fix mends what it says, with the diagnostic it is for', async () => {
    const lsp = await withCatalog();
    const text = '{ source { CFG_KEYS } return { KEY_IDE } }';
    lsp.open(uri, text);
    const range = { start: { line: 0, character: 33 }, end: { line: 0, character: 33 } };
    const actions = await lsp.request<CodeAction[]>('textDocument/codeAction', {
      textDocument: { uri },
      range,
      context: { diagnostics: [] },
    });
    const fix = actions.find(({ title }) => title.includes('KEY_ID'));
    expect(fix?.diagnostics?.[0]?.range.start.character).toBe(31);
    const edits = fix?.edit?.documentChanges?.[0] as { edits: WireTextEdit[]; textDocument: { version: number } };
    expect(edits.textDocument.version).toBe(1);
    expect(applied(text, edits.edits)).toBe('{ source { CFG_KEYS } return { KEY_ID } }');
  });

  test('silencing a finding writes a comment above its line', async () => {
    const lsp = await withCatalog();
    const text = '{\n  source { CFG_KEYS }\n  return { KEY_IDE }\n}';
    lsp.open(uri, text);
    const range = { start: { line: 2, character: 12 }, end: { line: 2, character: 12 } };
    const actions = await lsp.request<CodeAction[]>('textDocument/codeAction', {
      textDocument: { uri },
      range,
      context: { diagnostics: [] },
    });
    const silence = actions.find(({ title }) => title.startsWith('Silence'));
    const silenced = applied(text, editsOf(silence));
    expect(silenced).toMatch(
      /^\{\n {2}source \{ CFG_KEYS \}\n {2}-- lql-disable-next-line [a-z-]+: \n {2}return \{ KEY_IDE \}\n\}$/,
    );
    lsp.change(uri, silenced.replace(/: \n/, ': comes with the next release\n'));
    expect((await lsp.diagnostics(uri)).filter(({ severity }) => severity === 1)).toEqual([]);
  });

  test('fix all, asked for by kind, applies safe fixes together', async () => {
    const lsp = await withCatalog();
    const text = '{ source { CFG_KEYS } filter { KEY_ID != 1 and KEY_ID == 2 } return { KEY_ID } }';
    lsp.open(uri, text);
    const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };
    const context = { diagnostics: [], only: ['source.fixAll'] };
    const [action] = await lsp.request<CodeAction[]>('textDocument/codeAction', {
      textDocument: { uri },
      range,
      context,
    });
    expect(action?.kind).toBe('source.fixAll.lql');
    expect(applied(text, editsOf(action))).toContain('KEY_ID <> 1 and KEY_ID = 2');
  });
});

describe('an editor that shows texts as they come', () => {
  test('gets words without marks in hovers, completion and signature help', async () => {
    const lsp = await session({
      capabilities: {
        textDocument: {
          hover: { contentFormat: ['plaintext'] },
          completion: { completionItem: { documentationFormat: ['plaintext'] } },
        },
      },
    });
    const position = openMarked(lsp, '{ source { A } filter { contains($0X, 1) } return { X } }');
    const word = { line: position.line, character: position.character - 3 };
    const hover = await lsp.request<Hover>('textDocument/hover', { textDocument: { uri }, position: word });
    const help = await lsp.request<SignatureHelp>('textDocument/signatureHelp', { textDocument: { uri }, position });
    const list = await lsp.request<CompletionList>('textDocument/completion', { textDocument: { uri }, position });
    const documented = list.items.find(
      ({ label, documentation }) => label === 'contains' && documentation !== undefined,
    );
    const texts = [hover.contents, help.signatures[0]?.documentation, documented?.documentation] as MarkupContent[];
    for (const { kind, value } of texts) {
      expect([kind, value.includes('contain')]).toEqual(['plaintext', true]);
      expect(value).not.toMatch(/\*\*|```|\\[.()]|&lt;/);
    }
  });
});

describe('robustness', () => {
  test('requests for documents that are not open answer emptily', async () => {
    const lsp = await session();
    const textDocument = { uri: 'file:///nowhere.lql' };
    const position = { line: 5, character: 7 };
    expect(await lsp.request('textDocument/hover', { textDocument, position })).toBeNull();
    expect(await lsp.request('textDocument/documentSymbol', { textDocument })).toEqual([]);
    expect(await lsp.request(lqlMethods.regions, { textDocument })).toEqual([]);
  });

  test('a request that is nonsense is answered, and the next one works', async () => {
    const lsp = await withCatalog();
    lsp.open(uri, '{ source { A } }');
    const invalidParams = -32_602;
    const refusal = (method: string, params: unknown): Promise<unknown> =>
      lsp.request(method, params).catch((error: { code: number; message: string }) => [error.code, error.message]);
    expect(await refusal('textDocument/hover', { textDocument: { uri } })).toEqual([
      invalidParams,
      expect.stringContaining("needs the parameter 'position': { line, character }"),
    ]);
    expect(
      await refusal('textDocument/hover', { textDocument: { uri }, position: { line: -1, character: 0 } }),
    ).toEqual([invalidParams, expect.stringContaining('position')]);
    for (const [method, params] of [
      [lqlMethods.catalog, { nonsense: true }],
      ['textDocument/codeAction', { textDocument: { uri }, range: 7, context: {} }],
      ['textDocument/rename', { textDocument: { uri }, position: { line: 0, character: 0 } }],
      ['textDocument/selectionRange', { textDocument: { uri }, positions: [{}] }],
      ['textDocument/documentSymbol', {}],
      ['workspace/symbol', null],
    ] as const)
      expect([method, await refusal(method, params)]).toEqual([
        method,
        [invalidParams, expect.stringContaining(method)],
      ]);
    expect(await completionLabels(lsp, '{ $0 }')).toContain('source');
  });

  test('a query can be looked into, also inside of YAML; elsewhere there is nothing to see', async () => {
    const lsp = await withCatalog();
    const at = 'file:///project/inspect.yaml';
    lsp.open(at, 'queryId: Custom_Q\nqueryText: |-\n  { source { CFG_KEYS } return { KEY_ID } }\n', 'yaml');
    const inspect = (line: number): Promise<{ text?: string }> =>
      lsp.request(lqlMethods.inspect, { textDocument: { uri: at }, position: { line, character: 5 } });
    const { text } = await inspect(2);
    for (const part of ['Query Custom_Q', 'Tokens', 'returnColumn', 'CFG_KEYS (CFG_KEYS)', 'KEY_ID String'])
      expect(text).toContain(part);
    expect(await inspect(0)).toEqual({});
  });

  test('a rename that cannot be done says why', async () => {
    const lsp = await withCatalog();
    const position = openMarked(lsp, '{ source { CFG_KEYS k$0 } return { k.KEY_ID } }');
    const params = { textDocument: { uri }, position, newName: 'select' };
    await expect(lsp.request('textDocument/rename', params)).rejects.toThrow(/reserved word/);
  });
});
