import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CompletionList, Hover } from 'vscode-languageserver/node';
import { startSpawnedSession } from '../../harness/lsp-session.ts';
import { repoRoot } from '../../harness/paths.ts';
import { datasourcesAnswer } from '../core/language/features/support.ts';

// What is shipped, as any editor starts it: its own process, standard input and output, a catalog file.
const uri = 'file:///project/query.lql';
let folder: string;
let session: Awaited<ReturnType<typeof startSpawnedSession>>;

beforeAll(async () => {
  const server = path.join(repoRoot, 'dist', 'server.js');
  if (!existsSync(server))
    throw new Error('dist/server.js is not there. Run `node scripts/build.mjs` first; `npm test` does it by itself.');
  folder = await mkdtemp(path.join(tmpdir(), 'lql-stdio-'));
  const catalogFile = path.join(folder, 'catalog.json');
  await writeFile(catalogFile, JSON.stringify(datasourcesAnswer));
  session = await startSpawnedSession({ initializationOptions: { catalogFile } });
  await session.next('window/logMessage');
});

afterAll(async () => {
  await session?.stop();
  await rm(folder, { recursive: true, force: true });
});

test('initialize tells what the server can do', () => {
  expect(session.initializeResult.capabilities).toMatchObject({
    hoverProvider: true,
    renameProvider: { prepareProvider: true },
  });
});

test('diagnostics, with the catalog of the file', async () => {
  session.open(uri, '{ source { CFG_KEYS } return { KEY_IDE } }');
  const diagnostics = await session.diagnostics(uri);
  expect(diagnostics.map(({ message }) => message).join('\n')).toContain('KEY_ID');
});

test('completion', async () => {
  session.change(uri, '{ source { CFG_KEYS } return {  } }');
  const list = await session.request<CompletionList>('textDocument/completion', {
    textDocument: { uri },
    position: { line: 0, character: 31 },
  });
  expect(list.items.map(({ label }) => label)).toEqual(expect.arrayContaining(['ACCOUNT_ID', 'KEY_ID', 'contains']));
});

test('hover', async () => {
  const hover = await session.request<Hover>('textDocument/hover', {
    textDocument: { uri },
    position: { line: 0, character: 13 },
  });
  expect((hover.contents as { value: string }).value).toContain('Encryption keys');
});

test('a lint configuration sent by the client is read', async () => {
  session.notify('lql/config', { folderUri: 'file:///project', text: '{ // comment\n "ignore": ["**"], }' });
  session.change(uri, "{ source { CFG_KEYS } filter { KEY_ID like 'x' } return { KEY_ID } }");
  expect(await session.diagnostics(uri)).toEqual([]);
  session.notify('lql/config', { folderUri: 'file:///project' });
  session.change(uri, "{ source { CFG_KEYS } filter { KEY_ID like 'x' } return { KEY_ID, KEY_ID } }");
  expect((await session.diagnostics(uri)).length).toBeGreaterThan(0);
});

test('a start without a channel is refused with a sentence', async () => {
  const { spawnSync } = await import('node:child_process');
  const { status, stderr } = spawnSync(process.execPath, [path.join(repoRoot, 'dist', 'server.js')], {
    encoding: 'utf8',
  });
  expect(status).toBe(2);
  expect(stderr).toContain('--stdio');
});
