import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createExecution } from '../../../../server/core/engine/create-execution.ts';
import type { ExecutionOptions } from '../../../../server/core/engine/execution.ts';
import { analyze } from '../../../../server/core/language/semantics/analyze.ts';
import { parse } from '../../../../server/core/language/syntax/parse.ts';
import { wireValue } from '../../../../server/core/language/values/convert.ts';
import type { Value } from '../../../../server/core/language/values/value.ts';
import { catalogOf, tableProvider } from '../../../support/engine-tables.ts';
import { evaluateNaively } from '../../../support/oracle.ts';
import { type GeneratedCase, generatedCase, generatedJoins, generatedRange } from '../../../support/query-generator.ts';

const numRuns = process.env['DEEP'] === '1' ? 20_000 : 1000;

/** Runs a case on the engine, `budget` units of work at a time. */
function runOnEngine(
  generated: GeneratedCase,
  budget: number,
  limit?: number,
): { rows: Value[][]; model: ReturnType<typeof analyze> } {
  const parsed = parse(generated.text);
  expect(parsed.diagnostics.filter((diagnostic) => diagnostic.severity === 'error')).toEqual([]);
  const model = analyze(parsed, { catalog: catalogOf(generated.tables, generatedJoins), vendorPrefix: 'SVC' });
  const options: ExecutionOptions = { ...generatedRange, limit };
  const execution = createExecution(model, tableProvider(generated.tables, generatedJoins), options);
  const rows: Value[][] = [];
  let finished = false;
  while (!finished) {
    finished = execution.step(budget);
    const taken = execution.takeRows();
    expect(taken.length).toBeLessThanOrEqual(budget);
    rows.push(...taken);
  }
  expect(execution.error).toBeUndefined();
  const types = execution.columns.map((column) => column.type);
  return { rows: rows.map((row) => row.map((value, index) => wireValue(value, types[index] ?? 'json'))), model };
}

it('gives the same rows as an interpreter that shares no code with it', { timeout: 600_000 }, () => {
  let rowsSeen = 0;
  fc.assert(
    fc.property(generatedCase, (generated) => {
      const { rows, model } = runOnEngine(generated, 1_000_000);
      const { query } = model;
      if (query === undefined) throw new Error('The query was not parsed.');
      const expected = evaluateNaively(query, { tables: generated.tables, joins: generatedJoins, ...generatedRange });
      expect(rows).toEqual(expected);
      rowsSeen += rows.length;
    }),
    { numRuns },
  );
  // The comparison would be worth little if filters let nothing through.
  expect(rowsSeen).toBeGreaterThan(numRuns);
});

it('gives the same rows in small steps, and the first ones under a limit', { timeout: 600_000 }, () => {
  fc.assert(
    fc.property(
      generatedCase,
      fc.integer({ min: 1, max: 7 }),
      fc.integer({ min: 1, max: 5 }),
      (generated, budget, limit) => {
        const { rows } = runOnEngine(generated, 1_000_000);
        expect(runOnEngine(generated, budget).rows).toEqual(rows);
        expect(runOnEngine(generated, budget, limit).rows).toEqual(rows.slice(0, limit));
      },
    ),
    { numRuns: numRuns / 4 },
  );
});
