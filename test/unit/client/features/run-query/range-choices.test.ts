import { expect, test } from 'vitest';
import { offeredRanges, rangesFor } from '../../../../../client/features/run-query/range-choices.ts';
import { resolveRange } from '../../../../../client/features/run-query/window-text.ts';

const now = Date.UTC(2031, 3, 2, 10, 30, 15, 250);
const lastRun = { startTime: now - 86_400_123, endTime: now - 123, label: 'last 24 hours' };
const sameWindow = '2031-04-01T10:30:15.127Z to 2031-04-02T10:30:15.127Z';

test('the window of the last run is offered to the millisecond, whenever it is used', () => {
  const offered = offeredRanges('last 24 hours', now, 'utc', lastRun);
  const same = offered.find(({ label }) => label === 'Same window as the last run');
  expect(same).toEqual({
    label: 'Same window as the last run',
    description: '2031-04-01 10:30:15 – 2031-04-02 10:30:15 UTC (1 d)',
    range: sameWindow,
  });
  for (const later of [now, now + 3_600_000, now + 40 * 86_400_000]) {
    const resolved = resolveRange(same?.range ?? '', later);
    expect(resolved).toMatchObject({ window: { startTime: lastRun.startTime, endTime: lastRun.endTime } });
  }
});

test('before the first run there is no such window', () => {
  const labels = offeredRanges('today', now, 'utc', undefined).map(({ label }) => label);
  expect(labels).toContain('$(check) Today');
  expect(labels.join()).not.toContain('Same window');
});

test('the range in use is marked and stands there once', () => {
  const marked = (current: string): readonly (string | undefined)[] =>
    offeredRanges(current, now, 'utc', lastRun)
      .filter(({ label, range }) => label.startsWith('$(check)') || range === current)
      .map(({ label }) => label);
  expect(marked('last 7 days')).toEqual(['$(check) Last 7 days']);
  expect(marked('-3d to -1d')).toEqual(['$(check) -3d to -1d']);
  expect(marked(sameWindow)).toEqual(['$(check) Same window as the last run']);
});

test('what is offered is found by what it is called, beside what is typed', () => {
  const offered = offeredRanges('last 24 hours', now, 'utc', lastRun);
  const found = (typed: string): readonly string[] => rangesFor(typed, offered, now, 'utc').map(({ label }) => label);
  expect(found('same')).toEqual(['$(warning) same', 'Same window as the last run']);
  expect(found('Last 7')).toEqual(['$(warning) Last 7', 'Last 7 days']);
  expect(found('yesterday')).toEqual(['yesterday']);
  expect(found('last 2 days')).toEqual(['last 2 days']);
  expect(found(' -2h ')).toEqual(['-2h']);
  expect(found('')).toEqual(offered.map(({ label }) => label));
});
