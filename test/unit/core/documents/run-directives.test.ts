import { expect, test } from 'vitest';
import { parseDirectives } from '../../../../server/core/documents/run-directives.ts';

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
    problems: [],
  });
});

test('the last range, limit and value of a name count', () => {
  const text = '-- @range -1h\n-- @range -2h\n-- @limit 1\n-- @limit 2\n-- @arg A=1\n-- @arg A=2';
  expect(parseDirectives(text)).toMatchObject({ range: '-2h', limit: 2, arguments: [{ name: 'A', value: '2' }] });
});

test('a directive behind code, and words that are none of ours, say nothing', () => {
  const text = "{ source { A } -- @range -1h\n-- @author somebody\n-- see @range -3h\nfilter { X = '@range -2h' } }";
  expect(parseDirectives(text)).toEqual({ range: undefined, limit: undefined, arguments: [], problems: [] });
});

test.each(['-- @range', '-- @limit many', '-- @limit 0', '-- @limit -5', '-- @arg novalue', '-- @arg =x'])(
  '%s is a problem that is said',
  (text) => {
    expect(parseDirectives(text).problems).toHaveLength(1);
  },
);
