import type { Value } from '../../core/language/values/value.ts';
import type { World } from './world.ts';

/** The service's spelling of a column type. */
export type DataType = 'String' | 'Number' | 'Timestamp' | 'JSON';

export interface SampleColumn {
  readonly name: string;
  readonly dataType: DataType;
  readonly description: string;
}

/**
 * How a datasource joins to another. `on` pairs columns of both sides; a name that starts with `$` is a key column that the
 * tables carry for joins and no schema lists.
 */
export interface SampleRelationship {
  readonly name: string;
  readonly to: string;
  readonly cardinality: 'ONE' | 'MANY';
  readonly description: string;
  readonly on: readonly (readonly [fromColumn: string, toColumn: string])[];
}

/**
 * Which rows a time range sees. `events`: those whose time lies inside. `lastCollection`: those of the last collection run that
 * ended inside. `latestPerEntity`: for each entity, the last report inside.
 */
export type Snapshot = 'events' | 'lastCollection' | 'latestPerEntity';

/** A row of the sample account: SQL null is undefined or left out. JSON parts that repeat are shared between rows and must not be changed. */
export type SampleRow = { readonly [column: string]: Value };

/** One datasource of the sample account: what the catalog says of it and how its rows come about. */
export interface SampleDatasource {
  /** With the neutral prefix `SVC_`, where it has one. */
  readonly name: string;
  readonly description: string;
  readonly columns: readonly SampleColumn[];
  readonly relationships: readonly SampleRelationship[];
  /** The column that a query's time range is compared with. */
  readonly timeColumn: string;
  readonly snapshot: Snapshot;
  /** Identifies an entity across reports where `snapshot` is `latestPerEntity`. */
  readonly entityColumns?: readonly string[];
  /** Columns with a leading `$`: join keys, absent from the schema. */
  readonly keyColumns?: readonly Pick<SampleColumn, 'name' | 'dataType'>[];
  /** Gives the rows in order of `timeColumn`'s batches. Deterministic for a world. */
  readonly rows: (world: World) => Iterable<SampleRow>;
}

export function column(name: string, dataType: DataType, description: string): SampleColumn {
  return { name, dataType, description };
}

/** A relationship that carries the default name, used by `with` without `on`. */
export function defaultRelationship(
  to: string,
  cardinality: 'ONE' | 'MANY',
  description: string,
  ...on: readonly (readonly [string, string])[]
): SampleRelationship {
  return { name: '(default)', to, cardinality, description, on };
}
