import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { CompletionList } from 'vscode-languageserver/node';
import { type LspSession, startSession } from '../../harness/lsp-session.ts';

// A catalog file that changes under the server: torn, gone, replaced, and beside it a file with columns.

const uri = 'file:///project/query.lql';
let folder = '';
let catalogFile = '';
let schemasFile = '';
const open: LspSession[] = [];

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'lql-catalog-'));
  catalogFile = path.join(folder, 'catalog.json');
  schemasFile = path.join(folder, 'schemas.json');
});
afterEach(async () => {
  for (const lsp of open.splice(0)) await lsp.stop();
  await rm(folder, { recursive: true });
});

async function session(options: object): Promise<LspSession> {
  const lsp = await startSession({ initializationOptions: options });
  open.push(lsp);
  return lsp;
}

async function proposals(lsp: LspSession, text: string): Promise<string[]> {
  const character = text.indexOf('|');
  lsp.open(uri, text.replace('|', ''));
  const position = { line: 0, character };
  const { items } = await lsp.request<CompletionList>('textDocument/completion', { textDocument: { uri }, position });
  return items.map(({ label }) => label);
}

const datasources = (lsp: LspSession): Promise<string[]> => proposals(lsp, '{ source { | } }');
const said = (lsp: LspSession): Promise<string> =>
  lsp.next('window/logMessage').then((params) => (params as { message: string }).message);

test('what cannot be read keeps the catalog that was read before, and says so', async () => {
  await writeFile(catalogFile, '\uFEFF[{"name": "FIRST"}]');
  const lsp = await session({ catalogFile });
  expect(await said(lsp)).toBe('The catalog file has 1 datasources.');
  expect(await datasources(lsp)).toEqual(['FIRST']);
  await writeFile(catalogFile, '[{"name": "SECOND"},');
  expect(await said(lsp)).toMatch(/was not read: it is not JSON\. The catalog read before stays in use\./);
  expect(await datasources(lsp)).toEqual(['FIRST']);
  await rm(catalogFile);
  expect(await said(lsp)).toMatch(/there is no such file\. The catalog read before stays in use\./);
  expect(await datasources(lsp)).toEqual(['FIRST']);
  await writeFile(`${catalogFile}.new`, '[{"name": "THIRD"}, {"name": "FOURTH"}]');
  await rename(`${catalogFile}.new`, catalogFile);
  expect(await said(lsp)).toBe('The catalog file has 2 datasources.');
  expect(await datasources(lsp)).toEqual(['FOURTH', 'THIRD']);
});

test('columns that leave their file leave completion', async () => {
  await writeFile(catalogFile, '[{"name": "ONE"}, {"name": "TWO"}]');
  await writeFile(schemasFile, '{"ONE": [{"name": "A", "type": "string"}], "TWO": [{"name": "B", "type": "string"}]}');
  const lsp = await session({ catalogFile, schemasFile });
  const columns = async (name: string): Promise<string[]> =>
    (await proposals(lsp, `{ source { ${name} } return { | } }`)).filter((label) => /^[AB]$/.test(label));
  await vi.waitFor(async () => expect([await columns('ONE'), await columns('TWO')]).toEqual([['A'], ['B']]));
  await writeFile(schemasFile, '{"ONE": [{"name": "A", "type": "string"}]}');
  await vi.waitFor(async () => expect([await columns('ONE'), await columns('TWO')]).toEqual([['A'], []]), {
    timeout: 10_000,
  });
});

test('one server that ends leaves the file to another that follows it', async () => {
  await writeFile(catalogFile, '[{"name": "FIRST"}]');
  const staying = await session({ catalogFile });
  const leaving = await startSession({ initializationOptions: { catalogFile } });
  expect([await said(staying), await said(leaving)]).toEqual(Array(2).fill('The catalog file has 1 datasources.'));
  await leaving.stop();
  await writeFile(catalogFile, '[{"name": "FIRST"}, {"name": "SECOND"}]');
  expect(await said(staying)).toBe('The catalog file has 2 datasources.');
});
