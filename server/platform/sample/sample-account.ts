import { createTableBuilder, type JoinKey, type TableSource } from '../../core/engine/table.ts';
import type { Column, Relationship } from '../../core/language/catalog/catalog.ts';
import { typeFromDataType } from '../../core/language/types/types.ts';
import { attackPathDatasources } from './attack-paths.ts';
import { awsDatasources, wholeAwsDatasource } from './aws-all.ts';
import { cloudTrailDatasources } from './cloud-trail.ts';
import { containerDatasources } from './containers.ts';
import type { SampleDatasource, SampleRow } from './datasource.ts';
import { entitlementDatasources } from './entitlements.ts';
import { hostActivityDatasources } from './host-activity.ts';
import { hostEntityDatasources } from './host-entities.ts';
import { kubernetesAuditDatasources } from './kubernetes-audit.ts';
import { kubernetesConfigDatasources } from './kubernetes-config.ts';
import { otherCloudDatasources } from './other-clouds.ts';
import { systemCallDatasources } from './system-calls.ts';
import { createWorld, type World } from './world.ts';

/** Every datasource of the sample account, with neutral names, in the order the platform lists them. */
export const sampleDatasources: readonly SampleDatasource[] = [
  ...cloudTrailDatasources,
  ...kubernetesAuditDatasources,
  ...awsDatasources,
  wholeAwsDatasource,
  ...otherCloudDatasources,
  ...kubernetesConfigDatasources,
  ...entitlementDatasources,
  ...attackPathDatasources,
  ...hostEntityDatasources,
  ...containerDatasources,
  ...hostActivityDatasources,
  ...systemCallDatasources,
];

/** `demo` holds about 20,000 rows, `lab` about a million; a table is made when it is first asked for. */
export type SampleSize = 'demo' | 'lab';

export interface SampleAccountOptions {
  readonly seed?: string;
  readonly size?: SampleSize;
  /** Milliseconds since 1970 UTC that the data counts as "now". */
  readonly now: number;
}

export interface SampleAccount {
  readonly world: World;
  /** The whole history of a datasource by its neutral name; undefined when there is none. */
  table(name: string): TableSource | undefined;
  /** Makes a table little by little, with a pause after every few thousand rows, so that `table` finds it ready. */
  prepare(name: string, pause: () => Promise<void>): Promise<void>;
}

/** Rows made between two pauses: some milliseconds' worth. */
const rowsBetweenPauses = 2_000;

/** Events of the lab are this many times those of the demonstration. */
const labScale = 62;

/** The sample account at a moment. Costs under a few milliseconds: no table is made yet. */
export function createSampleAccount(options: SampleAccountOptions): SampleAccount {
  const anchor = Math.floor(options.now / 60_000) * 60_000;
  const world = createWorld({
    seed: options.seed ?? 'harborline',
    anchor,
    scale: options.size === 'lab' ? labScale : 1,
  });
  const definitions = new Map(sampleDatasources.map((datasource) => [datasource.name, datasource]));
  const tables = new Map<string, TableSource>();
  const preparing = new Map<string, Promise<void>>();
  const prepare = async (definition: SampleDatasource, pause: () => Promise<void>): Promise<void> => {
    const table = beginTable(definition);
    let rows = 0;
    for (const row of definition.rows(world)) {
      table.append(row);
      if (++rows % rowsBetweenPauses === 0) await pause();
    }
    if (!tables.has(definition.name)) tables.set(definition.name, table.finish());
  };
  return {
    world,
    table(name) {
      const known = tables.get(name);
      if (known !== undefined) return known;
      const definition = definitions.get(name);
      if (definition === undefined) return undefined;
      const table = beginTable(definition);
      for (const row of definition.rows(world)) table.append(row);
      const finished = table.finish();
      tables.set(name, finished);
      return finished;
    },
    async prepare(name, pause) {
      const definition = definitions.get(name);
      if (definition === undefined || tables.has(name)) return;
      const known = preparing.get(name) ?? prepare(definition, pause).finally(() => preparing.delete(name));
      preparing.set(name, known);
      await known;
    },
  };
}

interface UnfinishedTable {
  append(row: SampleRow): void;
  finish(): TableSource;
}

function beginTable(datasource: SampleDatasource): UnfinishedTable {
  const columns = datasource.columns.map(
    (entry): Column => ({
      name: entry.name,
      type: typeFromDataType(entry.dataType),
      description: entry.description,
    }),
  );
  const keyColumns = (datasource.keyColumns ?? []).map(
    (entry): Column => ({ name: entry.name, type: typeFromDataType(entry.dataType), description: undefined }),
  );
  const builder = createTableBuilder({
    name: datasource.name,
    columns: [...columns, ...keyColumns],
    timeColumn: datasource.timeColumn,
  });
  return { append: builder.append, finish: () => ({ ...builder.finish(), columns, keyColumns }) };
}

/** The columns a relationship of the sample account joins along, both names neutral; undefined when there is no such relationship. */
export function sampleJoinKeys(
  relationship: Pick<Relationship, 'name' | 'from' | 'to'>,
): readonly JoinKey[] | undefined {
  const datasource = sampleDatasources.find((candidate) => candidate.name === relationship.from);
  const found = datasource?.relationships.find(
    (candidate) => candidate.name === relationship.name && candidate.to === relationship.to,
  );
  return found?.on.map(([from, to]) => ({ from, to }));
}
