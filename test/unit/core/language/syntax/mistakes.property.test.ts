import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parse } from '../../../../../server/core/language/syntax/parse.ts';
import { queryText } from '../../../../generators/lql.ts';
import { mistakes } from '../../../../generators/mistakes.ts';
import { propertyRuns } from '../../../../generators/runs.ts';

test('one mistake in a query gives one message', () => {
  const tried = new Set<string>();
  fc.assert(
    fc.property(queryText, fc.nat(), fc.nat(), (text, which, where) => {
      const parsed = parse(text);
      const possible = mistakes.flatMap(({ name, apply }) => {
        const broken = apply(parsed, where);
        return broken === undefined ? [] : [{ name, broken }];
      });
      // Every query can lose its last brace, so there is always one.
      const { name, broken } = possible[which % possible.length] ?? { name: 'none', broken: '' };
      tried.add(name);
      const errors = parse(broken).diagnostics.filter((diagnostic) => diagnostic.severity === 'error');
      expect(errors.map(({ code, range }) => `${name}: ${code} at ${range.start}`)).toHaveLength(1);
    }),
    propertyRuns(1000),
  );
  expect([...mistakes.map((mistake) => mistake.name)].filter((name) => !tried.has(name))).toEqual([]);
});
