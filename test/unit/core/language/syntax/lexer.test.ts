import { describe, expect, test } from 'vitest';
import { lex, maxNesting } from '../../../../../server/core/language/syntax/lexer.ts';
import { parse } from '../../../../../server/core/language/syntax/parse.ts';
import {
  kindsOfGroups,
  languageWords,
  reservedWords,
  tokenTable,
} from '../../../../../server/core/language/syntax/tokens.ts';

/** Kinds and texts of the tokens, as `kind` for words and signs and `kind text` for the rest. */
const tokens = (text: string): readonly string[] =>
  parse(text).tokens.map(({ kind, start, end }) => {
    const written = text.slice(start, end);
    return written.toLowerCase() === kind ? kind : `${kind} ${written}`;
  });
const inFilter = (condition: string): readonly string[] =>
  tokens(`{ source { A } filter { ${condition} } return { X } }`).slice(7, -6);

describe('the table', () => {
  test('has each kind once', () => {
    const kinds = tokenTable.map(({ kind }) => kind);
    expect(new Set(kinds).size).toBe(kinds.length);
  });

  test('every word is read as a keyword where it has its meaning', () => {
    const text = `union all { { SOURCE { A as a with B on 'x' } filter { not a = 1 and b in (1) or c is not json null and d like any ('x') and e ilike 'x' and
      f rlike 'x' and g between 1 and 2 and case when true then false else null end } return distinct { a } } }`;
    const found = new Set(tokens(text).map((token) => token.split(' ')[0]));
    expect(languageWords.filter((word) => !found.has(word))).toEqual([]);
  });

  test('every reserved word is one kind, whatever its case', () => {
    for (const word of reservedWords) {
      expect(inFilter(`X = ${word}`)).toEqual(['identifier X', '=', `reserved ${word}`]);
      expect(inFilter(`X = ${word.toLowerCase()}`)).toEqual(['identifier X', '=', `reserved ${word.toLowerCase()}`]);
    }
  });

  test('every sign is read as itself', () => {
    for (const sign of kindsOfGroups('punctuation', 'operator', 'habit')) expect(tokens(`a ${sign} b`)).toContain(sign);
  });
});

describe('words that are keywords in one place only', () => {
  test.each([
    ['source = 1 and FILTER = 2', ['identifier source', '=', 'number 1', 'and', 'identifier FILTER', '=', 'number 2']],
    [
      'a.filter = x:return.end',
      ['identifier a', '.', 'identifier filter', '=', 'identifier x', ':', 'identifier return', '.', 'identifier end'],
    ],
    ['any = all', ['identifier any', '=', 'identifier all']],
    ['json is not json null', ['identifier json', 'is', 'not', 'json', 'null']],
    ['x::json = distinct', ['identifier x', '::', 'identifier json', '=', 'identifier distinct']],
    ['union like any (x)', ['identifier union', 'like', 'any', '(', 'identifier x', ')']],
  ])('%s', (condition, expected) => {
    expect(inFilter(condition)).toEqual(expected);
  });

  test('behind as every word is a name, but for those that go on', () => {
    expect(
      tokens('{ source { A as end, B as with C } return { X as filter } }').filter((token) => token.includes(' ')),
    ).toEqual(['identifier A', 'identifier end', 'identifier B', 'identifier C', 'identifier X', 'identifier filter']);
    expect(tokens('{ source { B as with C } return { X } }')).toContain('with');
  });

  test('a block begins where its word stands in front of a brace, even when the block before is not closed', () => {
    expect(
      tokens('{ source { A filter { (x = 1 return distinct { X } }').filter((token) =>
        ['filter', 'return', 'distinct'].includes(token),
      ),
    ).toEqual(['filter', 'return', 'distinct']);
  });
});

describe('numbers', () => {
  test.each([
    ['1', ['number 1']],
    ['1.5', ['number 1.5']],
    ['.5', ['number .5']],
    ['1e3 + 1E-3', ['number 1e3', '+', 'number 1E-3']],
    ['1.x', ['number 1', '.', 'identifier x']],
    ['x:a.0', ['identifier x', ':', 'identifier a', '.', 'number 0']],
    ['1-1', ['number 1', '-', 'number 1']],
  ])('%s', (condition, expected) => {
    expect(inFilter(condition)).toEqual(expected);
  });
});

describe('strings', () => {
  test.each([
    ["'it''s'", "legacy-string 'it''s'"],
    ["'a\\'b'", "legacy-string 'a\\'b'"],
    ["'C:\\'", "legacy-string 'C:\\'"],
    ["'a\\\\'", "legacy-string 'a\\\\'"],
    ["s'no \\ escape'", "s-string s'no \\ escape'"],
    ["S'That''s'", "s-string S'That''s'"],
    ['"a\\"b"', 'double-quoted "a\\"b"'],
    ["'two\nlines'", "legacy-string 'two\nlines'"],
    ["'-- no comment /* none */ // none'", "legacy-string '-- no comment /* none */ // none'"],
  ])('%j is one token', (source, expected) => {
    expect(inFilter(`X = ${source}`)).toEqual(['identifier X', '=', expected]);
    expect(parse(`{ source { A } filter { X = ${source} } return { X } }`).diagnostics).toEqual([]);
  });

  test('a name that ends in s in front of a quote stays a name', () => {
    expect(inFilter("tags'x'")).toEqual(['identifier tags', "legacy-string 'x'"]);
  });

  test('a quote that is never closed ends with its line, and the next line is read', () => {
    expect(inFilter("X = 'abc\n and Y = 'd'")).toEqual([
      'identifier X',
      '=',
      "legacy-string 'abc",
      'and',
      'identifier Y',
      '=',
      "legacy-string 'd'",
    ]);
  });
});

describe('trivia', () => {
  test('comments of three kinds are kept apart from tokens', () => {
    const text = '-- a\n{ source { A } // b\n return /* c\n d */ { X } } --- e';
    const { comments } = parse(text);
    expect(comments.map(({ range, style }) => [style, text.slice(range.start, range.end)])).toEqual([
      ['--', '-- a'],
      ['//', '// b'],
      ['/*', '/* c\n d */'],
      ['--', '--- e'],
    ]);
    expect(parse(text).diagnostics).toEqual([]);
  });

  test('blanks of all kinds, and a byte order mark, are nothing', () => {
    const text = '\ufeff{\u00a0source\u2003{\u200bA\t}\r\nreturn\u3000{ X }\u2028}';
    expect(parse(text).diagnostics).toEqual([]);
    expect(parse(text).tokens).toHaveLength(10);
  });
});

describe('nesting', () => {
  const at = (n: number): number => lex(`{ source { A } filter { ${'('.repeat(n)}`).tooDeepAt;

  test('is counted over brackets, cases and chains of joins together', () => {
    expect(at(maxNesting - 2)).toBe(-1);
    expect(at(maxNesting - 1)).toBe(7 + maxNesting - 2);
    expect(lex(`{ source { A ${'with B '.repeat(maxNesting - 2)} }`).tooDeepAt).toBe(-1);
    expect(lex(`{ source { A ${'with B '.repeat(maxNesting - 1)} }`).tooDeepAt).toBeGreaterThan(0);
    expect(lex(`{ source { ${'A with B, '.repeat(maxNesting * 2)} A }`).tooDeepAt).toBe(-1);
  });

  test('falls with every bracket and case that ends', () => {
    expect(lex(`{ source { A } filter { ${'(1) + '.repeat(1000)} 1 }`).tooDeepAt).toBe(-1);
    expect(lex(`{ source { A } filter { ${'case when a then b end + '.repeat(1000)} 1 }`).tooDeepAt).toBe(-1);
  });
});
