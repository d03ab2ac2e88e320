import { expect, test } from 'vitest';
import { describeWindow, formatLength, resolveRange } from '../../../../../client/features/run-query/window-text.ts';

const now = Date.UTC(2031, 3, 2, 10, 30, 15);

test('a relative range is fixed to the clock and shown in absolute times', () => {
  const resolved = resolveRange('last 24 hours', now);
  if (resolved.kind !== 'window') throw new Error(resolved.message);
  expect(resolved.window).toEqual({ startTime: now - 86_400_000, endTime: now, label: 'last 24 hours' });
  expect(describeWindow(resolved.window, 'utc')).toBe('2031-04-01 10:30:15 – 2031-04-02 10:30:15 UTC (1 d)');
});

test('full minutes are shown without seconds', () => {
  const resolved = resolveRange('2031-04-01 to 2031-04-02T12:30:00Z', now);
  if (resolved.kind !== 'window') throw new Error(resolved.message);
  expect(describeWindow(resolved.window, 'utc')).toBe('2031-04-01 00:00 – 2031-04-02 12:30 UTC (1 d 12 h 30 m)');
});

test('in local time the zone is named and the length stays', () => {
  const window = { startTime: Date.UTC(2031, 3, 1), endTime: Date.UTC(2031, 3, 2), label: '' };
  expect(describeWindow(window, 'local')).toMatch(
    /^2031-\d\d-\d\d \d\d:\d\d – 2031-\d\d-\d\d \d\d:\d\d local time \(1 d\)$/,
  );
});

test('what is no range is refused with words', () => {
  const resolved = resolveRange('sometime', now);
  expect(resolved.kind === 'refused' && resolved.message).toMatch(/sometime/);
});

test.each([
  [0, '0 s'],
  [999, '1 s'],
  [61_000, '1 m 1 s'],
  [86_400_000 * 7, '7 d'],
  [-5, '0 s'],
])('%i milliseconds are %s', (milliseconds, text) => {
  expect(formatLength(milliseconds)).toBe(text);
});
