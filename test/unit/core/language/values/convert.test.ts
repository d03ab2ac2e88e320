import { describe, expect, it } from 'vitest';
import type { LqlType } from '../../../../../server/core/language/types/types.ts';
import { converter, wireValue } from '../../../../../server/core/language/values/convert.ts';
import type { Value } from '../../../../../server/core/language/values/value.ts';

const noon = Date.UTC(2024, 4, 1, 12, 0, 0, 250);

describe('conversion', () => {
  it.each<[LqlType, LqlType, Value, Value]>([
    ['json', 'string', 'text', 'text'],
    ['json', 'string', true, 'true'],
    ['json', 'string', 12, '12'],
    ['json', 'string', null, undefined],
    ['json', 'string', { b: [1, null], a: 'x' }, '{"b":[1,null],"a":"x"}'],
    ['json', 'string', [], '[]'],
    ['json', 'number', '445', 445],
    ['json', 'number', 'x', undefined],
    ['json', 'number', true, undefined],
    ['json', 'number', [1], undefined],
    ['json', 'boolean', 'False', false],
    ['json', 'boolean', 0, false],
    ['json', 'boolean', {}, undefined],
    ['json', 'timestamp', '2024-05-01T12:00:00.250Z', noon],
    ['json', 'timestamp', 1714564800.25, noon],
    ['json', 'timestamp', false, undefined],
    ['string', 'number', 'abc', undefined],
    ['string', 'boolean', 'yes', true],
    ['string', 'boolean', 'maybe', undefined],
    ['string', 'json', '{"a":1}', '{"a":1}'],
    ['string', 'timestamp', '1714564800250', noon],
    ['string', 'timestamp', '1714564800', noon - 250],
    ['string', 'timestamp', '17145648000', undefined],
    ['number', 'string', 0.1, '0.1'],
    ['number', 'boolean', 2, true],
    ['number', 'boolean', 0, false],
    ['number', 'timestamp', 1714564800, noon - 250],
    ['number', 'timestamp', 1e30, undefined],
    ['number', 'json', 7, 7],
    ['timestamp', 'string', noon, '2024-05-01T12:00:00.250Z'],
    ['timestamp', 'json', noon, '2024-05-01T12:00:00.250Z'],
    ['boolean', 'json', true, true],
    ['null', 'string', undefined, undefined],
  ])('%s to %s: %o', (from, to, value, expected) => {
    expect(converter(from, to)?.(value)).toEqual(expected);
  });

  it.each<[LqlType, LqlType]>([
    ['boolean', 'string'],
    ['boolean', 'number'],
    ['boolean', 'timestamp'],
    ['timestamp', 'number'],
    ['timestamp', 'boolean'],
  ])('has none from %s to %s', (from, to) => {
    expect(converter(from, to)).toBeUndefined();
  });

  it('writes rows with null for SQL null and ISO text for timestamps', () => {
    expect(wireValue(undefined, 'string')).toBeNull();
    expect(wireValue(null, 'json')).toBeNull();
    expect(wireValue(noon, 'timestamp')).toBe('2024-05-01T12:00:00.250Z');
    expect(wireValue(noon, 'number')).toBe(noon);
  });
});
