import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type Diagnostic,
  keepGravest,
  maxDiagnostics,
} from '../../../../../server/core/language/diagnostics/diagnostic.ts';
import { analyzeText } from '../../../../../server/core/language/language-service.ts';
import { propertyRuns } from '../../../../generators/runs.ts';
import { smallCatalog } from '../../../../support/small-catalog.ts';

const severities = ['error', 'warning', 'info', 'hint'] as const;

test('of many diagnostics the graver ones stay, in the order they had', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...severities), { maxLength: 3 * maxDiagnostics }), (given) => {
      const all = given.map(
        (severity, at): Diagnostic => ({
          code: 'unknown-column',
          severity,
          range: { start: at, end: at + 1 },
          message: String(at),
          fixes: [],
        }),
      );
      const kept = keepGravest(all);
      expect(kept).toHaveLength(Math.min(all.length, maxDiagnostics));
      expect(kept).toEqual(all.filter((diagnostic) => kept.includes(diagnostic)));
      const left = all.filter((diagnostic) => !kept.includes(diagnostic));
      const rank = ({ severity }: Diagnostic): number => severities.indexOf(severity);
      if (left.length > 0) expect(Math.max(...kept.map(rank))).toBeLessThanOrEqual(Math.min(...left.map(rank)));
    }),
    propertyRuns(),
  );
});

test('an error behind more warnings than are shown is shown', () => {
  const columns = Array.from({ length: 150 }, (_, at) => `MID::number::number as M${at}`).join(', ');
  const text = `{ source { SVC_HE_MACHINES } filter { HOSTNAME = null } return { ${columns}, NO_SUCH_COLUMN } }`;
  const { diagnostics } = analyzeText(text, { catalog: smallCatalog(), vendorPrefix: 'SVC' });
  expect(diagnostics.length).toBeLessThanOrEqual(maxDiagnostics);
  expect(diagnostics.map(({ code }) => code)).toContain('unknown-column');
});

test('a fix at the end of a string that is not closed is not safe', () => {
  const text = "{ source { CloudTrailRawEvents } return { 'ends in \\\\'no comment'::string } }";
  const { diagnostics } = analyzeText(text, { catalog: smallCatalog(), vendorPrefix: 'SVC' });
  const open = diagnostics.find(({ code }) => code === 'unterminated-string');
  const atItsEnd = diagnostics.flatMap(({ fixes }) =>
    fixes.filter(({ edits }) => edits.some(({ range }) => range.start === open?.range.end)),
  );
  expect(atItsEnd.length).toBeGreaterThan(1);
  expect(atItsEnd.filter(({ safe }) => safe)).toEqual([]);
});
