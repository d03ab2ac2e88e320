import { expect, test } from 'vitest';
import { startSession } from '../../harness/lsp-session.ts';

test('opens a document, waits for the diagnostics of its version, and ends', async () => {
  const session = await startSession();
  const uri = 'file:///a.lql';
  session.open(uri, '{ source { A } return { ');
  expect((await session.diagnostics(uri)).length).toBeGreaterThan(0);
  session.change(uri, '{ source { A } return { B } }');
  expect(await session.diagnostics(uri)).toEqual([]);
  await session.stop();
});
