import { describe, expect, it } from 'vitest';
import type { Value } from '../../../../server/core/language/values/value.ts';
import { evaluateExpression } from '../../../support/evaluate-expression.ts';

const now = Date.UTC(2024, 4, 1, 12);

/** SQL null is written `null` here; no expression below gives a JSON null. */
function check(cases: readonly (readonly [expression: string, value: Value])[]): void {
  it.each(cases)('%s', (expression, value) => {
    const result = evaluateExpression(expression, now);
    expect(result.kind === 'value' ? (result.value ?? null) : result).toEqual(value);
  });
}

const json = (text: string): string => `to_json(s'${text}')`;
const truths = ['true', 'false', 'null'] as const;
const known: Readonly<Record<string, boolean | null>> = { true: true, false: false, null: null };

describe('logic', () => {
  for (const a of truths) {
    for (const b of truths) {
      // Kleene's rules: the minimum and the maximum over false < null < true.
      const ranked = [a, b].map((truth) => ['false', 'null', 'true'].indexOf(truth));
      const at = (rank: number): Value => known[['false', 'null', 'true'][rank] ?? ''];
      check([
        [`${a} and ${b}`, at(Math.min(...ranked))],
        [`${a} or ${b}`, at(Math.max(...ranked))],
      ]);
    }
  }
  check([
    ['not true', false],
    ['not false', true],
    ['not null', null],
    [`${json('true')} and true`, true],
    [`not ${json('"false"')}`, true],
  ]);
});

describe('comparison', () => {
  check([
    ['1 = 1.0', true],
    ['1 <> 2', true],
    ['2 < 10', true],
    ["'2' < '10'", false],
    ["'a' < 'B'", false],
    ['9007199254740993 = 9007199254740992', false],
    ['9007199254740993 > 9007199254740992', true],
    ['null = null', null],
    ['1 = null', null],
    ["null <> 'a'", null],
    [`${json('445')} = 445`, true],
    [`${json('"445"')} = 445`, true],
    [`${json('"x"')} = 445`, null],
    [`${json('false')} = 'false'`, true],
    [`${json('{"a": [1, null]}')} = s'{"a":[1,null]}'`, true],
    [`${json('null')} = 'null'`, null],
    [`${json('{"a":1,"b":2}')} = ${json('{"b":2,"a":1.0}')}`, true],
    [`${json('1')} = ${json('"1"')}`, false],
    [`${json('1')} < ${json('"2"')}`, null],
    [`${json('200')} between 200 and 299`, true],
    [`${json('"2024-05-01T12:00:00Z"')} = '2024-05-01T14:00:00+02:00'::timestamp`, true],
    ["'2024-05-01'::timestamp < '2024-05-02'::timestamp", true],
    ["1714564800::timestamp = '2024-05-01T12:00:00'::timestamp", true],
    ['5 between 1 and 5', true],
    ['5 between 6 and null', false],
    ['5 between 1 and null', null],
    ['5 not between 6 and 9', true],
    ["'b' between 'a' and 'c'", true],
  ]);
});

describe('membership', () => {
  check([
    ['2 in (1, 2)', true],
    ['3 in (1, 2)', false],
    ['3 not in (1, 2)', true],
    ['null in (1, 2)', null],
    [`${json('"10.0.0.1"')} not in ('10.0.0.2', '10.0.0.3')`, true],
    [`${json('22')} in (22, 443)`, true],
    [`${json('22')} in ('22')`, true],
    [`${json('{}')} in (1)`, null],
    ['9007199254740993 in (9007199254740992)', false],
  ]);
});

describe('patterns', () => {
  check([
    ["'us-east-1' like 'us-%'", true],
    ["'us-east-1' not like 'us-%'", false],
    ["'US' like 'us'", false],
    ["'US' ilike 'us'", true],
    ["'abc' like any ('x%', '%c')", true],
    ["'abc' like any ('x%', null)", null],
    ["'abc' not like any ('x%', 'y%')", true],
    ["null like '%'", null],
    ["'a' like null", null],
    [`${json('{"tag": "dev"}')} like '%"dev"%'`, true],
    ["'ca-central-1' rlike '^ca-'", false],
    ["'ca-central-1' rlike 'ca-.*'", true],
    ["'abc' rlike any ('[0-9]+', '[a-c]+')", true],
    ["'abc' not rlike 'b'", true],
  ]);
});

describe('null tests', () => {
  check([
    ['null is null', true],
    ['1 is not null', true],
    [`${json('{"k": null}')}:k is null`, false],
    [`${json('{"k": null}')}:k is json null`, true],
    [`${json('{"k": null}')}:k is not json null`, false],
    [`${json('{}')}:k is null`, true],
    [`${json('{}')}:k is json null`, null],
    [`${json('{"k": 1}')}:k is not json null`, true],
  ]);
});

describe('arithmetic', () => {
  check([
    ['1 + 2 * 3', 7],
    ['7 / 2', 3.5],
    ['6 / 2', 3],
    ['1 / 0', null],
    ['7 % 3', 1],
    ['-7 % 3', -1],
    ['7 % 0', null],
    ['10 - 2 - 3', 5],
    ['- - 5', 5],
    ['1 + null', null],
    ['9007199254740993 - 1', 9007199254740992n],
    ['9223372036854775807 + 1', 9223372036854775808n],
    ['3037000500 * 3037000500', 9223372037000250000n],
    ['9007199254740993 - 9007199254740992', 1],
    [`${json('"12"')} + 1`, 13],
    ["'a' || 'b' || 1", 'ab1'],
    ["'a' || null", null],
    ["'a' || (1 = 1) || 2.5", 'atrue2.5'],
    [`'x' || ${json('[1]')}`, 'x[1]'],
  ]);
});

describe('case and casts', () => {
  check([
    ['case when null then 1 when true then 2 else 3 end', 2],
    ['case when false then 1 end', null],
    ["case 'a' when 'b' then 1 when 'a' then 2 end", 2],
    ['case null when null then 1 else 2 end', 2],
    [`case ${json('"5"')} when 5 then 'five' end`, 'five'],
    [`case when true then ${json('7')} else 'x' end`, '7'],
    ["'5'::Number + 1", 6],
    ["'x'::number", null],
    ['1714564800::Timestamp', '2024-05-01T12:00:00.000Z'],
    ["'1714564800250'::timestamp", '2024-05-01T12:00:00.250Z'],
    ["'17145648002'::timestamp", null],
    ["'2024-05-01 12:00'::timestamp::string", '2024-05-01T12:00:00.000Z'],
    ['true::json', true],
    ['\'{"a":1}\'::json:a', null],
    ['null::number', null],
    [`${json('{"id": 5644915113269064637}')}:id::number`, 5644915113269064637n],
    [`${json('{"id": 5644915113269064637}')}::string`, '{"id":5644915113269064637}'],
    ['current_timestamp_sec()::timestamp', '2024-05-01T12:00:00.000Z'],
  ]);
});

describe('what has no meaning', () => {
  it.each([['true::string'], ["'2024-05-01'::timestamp::number"], ['nothing(1)'], ['abs()'], ['(1, 2)'], ['1 +']])(
    '%s is refused',
    (expression) => {
      const result = evaluateExpression(expression, now);
      expect(result.kind).toBe('error');
      expect(result.kind === 'error' && result.message.length > 10).toBe(true);
    },
  );
});
