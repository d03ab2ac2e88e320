import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createExecution } from '../../../../server/core/engine/create-execution.ts';
import type { EngineError } from '../../../../server/core/engine/execution.ts';
import { type TableProvider, tableFromRows } from '../../../../server/core/engine/table.ts';
import type { Catalog } from '../../../../server/core/language/catalog/catalog.ts';
import { analyze } from '../../../../server/core/language/semantics/analyze.ts';
import { parse } from '../../../../server/core/language/syntax/parse.ts';
import type { LqlType } from '../../../../server/core/language/types/types.ts';
import type { Value } from '../../../../server/core/language/values/value.ts';
import { catalogFromDatasources } from '../../../../server/core/resources/index.ts';
import { findCorpusFile } from '../../../harness/paths.ts';
import { readReferenceDatasources } from '../../../support/reference-catalog.ts';

interface CorpusQuery {
  readonly id: string;
  readonly text: string;
  readonly template: boolean;
  readonly parses: boolean;
}

const samples: Readonly<Record<LqlType, readonly Value[]>> = {
  string: ['a', 'prod', '10.0.0.1', '', undefined],
  number: [0, 1, 5644915113269064637n, undefined],
  timestamp: [0, 1_714_564_800_000, undefined],
  json: [{ a: [1, 2], type: 'x' }, [{ x: 1 }, { x: 2 }], null, 'text', true, undefined],
  boolean: [true, false, undefined],
  null: [undefined],
  unknown: [{ a: 1 }, 'text', undefined],
};

/** Ten rows for any datasource of the catalog, of every kind of value its columns can hold. */
function sampleTables(catalog: Catalog): TableProvider {
  return {
    open(name) {
      const columns = catalog.datasources.get(name)?.columns;
      if (columns === undefined) return undefined;
      const rows = Array.from({ length: 10 }, (_, row) =>
        Object.fromEntries(
          columns.map((column, index) => {
            const values = samples[column.type];
            return [column.name, values[(row + index) % values.length]];
          }),
        ),
      );
      return tableFromRows({ name, columns }, rows);
    },
    joinKeys({ from, to }) {
      const [left] = catalog.datasources.get(from)?.columns ?? [];
      const [right] = catalog.datasources.get(to)?.columns ?? [];
      return left === undefined || right === undefined ? undefined : [{ from: left.name, to: right.name }];
    },
  };
}

const file = findCorpusFile('queries.jsonl');
const answer = readReferenceDatasources();

describe.skipIf(file === undefined || answer === undefined)('queries people wrote', () => {
  it('run, or are refused with a reason', () => {
    const catalog = catalogFromDatasources(answer ?? { data: [] }, { origin: 'account', vendorPrefix: 'LW' });
    const tables = sampleTables(catalog);
    const queries = readFileSync(file ?? '', 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as CorpusQuery)
      .filter((query) => !query.template && query.parses);
    const refused = new Map<string, EngineError>();
    for (const query of queries) {
      const model = analyze(parse(query.text), { catalog, vendorPrefix: 'LW' });
      const execution = createExecution(model, tables, { now: 0, startTime: 0, endTime: 1 });
      let steps = 0;
      while (!execution.step(10_000)) if (++steps > 1000) throw new Error(`${query.id} does not end`);
      if (execution.error !== undefined) refused.set(query.id, execution.error);
    }
    const reasons = [...refused.values()].map((error) => error.code);
    // What is refused names datasources or columns that no public list has.
    expect(reasons.filter((code) => code === 'memory-limit' || code === 'invalid-pattern')).toEqual([]);
    expect(queries.length - refused.size).toBeGreaterThan(queries.length * 0.75);
  });
});
