import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  absolute,
  add,
  compareNumbers,
  divide,
  type LqlNumber,
  modulo,
  multiply,
  normalizeInteger,
  numberKey,
  numberText,
  parseNumber,
  subtract,
} from '../../../../../server/core/language/values/numbers.ts';

const integer = fc.bigInt(-(2n ** 70n), 2n ** 70n);

describe('numbers', () => {
  it.each<[string, LqlNumber | undefined]>([
    ['42', 42],
    [' -42 ', -42],
    ['+7', 7],
    ['1.50', 1.5],
    ['.5', 0.5],
    ['5.', 5],
    ['1e3', 1000],
    ['-0', 0],
    ['9007199254740993', 9007199254740993n],
    ['5644915113269064637', 5644915113269064637n],
    ['-5644915113269064637', -5644915113269064637n],
    ['1e400', undefined],
    ['0x10', undefined],
    ['Infinity', undefined],
    ['', undefined],
    ['1 2', undefined],
    ['1_000', undefined],
  ])('reads %j as %s', (text, value) => {
    expect(parseNumber(text)).toBe(value);
  });

  it('keeps integers exact through reading and writing', () => {
    fc.assert(
      fc.property(integer, (value) => {
        const number = parseNumber(value.toString());
        expect(number).toBe(normalizeInteger(value));
        expect(numberText(number as LqlNumber)).toBe(value.toString());
      }),
      { numRuns: 500 },
    );
  });

  it('computes with integers exactly', () => {
    fc.assert(
      fc.property(integer, integer, (a, b) => {
        const x = normalizeInteger(a);
        const y = normalizeInteger(b);
        expect(add(x, y)).toBe(normalizeInteger(a + b));
        expect(subtract(x, y)).toBe(normalizeInteger(a - b));
        const fits = a * b < 10n ** 38n && a * b > -(10n ** 38n);
        if (fits) expect(multiply(x, y)).toBe(normalizeInteger(a * b));
        if (b !== 0n) expect(modulo(x, y)).toBe(normalizeInteger(a % b));
        if (fits && b !== 0n) expect(divide(normalizeInteger(a * b), y)).toBe(x);
        expect(Math.sign(compareNumbers(x, y))).toBe(a < b ? -1 : a > b ? 1 : 0);
        expect(numberKey(x) === numberKey(y)).toBe(a === b);
      }),
      { numRuns: 500 },
    );
  });

  it('has no value for a division by zero and for what a number cannot hold', () => {
    expect(divide(1, 0)).toBeUndefined();
    expect(modulo(5n ** 30n, 0)).toBeUndefined();
    expect(multiply(1e300, 1e300)).toBeUndefined();
    expect(add(1.5e308, 1.5e308)).toBeUndefined();
  });

  it('bounds the size of integers by turning long ones into decimals', () => {
    const large = 10n ** 30n;
    expect(multiply(large, large)).toBe(1e60);
    expect(typeof add(10n ** 37n, 1)).toBe('bigint');
    expect(absolute(-(2n ** 63n))).toBe(2n ** 63n);
  });

  it('divides integers to decimals and keeps zero without a sign', () => {
    expect(divide(7, 2)).toBe(3.5);
    expect(Object.is(multiply(-1, 0), 0)).toBe(true);
    expect(Object.is(modulo(-4, 2), 0)).toBe(true);
    expect(numberText(1e21)).toBe('1000000000000000000000');
    expect(numberKey(2 ** 60)).toBe(numberKey(2n ** 60n));
  });
});
