import type { TableProvider, TableSource } from '../../core/engine/table.ts';
import type { Catalog } from '../../core/language/catalog/catalog.ts';
import { withVendorPrefix } from '../../core/language/catalog/vendor-prefix.ts';
import { dataTypeOf } from '../../core/language/types/types.ts';
import { catalogFromDatasources, type DatasourceRecord } from '../../core/resources/index.ts';
import { keepText } from '../http/wire-json.ts';
import type { SampleDatasource } from '../sample/datasource.ts';
import {
  createSampleAccount,
  type SampleAccount,
  sampleDatasources,
  sampleJoinKeys,
} from '../sample/sample-account.ts';
import { defaultVendorPrefix, type PlatformSettings } from '../settings.ts';
import type { ImportedTable, ImportedTables } from './imported-tables.ts';
import { snapshotView } from './snapshot-view.ts';

/** All data that queries and searches can read: the sample account and the person's own files. */
export interface Datasets {
  /** What `GET Datasources` lists, columns included. */
  records(): readonly DatasourceRecord[];
  catalog(): Catalog;
  /** The tables as a time range shows them, start included, end excluded. */
  tables(startTime: number, endTime: number): TableProvider;
  /** One table by its name with the vendor prefix, as a time range shows it. */
  table(name: string, startTime: number, endTime: number): TableSource | undefined;
  /** Makes tables of the sample account, giving others a turn in between, so that reading them takes no time of its own. */
  prepare(names: readonly string[]): Promise<void>;
  /** The sample account at this moment; undefined when the platform runs without it. */
  sample(): SampleAccount | undefined;
}

/** After this long the sample account moves on, so that a platform left running keeps having recent rows. */
const sampleLifetime = 6 * 3_600_000;

export function createDatasets(settings: PlatformSettings, imported: ImportedTables): Datasets {
  const prefixed = (name: string): string => withVendorPrefix(name, defaultVendorPrefix, settings.vendorPrefix);
  const neutral = (name: string): string => withVendorPrefix(name, settings.vendorPrefix, defaultVendorPrefix);
  const definitions = new Map<string, SampleDatasource>(
    settings.sample === 'none' ? [] : sampleDatasources.map((datasource) => [datasource.name, datasource]),
  );
  let account: SampleAccount | undefined;
  let catalogOf: { readonly records: readonly DatasourceRecord[]; readonly catalog: Catalog } | undefined;
  let recordsOf: { readonly key: string; readonly records: readonly DatasourceRecord[] } | undefined;

  const sample = (): SampleAccount | undefined => {
    if (settings.sample === 'none') return undefined;
    const now = settings.now();
    if (account === undefined || now - account.world.anchor >= sampleLifetime || now < account.world.anchor) {
      account = createSampleAccount({ now, seed: settings.seed, size: settings.sample });
    }
    return account;
  };

  const records = (): readonly DatasourceRecord[] => {
    const own = imported.list();
    const key = own
      .map((entry) => `${entry.name}:${entry.table.columns.map((column) => column.name + column.type)}`)
      .join('|');
    if (recordsOf?.key === key) return recordsOf.records;
    const ownNames = new Set(own.map((entry) => entry.name));
    const list = [
      ...[...definitions.values()]
        .filter((entry) => !ownNames.has(prefixed(entry.name)))
        .map((entry) => sampleRecord(entry, prefixed)),
      ...own.map(importedRecord),
    ];
    recordsOf = { key, records: list };
    return list;
  };

  const table = (name: string, startTime: number, endTime: number): TableSource | undefined => {
    const own = imported.list().find((entry) => entry.name === name);
    if (own !== undefined) return own.table;
    const definition = definitions.get(neutral(name));
    const whole = sample()?.table(neutral(name));
    if (definition === undefined || whole === undefined) return undefined;
    return snapshotView(whole, definition.snapshot, definition.entityColumns ?? [], startTime, endTime);
  };

  return {
    records,
    sample,
    table,
    async prepare(names) {
      const own = new Set(imported.list().map((entry) => entry.name));
      for (const name of names) if (!own.has(name)) await sample()?.prepare(neutral(name), nextTurn);
    },
    catalog() {
      const list = records();
      if (catalogOf?.records !== list) {
        catalogOf = {
          records: list,
          catalog: catalogFromDatasources(list, { origin: 'account', vendorPrefix: settings.vendorPrefix }),
        };
      }
      return catalogOf.catalog;
    },
    tables(startTime, endTime) {
      const opened = new Map<string, TableSource | undefined>();
      return {
        open(name) {
          if (!opened.has(name)) opened.set(name, table(name, startTime, endTime));
          return opened.get(name);
        },
        joinKeys: ({ name, from, to }) => sampleJoinKeys({ name, from: neutral(from), to: neutral(to) }),
      };
    },
  };
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function sampleRecord(datasource: SampleDatasource, prefixed: (name: string) => string): DatasourceRecord {
  return keepText({
    name: prefixed(datasource.name),
    description: datasource.description,
    resultSchema: datasource.columns.map(({ name, dataType, description }) => ({ name, dataType, description })),
    sourceRelationships: datasource.relationships.map((relationship) => ({
      name: relationship.name,
      description: relationship.description,
      from: prefixed(datasource.name),
      to: prefixed(relationship.to),
      toCardinality: relationship.cardinality,
    })),
  });
}

function importedRecord({ name, table, file }: ImportedTable): DatasourceRecord {
  return keepText({
    name,
    description: `Own data from ${file}`,
    resultSchema: table.columns.map((column) => ({
      name: column.name,
      dataType: dataTypeOf(column.type),
      description: null,
    })),
    sourceRelationships: [],
  });
}
