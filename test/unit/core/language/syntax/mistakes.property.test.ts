import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parse } from '../../../../../server/core/language/syntax/parse.ts';
import { queryText } from '../../../../generators/lql.ts';
import { mistakes } from '../../../../generators/mistakes.ts';
import { propertyRuns, propertyTimeout } from '../../../../generators/runs.ts';

function expectOneMessage(name: string, broken: string): void {
  const errors = parse(broken).diagnostics.filter((diagnostic) => diagnostic.severity === 'error');
  expect(errors.map(({ code, range }) => `${name}: ${code} at ${range.start}`)).toHaveLength(1);
}

test('one mistake in a query gives one message', { timeout: propertyTimeout() }, () => {
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
      expectOneMessage(name, broken);
    }),
    propertyRuns(1000),
  );
  // Few queries have a place for some mistakes: those that chance passed over are looked for among more queries.
  const missed = (): typeof mistakes => mistakes.filter(({ name }) => !tried.has(name));
  for (let batch = 0; batch < 40 && missed().length > 0; batch++) {
    for (const text of fc.sample(queryText, 250)) {
      const parsed = parse(text);
      for (const { name, apply } of missed()) {
        const broken = apply(parsed, 0);
        if (broken === undefined) continue;
        tried.add(name);
        expectOneMessage(name, broken);
      }
    }
  }
  expect(missed().map(({ name }) => name)).toEqual([]);
});
