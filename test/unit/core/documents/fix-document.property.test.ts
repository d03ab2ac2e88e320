import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findRegions } from '../../../../server/core/documents/find-regions.ts';
import { fixDocument } from '../../../../server/core/documents/fix-document.ts';
import type { HostKind } from '../../../../server/core/documents/region.ts';
import { analyzeText, type Diagnostic, readLintConfig } from '../../../../server/core/language/language-service.ts';
import { rules } from '../../../../server/core/language/lint/rules/index.ts';
import { parse } from '../../../../server/core/language/syntax/parse.ts';
import { applyEdits, changedSpan } from '../../../../server/core/text/edits.ts';
import { anyText, queryText } from '../../../generators/lql.ts';
import { mistakes } from '../../../generators/mistakes.ts';
import { propertyRuns, propertyTimeout } from '../../../generators/runs.ts';
import { readCorpusQueries } from '../../../support/corpus.ts';
import { smallCatalog } from '../../../support/small-catalog.ts';

const settings = { catalog: smallCatalog(), vendorPrefix: 'SVC' };
/** Every rule, but one: a star hides how many columns there are, and naming them shows what is wrong with a union of them. */
const { config } = readLintConfig({
  rules: Object.fromEntries(
    rules.map(({ id, severity }) => [id, id === 'star-return' ? 'off' : severity === 'off' ? 'warning' : severity]),
  ),
});

const fix = (text: string, host: HostKind) =>
  fixDocument(text, (now) => ({
    queries: findRegions(now, host).map((region) => ({
      region,
      diagnostics: analyzeText(region.text, settings, { config }).diagnostics,
    })),
    resources: [],
  }));

const count = (diagnostics: readonly Diagnostic[]): number =>
  diagnostics.filter(({ severity }) => severity === 'error').length;
const syntaxErrorsIn = (text: string): number => count(parse(text).diagnostics);
const errorsIn = (text: string): number => count(analyzeText(text, settings).diagnostics);

/** A query, mostly with a mistake or two in it. */
const faultyText: fc.Arbitrary<string> = fc
  .tuple(queryText, fc.array(fc.tuple(fc.nat(), fc.nat()), { maxLength: 2 }))
  .map(([text, made]) =>
    made.reduce((now, [which, where]) => {
      const parsed = { ...analyzeText(now, settings).parsed };
      const possible = mistakes.flatMap(({ apply }) => apply(parsed, where) ?? []);
      return possible[which % Math.max(1, possible.length)] ?? now;
    }, text),
  );

function expectSettled(text: string, host: HostKind): void {
  const { text: fixed, edits, fixed: codes } = fix(text, host);
  expect(applyEdits(text, edits)).toBe(fixed);
  expect(codes.length > 0).toBe(fixed !== text);
  expect(fix(fixed, host).edits).toEqual([]);
  if (host !== 'lql') return;
  // In a text with several mistakes, mending one can show another in a new light.
  if (syntaxErrorsIn(text) <= 1) expect(syntaxErrorsIn(fixed)).toBeLessThanOrEqual(syntaxErrorsIn(text));
  // What stands beside a syntax problem comes into sight when that is mended.
  if (parse(text).diagnostics.length === 0) expect(errorsIn(fixed)).toBeLessThanOrEqual(errorsIn(text));
}

describe('fixing all', () => {
  test('ends, leaves nothing to fix and adds no error', { timeout: propertyTimeout() }, () => {
    fc.assert(
      fc.property(fc.oneof(faultyText, anyText), (text) => expectSettled(text, 'lql')),
      propertyRuns(),
    );
  });

  test('does so inside of YAML and Markdown', { timeout: propertyTimeout() }, () => {
    fc.assert(
      fc.property(faultyText, fc.constantFrom('yaml', 'markdown'), (text, host) => {
        const lines = text.replaceAll(/\r\n?/g, '\n');
        const document =
          host === 'yaml'
            ? `queryId: A\nqueryText: |-\n${lines.replaceAll(/^/gm, '  ')}\n`
            : `# A\n\n\`\`\`lql\n${lines}\n\`\`\`\n`;
        expectSettled(document, host);
      }),
      propertyRuns(200),
    );
  });

  const queries = readCorpusQueries();
  test.runIf(queries.length > 0)('does so over the corpus (skipped where it is absent)', () => {
    for (const { text } of queries) expectSettled(text, 'lql');
  });
});

test('the changed span is one edit that makes the new text, and tears no surrogate pair', () => {
  const pieces = fc.array(fc.constantFrom('a', 'b', '\u{1F600}', '\u{1F601}', '\n'), { maxLength: 12 });
  fc.assert(
    fc.property(pieces, pieces, (from, to) => {
      const edits = changedSpan(from.join(''), to.join(''));
      expect(applyEdits(from.join(''), edits)).toBe(to.join(''));
      expect(edits.length).toBe(from.join('') === to.join('') ? 0 : 1);
      for (const { newText } of edits) expect(newText.isWellFormed()).toBe(true);
    }),
    propertyRuns(),
  );
});
