import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileLike } from '../../../../../server/core/engine/patterns/like.ts';
import { compileRegex } from '../../../../../server/core/engine/patterns/regex.ts';

describe('LIKE', () => {
  it.each<[string, string, boolean]>([
    ['arn:aws:s3:::%', 'arn:aws:s3:::logs', true],
    ['%s3%', 'arn:aws:s3:::logs', true],
    ['%', '', true],
    ['', '', true],
    ['', 'a', false],
    ['_', '', false],
    ['a_c', 'abc', true],
    ['a_c', 'ac', false],
    ['%_', '', false],
    ['a%a', 'a', false],
    ['a%b%a', 'aba', true],
    ['%ab%ab%', 'xaby', false],
    ['ABC', 'abc', false],
    ['a.c', 'abc', false],
    ['a\\%', 'a\\rest', true],
    ['_', '😀', true],
    ['__', '😀', false],
    ['%_x', '😀x', true],
  ])('%j on %j', (pattern, text, expected) => {
    expect(compileLike(pattern, false)(text)).toBe(expected);
  });

  it('ignores case as ILIKE', () => {
    expect(compileLike('%RoOt%', true)('/ROOT/x')).toBe(true);
    expect(compileLike('ä_', true)('ÄX')).toBe(true);
  });

  it('agrees with a regular expression over small alphabets', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '😀', '\n'), maxLength: 8 });
    const pattern = fc.string({ unit: fc.constantFrom('a', 'b', '%', '_', '😀'), maxLength: 6 });
    fc.assert(
      fc.property(text, pattern, (subject, like) => {
        const source = Array.from(like, (c) => (c === '%' ? '[^]*' : c === '_' ? '[^]' : c)).join('');
        expect(compileLike(like, false)(subject)).toBe(new RegExp(`^(?:${source})$`, 'u').test(subject));
      }),
      { numRuns: 1000 },
    );
  });
});

describe('RLIKE', () => {
  const matches = (pattern: string, text: string): boolean | string => {
    const result = compileRegex(pattern);
    return result.kind === 'ok' ? result.test(text) : 'invalid';
  };

  it.each<[string, string, boolean | string]>([
    ['.*\\.amazonaws\\.com', 's3.amazonaws.com', true],
    ['.*\\.amazonaws\\.com', 's3Xamazonaws.com', false],
    ['^ca-', 'ca-central-1', false],
    ['^ca-.*', 'ca-central-1', true],
    ['us-(east|west)-[0-9]', 'us-west-2', true],
    ['/api/v1/namespaces/[^/]*/pods[?|/][^/]*$', '/api/v1/namespaces/x/pods?limit', true],
    ['[[:digit:]]+', '2024', true],
    ['a.c', 'a\nc', true],
    ['.', '😀', true],
    ['ab*', 'abbb', true],
    ['a\\*', 'a*', true],
    ['a$b', 'a$b', false],
    ['a\\$', 'a$', true],
    ['', '', true],
    ['.*(curl|wget) -o.*', 'sh -c wget -o x', true],
    ['.*(curl|wget) -o.*', 'sh -c fetch -o x', false],
    ['(a|b)(c|)', 'b', true],
    ['(a|b)+', 'abab', true],
    ['(a*|b)', 'aa', true],
    ['()', '', true],
    ['(', 'x', 'invalid'],
    ['(?=x)', 'x', 'invalid'],
    ['*a', 'a', 'invalid'],
  ])('%j on %j', (pattern, text, expected) => {
    expect(matches(pattern, text)).toBe(expected);
  });

  it('agrees with the regular expressions of JavaScript on what both know', () => {
    const pattern = fc.string({
      unit: fc.constantFrom(
        'a',
        'b',
        '.',
        '.*',
        '\\.',
        '^',
        '$',
        '[ab]',
        'a+',
        '(a|b)',
        '(ab|)',
        '(a|b)?',
        '(a|.)',
        '(^a)',
      ),
      maxLength: 5,
    });
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '.', '\n'), maxLength: 7 });
    fc.assert(
      fc.property(pattern, text, (regex, subject) => {
        expect(matches(regex, subject)).toBe(new RegExp(`^(?:${regex})$`, 's').test(subject));
      }),
      { numRuns: 1000 },
    );
  });

  it('reads long patterns in linear time', () => {
    expect(matches('ab'.repeat(30_000), 'ab'.repeat(30_000))).toBe(true);
    expect(compileLike(`${'a%'.repeat(20_000)}b`, false)('a'.repeat(40_000))).toBe(false);
  });

  it('stays linear on patterns that make backtracking engines explode', () => {
    expect(matches('(a*)*(a*)*(a*)*b', 'a'.repeat(20_000))).toBe(false);
  });
});
