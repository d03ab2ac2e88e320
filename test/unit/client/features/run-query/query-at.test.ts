import { expect, test } from 'vitest';
import { belongsTo } from '../../../../../client/features/run-query/query-at.ts';

const lines = [
  '# two queries', // 0
  'queryText: |', // 1
  '  { source', // 2
  '  }', // 3
  'queryId: A', // 4
  '', // 5
  '# the second', // 6
  '-- as well', // 7
  'queryText: |', // 8
  '  { source }', // 9
];
const spans = [
  { first: 2, last: 3 },
  { first: 9, last: 9 },
];
const at = (line: number): number | undefined => belongsTo(line, spans, (index) => lines[index] ?? '');

test('a cursor in a query, on what introduces it, or on its comment means that query', () => {
  expect([1, 2, 3, 8, 9].map(at)).toEqual([0, 0, 0, 1, 1]);
  expect(
    belongsTo(
      0,
      [
        { first: 2, last: 3 },
        { first: 5, last: 6 },
      ],
      () => '-- comment',
    ),
  ).toBe(0);
});

test('a cursor in none of several queries means none of them', () => {
  expect([0, 4, 5, 6, 7].map(at)).toEqual([undefined, undefined, undefined, undefined, undefined]);
  expect(belongsTo(20, spans, () => '')).toBeUndefined();
});

test('two queries on one line are told apart by nobody', () => {
  expect(
    belongsTo(
      3,
      [
        { first: 3, last: 3 },
        { first: 3, last: 4 },
      ],
      () => '',
    ),
  ).toBeUndefined();
});

test('the only query is meant wherever the cursor is', () => {
  expect(belongsTo(40, [{ first: 2, last: 3 }], () => 'text')).toBe(0);
});
