import type { LqlType } from '../types/types.ts';
import type { ObservedKeys } from './observed-keys.ts';

/**
 * An immutable snapshot of what an account offers: datasources, their columns and how they join.
 * Built by `catalogFromDatasources` (core/resources) from an answer of `GET /api/v2/Datasources`; schemas fetched later give a new snapshot.
 */
export interface Catalog {
  /** Changes with every snapshot; part of cache keys. */
  readonly version: string;
  /** `sample`: the local platform's catalog. It is not the person's account, so an unknown name is a hint there, never an error. */
  readonly origin: 'account' | 'sample' | 'file';
  /** `SVC` or `LW`: reserved id prefixes, header names and documentation examples derive from it. */
  readonly vendorPrefix: string;
  /** By exact name: datasource names are case-sensitive. */
  readonly datasources: ReadonlyMap<string, Datasource>;
  /** Keys that the JSON columns of rows were seen to have. They complete, and tell a key that is written in another case. */
  readonly observedKeys?: ObservedKeys;
}

export interface Datasource {
  readonly name: string;
  readonly description: string | undefined;
  /** Undefined while the schema is not known (yet): then nothing is reported about its columns. */
  readonly columns: readonly Column[] | undefined;
  /**
   * Where the columns come from. `inline` (the datasource list) is authoritative; `schema` (the schemas endpoints, matched by our own
   * mapping) completes and hovers, but never causes a diagnostic.
   */
  readonly columnsFrom: 'inline' | 'schema' | undefined;
  readonly relationships: readonly Relationship[];
}

export interface Column {
  readonly name: string;
  readonly type: LqlType;
  readonly description: string | undefined;
  /** Nested keys of a JSON column where a schema lists them; complete after `:`. */
  readonly properties?: readonly Column[];
}

export interface Relationship {
  /** `(default)` for the one used without `on`. */
  readonly name: string;
  readonly from: string;
  readonly to: string;
  /** Undefined where the service does not say. */
  readonly cardinality: 'ONE' | 'MANY' | undefined;
  readonly description: string | undefined;
}
