import { expect, test } from 'vitest';
import { distinctTitle } from '../../../../../client/features/results/run-list.ts';

test('no two tabs look the same', () => {
  const taken: string[] = [];
  for (const range of ['today', 'today', 'last 7 days', 'last 7 days', '2026-01-05 to 2026-01-06T12:00:00Z'])
    taken.push(distinctTitle('buckets', range, taken));
  expect(taken).toEqual([
    'buckets',
    'buckets · today',
    'buckets · last 7 days',
    'buckets · last 7 days (2)',
    'buckets (2)',
  ]);
});
