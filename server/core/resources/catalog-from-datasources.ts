import { isRecord } from '../is-record.ts';
import type { Catalog, Column, Datasource, Relationship } from '../language/catalog/catalog.ts';
import { typeFromDataType } from '../language/types/types.ts';

export interface CatalogOptions {
  readonly origin: Catalog['origin'];
  readonly vendorPrefix: string;
  /** Defaults to a hash of the content, so that an unchanged answer gives an unchanged version. */
  readonly version?: string;
}

/**
 * The catalog behind an answer of `GET /api/v2/Datasources`: the whole body (`{data: [...]}`), its list alone, or nothing at all (an
 * account without datasources answers 204). Entries that are no datasources are left out; of two with one name the first counts.
 */
export function catalogFromDatasources(answer: unknown, options: CatalogOptions): Catalog {
  const datasources = new Map<string, Datasource>();
  const share = createSharing();
  for (const entry of entriesOf(answer)) {
    const datasource = datasourceFrom(entry, share);
    if (datasource && !datasources.has(datasource.name)) datasources.set(datasource.name, datasource);
  }
  const { origin, vendorPrefix } = options;
  return { version: options.version ?? versionOf(datasources, vendorPrefix), origin, vendorPrefix, datasources };
}

/**
 * The catalog with columns that came from the schemas endpoints, by datasource name. Columns that a datasource listed itself are never
 * replaced. The result is the same catalog when nothing is new.
 */
export function withSchemas(catalog: Catalog, schemas: Readonly<Record<string, readonly Column[]>>): Catalog {
  let datasources: Map<string, Datasource> | undefined;
  for (const [name, columns] of Object.entries(schemas)) {
    const known = catalog.datasources.get(name);
    if (!known || known.columnsFrom === 'inline') continue;
    datasources ??= new Map(catalog.datasources);
    datasources.set(name, { ...known, columns, columnsFrom: 'schema' });
  }
  if (!datasources) return catalog;
  return { ...catalog, datasources, version: versionOf(datasources, catalog.vendorPrefix) };
}

/** The entries of an answer that lists datasources, unread. */
function entriesOf(answer: unknown): readonly unknown[] {
  if (Array.isArray(answer)) return answer;
  if (isRecord(answer) && Array.isArray(answer['data'])) return answer['data'];
  return [];
}

function datasourceFrom(entry: unknown, share: ShareColumns): Datasource | undefined {
  if (!isRecord(entry) || typeof entry['name'] !== 'string' || entry['name'] === '') return undefined;
  const name = entry['name'];
  const columns = share(columnsFrom(entry['resultSchema']));
  return {
    name,
    description: textOf(entry['description']),
    columns,
    columnsFrom: columns === undefined ? undefined : 'inline',
    relationships: relationshipsFrom(entry['sourceRelationships'], name),
  };
}

type ShareColumns = (columns: readonly Column[] | undefined) => readonly Column[] | undefined;

/** Gives equal lists of columns as one: the 2,300 datasources of an account have a few dozen schemas, each held once. */
function createSharing(): ShareColumns {
  const lists = new Map<string, readonly Column[]>();
  return (columns) => {
    if (columns === undefined) return undefined;
    const key = columns.map(({ name, type, description }) => `${name}\t${type}\t${description ?? ''}`).join('\n');
    const known = lists.get(key);
    if (known === undefined) lists.set(key, columns);
    return known ?? columns;
  };
}

// An empty list says as little as a missing one: every datasource has columns.
function columnsFrom(resultSchema: unknown): readonly Column[] | undefined {
  if (!Array.isArray(resultSchema)) return undefined;
  const columns = new Map<string, Column>();
  for (const field of resultSchema) {
    if (!isRecord(field) || typeof field['name'] !== 'string' || field['name'] === '') continue;
    const name = field['name'];
    const dataType = field['dataType'];
    const type = typeof dataType === 'string' ? typeFromDataType(dataType) : 'unknown';
    const column: Column = { name, type, description: textOf(field['description']) };
    if (!columns.has(name)) columns.set(name, column);
  }
  return columns.size === 0 ? undefined : [...columns.values()];
}

function relationshipsFrom(list: unknown, owner: string): readonly Relationship[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((entry): Relationship[] => {
    if (!isRecord(entry) || typeof entry['to'] !== 'string' || entry['to'] === '') return [];
    return [
      {
        name: textOf(entry['name']) ?? '(default)',
        from: textOf(entry['from']) ?? owner,
        to: entry['to'],
        cardinality: cardinalityOf(entry['toCardinality']),
        description: textOf(entry['description']),
      },
    ];
  });
}

function cardinalityOf(value: unknown): Relationship['cardinality'] {
  const text = String(value).toUpperCase();
  if (text === 'ONE' || text === '1') return 'ONE';
  if (text === 'MANY' || text === 'N' || text === '*') return 'MANY';
  return undefined;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function versionOf(datasources: ReadonlyMap<string, Datasource>, vendorPrefix: string): string {
  const hash = createHash();
  hash.add(vendorPrefix);
  for (const { name, description, columns, relationships } of datasources.values()) {
    hash.add(name);
    hash.add(description ?? '');
    addColumns(hash, columns);
    for (const relationship of relationships) {
      hash.add(`${relationship.name}>${relationship.from}>${relationship.to}>${relationship.cardinality ?? ''}`);
    }
  }
  return hash.text();
}

function addColumns(hash: Hash, columns: readonly Column[] | undefined): void {
  hash.add(columns === undefined ? '?' : String(columns.length));
  for (const column of columns ?? []) {
    hash.add(column.name);
    hash.add(column.type);
    hash.add(column.description ?? '');
    if (column.properties) addColumns(hash, column.properties);
  }
}

interface Hash {
  add(text: string): void;
  text(): string;
}

// Two 32-bit multiplicative hashes side by side. Versions tell snapshots of one account apart; nobody gains from a collision.
function createHash(): Hash {
  let first = 0xdeadbeef;
  let second = 0x41c6ce57;
  return {
    add(text) {
      for (let index = 0; index < text.length; index++) {
        const code = text.charCodeAt(index);
        first = Math.imul(first ^ code, 2654435761);
        second = Math.imul(second ^ code, 1597334677);
      }
      first = Math.imul(first ^ 0xffff, 2654435761);
      second = Math.imul(second ^ (first >>> 16), 1597334677);
    },
    text: () => (first >>> 0).toString(36) + (second >>> 0).toString(36),
  };
}
