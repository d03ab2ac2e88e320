import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  CancellationTokenSource,
  type CompletionList,
  type Diagnostic,
  type Range,
  type TextEdit,
} from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { lqlMethods } from '../../../server/lsp/protocol.ts';
import { type LspSession, startSession } from '../../harness/lsp-session.ts';
import { exampleFiles, readCorpusQueries } from '../../support/corpus.ts';
import { smallDatasources } from '../../support/small-catalog.ts';

// What every editor does, at every place, over the protocol itself: answers stay inside of the document, edits can be applied, versions
// are in order, and what is cancelled ends soon.

const isDeep = Boolean(process.env['DEEP']);
let lsp: LspSession;

beforeAll(async () => {
  lsp = await startSession();
  await lsp.request(lqlMethods.catalog, {
    version: 'one',
    origin: 'account',
    vendorPrefix: 'SVC',
    datasources: smallDatasources,
  });
});
afterAll(() => lsp.stop());

const languages: Readonly<Record<string, string>> = {
  '.lql': 'lql',
  '.yaml': 'yaml',
  '.yml': 'yaml',
  '.json': 'json',
  '.tf': 'terraform',
  '.md': 'markdown',
};

interface Asked {
  readonly uri: string;
  readonly content: TextDocument;
}

function openDocument(uri: string, text: string, languageId: string): Asked {
  lsp.open(uri, text, languageId);
  return { uri, content: TextDocument.create(uri, languageId, 1, text) };
}

/** Finds every range in an answer, whatever the answer's shape, and holds that it lies in the document. */
function expectInside({ uri, content }: Asked, method: string, answer: unknown): void {
  if (typeof answer !== 'object' || answer === null) return;
  if (Array.isArray(answer)) {
    for (const entry of answer) expectInside({ uri, content }, method, entry);
    return;
  }
  const record = answer as Record<string, unknown>;
  // A place in another document is not judged by this one.
  if (typeof record['uri'] === 'string' && record['uri'] !== uri) return;
  if ('start' in record && 'end' in record) {
    const { start, end } = record as unknown as Range;
    for (const position of [start, end])
      expect([uri, method, position]).toEqual([uri, method, content.positionAt(content.offsetAt(position))]);
    expect(content.offsetAt(start)).toBeLessThanOrEqual(content.offsetAt(end));
    return;
  }
  for (const value of Object.values(record)) expectInside({ uri, content }, method, value);
}

const options = { tabSize: 2, insertSpaces: true };

async function askWhole(asked: Asked): Promise<number> {
  const { uri, content } = asked;
  const textDocument = { uri };
  const end = content.positionAt(content.getText().length);
  const range = { start: { line: 0, character: 0 }, end };
  const requests: readonly (readonly [string, object])[] = [
    ['textDocument/documentSymbol', {}],
    ['textDocument/foldingRange', {}],
    ['textDocument/documentLink', {}],
    ['textDocument/semanticTokens/full', {}],
    ['textDocument/inlayHint', { range }],
    ['textDocument/codeAction', { range, context: { diagnostics: [] } }],
    ['textDocument/codeAction', { range, context: { diagnostics: [], only: ['source.fixAll'] } }],
    ['textDocument/formatting', { options }],
    ['textDocument/rangeFormatting', { options, range }],
    [lqlMethods.regions, {}],
  ];
  for (const [method, params] of requests) {
    const answer = await lsp.request<unknown>(method, { textDocument, ...params });
    expectInside(asked, method, answer);
    if (method.endsWith('ormatting')) TextDocument.applyEdits(content, answer as TextEdit[]);
  }
  return requests.length;
}

async function askAt(asked: Asked, offset: number): Promise<number> {
  const { uri, content } = asked;
  const position = content.positionAt(offset);
  const params = { textDocument: { uri }, position };
  const range = { start: position, end: position };
  const requests: readonly (readonly [string, object])[] = [
    ['textDocument/completion', params],
    ['textDocument/hover', params],
    ['textDocument/signatureHelp', params],
    ['textDocument/definition', params],
    ['textDocument/references', { ...params, context: { includeDeclaration: true } }],
    ['textDocument/documentHighlight', params],
    ['textDocument/linkedEditingRange', params],
    ['textDocument/prepareRename', params],
    ['textDocument/selectionRange', { ...params, positions: [position] }],
    ['textDocument/codeAction', { ...params, range, context: { diagnostics: [] } }],
    ['textDocument/onTypeFormatting', { ...params, ch: '}', options }],
    ['textDocument/rangeFormatting', { ...params, range, options }],
  ];
  const answers = await Promise.all(requests.map(([method, given]) => lsp.request<unknown>(method, given)));
  for (const [i, answer] of answers.entries()) expectInside(asked, requests[i]?.[0] ?? '', answer);
  const edits = (answers[0] as CompletionList).items.flatMap((item) => (item.textEdit as TextEdit | undefined) ?? []);
  for (const edit of edits) TextDocument.applyEdits(content, [edit]);
  return requests.length;
}

/** Every offset in a deep run, in an ordinary one steps that walk through all of them over the documents. */
async function askEverything(asked: Asked, first: number, step: number): Promise<number> {
  let requests = await askWhole(asked);
  const { length } = asked.content.getText();
  for (let offset = first % step; offset <= length; offset += step) requests += await askAt(asked, offset);
  lsp.close(asked.uri);
  return requests;
}

const timeout = isDeep ? 3_600_000 : 120_000;

describe('every request is answered inside of the document', () => {
  test('at places of every example, in its own host', { timeout }, async () => {
    let requests = 0;
    let documents = 0;
    for (const [i, file] of exampleFiles().entries()) {
      const languageId = languages[path.extname(file)];
      if (languageId === undefined) continue;
      const text = readFileSync(file, 'utf8');
      requests += await askEverything(
        openDocument(`file:///examples/${i}${path.extname(file)}`, text, languageId),
        i,
        isDeep ? 1 : 97,
      );
      documents++;
    }
    console.log(`language server: ${requests} requests over ${documents} examples, all inside of their document`);
    expect(documents).toBeGreaterThan(10);
  });

  test('at the end of prefixes of the examples', { timeout }, async () => {
    let requests = 0;
    for (const [i, file] of exampleFiles().entries()) {
      const languageId = languages[path.extname(file)];
      if (languageId === undefined) continue;
      const text = readFileSync(file, 'utf8');
      const step = isDeep ? 1 : 211;
      for (let length = i % step; length < text.length; length += step) {
        const asked = openDocument('file:///examples/prefix', text.slice(0, length), languageId);
        requests += (await askWhole(asked)) + (await askAt(asked, length));
      }
    }
    lsp.close('file:///examples/prefix');
    console.log(`language server: ${requests} requests over prefixes of the examples, all inside of their document`);
    expect(requests).toBeGreaterThan(1000);
  });

  const queries = readCorpusQueries();
  test.runIf(queries.length > 0)(
    'at places of every corpus query, bare and inside of YAML (skipped where the corpus is absent)',
    { timeout },
    async () => {
      let requests = 0;
      for (const [i, { text }] of queries.entries()) {
        const step = isDeep ? 1 : 499;
        requests += await askEverything(openDocument(`file:///corpus/${i}.lql`, text, 'lql'), i, step);
        const yaml = `queryId: Corpus_${i}\r\nqueryText: |-\r\n${text.replaceAll(/^/gm, '   ').replaceAll(/\r?\n/g, '\r\n')}\r\n`;
        // Inside of YAML the same places again, one in seven: the text in it is mapped, not read another way.
        requests += await askEverything(openDocument(`file:///corpus/${i}.yaml`, yaml, 'yaml'), i, isDeep ? 7 : step);
      }
      console.log(
        `language server: ${requests} requests over ${queries.length} corpus queries, all inside of their document`,
      );
    },
  );
});

describe('versions', () => {
  test('of diagnostics never go back, and the last one is of the text as it is', { timeout }, async () => {
    const published: { version: number; diagnostics: readonly Diagnostic[] }[] = [];
    const own = await startSession();
    own.connection.onNotification('textDocument/publishDiagnostics', (params: (typeof published)[number]) => {
      published.push(params);
    });
    const uri = 'file:///versions.lql';
    const rounds = isDeep ? 5000 : 200;
    let seed = 20_261_120;
    const next = (limit: number): number => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return seed % limit;
    };
    // Cheap and costly texts in turn: a costly check must not be overtaken, nor come after a cheap one that is newer.
    const texts = [
      '{ source { A } return { X, } }',
      `{ source { A } filter { ${Array.from({ length: 300 }, (_, i) => `X${i} != ${i}`).join(' and ')} } return { X } }`,
      '{ source { A } return { X } }',
    ];
    own.notify('textDocument/didOpen', { textDocument: { uri, languageId: 'lql', version: 1, text: texts[0] } });
    for (let version = 2; version <= rounds; version++) {
      own.notify('textDocument/didChange', {
        textDocument: { uri, version },
        contentChanges: [{ text: version === rounds ? texts[2] : texts[next(3)] }],
      });
      if (next(3) === 0) await new Promise((resolve) => setTimeout(resolve, next(50)));
    }
    // Behind an answer stands all that was on its way; the check itself may still wait for its turn.
    for (let tries = 0; published.at(-1)?.version !== rounds && tries < 200; tries++) {
      await own.request('textDocument/documentSymbol', { textDocument: { uri } });
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    const versions = published.map(({ version }) => version);
    expect(versions).toEqual([...versions].sort((a, b) => a - b));
    expect(published.at(-1)).toMatchObject({ version: rounds, diagnostics: [] });
    expect(versions.length).toBeGreaterThan(1);
    console.log(`language server: ${rounds} changes, ${versions.length} times published, 0 versions out of order`);
    await own.stop();
  });
});

describe('what is cancelled', () => {
  test('ends as cancelled or with its answer, and the next request is answered', { timeout }, async () => {
    const uri = 'file:///long.lql';
    const conditions = Array.from({ length: 2_400 }, (_, i) => `EVENT_NAME <> 'name ${i}'`).join('\n and ');
    const text = `{ source { CloudTrailRawEvents } filter { ${conditions} } return { EVENT } }`;
    const { content } = openDocument(uri, text, 'lql');
    const textDocument = { uri };
    const waits: number[] = [];
    let cancelledCount = 0;
    const methods = ['semanticTokens/full', 'documentSymbol', 'foldingRange', 'completion', 'formatting'] as const;
    for (let i = 0; i < (isDeep ? 500 : 40); i++) {
      const source = new CancellationTokenSource();
      const position = content.positionAt((i * 997) % text.length);
      // A change first: the answer needs a whole new analysis.
      lsp.change(uri, [{ range: { start: position, end: position }, text: '' }]);
      const request = lsp
        .request(`textDocument/${methods[i % methods.length]}`, { textDocument, position, options }, source.token)
        .then(
          () => 'answered',
          (error: { code: number }) => error.code,
        );
      // At once, or while the server is at it.
      if (i % 2 === 1) await new Promise((resolve) => setTimeout(resolve, i % 5));
      source.cancel();
      const started = performance.now();
      const end = await request;
      waits.push(performance.now() - started);
      expect(['answered', -32_800]).toContain(end);
      if (end !== 'answered') cancelledCount++;
    }
    waits.sort((a, b) => a - b);
    const at = (share: number): string => (waits[Math.floor((waits.length - 1) * share)] ?? 0).toFixed(1);
    console.log(
      `language server: ${waits.length} requests cancelled over ${(text.length / 1024).toFixed(0)} KB, ${cancelledCount} ended as cancelled; from cancel to end p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, longest ${at(1)} ms (goal 50 ms)`,
    );
    expect(cancelledCount).toBeGreaterThan(0);
    expect(await lsp.request('textDocument/documentSymbol', { textDocument })).not.toEqual([]);
  });
});
