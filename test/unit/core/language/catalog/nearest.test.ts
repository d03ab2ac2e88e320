import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { boundedDistance, nearestNames } from '../../../../../server/core/language/catalog/nearest.ts';

/** Edit distance with swaps of neighbours, computed the long way. */
function plainDistance(a: string, b: string): number {
  const rows = Array.from({ length: a.length + 1 }, (_, i) =>
    Array.from({ length: b.length + 1 }, (__, j) => (i === 0 ? j : j === 0 ? i : 0)),
  );
  const at = (i: number, j: number): number => rows[i]?.[j] ?? 0;
  for (let i = 1; i <= a.length; i++) {
    for (let j = 1; j <= b.length; j++) {
      let value = Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        value = Math.min(value, at(i - 2, j - 2) + 1);
      const row = rows[i];
      if (row !== undefined) row[j] = value;
    }
  }
  return at(a.length, b.length);
}

describe('boundedDistance', () => {
  it('is the edit distance as far as the limit, and limit + 1 beyond', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 12 });
    fc.assert(
      fc.property(word, word, fc.integer({ min: 0, max: 5 }), (a, b, limit) => {
        expect(boundedDistance(a, b, limit)).toBe(Math.min(plainDistance(a, b), limit + 1));
      }),
      { numRuns: 3_000 },
    );
  });
});

describe('nearestNames', () => {
  it.each([
    ['EVNT', ['EVENT', 'EVENTS', 'OTHER'], ['EVENT']],
    ['event', ['EVENT', 'EVENTS'], ['EVENT']],
    ['EVENT_NMAE', ['EVENT_NAME', 'EVENT_TIME'], ['EVENT_NAME']],
    ['x', ['y', 'z'], []],
    ['SOMETHING_ELSE', ['EVENT'], []],
  ])('%s among %j', (wanted, names, expected) => {
    expect(nearestNames(wanted, names)).toEqual(expected);
  });
});
