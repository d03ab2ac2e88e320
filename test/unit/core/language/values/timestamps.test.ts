import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addUnits, dayOfWeekAt, dayOfYearAt, diffUnits } from '../../../../../server/core/language/values/calendar.ts';
import { formatTimestamp, parseTimestamp } from '../../../../../server/core/language/values/timestamps.ts';

const iso = (text: string): number => Date.parse(text);

describe('timestamps', () => {
  it.each<[string, string | undefined]>([
    ['2021-06-03T00:47:33Z', '2021-06-03T00:47:33.000Z'],
    ['2021-06-03 00:47', '2021-06-03T00:47:00.000Z'],
    ['2021-06-03', '2021-06-03T00:00:00.000Z'],
    ['2021-06-03T00:47:33.123456789Z', '2021-06-03T00:47:33.123Z'],
    ['2021-06-03T00:47:33.5+02:00', '2021-06-02T22:47:33.500Z'],
    ['2021-06-03 00:47:33 -0530', '2021-06-03T06:17:33.000Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
    ['0099-01-01', '0099-01-01T00:00:00.000Z'],
    ['2023-02-29', undefined],
    ['2024-13-01', undefined],
    ['2024-04-31', undefined],
    ['2024-04-30T24:00:00Z', undefined],
    ['2024-04-30T23:60:00Z', undefined],
    ['2024-04-30T23:00:00+25:00', undefined],
    ['N/A', undefined],
    ['', undefined],
  ])('reads %j', (text, expected) => {
    const value = parseTimestamp(text);
    expect(value === undefined ? undefined : formatTimestamp(value)).toBe(expected);
  });

  it('reads dates like the platform does, before 1970 and in leap years too', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: iso('0000-01-01T00:00:00Z'), max: iso('9999-12-31T23:59:59.999Z') }),
        fc.constantFrom('Z', '.500Z', '.5Z', '+01:00'),
        (value, end) => {
          const text = new Date(value).toISOString().slice(0, 19) + end;
          expect(parseTimestamp(text)).toBe(Date.parse(text));
        },
      ),
      { numRuns: 1000 },
    );
  });

  it.each([
    '2024-05-0xT00:00:00Z',
    '2024-05-01T0:000:00Z',
    '2024-05-01T00:00:00.0x0Z',
    '+024-05-01T00:00:00Z',
    '2024-02-30T00:00:00Z',
  ])('refuses %j', (text) => {
    expect(parseTimestamp(text)).toBeUndefined();
  });

  it('reads what it writes', () => {
    fc.assert(
      fc.property(fc.integer({ min: iso('0001-01-01T00:00:00Z'), max: iso('9999-12-31T23:59:59.999Z') }), (value) => {
        expect(parseTimestamp(formatTimestamp(value) as string)).toBe(value);
      }),
      { numRuns: 500 },
    );
  });

  it('adds months onto the last day of shorter months, years onto leap days', () => {
    expect(addUnits(iso('2024-03-31T10:00:00Z'), -1, 'months')).toBe(iso('2024-02-29T10:00:00Z'));
    expect(addUnits(iso('2024-02-29T10:00:00Z'), 1, 'years')).toBe(iso('2025-02-28T10:00:00Z'));
    expect(addUnits(iso('2024-11-30T10:00:00Z'), 14, 'months')).toBe(iso('2026-01-30T10:00:00Z'));
    expect(addUnits(0, 1e12, 'years')).toBeUndefined();
    expect(addUnits(0, 1e12, 'days')).toBeUndefined();
  });

  it('counts boundaries, also before 1970', () => {
    expect(diffUnits(iso('1969-12-31T23:59:59Z'), iso('1970-01-01T00:00:01Z'), 'days')).toBe(1);
    expect(diffUnits(iso('2024-05-01T10:00:00Z'), iso('2024-04-30T23:00:00Z'), 'months')).toBe(-1);
    expect(dayOfWeekAt(iso('2024-05-06T10:00:00Z'))).toBe(1);
    expect(dayOfWeekAt(iso('2024-05-05T10:00:00Z'))).toBe(7);
    expect(dayOfYearAt(iso('2023-12-31T10:00:00Z'))).toBe(365);
  });

  it('undoes an addition by the opposite one for units of fixed length', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -1e12, max: 1e12 }),
        fc.integer({ min: -10_000, max: 10_000 }),
        fc.constantFrom('days', 'hours', 'minutes', 'seconds', 'millis'),
        (time, count, unit) => {
          const moved = addUnits(time, count, unit) as number;
          expect(addUnits(moved, -count, unit)).toBe(time);
          expect(diffUnits(time, moved, unit)).toBe(count === 0 ? 0 : count);
        },
      ),
      { numRuns: 500 },
    );
  });
});
