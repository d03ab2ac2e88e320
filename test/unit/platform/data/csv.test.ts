import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseCsv } from '../../../../server/platform/data/csv.ts';

describe('parseCsv', () => {
  test.each<[string, string[][]]>([
    ['', []],
    ['a', [['a']]],
    [
      'a,b\n1,2\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'a,b\r\n1,2\r\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'a,b\n1,',
      [
        ['a', 'b'],
        ['1', ''],
      ],
    ],
    ['a\n\nb', [['a'], [''], ['b']]],
    ['"x,y","z"', [['x,y', 'z']]],
    ['"say ""hi""",2', [['say "hi"', '2']]],
    ['"two\nlines",1', [['two\nlines', '1']]],
    ['"open', [['open']]],
    ['"closed"rest,2', [['closed', '2']]],
    [',\n', [['', '']]],
  ])('%j', (text, expected) => {
    expect(parseCsv(text)).toEqual(expected);
  });

  test('reads back what is written by the rules', () => {
    const line = fc.array(fc.string({ unit: fc.constantFrom('a', ',', '"', '\n', '\r', ' ', '1') }), {
      minLength: 1,
      maxLength: 4,
    });
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 5 }), (lines) => {
        const text = lines
          .map((fields) => fields.map((field) => `"${field.replaceAll('"', '""')}"`).join(','))
          .join('\r\n');
        expect(parseCsv(text)).toEqual(lines);
      }),
      { numRuns: process.env['DEEP'] ? 10_000 : 500 },
    );
  });
});
