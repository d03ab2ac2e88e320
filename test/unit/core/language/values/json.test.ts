import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  jsonEquals,
  jsonKey,
  jsonProperty,
  jsonText,
  parseJson,
} from '../../../../../server/core/language/values/json.ts';
import type { Value } from '../../../../../server/core/language/values/value.ts';

describe('JSON', () => {
  it('keeps integers of 64 bits', () => {
    const text = '{"PID_HASH":5644915113269064637,"list":[-9223372036854775808],"n":1.5,"text":"12345678901234567890"}';
    const value = parseJson(text) as { readonly [key: string]: Value };
    expect(value['PID_HASH']).toBe(5644915113269064637n);
    expect(jsonText(value)).toBe(text);
  });

  it('is written however deep it is nested, integers of 64 bits or none', () => {
    for (const innermost of [1, 5644915113269064637n]) {
      let deep: Value = innermost;
      for (let level = 0; level < 20_000; level++) deep = [deep];
      expect(jsonText(deep)).toHaveLength(40_000 + String(innermost).length);
    }
  });

  it('answers undefined for what is no JSON', () => {
    expect(parseJson('{broken')).toBeUndefined();
    expect(parseJson('')).toBeUndefined();
  });

  it('does not see inherited properties', () => {
    expect(jsonProperty({}, 'constructor')).toBeUndefined();
    expect(jsonProperty([1], 'length')).toBeUndefined();
    expect(jsonProperty(parseJson('{"__proto__": 1}'), '__proto__')).toBe(1);
  });

  it('is equal by value exactly when the keys are, whatever the order of members', () => {
    const value = fc.json({ maxDepth: 3 }).map(parseJson);
    fc.assert(
      fc.property(value, value, (a, b) => {
        expect(jsonEquals(a, b)).toBe(jsonKey(a) === jsonKey(b));
        expect(jsonEquals(a, shuffled(a))).toBe(true);
        expect(jsonKey(a)).toBe(jsonKey(shuffled(a)));
        expect(jsonEquals(parseJson(jsonText(a)), a)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it('tells values apart that look alike', () => {
    const alike: Value[] = [
      1,
      '1',
      true,
      'true',
      null,
      'null',
      undefined,
      [],
      {},
      '[]',
      '{}',
      [1],
      ['1'],
      { a: 1 },
      { a: '1' },
    ];
    const keys = new Set(alike.map(jsonKey));
    expect(keys.size).toBe(alike.length);
  });
});

/** The same value with the members of its objects the other way round. */
function shuffled(value: Value): Value {
  if (Array.isArray(value)) return value.map(shuffled);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, item]) => [key, shuffled(item as Value)]),
  );
}
