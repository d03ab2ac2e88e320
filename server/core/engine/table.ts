import type { Column, Relationship } from '../language/catalog/catalog.ts';
import type { LqlType } from '../language/types/types.ts';
import { normalizeInteger } from '../language/values/numbers.ts';
import { parseTimestamp } from '../language/values/timestamps.ts';
import type { Value } from '../language/values/value.ts';

/**
 * Where the engine finds rows. Hosts implement it: the local platform over its sample data and imported files, tests over small tables.
 * The engine only reads; a table must not change while an execution runs over it.
 */
export interface TableProvider {
  /** The table behind a datasource; undefined when there is none, which ends the execution with an `EngineError`. */
  open(datasource: string): TableSource | undefined;
  /**
   * The columns along which a relationship joins: pairs of a column of `relationship.from` and one of `relationship.to`; all must be equal.
   * The service's catalog names relationships but not their keys, so the one who provides the rows says them. Undefined: unknown.
   */
  joinKeys(relationship: Relationship): readonly JoinKey[] | undefined;
}

export interface JoinKey {
  /** Column of the left datasource (`relationship.from`). */
  readonly from: string;
  /** Column of the right datasource (`relationship.to`). */
  readonly to: string;
}

/** The rows of one datasource, held in columns: a filter on one column touches that column's memory alone. */
export interface TableSource {
  readonly name: string;
  /** In the order that `alias.*` returns them. The engine takes types from here, not from the catalog. */
  readonly columns: readonly Column[];
  /** Further columns that only join keys name: no query can, and `alias.*` leaves them out. Their names begin with `$`. */
  readonly keyColumns?: readonly Column[];
  /** The timestamp column the time range of a run applies to; undefined when every row belongs to every range. */
  readonly timeColumn: string | undefined;
  readonly rowCount: number;
  /** The values of a column by exact name; undefined when there is no such column. Each call gives the same vector. */
  column(name: string): ColumnVector | undefined;
}

/**
 * The values of one column, all of the same length (`rowCount`).
 * `number` and `timestamp` (milliseconds since 1970 UTC) are packed; `dictionary` stores each distinct value once, which makes a filter
 * cost one lookup a row; `values` holds anything else: JSON, text with few repetitions, integers beyond 2^53 (bigint).
 */
export type ColumnVector = PackedVector | DictionaryVector | ValuesVector;

export interface PackedVector {
  readonly kind: 'number' | 'timestamp';
  readonly values: Float64Array;
  /** 1 where the value is SQL null; undefined when none is. */
  readonly nulls: Uint8Array | undefined;
}

export interface DictionaryVector {
  readonly kind: 'dictionary';
  /** Index into `entries` for each row; -1 for SQL null. */
  readonly codes: Int32Array;
  /** Each distinct value once. */
  readonly entries: readonly Value[];
}

export interface ValuesVector {
  readonly kind: 'values';
  readonly values: readonly Value[];
}

/** What {@link tableFromRows} needs to know beside the rows. */
export interface TableDefinition {
  readonly name: string;
  readonly columns: readonly Column[];
  /** Must name a column of type timestamp. */
  readonly timeColumn?: string | undefined;
}

/**
 * Builds a table from rows of plain objects keyed by column name. Timestamps are milliseconds or text; a missing key or `undefined` is SQL null.
 * In columns that are not JSON, `null` is SQL null too, because only JSON knows a null of its own; in JSON columns it stays the JSON null.
 * @throws RangeError when `timeColumn` is not one of the columns.
 */
export function tableFromRows(
  definition: TableDefinition,
  rows: readonly { readonly [column: string]: Value }[],
): TableSource {
  const builder = createTableBuilder(definition);
  for (const row of rows) builder.append(row);
  return builder.finish();
}

export interface TableBuilder {
  append(row: { readonly [column: string]: Value }): void;
  /** Packs the columns. The builder must not be used afterwards. */
  finish(): TableSource;
}

/** The incremental form of {@link tableFromRows}, for loaders that read a stream. */
export function createTableBuilder(definition: TableDefinition): TableBuilder {
  const { columns, timeColumn } = definition;
  if (timeColumn !== undefined && !columns.some((column) => column.name === timeColumn)) {
    throw new RangeError(`The time column ${timeColumn} is not a column of ${definition.name}.`);
  }
  const names = columns.map((column) => column.name);
  const builders = columns.map((column) => createVectorBuilder(column.type));
  let rowCount = 0;
  return {
    append(row) {
      for (let index = 0; index < builders.length; index++) builders[index]?.append(row[names[index] as string]);
      rowCount++;
    },
    finish() {
      const vectors = new Map<string, ColumnVector>();
      for (let index = 0; index < builders.length; index++) {
        vectors.set(names[index] as string, (builders[index] as VectorBuilder).finish());
      }
      return { name: definition.name, columns, timeColumn, rowCount, column: (name) => vectors.get(name) };
    },
  };
}

interface VectorBuilder {
  append(value: Value): void;
  finish(): ColumnVector;
}

/** Beyond this many distinct values a dictionary saves nothing worth its lookups. */
const maxDictionaryEntries = 65_536;

function createVectorBuilder(type: LqlType): VectorBuilder {
  switch (type) {
    case 'number':
    case 'timestamp':
      return createPackedBuilder(type);
    case 'json':
    case 'unknown':
      return createValuesBuilder(type);
    case 'string':
    case 'boolean':
    case 'null':
      return createDictionaryBuilder();
  }
}

function createValuesBuilder(type: LqlType): VectorBuilder {
  const values: Value[] = [];
  return {
    append(value) {
      values.push(type === 'json' || value !== null ? value : undefined);
    },
    finish: () => ({ kind: 'values', values }),
  };
}

/** Packs numbers; the first value a double cannot hold exactly (a bigint, or a value of another kind) turns the column into plain values. */
function createPackedBuilder(kind: 'number' | 'timestamp'): VectorBuilder {
  let values = new Float64Array(1024);
  let nulls: Uint8Array | undefined;
  let plain: Value[] | undefined;
  let length = 0;
  return {
    append(value) {
      const normal = normalNumber(kind, value);
      if (plain === undefined && normal !== undefined && typeof normal !== 'number') {
        plain = [];
        for (let row = 0; row < length; row++) plain.push(nulls?.[row] === 1 ? undefined : values[row]);
      }
      if (plain !== undefined) {
        plain.push(normal);
        return;
      }
      if (length === values.length) {
        values = grown(values, new Float64Array(length * 2));
        if (nulls !== undefined) nulls = grown(nulls, new Uint8Array(length * 2));
      }
      if (normal === undefined) {
        nulls ??= new Uint8Array(values.length);
        nulls[length] = 1;
      } else {
        values[length] = normal as number;
      }
      length++;
    },
    finish() {
      if (plain !== undefined) return { kind: 'values', values: plain };
      return { kind, values: values.slice(0, length), nulls: nulls?.slice(0, length) };
    },
  };
}

function normalNumber(kind: 'number' | 'timestamp', value: Value): Value {
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint') return normalizeInteger(value);
  if (typeof value === 'string' && kind === 'timestamp') return parseTimestamp(value);
  return value === null ? undefined : value;
}

/** Starts with a dictionary and gives it up when most values turn out to be different. */
function createDictionaryBuilder(): VectorBuilder {
  const codeOf = new Map<Value, number>();
  const entries: Value[] = [];
  let codes = new Int32Array(1024);
  let plain: Value[] | undefined;
  let length = 0;
  return {
    append(value) {
      const normal = value === null ? undefined : value;
      if (plain !== undefined) {
        plain.push(normal);
        return;
      }
      if (length === codes.length) codes = grown(codes, new Int32Array(length * 2));
      let code = -1;
      if (normal !== undefined) {
        const known = codeOf.get(normal);
        if (known === undefined) {
          code = entries.push(normal) - 1;
          codeOf.set(normal, code);
        } else {
          code = known;
        }
      }
      codes[length++] = code;
      if (entries.length > maxDictionaryEntries || (entries.length > 1024 && entries.length * 2 > length)) {
        plain = [];
        for (let row = 0; row < length; row++) plain.push(entries[codes[row] as number]);
      }
    },
    finish() {
      if (plain !== undefined) return { kind: 'values', values: plain };
      return { kind: 'dictionary', codes: codes.slice(0, length), entries };
    },
  };
}

function grown<T extends { set(from: T): void }>(from: T, to: T): T {
  to.set(from);
  return to;
}

/** The value of a row. Convenient rather than fast: the engine reads vectors by kind. */
export function valueAt(vector: ColumnVector, row: number): Value {
  switch (vector.kind) {
    case 'number':
    case 'timestamp':
      return vector.nulls?.[row] === 1 ? undefined : vector.values[row];
    case 'dictionary':
      return vector.entries[vector.codes[row] as number];
    case 'values':
      return vector.values[row];
  }
}
