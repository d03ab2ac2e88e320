import { describe, expect, test } from 'vitest';
import type { Expression } from '../../../../../server/core/language/syntax/ast.ts';
import { parse } from '../../../../../server/core/language/syntax/parse.ts';
import { walk } from '../../../../../server/core/language/syntax/walk.ts';
import { expectBaseline } from '../../../../harness/baseline.ts';
import { parseExpression } from '../../../../support/parse-expression.ts';
import { printTokens, printTree } from '../../../../support/print-syntax.ts';

/** An expression as text with every grouping shown. */
function grouped(node: Expression): string {
  switch (node.kind) {
    case 'binary':
      return `(${grouped(node.left)} ${node.operator} ${grouped(node.right)})`;
    case 'unary':
      return `(${node.operator} ${grouped(node.operand)})`;
    case 'parenthesized':
      return `[${grouped(node.expression)}]`;
    case 'tuple':
      return `<${node.items.map(grouped).join(', ')}>`;
    case 'column':
      return node.qualifier === undefined ? node.name.name : `${node.qualifier.name}.${node.name.name}`;
    case 'path':
      return `${grouped(node.base)}:${node.keys.map((key) => (key.quoted ? `"${key.name}"` : key.name)).join('.')}`;
    case 'cast':
      return `(${grouped(node.operand)}::${node.typeName.name})`;
    case 'call':
      return `${node.name.name}(${node.args.map(grouped).join(', ')})`;
    case 'like':
      return `(${grouped(node.operand)} ${node.negated ? 'not ' : ''}${node.operator} ${node.any ? 'any ' : ''}${node.patterns.map(grouped).join(', ')})`;
    case 'inList':
      return `(${grouped(node.operand)} ${node.negated ? 'not ' : ''}in ${node.items.map(grouped).join(', ')})`;
    case 'inQuery':
      return `(${grouped(node.operand)} ${node.negated ? 'not ' : ''}in query)`;
    case 'between':
      return `(${grouped(node.operand)} ${node.negated ? 'not ' : ''}between ${grouped(node.low)} and ${grouped(node.high)})`;
    case 'isNull':
      return `(${grouped(node.operand)} is ${node.negated ? 'not ' : ''}${node.json ? 'json ' : ''}null)`;
    case 'case':
      return `case(${node.subject === undefined ? '' : `${grouped(node.subject)}; `}${node.branches.map((branch) => `${grouped(branch.when)} → ${grouped(branch.then)}`).join('; ')}${node.otherwise === undefined ? '' : `; ${grouped(node.otherwise)}`})`;
    case 'string':
      return JSON.stringify(node.value);
    case 'number':
      return String(node.value);
    case 'boolean':
      return String(node.value);
    case 'null':
      return 'null';
    case 'missing':
      return '?';
  }
}

describe('precedence', () => {
  test.each([
    ['a or b and not c = 1', '(a or (b and (not (c = 1))))'],
    ['not a and b', '((not a) and b)'],
    ['not not a', '(not (not a))'],
    ['a and b and c', '((a and b) and c)'],
    ['a + b * c - d', '((a + (b * c)) - d)'],
    ['a - b - c', '((a - b) - c)'],
    ['a / b % c', '((a / b) % c)'],
    ['a + b || c = d', '(((a + b) || c) = d)'],
    ['- a * b', '((- a) * b)'],
    ['- - a', '(- (- a))'],
    ['-x:a::number', '(- (x:a::number))'],
    ['f()::number - x:a.b::number > 1', '(((f()::number) - (x:a.b::number)) > 1)'],
    ['a < b = c', '((a < b) = c)'],
    ['a between 1 and 2 and b', '((a between 1 and 2) and b)'],
    ['a between b + 1 and c or d', '((a between (b + 1) and c) or d)'],
    ['not a between 1 and 2', '(not (a between 1 and 2))'],
    ['a not between -1 and - b and c between 1 and 2', '((a not between (- 1) and (- b)) and (c between 1 and 2))'],
    ['a between 1 and 2 = b', '((a between 1 and 2) = b)'],
    ["a like 'x' || b and c", '((a like ("x" || b)) and c)'],
    ["a not rlike any ('x', b) or c", '((a not rlike any "x", b) or c)'],
    ["a like ('%x%')", '(a like ["%x%"])'],
    ['a + 1 in (1, 2) and b', '(((a + 1) in 1, 2) and b)'],
    ['a not in (1) = true', '((a not in 1) = true)'],
    ['(a, b) in { source { T } return { X, Y } } or c', '((<a, b> in query) or c)'],
    ['a is null and b is not json null', '((a is null) and (b is not json null))'],
    ['a || b is null', '((a || b) is null)'],
    ["case when a = 1 then 'x' else b end || 'y'", '(case((a = 1) → "x"; b) || "y")'],
    ['case a when 1 then 2 end', 'case(a; 1 → 2)'],
    ['to_json(a):b."c d".e::string', '(to_json(a):b."c d".e::string)'],
    ['(a):b', '[a]:b'],
    ['a.b:c:d', 'a.b:c:d'],
  ])('%s', (text, expected) => {
    const { expression, diagnostics, range } = parseExpression(text);
    expect(diagnostics).toEqual([]);
    expect(range).toEqual({ start: 0, end: text.length });
    expect(grouped(expression)).toBe(expected);
  });

  test('long chains of and, or and || are balanced, with every operand in its place', () => {
    for (const operator of ['and', 'or', '||']) {
      const names = Array.from({ length: 10_000 }, (_, i) => `c${i}`);
      const { expression, diagnostics } = parseExpression(names.join(` ${operator} `));
      expect(diagnostics).toEqual([]);
      const seen: string[] = [];
      let deepest = 0;
      const open: { node: Expression; depth: number }[] = [{ node: expression, depth: 0 }];
      for (let next = open.pop(); next !== undefined; next = open.pop()) {
        deepest = Math.max(deepest, next.depth);
        if (next.node.kind === 'binary') {
          open.push({ node: next.node.right, depth: next.depth + 1 }, { node: next.node.left, depth: next.depth + 1 });
        } else if (next.node.kind === 'column') seen.push(next.node.name.name);
      }
      expect(seen).toEqual(names);
      expect(deepest).toBeLessThan(60);
    }
  });
});

describe('literals', () => {
  const literalValue = (text: string): unknown => {
    const { expression } = parseExpression(text);
    return expression.kind === 'string' || expression.kind === 'number' || expression.kind === 'boolean'
      ? expression.value
      : expression.kind;
  };

  test.each<readonly [string, unknown]>([
    ["'it''s'", "it's"],
    ["'a\\'b'", "a'b"],
    ["'a\\nb\\\\'", 'a\\nb\\\\'],
    ["s'it''s \\'", "it's \\"],
    ['"a\\"\\\\\\b\\f\\n\\r\\t\\u0041"', 'a"\\\b\f\n\r\tA'],
    ["''", ''],
    ['12', 12],
    ['1.50', 1.5],
    ['1e3', 1000],
    ['9007199254740991', 9007199254740991],
    ['9007199254740993', 9007199254740993n],
    ['18446744073709551616', 18446744073709551616n],
    ['TRUE', true],
    ['null', 'null'],
  ])('%s', (text, expected) => {
    expect(literalValue(text)).toEqual(expected);
  });
});

describe('sources', () => {
  const joins = (source: string): string => {
    const { query } = parse(`{ source { ${source} } return { X } }`).file;
    const print = (item: unknown): string => {
      const {
        name,
        alias,
        joins: clauses,
      } = item as {
        readonly name: { readonly name: string };
        readonly alias?: { readonly name: string };
        readonly joins: readonly {
          readonly targets: readonly { readonly datasource: unknown; readonly on?: { readonly value: string } }[];
        }[];
      };
      const targets = clauses.map(
        ({ targets: list }) =>
          `with(${list.map((target) => `${print(target.datasource)}${target.on === undefined ? '' : `@${target.on.value}`}`).join(', ')})`,
      );
      return [name.name, ...(alias === undefined ? [] : [`as ${alias.name}`]), ...targets].join(' ');
    };
    return query?.kind === 'query' ? (query.body.source?.items.map(print).join('; ') ?? '') : '';
  };

  test.each([
    ['A', 'A'],
    ['A a', 'A as a'],
    ['A with B with C', 'A with(B with(C))'],
    ["A with B with C on '1' on '2'", 'A with(B with(C@1)@2)'],
    ["A with (B with C on '1') on '2'", 'A with(B with(C@1)@2)'],
    ["A a with (B b on '1', C c on '2')", 'A as a with(B as b@1, C as c@2)'],
    ["A with (B, C) on '1'", 'A with(B@1, C@1)'],
    ["A with B on '1' with C on '2'", 'A with(B with(C@2)@1)'],
    ['A with (B) with C', 'A with(B) with(C)'],
    ['LW_CFG_AZURE_X.Y y', 'LW_CFG_AZURE_X.Y as y'],
  ])('%s', (source, expected) => {
    expect(joins(source)).toBe(expected);
  });

  test.each([
    ['as (c)', undefined, 'c'],
    ['(c)', undefined, 'c'],
    ['c', undefined, 'c'],
    ['as c', undefined, 'c'],
    ['as t(c)', 't', 'c'],
    ['t (c)', 't', 'c'],
  ])('an expansion named %s', (alias, table, column) => {
    const { query } = parse(`{ source { A, array_to_rows(X:y) ${alias} } return { c } }`).file;
    const item = query?.kind === 'query' ? query.body.source?.items[1] : undefined;
    expect(item?.kind === 'expansion' && [item.tableAlias?.name, item.columnAlias?.name, item.nonEmpty]).toEqual([
      table,
      column,
      false,
    ]);
  });

  test('a source with a dot in its name qualifies columns by both parts', () => {
    const { file, diagnostics } = parse('{ source { D.E } filter { D.E.COLUMN = 1 } return { D.E.* } }');
    expect(diagnostics).toEqual([]);
    expect(printTree(file, { ranges: false })).toContain('identifier D.E\n');
  });
});

test('words of the language are taken as aliases and columns where nothing else can be meant', () => {
  const names =
    'user key keys log status rotation inline items tags bucket rule resource verb account instance source filter return distinct any all json union';
  for (const name of names.split(' ')) {
    const text = `{ source { A ${name} } filter { ${name}.X = 1 and ${name}:a = 2 } return { ${name}.X as ${name}, ${name} as b, ${name}.* } }`;
    expect(parse(text).diagnostics, name).toEqual([]);
  }
});

test('a tree with the offsets of every node, and the tokens it was made of', () => {
  const text = `-- every construct of the language
union all {
  {
    source {
      SVC_CFG_A a with (SVC_B as b on '(default)', SVC_C c),
      array_to_rows(a.CONFIG:list."odd key") as t(element),
      array_to_rows_non_empty(element:more) (inner_)
    }
    filter {
      not (a.X = 'it''s' or -b.Y + 1.5 * 2 <= 9007199254740993)
      and lower(c.Z)::string not like any ('%a', s'b') /* note */
      and (a.X, b.Y) in { source { D } return { X, Y } }
      and element:k between 1 and 2
      and inner_:v.w is not json null
    }
    return distinct { a.*, a.X as KEY, case when true then 'x' else null end OTHER }
  },
  { source { E } return { X } }
}
`;
  const parsed = parse(text);
  expect(parsed.diagnostics).toEqual([]);
  expectBaseline('syntax/every-construct.txt', `${printTokens(parsed)}\n${printTree(parsed.file, { ranges: true })}`);
  walk(parsed.file, (node) => {
    const covered = text.slice(node.range.start, node.range.end);
    if (node.kind === 'identifier') expect(covered).toBe(node.name);
    if (node.kind !== 'file') expect(covered.trim()).toBe(covered);
    return true;
  });
});
