import fc from 'fast-check';

/**
 * Random queries, as fast-check arbitraries. A query is made as a list of tokens first and laid out afterwards, with any blanks, line ends,
 * comments and keyword case between them, so that tests see every way in which a query can be written.
 */
type Tokens = readonly string[];

const columnNames = [
  'EVENT',
  'EVENT_NAME',
  'RESOURCE_CONFIG',
  'ARN',
  'ACCOUNT_ID',
  'MID',
  'source',
  'filter',
  'key',
  'user',
  'json',
];
const aliasNames = ['a', 'e', 'machines', 'tags', 'inline', 'return_', 'KEY_1', 'status', 'any', 'all', 'distinct'];
const datasourceNames = [
  'CloudTrailRawEvents',
  'LW_CFG_AWS_S3',
  'LW_HE_MACHINES',
  'LW_HE_PROCESSES',
  'LW_CFG_AZURE_X.Y',
];
const functionNames = [
  'contains',
  'LOWER',
  'starts_with',
  'array_size',
  'coalesce',
  'current_timestamp_sec',
  'Is_Array',
];
const pathKeys = ['userIdentity', 'type2', 'source', 'end', '"type"', '"odd key"', '"a\\"b"', 'Tags'];
const texts = [
  "'CreateUser'",
  "''",
  "'it''s'",
  "'%.exe'",
  "s'ends in \\\\'",
  "s'That''s'",
  "s'a\\b'",
  '"a\\nb"',
  '"\\u0041"',
  "'-- no comment'",
  "'/* x */'",
  "'ä€𝄞'",
  "'a\nb'",
];

const oneOf = (values: readonly string[]): fc.Arbitrary<Tokens> => fc.constantFrom(...values).map((value) => [value]);
const concat = (...parts: readonly fc.Arbitrary<Tokens>[]): fc.Arbitrary<Tokens> =>
  fc.tuple(...parts).map((lists) => lists.flat());
const text = (...tokens: string[]): fc.Arbitrary<Tokens> => fc.constant(tokens);
const maybe = (part: fc.Arbitrary<Tokens>): fc.Arbitrary<Tokens> => fc.option(part, { nil: [] });
const separated = (item: fc.Arbitrary<Tokens>, min: number, max: number): fc.Arbitrary<Tokens> =>
  fc
    .array(item, { minLength: min, maxLength: max })
    .map((items) => items.flatMap((tokens, index) => (index === 0 ? tokens : [',', ...tokens])));

const column = fc.oneof(oneOf(columnNames), concat(oneOf(aliasNames), text('.'), oneOf(columnNames)));
const number = fc
  .oneof(fc.nat().map(String), fc.constantFrom('0', '1.5', '9007199254740993', '18446744073709551616', '1e3', '.5'))
  .map((value) => [value]);
const literal = fc.oneof(oneOf(texts), number, oneOf(['true', 'false', 'null']));
const path = fc
  .array(fc.constantFrom(...pathKeys), { minLength: 1, maxLength: 3 })
  .map((keys) => [':', ...keys.flatMap((key, index) => (index === 0 ? [key] : ['.', key]))]);
const cast = oneOf(['string', 'Number', 'TIMESTAMP', 'json', 'boolean']).map((type) => ['::', ...type]);

const datasource = concat(oneOf(datasourceNames), maybe(concat(maybe(text('as')), oneOf(aliasNames))));
const relationship = maybe(text('on', "'(default)'"));
const joined = concat(
  datasource,
  maybe(
    fc.oneof(
      concat(text('with'), datasource, relationship),
      concat(text('with'), datasource, text('with'), datasource, relationship, relationship),
      concat(text('with', '('), separated(concat(datasource, relationship), 1, 3), text(')')),
    ),
  ),
);
const expansion = concat(
  oneOf(['array_to_rows', 'ARRAY_TO_ROWS_NON_EMPTY']),
  text('('),
  concat(column, path),
  text(')'),
  maybe(text('as')),
  fc.oneof(
    oneOf(aliasNames),
    concat(text('('), oneOf(aliasNames), text(')')),
    concat(oneOf(aliasNames), text('('), oneOf(aliasNames), text(')')),
  ),
);
const sourceItem: fc.Arbitrary<Tokens> = fc.oneof(
  { weight: 3, arbitrary: joined },
  { weight: 1, arbitrary: expansion },
);

interface Grammar {
  readonly expression: Tokens;
  readonly operand: Tokens;
  readonly condition: Tokens;
  readonly body: Tokens;
}

const { expression, body } = fc.letrec<Grammar>((tie: fc.LetrecTypedTie<Grammar>) => {
  const list = (min: number): fc.Arbitrary<Tokens> =>
    concat(text('('), separated(tie('expression'), min, 3), text(')'));
  const base = fc.oneof(
    { weight: 5, arbitrary: column },
    { weight: 4, arbitrary: literal },
    { weight: 2, arbitrary: concat(oneOf(functionNames), list(0)) },
    { weight: 1, arbitrary: concat(text('('), tie('expression'), text(')')) },
    {
      weight: 1,
      arbitrary: concat(
        text('case'),
        maybe(column),
        fc
          .array(concat(text('when'), tie('expression'), text('then'), tie('operand')), { minLength: 1, maxLength: 2 })
          .map((branches) => branches.flat()),
        maybe(concat(text('else'), tie('operand'))),
        text('end'),
      ),
    },
  );
  return {
    operand: concat(
      maybe(text('-')),
      base,
      fc.array(fc.oneof(path, cast), { maxLength: 2 }).map((tails) => tails.flat()),
    ),
    condition: fc.oneof(
      { depthSize: 'small' },
      concat(tie('operand'), oneOf(['=', '<>', '<', '<=', '>', '>=', '!=']), tie('operand')),
      concat(tie('operand'), maybe(text('not')), oneOf(['like', 'ilike', 'rlike']), oneOf(texts)),
      concat(
        tie('operand'),
        maybe(text('not')),
        oneOf(['like', 'ilike', 'rlike']),
        text('any', '('),
        separated(oneOf(texts), 1, 3),
        text(')'),
      ),
      concat(tie('operand'), maybe(text('not')), text('in', '('), separated(literal, 1, 4), text(')')),
      concat(tie('operand'), maybe(text('not')), text('in'), tie('body')),
      concat(text('('), separated(column, 2, 3), text(')', 'in'), tie('body')),
      concat(tie('operand'), maybe(text('not')), text('between'), tie('operand'), text('and'), tie('operand')),
      concat(tie('operand'), text('is'), maybe(text('not')), maybe(text('json')), text('null')),
      concat(text('not'), tie('condition')),
      concat(tie('condition'), oneOf(['and', 'or']), tie('condition')),
      concat(text('('), tie('condition'), text(')')),
    ),
    expression: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      { weight: 4, arbitrary: tie('operand') },
      { weight: 2, arbitrary: concat(tie('operand'), oneOf(['+', '-', '*', '/', '%', '||']), tie('operand')) },
      { weight: 2, arbitrary: tie('condition') },
    ),
    body: concat(
      text('{', 'source', '{'),
      separated(sourceItem, 1, 2),
      text('}'),
      maybe(concat(text('filter', '{'), tie('condition'), text('}'))),
      text('return'),
      maybe(text('distinct')),
      text('{'),
      separated(
        fc.oneof(
          concat(tie('expression'), maybe(concat(maybe(text('as')), oneOf(aliasNames)))),
          oneOf(aliasNames).map((alias) => [...alias, '.', '*']),
        ),
        1,
        3,
      ),
      text('}', '}'),
    ),
  };
});

const query: fc.Arbitrary<Tokens> = fc.oneof(
  { weight: 6, arbitrary: body },
  { weight: 2, arbitrary: concat(text('My_Query'), body) },
  {
    weight: 1,
    arbitrary: concat(text('union'), maybe(text('all')), text('{'), separated(body, 1, 3), text('}')),
  },
);

/** Words of the language, whose case is free. */
const words = new Set(
  'source filter return distinct union all with on as case when then else end and or not in is like ilike rlike between any true false null'.split(
    ' ',
  ),
);

/** What may stand between two tokens that need something between them; every line comment brings its line end. */
const separators = [
  ' ',
  ' ',
  ' ',
  '\n',
  '\n  ',
  '\r\n',
  '\t',
  ' /* note */ ',
  '\n-- note\n',
  ' // note\n',
  '\n\n',
  '/**/',
  ' -- a\n // b\n',
];

/** Signs that can touch any neighbour without making another token of it. */
const loose = new Set(['{', '}', '(', ')', ',']);

interface Noise {
  readonly gaps: readonly number[];
  readonly upper: boolean;
}

const noise: fc.Arbitrary<Noise> = fc.record({
  gaps: fc.array(fc.nat({ max: separators.length * 3 }), { minLength: 1, maxLength: 24 }),
  upper: fc.boolean(),
});

function layOut(tokens: Tokens, { gaps, upper }: Noise): string {
  let result = '';
  for (const [index, token] of tokens.entries()) {
    const previous = tokens[index - 1];
    if (previous !== undefined) {
      const pick = gaps[index % gaps.length] ?? 0;
      const touching = loose.has(previous) || loose.has(token);
      const glued =
        previous === '.' || token === '.' || previous === ':' || token === ':' || previous === '::' || token === '::';
      if (glued) result += '';
      else if (touching && pick >= separators.length) result += '';
      else result += (previous === '/' ? ' ' : '') + (separators[pick % separators.length] ?? ' ');
    }
    result += upper && words.has(token) ? token.toUpperCase() : token;
  }
  return result;
}

/** The text of a query without syntax errors; warnings are possible. */
export const queryText: fc.Arbitrary<string> = fc.tuple(query, noise).map(([tokens, how]) => layOut(tokens, how));

/** The text of an expression without syntax errors. */
export const expressionText: fc.Arbitrary<string> = fc
  .tuple(expression, noise)
  .map(([tokens, how]) => layOut(tokens, how));

/** Pieces that queries are made of, in an order that means nothing. */
const fragments = [
  ...columnNames,
  ...texts,
  ...words,
  ...separators,
  'select',
  'where',
  'limit 10',
  'array_to_rows(',
  '{',
  '}',
  '(',
  ')',
  '[',
  ']',
  ',',
  ';',
  '.',
  ':',
  '::',
  '=',
  '==',
  '!=',
  '<>',
  '||',
  '&&',
  '-',
  '*',
  "'",
  '"',
  '`',
  '“',
  '\\',
  '/*',
  '*/',
  '--',
  '#',
  '\u00a0',
  '\ufeff',
  '\ud800',
  '𝄞',
  'é',
  '\u0000',
  '1',
  '2x',
  '1.2.3',
];

/** Any text: random characters, random fragments of queries, and queries with a stretch removed, doubled or replaced. */
export const anyText: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.array(fc.constantFrom(...fragments), { maxLength: 60 }).map((parts) => parts.join('')),
  fc.array(fc.constantFrom(...fragments), { maxLength: 60 }).map((parts) => parts.join(' ')),
  fc
    .tuple(queryText, fc.nat(), fc.nat({ max: 30 }), fc.constantFrom('', ...fragments))
    .map(([whole, at, length, put]) => {
      const start = at % (whole.length + 1);
      return whole.slice(0, start) + put + whole.slice(start + length);
    }),
  fc.tuple(queryText, fc.nat()).map(([whole, at]) => whole.slice(0, at % (whole.length + 1))),
);
