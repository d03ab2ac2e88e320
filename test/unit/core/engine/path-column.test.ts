import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pathColumn, uncoded } from '../../../../server/core/engine/path-column.ts';
import type { Value } from '../../../../server/core/language/values/value.ts';
import { catalogOf, tableProvider } from '../../../support/engine-tables.ts';
import type { OracleTable } from '../../../support/oracle.ts';
import { generatedCase, generatedJoins, generatedRange } from '../../../support/query-generator.ts';
import { runQuery } from '../../../support/run-query.ts';

const rowCount = 5000;

/** The rows over and over, so that there are enough of them for path columns. */
function enlarged(table: OracleTable): OracleTable {
  return { ...table, rows: Array.from({ length: rowCount }, (_, row) => table.rows[row % table.rows.length] ?? {}) };
}

describe('path columns', () => {
  it('change no result, however often a query runs', { timeout: 120_000 }, () => {
    let filtered = 0;
    fc.assert(
      fc.property(generatedCase, ({ text, tables }) => {
        fc.pre(/^\{ source \{ (HOSTS h|EVENTS e) \}/.test(text) && !/ in \{/.test(text));
        const large = {
          ...tables,
          HOSTS: enlarged(tables['HOSTS'] as OracleTable),
          EVENTS: enlarged(tables['EVENTS'] as OracleTable),
        };
        const provider = tableProvider(large, generatedJoins);
        const catalog = catalogOf(large, generatedJoins);
        const [first, ...later] = [1, 2, 3].map(() => runQuery(text, provider, catalog, generatedRange).rows);
        for (const rows of later) expect(rows).toEqual(first);
        if (first !== undefined && first.length < rowCount) filtered++;
      }),
      { numRuns: process.env['DEEP'] === '1' ? 1000 : 60 },
    );
    expect(filtered).toBeGreaterThan(0);
  });

  it('exist from the second use on, of large columns alone', () => {
    const values: Value[] = Array.from({ length: rowCount }, (_, row) => ({ k: row % 3 === 0 ? [row] : row % 7 }));
    const vector = { kind: 'values', values } as const;
    expect(pathColumn(vector, ['k'])).toBeUndefined();
    const column = pathColumn(vector, ['k']);
    expect(column?.codeAt(0)).toBe(uncoded);
    expect(column?.codeAt(1)).toBe(column?.codeAt(8));
    expect(column?.codeAt(1)).not.toBe(column?.codeAt(2));
    expect(pathColumn({ kind: 'values', values: values.slice(0, 10) }, ['k'])).toBeUndefined();
  });

  it('leave values uncoded when there are too many different ones', () => {
    const values: Value[] = Array.from({ length: 70_000 }, (_, row) => ({ k: `value ${row}` }));
    const vector = { kind: 'values', values } as const;
    pathColumn(vector, ['k']);
    const column = pathColumn(vector, ['k']);
    const codes = values.map((_, row) => column?.codeAt(row));
    expect(new Set(codes).size).toBeLessThanOrEqual(65_536);
    expect(codes.at(-1)).toBe(uncoded);
    expect(codes[0]).not.toBe(uncoded);
  });
});
