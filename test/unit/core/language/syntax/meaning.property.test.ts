import fc from 'fast-check';
import { expect, test } from 'vitest';
import { meaningOf, sketchOf } from '../../../../../server/core/language/syntax/print-ast.ts';
import { expressionText } from '../../../../generators/lql.ts';
import { propertyRuns } from '../../../../generators/runs.ts';
import { parseExpression } from '../../../../support/parse-expression.ts';

test('expressions of one meaning have one sketch, so that comparing sketches first loses nothing', () => {
  const byMeaning = new Map<string, string>();
  fc.assert(
    fc.property(expressionText, (text) => {
      const { expression } = parseExpression(text);
      const meaning = meaningOf(expression);
      const sketch = sketchOf(expression);
      expect(byMeaning.get(meaning) ?? sketch).toBe(sketch);
      byMeaning.set(meaning, sketch);
      // Blanks and the case of words that have none do not count.
      const other = parseExpression(text.replaceAll(/\b(?:AND|OR|LIKE|CONTAINS)\b/gi, (word) => word.toLowerCase()));
      if (meaningOf(other.expression) === meaning) expect(sketchOf(other.expression)).toBe(sketch);
    }),
    propertyRuns(),
  );
});
