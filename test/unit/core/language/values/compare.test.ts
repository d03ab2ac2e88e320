import { describe, expect, it } from 'vitest';
import type { LqlType } from '../../../../../server/core/language/types/types.ts';
import {
  comparator,
  comparisonType,
  distinctKey,
  equality,
  hashKey,
} from '../../../../../server/core/language/values/compare.ts';
import { and, not, or, type Truth } from '../../../../../server/core/language/values/logic.ts';

describe('comparison', () => {
  it.each<[LqlType, LqlType, LqlType | undefined]>([
    ['json', 'string', 'string'],
    ['number', 'json', 'number'],
    ['json', 'json', 'json'],
    ['unknown', 'string', 'string'],
    ['null', 'timestamp', 'timestamp'],
    ['string', 'number', 'number'],
    ['string', 'timestamp', 'timestamp'],
    ['timestamp', 'number', 'timestamp'],
    ['boolean', 'string', 'boolean'],
    ['boolean', 'timestamp', undefined],
  ])('of %s and %s happens as %s', (a, b, expected) => {
    expect(comparisonType(a, b)).toBe(expected);
    expect(comparisonType(b, a)).toBe(expected);
  });

  it('orders JSON within a kind and not across kinds', () => {
    const compare = comparator('json');
    expect(compare(2, 10n)).toBeLessThan(0);
    expect(compare('b', 'a')).toBeGreaterThan(0);
    expect(compare(1, '1')).toBeUndefined();
    expect(compare([1], [1])).toBeUndefined();
    expect(compare(null, null)).toBeUndefined();
  });

  it('equates numbers across representations, in keys too', () => {
    expect(equality('number')(2 ** 60, 2n ** 60n)).toBe(true);
    expect(hashKey('number')(2 ** 60)).toBe(hashKey('number')(2n ** 60n));
    expect(distinctKey('number')(2 ** 60)).toBe(distinctKey('number')(2n ** 60n));
    expect(distinctKey('string')('u')).not.toBe(distinctKey('string')(undefined));
    expect(distinctKey('json')(null)).not.toBe(distinctKey('json')(undefined));
  });
});

describe('three-valued logic', () => {
  const truths: readonly Truth[] = [true, false, undefined];
  const tables: Readonly<Record<string, { and: Truth; or: Truth }>> = {
    'true true': { and: true, or: true },
    'true false': { and: false, or: true },
    'true undefined': { and: undefined, or: true },
    'false true': { and: false, or: true },
    'false false': { and: false, or: false },
    'false undefined': { and: false, or: undefined },
    'undefined true': { and: undefined, or: true },
    'undefined false': { and: false, or: undefined },
    'undefined undefined': { and: undefined, or: undefined },
  };
  for (const a of truths) {
    for (const b of truths) {
      it(`${a}, ${b}`, () => {
        expect({ and: and(a, b), or: or(a, b) }).toEqual(tables[`${a} ${b}`]);
        expect(not(and(a, b))).toBe(or(not(a), not(b)));
      });
    }
  }
});
