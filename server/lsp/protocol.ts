/**
 * What client and language server say to each other beyond the Language Server Protocol. Names and shapes only: the client
 * imports this file, so it must stay free of code that runs.
 */
import type { Column } from '../core/language/catalog/catalog.ts';
import type { ObservedKey } from '../core/language/catalog/observed-keys.ts';
import type { LqlType } from '../core/language/types/types.ts';

export const lqlMethods = {
  /** Request, client → server: here is a catalog. Answered when open documents see it. */
  catalog: 'lql/catalog',
  /** Request, client → server: columns of datasources that the catalog left open. */
  schemas: 'lql/schemas',
  /** Notification, client → server: the lint configuration that applies to files below a folder. */
  config: 'lql/config',
  /** Notification, client → server: files of the workspace that hold queries, policies, profiles or exceptions. */
  files: 'lql/files',
  /** Notification, client → server: the keys that the JSON values of a result have. */
  keys: 'lql/keys',
  /** Request, client → server: the queries inside a document, for running and for code lenses. */
  regions: 'lql/regions',
  /** Request, client → server: the edit that makes a value of a result a condition or a column of its query. */
  editQuery: 'lql/editQuery',
  /** Request, client → server: tokens, tree, types and result columns of the query at a place, as text for a person. */
  inspect: 'lql/inspect',
  /** Notification, server → client: open documents need the columns of these datasources. */
  missingSchemas: 'lql/missingSchemas',
} as const;

/** Positions and ranges as in the Language Server Protocol, spelled out so that this file imports no LSP package. */
export interface WirePosition {
  readonly line: number;
  readonly character: number;
}

export interface WireRange {
  readonly start: WirePosition;
  readonly end: WirePosition;
}

export interface CatalogParams {
  /** Any text that differs from catalog to catalog. `lql/schemas` must name the same one. */
  readonly version: string;
  readonly origin: 'account' | 'sample';
  /** `SVC` or `LW`. */
  readonly vendorPrefix: string;
  /** The `data` array of an answer of `GET /api/v2/Datasources`, as received. */
  readonly datasources: readonly unknown[];
  /** Milliseconds since 1970 UTC at which the service gave the answer; hovers show its age. */
  readonly fetchedAt?: number;
}

export interface CatalogResult {
  /** How many datasources the server understood. */
  readonly datasources: number;
}

export interface SchemasParams {
  /** The version of the catalog these schemas belong to; schemas for another version are ignored. */
  readonly version: string;
  /** By datasource name. An empty list says: there is no schema to be had, do not ask again. */
  readonly schemas: { readonly [datasource: string]: readonly Column[] };
}

export interface SchemasResult {
  /** False when the server meanwhile holds another catalog. */
  readonly accepted: boolean;
}

export interface KeysParams {
  /** The query that was run: tells which columns of which datasources the result shows. */
  readonly queryText: string;
  /** By result column. Names of keys only, never values. */
  readonly columns: readonly { readonly name: string; readonly keys: readonly ObservedKey[] }[];
}

export interface ConfigParams {
  /** URI of the folder whose files this configuration applies to; the deepest folder wins. */
  readonly folderUri: string;
  /** Text of `lql.config.jsonc`, or undefined when the file is gone. */
  readonly text?: string;
}

export interface FilesParams {
  /**
   * Files that are there or changed; without `text`, files that are gone. The server cannot read files itself: from these it knows what
   * closed documents define, for going to definitions, finding references and the checks of queries that a policy uses.
   */
  readonly files: readonly { readonly uri: string; readonly text?: string }[];
}

export interface MissingSchemasParams {
  /** The version of the catalog in which these datasources have no columns. */
  readonly version: string;
  readonly datasources: readonly string[];
}

export interface RegionsParams {
  readonly textDocument: { readonly uri: string };
}

export interface InspectParams {
  readonly textDocument: { readonly uri: string };
  readonly position: WirePosition;
}

export interface InspectResult {
  /** Undefined where no query stands. */
  readonly text?: string;
}

export interface RegionInfo {
  /** Where the query text stands in the document. */
  readonly range: WireRange;
  /** The id written beside an embedded query. */
  readonly queryId?: string;
  /** The query text itself, with the host format's quoting and indentation removed. */
  readonly text: string;
  /** False when the text has syntax errors: running it would only spend a request. */
  readonly runnable: boolean;
  /** The columns of its result, spelled as in the query; left out where the text does not tell them. */
  readonly columns?: readonly { readonly name: string; readonly type: LqlType }[];
}

export type RegionsResult = readonly RegionInfo[];

export interface EditQueryParams {
  readonly textDocument: { readonly uri: string };
  /** The query as it was run: finds it again among several in one document. */
  readonly queryText: string;
  readonly edit: 'filter' | 'exclude' | 'addColumn';
  /** Name of the result column, as the service returns it. */
  readonly column: string;
  /** Keys below the column. */
  readonly path: readonly string[];
  readonly value: {
    readonly kind: 'object' | 'array' | 'string' | 'number' | 'boolean' | 'null';
    readonly text: string;
  };
}

export type EditQueryResult =
  | { readonly kind: 'edits'; readonly edits: readonly { readonly range: WireRange; readonly newText: string }[] }
  /** Nothing can be edited; the message says why. */
  | { readonly kind: 'refused'; readonly message: string };

/** What an editor may pass in `initializationOptions`. All of it is optional. */
export interface InitializationOptions {
  /** Path of a JSON file that holds an answer of `GET /api/v2/Datasources`: `{"data": […]}` or the bare array. Reloaded when it changes. */
  readonly catalogFile?: string;
  /** Path of a JSON file `{"<datasource>": [{"name", "type"}, …]}` with columns the catalog lacks. */
  readonly schemasFile?: string;
  /** `SVC` (default) or `LW`. */
  readonly vendorPrefix?: string;
  /** URI of the folder that has `docs/reference/`: codes of diagnostics then link to their pages. */
  readonly documentationUri?: string;
}
