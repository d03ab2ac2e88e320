import { expect, test } from 'vitest';
import { distinctTitle, type RunName } from '../../../../../client/features/results/run-list.ts';

test('no two tabs look the same, and each says how it differs', () => {
  const runs: RunName[] = [];
  const run = (title: string, range: string): void => {
    runs.push({ title, range, shown: distinctTitle({ title, range, shown: title }, runs) });
  };
  for (const range of ['today', 'today', 'last 7 days', 'last 7 days', '2026-01-05 to 2026-01-06T12:00:00Z', 'today'])
    run('buckets', range);
  run('machines', 'today');
  expect(runs.map(({ shown }) => shown)).toEqual([
    'buckets',
    'buckets (2)',
    'buckets · last 7 days',
    'buckets · last 7 days (2)',
    'buckets (3)',
    'buckets (4)',
    'machines',
  ]);
});
