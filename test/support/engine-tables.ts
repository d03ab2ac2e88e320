import { type TableProvider, tableFromRows } from '../../server/core/engine/table.ts';
import type { Catalog, Datasource, Relationship } from '../../server/core/language/catalog/catalog.ts';
import type { OracleTable } from './oracle.ts';

type Joins = { readonly [pair: string]: readonly { readonly from: string; readonly to: string }[] };

/** Tables of the oracle as the engine reads them. */
export function tableProvider(tables: { readonly [name: string]: OracleTable }, joins: Joins): TableProvider {
  const opened = new Map(
    Object.entries(tables).map(([name, table]) => [
      name,
      tableFromRows(
        {
          name,
          timeColumn: table.timeColumn,
          columns: table.columns.map((column) => ({ ...column, description: undefined })),
        },
        table.rows,
      ),
    ]),
  );
  return {
    open: (name) => opened.get(name),
    joinKeys: ({ from, to }) => joins[`${from}>${to}`],
  };
}

/** A catalog of the same tables, with a default relationship for each pair that joins. */
export function catalogOf(tables: { readonly [name: string]: OracleTable }, joins: Joins): Catalog {
  const relationships = Object.keys(joins).map((pair): Relationship => {
    const [from = '', to = ''] = pair.split('>');
    return { name: '(default)', from, to, cardinality: to === 'EVENTS' ? 'MANY' : 'ONE', description: undefined };
  });
  const datasources = Object.entries(tables).map(([name, table]): [string, Datasource] => [
    name,
    {
      name,
      description: undefined,
      columns: table.columns.map((column) => ({ ...column, description: undefined })),
      columnsFrom: 'inline',
      relationships: relationships.filter((relationship) => relationship.from === name),
    },
  ]);
  return { version: 'test', origin: 'account', vendorPrefix: 'SVC', datasources: new Map(datasources) };
}
