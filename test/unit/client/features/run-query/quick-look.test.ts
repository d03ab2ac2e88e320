import { expect, test } from 'vitest';
import { quickLookQuery } from '../../../../../client/features/run-query/quick-look.ts';
import { parse } from '../../../../../server/core/language/syntax/parse.ts';

const columns = new Map([['SVC_A', ['X', 'Y']]]);
const columnsOf = async (name: string): Promise<readonly string[] | undefined> => columns.get(name);
const look = async (text: string, at: 'source' | 'filter'): Promise<string | undefined> => {
  const query = await quickLookQuery(text, at, columnsOf);
  if (query !== undefined) expect(parse(query).diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  return query?.replace(/\s+/g, ' ');
};

test('the source is shown with all its columns, without the filter', async () => {
  expect(await look("{ source { SVC_A } filter { X = '1' } return distinct { Y } }", 'source')).toBe(
    '{ source { SVC_A } return { X, Y } }',
  );
});

test('after the filter the filter stays as it was written, comments and all', async () => {
  expect(await look("{ source { SVC_A } filter { X = '1' /* why */ } return { Y } }", 'filter')).toBe(
    "{ source { SVC_A } filter { X = '1' /* why */ } return { X, Y } }",
  );
});

test('a query without a filter gives the same either way', async () => {
  const text = '{ source { SVC_A } return { Y } }';
  expect(await look(text, 'filter')).toBe(await look(text, 'source'));
});

test('an alias and what an expansion adds are part of the names', async () => {
  expect(await look('{ source { SVC_A a, array_to_rows(a.X:items) as (item) } return { item } }', 'source')).toBe(
    '{ source { SVC_A a, array_to_rows(a.X:items) as (item) } return { a.X, a.Y, item } }',
  );
});

test('with a join the root’s columns are named with it', async () => {
  expect(await look('{ source { SVC_A with SVC_B } return { X } }', 'source')).toContain('return { SVC_A.X, SVC_A.Y }');
});

test('half a query can be looked at as long as it has a source', async () => {
  expect(await look('{ source { SVC_A } filter { X = ', 'source')).toBe('{ source { SVC_A } return { X, Y } }');
});

test.each(['', 'nothing', '{ source { } return { X } }', '{ source { SVC_UNKNOWN } return { X } }'])(
  'there is nothing to look at in %j',
  async (text) => {
    expect(await look(text, 'source')).toBeUndefined();
  },
);
