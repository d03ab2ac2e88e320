import { expect, test } from 'vitest';
import { rangeValueIn } from '../../../../../client/features/run-query/directive-place.ts';

const replaced = (line: string): string | undefined => {
  const place = rangeValueIn(line);
  return place && `${line.slice(0, place.start)}-3d${line.slice(place.end)}`;
};

test('a range on a line of its own is replaced up to the end of the line', () => {
  expect(replaced('-- @range last 7 days')).toBe('-- @range -3d');
  expect(replaced('    --@RANGE  2026-01-05 to 2026-01-06  ')).toBe('    --@RANGE  -3d  ');
});

test('where the query goes on behind it on the same line, it goes on', () => {
  const json = '  "queryText": "{\\n  source { A }\\n  -- @range last 7 days\\n  return { B }\\n}",';
  expect(replaced(json)).toBe(json.replace('last 7 days', '-3d'));
  expect(replaced('"queryText": "-- @range -1w@w\\r\\n{ source { A } return { B } }"')).toBe(
    '"queryText": "-- @range -3d\\r\\n{ source { A } return { B } }"',
  );
  expect(replaced('query = "{ source { A } return { B } }\\n\\t-- @range yesterday"')).toBe(
    'query = "{ source { A } return { B } }\\n\\t-- @range -3d"',
  );
});

test('of several the last one counts, and is replaced', () => {
  expect(replaced('"-- @range today\\n-- @range yesterday\\n{}"')).toBe('"-- @range today\\n-- @range -3d\\n{}"');
});

test('what only looks like one is left alone', () => {
  expect(rangeValueIn("  filter { NOTE = 'see -- @range last 7 days' }")).toBeUndefined();
  expect(rangeValueIn('  SVC_CFG_AWS_S3 -- @range last 7 days')).toBeUndefined();
  expect(rangeValueIn('-- @limit 5')).toBeUndefined();
});
