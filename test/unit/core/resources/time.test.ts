import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addUnits, formatTime, parseTime, startOfUnit, timeUnits } from '../../../../server/core/resources/time.ts';

// A Wednesday.
const now = Date.parse('2031-04-02T09:30:15.250Z');

function read(text: string): string {
  const result = parseTime(text, now);
  return result.kind === 'time' ? formatTime(result.time) : result.message;
}

describe('parseTime', () => {
  it.each([
    ['2031-04-01', '2031-04-01T00:00:00.000Z'],
    ['2031-04-01T08', '2031-04-01T08:00:00.000Z'],
    ['2031-04-01T08:30:00Z', '2031-04-01T08:30:00.000Z'],
    ['2031-04-01T08:30:00.125Z', '2031-04-01T08:30:00.125Z'],
    ['2031-04-01T08:30:00', '2031-04-01T08:30:00.000Z'],
    ['2031-04-01 08:30', '2031-04-01T08:30:00.000Z'],
    ['2031-04-01T08:30:00+02:00', '2031-04-01T06:30:00.000Z'],
    ['2031-04-01T08:30:00.123456789-0130', '2031-04-01T10:00:00.123Z'],
    ['2028-02-29', '2028-02-29T00:00:00.000Z'],
    ['1932883200000', formatTime(1932883200000)],
    ['now', '2031-04-02T09:30:15.250Z'],
    ['-24h', '2031-04-01T09:30:15.250Z'],
    ['+90m', '2031-04-02T11:00:15.250Z'],
    ['7d', '2031-04-09T09:30:15.250Z'],
    ['-1w@w', '2031-03-24T00:00:00.000Z'],
    ['@w', '2031-03-31T00:00:00.000Z'],
    ['@d', '2031-04-02T00:00:00.000Z'],
    ['-1d@h', '2031-04-01T09:00:00.000Z'],
    ['-1MON', '2031-03-02T09:30:15.250Z'],
    ['@mon', '2031-04-01T00:00:00.000Z'],
    ['-1y@y', '2030-01-01T00:00:00.000Z'],
    ['  -24h ', '2031-04-01T09:30:15.250Z'],
  ])('reads %s', (text, expected) => {
    expect(read(text)).toBe(expected);
  });

  it.each([
    ['', 'empty'],
    ['2031-02-29', 'does not exist'],
    ['2031-13-01', 'does not exist'],
    ['2031-04-01T24:00:00Z', 'does not exist'],
    ['1932883200', 'append 000'],
    ['42', 'without a unit'],
    ['-3fortnights', 'is not a time'],
    ['-3x', "unknown unit 'x'"],
    ['@q', "unknown unit 'q'"],
    ['-', 'is not a time'],
    ['yesterdayish', 'is not a time'],
    ['-999999999y', 'outside the calendar'],
    ['9999999999999999', 'beyond the year 9999'],
  ])('refuses %s and says why', (text, reason) => {
    const result = parseTime(text, now);
    expect(result.kind).toBe('invalid');
    expect(read(text)).toContain(reason);
    expect(read(text)).toMatch(/Write for example/);
  });

  it('keeps a day that the target month lacks at the end of that month', () => {
    const march31 = Date.parse('2031-03-31T10:00:00.000Z');
    expect(formatTime(addUnits(march31, -1, 'mon'))).toBe('2031-02-28T10:00:00.000Z');
    expect(formatTime(addUnits(Date.parse('2028-02-29T10:00:00Z'), -1, 'y'))).toBe('2027-02-28T10:00:00.000Z');
  });

  it('answers any text and any number of units without throwing', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 40 }), fc.integer(), fc.constantFrom(...timeUnits), (text, count, unit) => {
        for (const candidate of [text, `${count}${unit}`, `-${count}${unit}@${unit}`]) {
          const result = parseTime(candidate, now);
          if (result.kind === 'time') expect(formatTime(result.time)).toMatch(/^\d{4}-.*Z$/);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('reads back what it writes', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: Date.parse('9999-12-31T23:59:59.999Z') }), (time) => {
        expect(parseTime(formatTime(time), now)).toEqual({ kind: 'time', time });
      }),
    );
  });

  it('snaps to a start that is not later than the moment, and stays there', () => {
    fc.assert(
      fc.property(fc.integer({ min: -1e12, max: 4e12 }), fc.constantFrom(...timeUnits), (time, unit) => {
        const start = startOfUnit(time, unit);
        expect(start).toBeLessThanOrEqual(time);
        expect(startOfUnit(start, unit)).toBe(start);
        expect(addUnits(start, 1, unit)).toBeGreaterThan(time);
      }),
    );
  });
});
