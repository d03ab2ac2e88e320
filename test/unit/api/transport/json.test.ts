import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseExact, writeExact } from '../../../../server/api/transport/json.ts';

describe('parseExact', () => {
  it.each([
    ['{"data":[{"HASH":5644915113269064637}]}', { data: [{ HASH: 5644915113269064637n }] }],
    ['[ -9223372036854775808 , 9007199254740993]', [-9223372036854775808n, 9007199254740993n]],
    ['9007199254740993', 9007199254740993n],
    ['[9007199254740991,1234567890123456]', [9007199254740991, 1234567890123456]],
    ['[9007199254740992]', [9007199254740992n]],
    [
      '{"a":"x:5644915113269064637,","b":5644915113269064638}',
      { a: 'x:5644915113269064637,', b: 5644915113269064638n },
    ],
    ['{"9":5644915113269064637,"1":5644915113269064638}', { 9: 5644915113269064637n, 1: 5644915113269064638n }],
    ['{"a":5644915113269064637,"a":1}', { a: 1 }],
    ['[1e20,1234567890123456.5,1.5]', [1e20, Number('1234567890123456.5'), 1.5]],
    ['[1e20,12345678901234567890]', [1e20, 12345678901234567890n]],
    ['[5644915113269064637,1e400]', [5644915113269064637n, Number.POSITIVE_INFINITY]],
    ['"5644915113269064637"', '5644915113269064637'],
    ['\uFEFF[5644915113269064637]', [5644915113269064637n]],
    ['["\\u007f0000000000000000",5644915113269064637]', ['\x7f0000000000000000', 5644915113269064637n]],
    ['["\x7f0000000000000000",5644915113269064637]', ['\x7f0000000000000000', 5644915113269064637n]],
    ['["\\u007F",5644915113269064637]', ['\x7f', 5644915113269064637n]],
    ['["x",\t-5644915113269064637\r\n]', ['x', -5644915113269064637n]],
    [`[${'9'.repeat(400)}]`, [BigInt('9'.repeat(400))]],
  ])('reads %s', (text, expected) => {
    expect(parseExact(text)).toEqual(expected);
  });

  it('refuses what is no JSON', () => {
    expect(() => parseExact('{"a":')).toThrow(SyntaxError);
    expect(() => parseExact('{"a":1234567890123456789')).toThrow(SyntaxError);
    expect(() => parseExact('[0234567890123456789]')).toThrow(SyntaxError);
    expect(() => parseExact('[1234567890123456789,]')).toThrow(SyntaxError);
    expect(() => parseExact('[12345678901234567 89]')).toThrow(SyntaxError);
  });

  it('leaves Object.prototype alone', () => {
    const value = parseExact('{"__proto__":{"polluted":5644915113269064637}}');
    expect(Object.keys(value as object)).toEqual(['__proto__']);
    expect('polluted' in {}).toBe(false);
  });

  it('agrees with the slow and sure way on generated documents', () => {
    const number = fc.oneof(
      fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }).map(String),
      fc.integer().map(String),
      fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => JSON.stringify(value)),
      fc.constantFrom('1e30', '9007199254740993', '9007199254740992', '-0'),
    );
    const text = fc
      .oneof(
        fc.string(),
        fc.constantFrom(':1234567890123456789,', '12345678901234567890', '\\"', '\x7f0000000000000000', '\x7f'),
      )
      .map((value) => JSON.stringify(value));
    const key = fc
      .oneof(fc.string(), fc.integer({ min: 0, max: 20 }).map(String), fc.constantFrom('__proto__', 'a', 'b'))
      .map((value) => JSON.stringify(value));
    const { document } = fc.letrec<{ document: string }>((tie) => ({
      document: fc.oneof(
        { depthSize: 'small', withCrossShrink: true },
        fc.oneof(number, text, fc.constantFrom('true', 'null')),
        fc.array(tie('document')).map((items) => `[${items.join(' , ')}]`),
        fc
          .array(fc.tuple(key, tie('document')))
          .map((entries) => `{${entries.map(([name, value]) => `${name}:${value}`).join(',')}}`),
      ),
    }));
    fc.assert(
      fc.property(document, (source) => {
        expect(parseExact(source)).toEqual(sure(source));
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('writeExact', () => {
  it('writes bigints as the integers they are', () => {
    expect(writeExact({ a: [5644915113269064637n, 1, 'x'], b: undefined })).toBe('{"a":[5644915113269064637,1,"x"]}');
  });
});

function sure(text: string): unknown {
  return JSON.parse(text, ((_: string, value: unknown, context: { source?: string }) =>
    typeof value === 'number' &&
    Number.isInteger(value) &&
    !Number.isSafeInteger(value) &&
    /^-?\d+$/.test(context.source ?? '')
      ? BigInt(context.source ?? '')
      : value) as (key: string, value: unknown) => unknown);
}
