import { expect, test } from 'vitest';
import type { LanguageServer } from '../../../../../client/infrastructure/language/language-server.ts';
import { observingKeys } from '../../../../../client/infrastructure/language/observing-keys.ts';
import type { ResultsService, RunDescription } from '../../../../../client/infrastructure/runs.ts';

const run: RunDescription = {
  title: 'q',
  queryText: '{ source { A } return { X } }',
  uri: undefined,
  window: { startTime: 0, endTime: 1, label: '' },
  accountLabel: 'acme',
  cancel: () => undefined,
  rerun: () => undefined,
};

test('a result is shown, and the names of its keys, no values, reach the language server', () => {
  const shown: unknown[][] = [];
  const told: unknown[] = [];
  const results: ResultsService = {
    openRun: () => ({
      succeeded: (...given) => void shown.push(given),
      failed: () => void shown.push(['failed']),
      cancelled: () => void shown.push(['cancelled']),
    }),
  };
  const language: Pick<LanguageServer, 'addKeys'> = { addKeys: (keys) => void told.push(keys) };
  const handle = observingKeys(results, language).openRun(run);
  const rows = [{ X: { user: { name: 'secret' } }, N: 1 }, { X: [{ id: 'secret' }] }];
  handle.succeeded(rows, 5, 'note');
  handle.failed({ message: 'no' });
  expect(shown).toEqual([[rows, 5, 'note'], ['failed']]);
  expect(told).toEqual([
    {
      queryText: run.queryText,
      columns: [
        {
          name: 'X',
          keys: [
            { name: 'user', keys: [{ name: 'name', keys: [] }] },
            { name: '[]', keys: [{ name: 'id', keys: [] }] },
          ],
        },
      ],
    },
  ]);
  expect(JSON.stringify(told)).not.toContain('secret');
});
