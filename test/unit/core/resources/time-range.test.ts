import { describe, expect, it } from 'vitest';
import { formatTime } from '../../../../server/core/resources/time.ts';
import {
  defaultTimeRange,
  parseTimeBounds,
  parseTimeRange,
  timeRangePresets,
} from '../../../../server/core/resources/time-range.ts';

// A Wednesday.
const now = Date.parse('2031-04-02T09:30:15.250Z');

function read(text: string): string {
  const result = parseTimeRange(text, now);
  return result.kind === 'range' ? `${formatTime(result.range.start)} ${formatTime(result.range.end)}` : result.message;
}
const at = '2031-04-02T09:30:15.250Z';

describe('parseTimeRange', () => {
  it.each([
    ['today', `2031-04-02T00:00:00.000Z ${at}`],
    ['Yesterday', '2031-04-01T00:00:00.000Z 2031-04-02T00:00:00.000Z'],
    ['this month', `2031-04-01T00:00:00.000Z ${at}`],
    ['current week', `2031-03-31T00:00:00.000Z ${at}`],
    ['previous week', '2031-03-24T00:00:00.000Z 2031-03-31T00:00:00.000Z'],
    ['previous month', '2031-03-01T00:00:00.000Z 2031-04-01T00:00:00.000Z'],
    ['previous year', '2030-01-01T00:00:00.000Z 2031-01-01T00:00:00.000Z'],
    ['last 7 days', `2031-03-26T09:30:15.250Z ${at}`],
    ['last  24   HOURS', `2031-04-01T09:30:15.250Z ${at}`],
    ['last week', `2031-03-26T09:30:15.250Z ${at}`],
    ['past 2 months', `2031-02-02T09:30:15.250Z ${at}`],
    ['-24h', `2031-04-01T09:30:15.250Z ${at}`],
    ['2031-04-01', `2031-04-01T00:00:00.000Z ${at}`],
    ['-2d@d to @d', '2031-03-31T00:00:00.000Z 2031-04-02T00:00:00.000Z'],
    ['2031-04-01..2031-04-02', '2031-04-01T00:00:00.000Z 2031-04-02T00:00:00.000Z'],
    ['2031-04-01T08/2031-04-01T09', '2031-04-01T08:00:00.000Z 2031-04-01T09:00:00.000Z'],
  ])('reads %s', (text, expected) => {
    expect(read(text)).toBe(expected);
  });

  it.each([
    ['', 'empty'],
    ['last banana', 'is not a time'],
    ['now', 'not before its end'],
    ['@d to @d', 'not before its end'],
    ['2031-04-03 to 2031-04-02', 'not before its end'],
    ['+1d', 'not before its end'],
    ['last 0 days', 'not before its end'],
    ['last 999999 years', 'beyond the calendar'],
    ['-1d to never', "'never' is not a time"],
    ['x'.repeat(200), 'too long'],
  ])('refuses %s and says why', (text, reason) => {
    expect(parseTimeRange(text, now).kind).toBe('invalid');
    expect(read(text)).toContain(reason);
  });

  it('reads every preset and the default', () => {
    for (const text of [defaultTimeRange, ...timeRangePresets.map((preset) => preset.text)]) {
      expect(parseTimeRange(text, now).kind, text).toBe('range');
    }
  });
});

describe('parseTimeBounds', () => {
  it('reaches from 24 hours ago until now by default', () => {
    expect(parseTimeBounds(undefined, undefined, now)).toEqual({
      kind: 'range',
      range: { start: now - 86_400_000, end: now },
    });
  });
});
