import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  describeSlice,
  finerSlice,
  mayBeTooLong,
  mostSlices,
  sliceMs,
  slicesOf,
} from '../../../../../client/features/run-query/slices.ts';

const window = (days: number): { startTime: number; endTime: number; label: string } => ({
  startTime: 1_900_000_000_000 - days * 86_400_000,
  endTime: 1_900_000_000_000,
  label: `last ${days} days`,
});

test('slices cover the window exactly, newest first, none longer than asked', () => {
  const time = fc.integer({ min: 0, max: 4_000_000_000_000 });
  fc.assert(
    fc.property(time, fc.integer({ min: 1, max: 100 * 86_400_000 }), (startTime, length) => {
      const slices = slicesOf({ startTime, endTime: startTime + length, label: '' }, sliceMs);
      expect(slices[0]?.endTime).toBe(startTime + length);
      expect(slices.at(-1)?.startTime).toBe(startTime);
      for (const [index, slice] of slices.entries()) {
        expect(slice.endTime - slice.startTime).toBeGreaterThan(0);
        expect(slice.endTime - slice.startTime).toBeLessThanOrEqual(sliceMs);
        if (index > 0) expect(slice.endTime).toBe(slices[index - 1]?.startTime);
      }
    }),
  );
});

test('slices are offered for a refusal that speaks of time, when they would be shorter and not too many', () => {
  expect(mayBeTooLong('The time range exceeds 7 days.', window(30))).toBe(true);
  expect(mayBeTooLong('The time range exceeds 7 days.', window(7))).toBe(false);
  expect(mayBeTooLong('The time range exceeds 7 days.', window(3650))).toBe(false);
  expect(mayBeTooLong("Unknown column 'X'.", window(30))).toBe(false);
});

test('what is cut is tried in finer slices, as long as they are few enough', () => {
  const day = 86_400_000;
  expect(finerSlice(window(30), undefined)).toBe(7 * day);
  expect(finerSlice(window(30), 7 * day)).toBe(day);
  expect(finerSlice(window(30), day)).toBeUndefined();
  expect(finerSlice(window(1), undefined)).toBe(day / 4);
  expect(finerSlice(window(1 / 24), undefined)).toBeUndefined();
  fc.assert(
    fc.property(fc.double({ min: 0.001, max: 400, noNaN: true }), (days) => {
      const slice = finerSlice(window(days), undefined);
      if (slice === undefined) return;
      const count = slicesOf(window(days), slice).length;
      expect(count).toBeGreaterThan(1);
      expect(count).toBeLessThanOrEqual(mostSlices);
    }),
  );
});

test('a slice is told in days or hours', () => {
  expect([7 * 86_400_000, 86_400_000, 21_600_000, 3_600_000].map(describeSlice)).toEqual([
    '7 days',
    '1 day',
    '6 hours',
    '1 hour',
  ]);
});
