import { expect, test } from 'vitest';
import { liesWithin } from '../../../../client/webview/results/histogram.ts';

const window = { start: '2031-04-01T00:00:00.000Z', end: '2031-04-02T00:00:00.000Z' };

test.each([
  ['all of it', '2031-04-01T01:00:00.000Z', '2031-04-01T23:00:00.000Z', true],
  ['events that came in late', '2031-03-31T20:00:00.000Z', '2031-04-01T22:00:00.000Z', true],
  ['the year of launches before it', '2030-04-01T00:00:00.000Z', '2031-04-01T12:00:00.000Z', false],
  ['times before it', '2031-03-01T00:00:00.000Z', '2031-03-02T00:00:00.000Z', false],
  ['a window within longer times', '2031-03-31T00:00:00.000Z', '2031-04-03T00:00:00.000Z', false],
])('bars of %s are of the window: %s – %s: %s', (_what, start, end, expected) => {
  expect(liesWithin({ start, end }, window)).toBe(expected);
});
