import { expect, test } from 'vitest';
import { checkArgument, parseDirectives } from '../../../../server/core/documents/run-directives.ts';

test('range, limit and arguments are read from lines of their own', () => {
  const text =
    '-- @range last 7 days\n{\n  -- @arg Region = eu-west-1\n\t--@limit 100\r\n  source { A }\n  -- @arg Name=a=b\n}';
  expect(parseDirectives(text)).toEqual({
    range: 'last 7 days',
    limit: 100,
    arguments: [
      { name: 'Region', value: 'eu-west-1' },
      { name: 'Name', value: 'a=b' },
    ],
    asked: [],
    problems: [],
  });
});

test('the last range, limit and value of a name count', () => {
  const text = '-- @range -1h\n-- @range -2h\n-- @limit 1\n-- @limit 2\n-- @arg A=1\n-- @arg A=2';
  expect(parseDirectives(text)).toMatchObject({ range: '-2h', limit: 2, arguments: [{ name: 'A', value: '2' }] });
});

test('a directive behind code, and words that are none of ours, say nothing', () => {
  const text = "{ source { A } -- @range -1h\n-- @author somebody\n-- see @range -3h\nfilter { X = '@range -2h' } }";
  expect(parseDirectives(text)).toEqual({ range: undefined, limit: undefined, arguments: [], asked: [], problems: [] });
});

test.each([
  '-- @range',
  '-- @limit many',
  '-- @limit 0',
  '-- @limit -5',
  '-- @arg A: Colour',
  '-- @arg A: Number = many',
  '-- @arg two words',
  '-- @arg StartTimeRange=-1d',
  '-- @arg',
  '-- @arg =x',
])('%s is a problem that is said', (text) => {
  expect(parseDirectives(text).problems).toHaveLength(1);
});

test('an argument may have a type, and may be left to whoever runs the query', () => {
  const text =
    '-- @arg Host\n-- @arg Port: number\n-- @arg Since : Timestamp = 2026-01-05\n-- @arg Deep:Boolean=TRUE\n{}';
  expect(parseDirectives(text)).toMatchObject({
    arguments: [
      { name: 'Since', value: '2026-01-05T00:00:00.000Z' },
      { name: 'Deep', value: 'true' },
    ],
    asked: [
      { name: 'Host', type: 'String' },
      { name: 'Port', type: 'Number' },
    ],
    problems: [],
  });
});

test.each([
  ['String', ' a b ', 'a b'],
  ['Number', '-1.5e3', '-1.5e3'],
  ['Number', '5644915113269064001', '5644915113269064001'],
  ['Number', '1,5', undefined],
  ['Boolean', 'False', 'false'],
  ['Boolean', '1', undefined],
  ['Timestamp', '2026-01-05T08:30:00Z', '2026-01-05T08:30:00.000Z'],
  ['Timestamp', '-24h', undefined],
  ['Timestamp', 'now', undefined],
] as const)('as %s, %j is %j', (type, text, value) => {
  const checked = checkArgument(type, text);
  expect(checked.kind === 'value' ? checked.value : undefined).toBe(value);
});
