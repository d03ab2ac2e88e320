import { describe, expect, it } from 'vitest';
import { parseFilter } from '../../../server/api/filter-text.ts';
import { filterExpressions } from '../../../server/core/resources/index.ts';

describe('parseFilter', () => {
  it.each([
    ['status eq ACTIVE', { field: 'status', expression: 'eq', value: 'ACTIVE' }],
    ['  hostname   LIKE  web %  ', { field: 'hostname', expression: 'like', value: 'web %' }],
    ['size between 1, 100', { field: 'size', expression: 'between', values: ['1', '100'] }],
    ['tags."aws:name" in blue,red', { field: 'tags."aws:name"', expression: 'in', values: ['blue', 'red'] }],
    ['tags."a/b.c".d eq x', { field: 'tags."a\\/b.c".d', expression: 'eq', value: 'x' }],
    ['tags."plain name" eq x', { field: 'tags.plain name', expression: 'eq', value: 'x' }],
    ['text eq it\'s, "so"', { field: 'text', expression: 'eq', value: 'it\'s, "so"' }],
  ])('reads %s', (text, filter) => {
    expect(parseFilter(text)).toEqual({ kind: 'filter', filter });
  });

  it('knows every expression but the reserved one', () => {
    for (const expression of filterExpressions) {
      const { kind } = parseFilter(`size ${expression} 1,2`);
      expect([expression, kind]).toEqual([expression, expression === 'expr' ? 'invalid' : 'filter']);
    }
  });

  it.each([
    ['', 'needs a field'],
    ['status', 'needs a field'],
    ['status eq', 'compares with nothing'],
    ['status is ACTIVE', 'no expression'],
    ['status expr ACTIVE', 'no expression'],
    ['.status eq x', 'no name of a field'],
    ['a..b eq x', 'no name of a field'],
    ['a. eq x', 'no name of a field'],
    ['size between 5', 'exactly two'],
    ['size between 9,1', 'must be larger'],
  ])('refuses "%s" and says how to write it', (text, problem) => {
    const read = parseFilter(text);
    expect(read).toMatchObject({ kind: 'invalid', message: expect.stringContaining(problem) });
  });
});
