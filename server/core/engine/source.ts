import type { DatasourceSymbol, ExpansionSymbol, Scope } from '../language/semantics/semantic-model.ts';
import type { Value } from '../language/values/value.ts';
import type { Compiled, Read } from './compile/compiled.ts';
import { EngineFailure } from './engine-failure.ts';
import type { Environment } from './environment.ts';
import { type Cursor, columnEvaluator, timeTest } from './scan.ts';
import type { TableSource } from './table.ts';

/** One item of a source block, with the place that says which of its rows is the current one. */
export type Source = TableSourceItem | ExpansionSource;

export interface TableSourceItem {
  readonly kind: 'table';
  readonly symbol: DatasourceSymbol;
  /** Position among the sources of the body; 0 is the root. */
  readonly level: number;
  readonly table: TableSource;
  readonly cursor: Cursor;
  /** Columns compiled so far: each is one {@link Read}, however often the query names it. */
  readonly columns: Map<string, Compiled>;
}

export interface ExpansionSource {
  readonly kind: 'expansion';
  readonly symbol: ExpansionSymbol;
  readonly level: number;
  /** The current element. */
  readonly cell: { value: Value };
  readonly read: Read;
}

export function openSources(scope: Scope, environment: Environment): Source[] {
  return scope.sources.map((symbol, level): Source => {
    if (symbol.kind === 'expansion') {
      return { kind: 'expansion', symbol, level, cell: { value: undefined }, read: { level, vector: undefined } };
    }
    const name = symbol.node.name.name;
    const table = environment.tables.open(name);
    if (table === undefined) {
      throw new EngineFailure(
        'no-such-table',
        `There are no rows for the datasource ${name}. Check its name: names are case-sensitive.`,
      );
    }
    return { kind: 'table', symbol, level, table, cursor: { row: -1 }, columns: new Map() };
  });
}

/** The current element of an expansion: JSON, or SQL null where a row was kept for want of elements. */
export function elementOf(source: ExpansionSource): Compiled {
  const { cell, read } = source;
  return { type: 'json', evaluate: () => cell.value, reads: [read], deferred: false, cost: 0 };
}

/** A column at the current row; undefined when the table has no such column. */
export function columnOf(source: TableSourceItem, name: string): Compiled | undefined {
  const known = source.columns.get(name);
  if (known !== undefined) return known;
  const vector = source.table.column(name);
  const { columns, keyColumns = [] } = source.table;
  const column = [...columns, ...keyColumns].find((candidate) => candidate.name === name);
  if (vector === undefined || column === undefined) return undefined;
  const compiled: Compiled = {
    // Columns whose type no schema tells are read as JSON, which takes on whatever type the query needs.
    type: column.type === 'unknown' ? 'json' : column.type,
    evaluate: columnEvaluator(vector, source.cursor, source.level > 0),
    reads: [{ level: source.level, vector }],
    deferred: false,
    cost: 0,
  };
  source.columns.set(name, compiled);
  return compiled;
}

/** Whether a row lies in the time range of the run; undefined for tables without a time column, where every row does. */
export function timeRangeTest(table: TableSource, environment: Environment): ((row: number) => boolean) | undefined {
  const vector = table.timeColumn === undefined ? undefined : table.column(table.timeColumn);
  const { startTime, endTime } = environment.options;
  return vector === undefined ? undefined : timeTest(vector, startTime, endTime);
}
