import { describe, expect, it } from 'vitest';
import { filterExpressions, filterField, filterProblem } from '../../../../server/core/resources/index.ts';

describe('filterProblem', () => {
  it('asks for the operand that each of the 16 expressions takes', () => {
    const lists = new Set(['in', 'not_in', 'between']);
    expect(filterExpressions).toHaveLength(16);
    for (const expression of filterExpressions) {
      const single = filterProblem({ field: 'f', expression, value: '1' });
      const several = filterProblem({ field: 'f', expression, values: ['1', '2'] });
      if (expression === 'expr') expect([single, several].every((problem) => problem?.includes('reserves'))).toBe(true);
      else if (lists.has(expression)) expect([single?.includes("takes 'values'"), several]).toEqual([true, undefined]);
      else expect([single, several?.includes("takes 'value'")]).toEqual([undefined, true]);
      expect(filterProblem({ field: 'f', expression })).toBeDefined();
    }
  });

  it.each([
    [['1', '2'], undefined],
    [[9, 10], undefined],
    [['9', '10'], undefined],
    [['a', 'b'], undefined],
    [['2', '1'], 'larger'],
    [['1', '1'], 'larger'],
    [['1'], 'exactly two'],
    [['1', '2', '3'], 'exactly two'],
  ])('checks the bounds %j of between', (values, problem) => {
    const found = filterProblem({ field: 'f', expression: 'between', values });
    if (problem === undefined) expect(found).toBeUndefined();
    else expect(found).toContain(problem);
  });
});

describe('filterField', () => {
  it('quotes parts with special characters and escapes slashes', () => {
    expect(filterField(['tags', 'Env'])).toBe('tags.Env');
    expect(filterField(['tags', 'aws:name'])).toBe('tags."aws:name"');
    expect(filterField(['propsContainer', 'PROPS_LABEL', 'app.kubernetes.io/name'])).toBe(
      'propsContainer.PROPS_LABEL."app.kubernetes.io\\/name"',
    );
  });
});
