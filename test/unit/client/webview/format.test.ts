import { afterEach, expect, test } from 'vitest';
import { formatWindow, useTimeZone } from '../../../../client/webview/results/format.ts';

const zone = process.env['TZ'];
afterEach(() => {
  useTimeZone('utc');
  if (zone === undefined) delete process.env['TZ'];
  else process.env['TZ'] = zone;
});

test('a window is told in UTC, and says so', () => {
  expect(formatWindow('2026-01-01T10:00:00.000Z', '2026-01-02T12:30:00.000Z')).toBe(
    '2026-01-01 10:00 – 2026-01-02 12:30 UTC',
  );
  expect(formatWindow('2026-01-01T10:00:00.000Z', '2026-01-01T12:30:00.000Z')).toBe('2026-01-01 10:00 – 12:30 UTC');
});

test('a window in local time is told by the local clock, and the day is the local one', () => {
  process.env['TZ'] = 'Asia/Tokyo';
  useTimeZone('local');
  expect(formatWindow('2026-01-01T10:00:00.000Z', '2026-01-01T16:30:00.000Z')).toBe(
    '2026-01-01 19:00 – 2026-01-02 01:30 local time',
  );
  expect(formatWindow('2026-01-01T16:00:00.000Z', '2026-01-02T01:00:00.000Z')).toBe(
    '2026-01-02 01:00 – 10:00 local time',
  );
});
