import { describe, expect, test } from 'vitest';
import { syntaxCodes } from '../../../../../server/core/language/diagnostics/codes/syntax-codes.ts';
import { parse } from '../../../../../server/core/language/syntax/parse.ts';
import { applyEdits } from '../../../../../server/core/text/edits.ts';
import { markRanges, parseMarkers } from '../../../../harness/markers.ts';

/**
 * One mistake gives one message, at the marked place. The third column is the text after the first fix: it has no problems left.
 */
const mistakes: readonly (readonly [marked: string, code: string, fixed?: string])[] = [
  ['{ source { A a } filter { X =  <|}|> return { X } }', 'missing-expression'],
  ['{ source { A a } filter { <|=|> 1 } return { X } }', 'unexpected-token'],
  [
    '{ source { A a } filter { X <|1|> } return { X } }',
    'missing-connective',
    '{ source { A a } filter { X and 1 } return { X } }',
  ],
  [
    '{ source { A a } filter { X = 1 <|Y|> = 2 } return { X } }',
    'missing-connective',
    '{ source { A a } filter { X = 1 and Y = 2 } return { X } }',
  ],
  [
    '{ source { A a } filter { X = 1<|,|> Y = 2 } return { X } }',
    'missing-connective',
    '{ source { A a } filter { X = 1 and Y = 2 } return { X } }',
  ],
  ['{ source { A a } filter { X = 1 and <|}|> return { X } }', 'missing-expression'],
  ['{ source { A a } filter { <|and|> X = 1 } return { X } }', 'missing-expression'],
  ['{ source { A a } filter { X = 1 or <|or|> Y = 2 } return { X } }', 'missing-expression'],
  ['{ source { A a } filter { X = 1 and <|and|> Y = 2 } return { X } }', 'missing-expression'],
  [
    '{ source { A a } filter { (X = 1 <|}|> return { X } }',
    'missing-token',
    '{ source { A a } filter { (X = 1) } return { X } }',
  ],
  [
    '{ source { A a } filter { X = 1<|)|> } return { X } }',
    'unexpected-token',
    '{ source { A a } filter { X = 1 } return { X } }',
  ],
  [
    '{ source { A a } filter { ((X = 1) <|}|> return { X } }',
    'missing-token',
    '{ source { A a } filter { ((X = 1)) } return { X } }',
  ],
  [
    '{ source { A a } filter { X in <|1, 2|> } return { X } }',
    'missing-token',
    '{ source { A a } filter { X in (1, 2) } return { X } }',
  ],
  [
    "{ source { A a } filter { X in <|'a'|> } return { X } }",
    'missing-token',
    "{ source { A a } filter { X in ('a') } return { X } }",
  ],
  ['{ source { A a } filter { X in <|}|> return { X } }', 'missing-expression'],
  ['{ source { A a } filter { X in <|()|> } return { X } }', 'empty-block'],
  [
    '{ source { A a } filter { X in (1<|,|>) } return { X } }',
    'trailing-comma',
    '{ source { A a } filter { X in (1) } return { X } }',
  ],
  [
    '{ source { A a } filter { X in (1 <|2|>) } return { X } }',
    'missing-comma',
    '{ source { A a } filter { X in (1, 2) } return { X } }',
  ],
  ['{ source { A a } filter { X not <|}|> return { X } }', 'missing-token'],
  ['{ source { A a } filter { X not <|Y|> } return { X } }', 'missing-token'],
  ['{ source { A a } filter { not <|}|> return { X } }', 'missing-expression'],
  ['{ source { A a } filter { X is <|}|> return { X } }', 'missing-token'],
  [
    "{ source { A a } filter { X <|is|> 'a' } return { X } }",
    'foreign-operator',
    "{ source { A a } filter { X = 'a' } return { X } }",
  ],
  [
    '{ source { A a } filter { X <|is not|> 1 } return { X } }',
    'foreign-operator',
    '{ source { A a } filter { X <> 1 } return { X } }',
  ],
  [
    '{ source { A a } filter { X <|is|> true } return { X } }',
    'foreign-operator',
    '{ source { A a } filter { X = true } return { X } }',
  ],
  ['{ source { A a } filter { X <|between|> 1 } return { X } }', 'missing-token'],
  ['{ source { A a } filter { X between 1 and <|}|> return { X } }', 'missing-expression'],
  ['{ source { A a } filter { X <|between|> 1 or 2 } return { X } }', 'missing-token'],
  ['{ source { A a } filter { X like <|}|> return { X } }', 'missing-expression'],
  [
    "{ source { A a } filter { X like any <|'a'|> } return { X } }",
    'missing-token',
    "{ source { A a } filter { X like any ('a') } return { X } }",
  ],
  [
    "{ source { A a } filter { <|like|>(X, 'a') } return { X } }",
    'operator-as-function',
    "{ source { A a } filter { X like 'a' } return { X } }",
  ],
  [
    '{ source { A a } filter { <|in|>(X, 1, 2) } return { X } }',
    'operator-as-function',
    '{ source { A a } filter { X in (1, 2) } return { X } }',
  ],
  [
    '{ source { A a } filter { X <|!=|> 1 } return { X } }',
    'sql-not-equal',
    '{ source { A a } filter { X <> 1 } return { X } }',
  ],
  [
    '{ source { A a } filter { X <|==|> 1 } return { X } }',
    'foreign-operator',
    '{ source { A a } filter { X = 1 } return { X } }',
  ],
  [
    '{ source { A a } filter { X = 1 <|&&|> Y = 2 } return { X } }',
    'foreign-operator',
    '{ source { A a } filter { X = 1 and Y = 2 } return { X } }',
  ],
  [
    '{ source { A a } filter { <|!|>(X = 1) } return { X } }',
    'foreign-operator',
    '{ source { A a } filter { not (X = 1) } return { X } }',
  ],
  ['{ source { A a } filter { X <|^|> 2 = 1 } return { X } }', 'unexpected-character'],
  ['{ source { A a } filter { X = 1 <|?|> 2 } return { X } }', 'unexpected-character'],
  ['{ source { A a } filter { X = <|#|> } return { X } }', 'unexpected-character'],
  [
    "{ source { A a } filter { X = <|'abc|> } return { X } }",
    'unterminated-string',
    "{ source { A a } filter { X = 'abc' } return { X } }",
  ],
  [
    "{ source { A a } filter { X = <|'abc|> and Y = 'd' } return { X } }",
    'unterminated-string',
    "{ source { A a } filter { X = 'abc' and Y = 'd' } return { X } }",
  ],
  [
    '{ source { A a } filter { X = "a<|\\q|>" } return { X } }',
    'invalid-escape',
    '{ source { A a } filter { X = "a\\\\q" } return { X } }',
  ],
  [
    '{ source { A a } filter { X:<|type|> = 1 } return { X } }',
    'reserved-word',
    '{ source { A a } filter { X:"type" = 1 } return { X } }',
  ],
  [
    '{ source { A a } filter { X:a<|..|>b = 1 } return { X } }',
    'double-dot',
    '{ source { A a } filter { X:a.b = 1 } return { X } }',
  ],
  ['{ source { A a } filter { X:a. <|=|> 1 } return { X } }', 'missing-token'],
  ['{ source { A a } filter { X: <|=|> 1 } return { X } }', 'missing-token'],
  [
    '{ source { A a } filter { X:a<|[0]|>.b = 1 } return { X } }',
    'array-index',
    '{ source { A a, array_to_rows(X:a) as (item) } filter { item:b = 1 } return { X } }',
  ],
  [
    '{ source { A a } filter { X:<|[0]|> = 1 } return { X } }',
    'array-index',
    '{ source { A a, array_to_rows(X) as (item) } filter { item = 1 } return { X } }',
  ],
  [
    '{ source { A a } filter { X<|[0]|> = 1 } return { X } }',
    'array-index',
    '{ source { A a, array_to_rows(X) as (item) } filter { item = 1 } return { X } }',
  ],
  [
    '{ source { A a } filter { a.item = 1 } return { a.X:k."l m"<|[*]|>.b."c d" as y } }',
    'array-index',
    '{ source { A a, array_to_rows(a.X:k."l m") as (item2) } filter { a.item = 1 } return { item2:b."c d" as y } }',
  ],
  [
    "{ source { A a } filter { X:<|'a b'|> = 1 } return { X } }",
    'quoted-name',
    '{ source { A a } filter { X:"a b" = 1 } return { X } }',
  ],
  [
    '{ source { A a } filter { X:a.<|0|>.b = 1 } return { X } }',
    'array-index',
    '{ source { A a, array_to_rows(X:a) as (item) } filter { item:b = 1 } return { X } }',
  ],
  [
    '{ source { A a } filter { X:<|2fa|> = 1 } return { X } }',
    'invalid-name',
    '{ source { A a } filter { X:"2fa" = 1 } return { X } }',
  ],
  [
    '{ source { A a } filter { a.X<|.|>b.c = 1 } return { X } }',
    'dot-for-colon',
    '{ source { A a } filter { a.X:b.c = 1 } return { X } }',
  ],
  ['{ source { A a } filter { a. <|=|> 1 } return { X } }', 'missing-token'],
  [
    '{ source { A a } filter { a.<|"X"|> = 1 } return { X } }',
    'quoted-name',
    '{ source { A a } filter { a.X = 1 } return { X } }',
  ],
  ['{ source { A a } filter { X:: <|=|> 1 } return { X } }', 'missing-token'],
  [
    '{ source { A a } filter { X::string<|(10)|> = 1 } return { X } }',
    'unexpected-token',
    '{ source { A a } filter { X::string = 1 } return { X } }',
  ],
  ['{ source { A a } filter { f( <|=|> 1 } return { X } }', 'unexpected-token'],
  [
    '{ source { A a } filter { f(X<|,|> ) = 1 } return { X } }',
    'trailing-comma',
    '{ source { A a } filter { f(X ) = 1 } return { X } }',
  ],
  [
    '{ source { A a } filter { f(<|,|>X) = 1 } return { X } }',
    'extra-comma',
    '{ source { A a } filter { f(X) = 1 } return { X } }',
  ],
  [
    '{ source { A a } filter { f(X <|Y|>) = 1 } return { X } }',
    'missing-comma',
    '{ source { A a } filter { f(X, Y) = 1 } return { X } }',
  ],
  ['{ source { A a } filter { <|count(*)|> > 1 } return { X } }', 'star-argument'],
  [
    '{ source { A a } filter { case when X then 1 else 2 <|}|> return { X } }',
    'missing-token',
    '{ source { A a } filter { case when X then 1 else 2 end } return { X } }',
  ],
  ['{ source { A a } filter { case when X <|1|> end = 1 } return { X } }', 'missing-token'],
  ['{ source { A a } filter { case X <|end|> = 1 } return { X } }', 'missing-token'],
  [
    '{ source { A a } filter { X = 1<|;|> } return { X } }',
    'stray-semicolon',
    '{ source { A a } filter { X = 1 } return { X } }',
  ],
  ['{ source { A a } <|filter|> {  } return { X } }', 'empty-block'],
  [
    "{ source { A a } filter { X > now() - <|interval '1 day'|> } return { X } }",
    'foreign-operator',
    '{ source { A a } filter { X > add_days(-1, now()) } return { X } }',
  ],
  [
    "{ source { A a } filter { X + <|INTERVAL '2 weeks'|> > Y } return { X } }",
    'foreign-operator',
    '{ source { A a } filter { add_days(14, X) > Y } return { X } }',
  ],
  [
    '{ source { A a } filter { X <|=>|> 1 } return { X } }',
    'foreign-operator',
    '{ source { A a } filter { X >= 1 } return { X } }',
  ],
  [
    '{ source { A a } filter { X in <|(|>{ source { B } return { Y } }) } return { X } }',
    'unexpected-token',
    '{ source { A a } filter { X in { source { B } return { Y } } } return { X } }',
  ],
  [
    '{ source { A a } filter { X in { source { B } return { Y } } <|return|> { X } }',
    'missing-token',
    '{ source { A a } filter { X in { source { B } return { Y } } } return { X } }',
  ],
  [
    '{ source { A a } filter { X in { source { B } filter { Z = <|}|> return { Y } } } return { X } }',
    'missing-expression',
  ],
  ['{ source { A a } filter { exists <|{|> source { B } return { Y } } } return { X } }', 'unexpected-token'],
  [
    '{ source { A a } filter { X = <|“abc”|> } return { X } }',
    'unexpected-character',
    '{ source { A a } filter { X = "abc" } return { X } }',
  ],
  [
    '{ source { A a } filter { <|`X`|> = 1 } return { X } }',
    'quoted-name',
    '{ source { A a } filter { X = 1 } return { X } }',
  ],
  ['{ source { A a } filter { X = <|имя|> } return { X } }', 'invalid-name'],
  ['{ source { A a } return { X<|,|> } }', 'trailing-comma', '{ source { A a } return { X } }'],
  ['{ source { A a } return { X,<|,|>Y } }', 'extra-comma', '{ source { A a } return { X,Y } }'],
  ['{ source { A a } return { <|,|>X } }', 'extra-comma', '{ source { A a } return { X } }'],
  ['{ source { A a } return { X Y <|Z|> } }', 'missing-comma', '{ source { A a } return { X Y, Z } }'],
  ['{ source { A a } return { X as a <|Y|> as b } }', 'missing-comma', '{ source { A a } return { X as a, Y as b } }'],
  ['{ source { A a } return { X as <|}|> }', 'missing-token'],
  ['{ source { A a } return { X as <|type|> } }', 'reserved-word'],
  ["{ source { A a } return { X as <|'my col'|> } }", 'quoted-name', '{ source { A a } return { X as my_col } }'],
  ['{ source { A a } return { X as <|my-col|> } }', 'invalid-name', '{ source { A a } return { X as my_col } }'],
  ['{ source { A a } return { <|*|> } }', 'bare-star', '{ source { A a } return { a.* } }'],
  ['{ source { A a } return { <|*|>, X } }', 'bare-star', '{ source { A a } return { a.*, X } }'],
  ['{ source { A a } <|return|> {  } }', 'empty-block'],
  ['{ source { A a } return { X<|;|> Y } }', 'stray-semicolon', '{ source { A a } return { X Y } }'],
  ['{ source { A a } return { X as <|2nd|> } }', 'invalid-name'],
  ['{ source { A a } return { <|count(*)|> as n } }', 'star-argument', '{ source { A a } return { a.* } }'],
  ['{ source { A a } return { X, <|count(*)|> as n } }', 'star-argument', '{ source { A a } return { X } }'],
  ['{ source { A a } return { <|count(*)|> n, X } }', 'star-argument', '{ source { A a } return { X } }'],
  ['{ source { A a } return { X <|limit 10|> } }', 'sql-clause', '{ source { A a } return { X  } }'],
  ['{ source { A a } return { top <|10|> X } }', 'missing-comma', '{ source { A a } return { top, 10 X } }'],
  ['{ <|source|> {  } return { X } }', 'empty-block'],
  ['{ source { A B <|C|> } return { X } }', 'missing-comma', '{ source { A B, C } return { X } }'],
  ["{ source { <|'A'|> } return { X } }", 'quoted-name', '{ source { A } return { X } }'],
  ['{ source { A<|,|>  } return { X } }', 'trailing-comma', '{ source { A  } return { X } }'],
  ['{ source { A as <|}|> return { X } }', 'missing-token'],
  ['{ source { A <|join|> B on A.X = B.X } return { X } }', 'sql-join', '{ source { A with B } return { X } }'],
  ['{ source { A <|left join|> B } return { X } }', 'sql-join', '{ source { A with B } return { X } }'],
  ['{ source { A <|inner join|> B on (A.X = B.X) } return { X } }', 'sql-join', '{ source { A with B } return { X } }'],
  ['{ source { A with <|}|> return { X } }', 'missing-token'],
  ['{ source { A with (B, C <|}|> return { X } }', 'missing-token', '{ source { A with (B, C) } return { X } }'],
  ['{ source { A with <|(|>) } return { X } }', 'empty-block'],
  ['{ source { A with B on <|}|> return { X } }', 'missing-token'],
  [
    '{ source { A with B <|on default|> } return { X } }',
    'join-condition',
    "{ source { A with B on 'default' } return { X } }",
  ],
  [
    '{ source { <|(|>A with B) with C } return { X } }',
    'join-group-left',
    '{ source { A with B with C } return { X } }',
  ],
  ['{ source { <|(|>A) } return { X } }', 'join-group-left', '{ source { A } return { X } }'],
  [
    '{ source { A, <|flatten|>(X) as (y) } return { X } }',
    'unknown-expansion',
    '{ source { A, array_to_rows(X) as (y) } return { X } }',
  ],
  [
    '{ source { A, <|array_to_rows|>(X) } return { X } }',
    'missing-expansion-alias',
    '{ source { A, array_to_rows(X) as (item) } return { X } }',
  ],
  ['{ source { A, array_to_rows<|()|> as (y) } return { X } }', 'empty-block'],
  ['{ source { A, array_to_rows(X) as (y<|,|> z) } return { X } }', 'unexpected-token'],
  ['{ source { A, array_to_rows(X) as (<|)|> } return { X } }', 'missing-token'],
  ['{ source { A.B<|.|>C } return { X } }', 'unexpected-token'],
  ['{ source { <|{|> source { B } return { X } } } return { X } }', 'unexpected-token'],
  ['{ source { A <|where X = 1|> } return { X } }', 'sql-block'],
  ['{ source { A } return { X <|}|>', 'missing-token', '{ source { A } return { X } }'],
  [
    '{ source { A  <|filter|> { X = 1 } return { X } }',
    'missing-token',
    '{ source { A }  filter { X = 1 } return { X } }',
  ],
  [
    '{ source { A } filter { X = 1 <|return|> { X } }',
    'missing-token',
    '{ source { A } filter { X = 1 } return { X } }',
  ],
  ['{ source { A } filter <|X|> = 1 return { X } }', 'missing-token'],
  ['{ source <|A|> return { X } }', 'missing-token'],
  ['<|source|> { A } return { X }', 'query-without-braces', '{ source { A } return { X } }'],
  ['{ <|source|> { A } }', 'missing-block'],
  ['<|{|> return { X } }', 'missing-block'],
  ['<|{|> }', 'missing-block'],
  ['<|{|>', 'missing-token'],
  ['sourc<|e|>', 'missing-token'],
  ['{ source { A } return { X } } <|}|>', 'unexpected-token', '{ source { A } return { X } } '],
  [
    '{ source { A } <|}|> filter { X = 1 } return { X } }',
    'unexpected-token',
    '{ source { A }  filter { X = 1 } return { X } }',
  ],
  ['{ filter { X = 1 } <|source|> { A } return { X } }', 'block-order'],
  ['{ source { A } return { X } <|filter|> { X = 1 } }', 'block-order'],
  ['{ source { A } <|source|> { B } return { X } }', 'block-order'],
  ['{ source { A } return { X } <|limit 10|> }', 'sql-clause', '{ source { A } return { X }  }'],
  ['{ source { A } return { X } } <|limit 10|>', 'sql-clause', '{ source { A } return { X } } '],
  ['{ source { A } return { X } <|order by X|> }', 'sql-clause', '{ source { A } return { X }  }'],
  ['{ source { A } return { X } }<|;|>', 'stray-semicolon', '{ source { A } return { X } }'],
  ['<|select|> X from A', 'sql-statement', '{ source { A } return { X } }'],
  [
    '<|select|> X, Y from A a where X = 1 order by Y limit 10',
    'sql-statement',
    '{ source { A a } filter { X = 1 } return { X, Y } }',
  ],
  ['{ <|select|> X from A }', 'sql-statement', '{ source { A } return { X } }'],
  ['<|SELECT|> * FROM A', 'sql-statement'],
  ['<|hello|>', 'not-a-query'],
  ['<|my-query|> { source { A } return { X } }', 'invalid-name', 'my_query { source { A } return { X } }'],
  ['<|"Name"|> { source { A } return { X } }', 'quoted-name', 'Name { source { A } return { X } }'],
  ['{ source { A } return { X } } <|{|> source { B } return { X } }', 'text-after-query'],
  [
    '{ source { A } return { X } } <|union|> { source { B } return { X } }',
    'union-form',
    'union { { source { A } return { X } } , { source { B } return { X } } }',
  ],
  [
    'union { { source { A } return { X } } <|{|> source { B } return { X } } }',
    'missing-comma',
    'union { { source { A } return { X } }, { source { B } return { X } } }',
  ],
  ['<|union|> { }', 'empty-block'],
  ['unio<|n|>', 'missing-token'],
  ['union { <|source|> { A } return { X } }', 'missing-token', 'union { { source { A } return { X } } }'],
  [
    'union { { source { A } return { X } }, <|source|> { B } return { X } }',
    'missing-token',
    'union { { source { A } return { X } }, { source { B } return { X } } }',
  ],
  ['<|/*|> hello', 'unterminated-comment'],
  ['{ source { A } return { X } } <|/*|> hello', 'unterminated-comment', '{ source { A } return { X } } /* hello */'],
  ['{<|"queryId"|>:"x","queryText":"{ source { A } return { X } }"}', 'unexpected-token'],
  ['{ source { A } return distinct { X <|}|>', 'missing-token', '{ source { A } return distinct { X } }'],
  ['{ source { A } return distinct <|X|> }', 'missing-token'],
  ['{ source { A } filter { X = 1 } <|{|> Y = 2 } return { X } }', 'unexpected-token'],
  ['{ <|sorce|> { A } return { X } }', 'unexpected-token', '{ source { A } return { X } }'],
  [
    '{ source { A } <|filtre|> { X = 1 } return { X } }',
    'unexpected-token',
    '{ source { A } filter { X = 1 } return { X } }',
  ],
  ['{ source { A } <|retrun|> { X } }', 'unexpected-token', '{ source { A } return { X } }'],
];

describe('one mistake, one message', () => {
  const rows = mistakes.map(([marked, code, fixed]) => ({ marked, code, fixed }));
  test.each(rows)('$marked is $code', ({ marked, code, fixed }) => {
    const { text } = parseMarkers(marked);
    const { diagnostics } = parse(text);
    expect(diagnostics.map((diagnostic) => diagnostic.code)).toEqual([code]);
    const [only] = diagnostics;
    expect(only === undefined ? '' : markRanges(text, [only.range])).toBe(marked);
    const [fix] = only?.fixes ?? [];
    if (fixed === undefined) return;
    expect(fix === undefined ? undefined : applyEdits(text, fix.edits)).toBe(fixed);
    expect(parse(fixed).diagnostics).toEqual([]);
  });
});

describe('codes', () => {
  test.each(Object.entries(syntaxCodes))(
    '%s: its example is reported and the mended one is not',
    (code, definition) => {
      expect(parse(definition.bad).diagnostics.map((diagnostic) => diagnostic.code)).toContain(code);
      expect(parse(definition.good).diagnostics).toEqual([]);
      const [reported] = parse(definition.bad).diagnostics.filter((diagnostic) => diagnostic.code === code);
      expect(reported?.severity).toBe(definition.severity);
    },
  );

  test('messages are whole sentences that have an end', () => {
    for (const [marked] of mistakes) {
      for (const { message } of parse(parseMarkers(marked).text).diagnostics) {
        expect(message).toMatch(/[.}…]$/);
      }
    }
  });
});

describe('the rest keeps its meaning', () => {
  const columnsOf = (text: string): readonly string[] => {
    const { query } = parse(text).file;
    if (query?.kind !== 'query') return [];
    return (query.body.return?.items ?? []).map((item) => text.slice(item.range.start, item.range.end));
  };

  test.each([
    ['{ source { A } filter { X = } return { Y, Z as z } }', ['Y', 'Z as z']],
    ['{ source { A } filter { (X = 1 } return { Y, Z as z } }', ['Y', 'Z as z']],
    ['{ source { A  filter { X = 1 } return { Y, Z as z } }', ['Y', 'Z as z']],
    ['{ source { A } filter { X = 1 return { Y, Z as z } }', ['Y', 'Z as z']],
    ['{ source { A } filter { X in { source { B } return { W } } return { Y, Z as z } }', ['Y', 'Z as z']],
    ['{ source { A } } filter { X = 1 } return { Y, Z as z } }', ['Y', 'Z as z']],
    ["{ source { A } filter { X = 'abc\n and V = 'd' }\n return { Y, Z as z } }", ['Y', 'Z as z']],
    ['{ source { A } filter { X = 1 ? } return { Y,, Z as z } }', ['Y', 'Z as z']],
    ['{ source { A } return { Y = , Z as z } }', ['Y = ', 'Z as z']],
    ['{ source { A } return { f(Y, Z as z } }', ['f(Y, Z as z']],
  ])('%s', (text, columns) => {
    expect(columnsOf(text).map((column) => column.trim())).toEqual(columns.map((column) => column.trim()));
  });
});
