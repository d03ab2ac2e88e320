import { expect, it } from 'vitest';
import { since } from '../../../../../client/features/content-sync/since.ts';

const now = Date.parse('2031-04-10T12:00:00Z');

it.each([
  ['2031-04-10T11:59:31Z', 'just now'],
  ['2031-04-10T12:00:31Z', 'just now'],
  ['2031-04-10T11:59:00Z', '1 minute ago'],
  ['2031-04-10T10:00:00.000Z', '2 hours ago'],
  ['2031-04-08T11:00:00Z', '2 days ago'],
  ['2031-02-01T00:00:00Z', '2 months ago'],
  ['2029-01-01T00:00:00Z', '2 years ago'],
  ['never', 'never'],
])('%s was %s', (time, words) => {
  expect(since(time, now)).toBe(words);
});
