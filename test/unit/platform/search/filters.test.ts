import { describe, expect, test } from 'vitest';
import { filterExpressions, type SearchFilter } from '../../../../server/core/resources/index.ts';
import { compileFilters, fieldPath, type SearchRecord } from '../../../../server/platform/search/filters.ts';

const fields = new Set(['name', 'size', 'mid', 'tags', 'ports', 'open']);
const records: SearchRecord[] = [
  {
    name: 'web-01',
    size: 10,
    mid: 9007199254740993n,
    tags: { env: 'prod', 'aws:name': 'a', 'team/unit': 'blue' },
    ports: [{ port: 80 }, { port: 443 }],
    open: true,
  },
  { name: 'Web-02', size: 200, mid: 9007199254740992n, tags: { env: 'dev' }, ports: [{ port: 22 }], open: false },
  { name: 'db.main', size: 30, mid: 5n, tags: {}, ports: [] },
];

function names(...filters: SearchFilter[]): unknown[] {
  const accept = compileFilters(filters, fields);
  return records.filter((record) => accept(record) !== undefined).map((record) => record['name']);
}

const one = (
  field: string,
  expression: SearchFilter['expression'],
  value: string | number | boolean,
): SearchFilter => ({ field, expression, value });
const many = (field: string, expression: SearchFilter['expression'], ...values: string[]): SearchFilter => ({
  field,
  expression,
  values,
});

/** At least one case for each of the sixteen expressions. */
const cases: readonly (readonly [SearchFilter, readonly string[]])[] = [
  [one('name', 'eq', 'web-01'), ['web-01']],
  [one('size', 'eq', '30'), ['db.main']],
  [one('size', 'eq', 30), ['db.main']],
  [one('mid', 'eq', '9007199254740993'), ['web-01']],
  [one('open', 'eq', 'true'), ['web-01']],
  [one('open', 'eq', false), ['Web-02']],
  [one('tags.env', 'ne', 'prod'), ['Web-02']],
  [many('name', 'in', 'web-01', 'db.main'), ['web-01', 'db.main']],
  [many('size', 'not_in', '10', '30'), ['Web-02']],
  [one('name', 'like', 'web-__'), ['web-01']],
  [one('name', 'like', '%.%'), ['db.main']],
  [one('name', 'not_like', 'web%'), ['Web-02', 'db.main']],
  [one('name', 'ilike', 'WEB%'), ['web-01', 'Web-02']],
  [one('name', 'not_ilike', 'web%'), ['db.main']],
  [one('name', 'rlike', '[wW]eb-0[12]'), ['web-01', 'Web-02']],
  [one('name', 'rlike', 'web'), []],
  [one('name', 'not_rlike', '.*0.*'), ['db.main']],
  [one('size', 'gt', '30'), ['Web-02']],
  [one('size', 'lt', '30'), ['web-01']],
  [one('size', 'ge', '30'), ['Web-02', 'db.main']],
  [one('size', 'le', '30'), ['web-01', 'db.main']],
  [many('size', 'between', '10', '30'), ['web-01', 'db.main']],
  [one('ports.port', 'eq', '443'), ['web-01']],
  [one('ports.port', 'ne', '443'), ['Web-02']],
  [one('tags."aws:name"', 'eq', 'a'), ['web-01']],
  [one('tags."team\\/unit"', 'eq', 'blue'), ['web-01']],
  [one('tags.missing', 'ne', 'x'), []],
];

describe('filters', () => {
  test.each(cases.map(([filter, expected]) => [JSON.stringify(filter), filter, expected] as const))(
    '%s',
    (_, filter, expected) => {
      expect(names(filter)).toEqual(expected);
    },
  );

  test('every expression has a case, and expr is reserved', () => {
    const covered = new Set(cases.map(([filter]) => filter.expression));
    expect(filterExpressions.filter((expression) => !covered.has(expression))).toEqual(['expr']);
    expect(() => names(one('name', 'expr', 'x'))).toThrow(/reserve/);
  });

  test('are combined with AND', () => {
    expect(names(one('size', 'gt', '5'), one('name', 'ilike', 'web%'), one('open', 'eq', 'true'))).toEqual(['web-01']);
  });

  test('rlike narrows arrays to what matches', () => {
    const accept = compileFilters([one('ports.port', 'rlike', '4.*')], fields);
    expect(records.map((record) => accept(record)?.['ports'])).toEqual([[{ port: 443 }], undefined, undefined]);
    expect(records[0]?.['ports']).toHaveLength(2);
  });

  test.each([
    ['a value where values belong', { field: 'name', expression: 'in', value: 'x' }],
    ['values where a value belongs', { field: 'name', expression: 'eq', values: ['x'] }],
    ['no operand', { field: 'name', expression: 'eq' }],
    ['one boundary', { field: 'size', expression: 'between', values: ['1'] }],
    ['equal boundaries', { field: 'size', expression: 'between', values: ['1', '1'] }],
    ['boundaries upside down', { field: 'size', expression: 'between', values: ['10', '9'] }],
    ['an unknown field', { field: 'nothing', expression: 'eq', value: 'x' }],
    ['a pattern that is none', { field: 'name', expression: 'rlike', value: '(' }],
    ['an open quote', { field: 'tags."x', expression: 'eq', value: 'x' }],
  ] as const)('refuse %s', (_, filter) => {
    expect(() => compileFilters([filter as SearchFilter], fields)).toThrow();
  });

  test('paths split at dots outside of quotes', () => {
    expect(fieldPath('a.b."c.d:e\\/f".g')).toEqual(['a', 'b', 'c.d:e/f', 'g']);
  });
});
