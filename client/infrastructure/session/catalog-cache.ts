import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Column } from '../../../server/core/language/catalog/catalog.ts';
import type { Profile } from './profile.ts';

/** What one account offers, as last heard from it. */
export interface CachedCatalog {
  /** Milliseconds since 1970 UTC. */
  readonly fetchedAt: number;
  /** The `data` array of `GET /api/v2/Datasources`, as received. */
  readonly datasources: readonly unknown[];
  /** Columns that had to be asked for one by one; an empty list: asked, and there are none. */
  readonly schemas: Readonly<Record<string, readonly Column[]>>;
}

/** Catalogs on disk, one file an account, so that completion works before the first answer and without a network. */
export interface CatalogCache {
  read(account: string): Promise<CachedCatalog | undefined>;
  write(account: string, catalog: CachedCatalog): Promise<void>;
}

/** Tells accounts apart: the same origin may hold several. The local platform is one account, whatever its port. */
export function accountKey(profile: Profile): string {
  if (profile.kind === 'local') return 'local';
  return [
    profile.origin,
    profile.vendorPrefix,
    profile.organization ? 'organization' : (profile.subAccount ?? ''),
  ].join(' ');
}

export function createCatalogCache(folder: string): CatalogCache {
  const fileOf = (account: string): string =>
    path.join(folder, `${createHash('sha256').update(account).digest('hex').slice(0, 32)}.json`);
  return {
    async read(account) {
      try {
        return parseCachedCatalog(JSON.parse(await readFile(fileOf(account), 'utf8')));
      } catch {
        // A cache that is missing or torn is no error: the account is asked again.
        return undefined;
      }
    },
    async write(account, catalog) {
      await mkdir(folder, { recursive: true });
      const file = fileOf(account);
      // Another window may read at any moment: it sees the old file or the new one, never half of one.
      const temporary = `${file}.${process.pid}.${Date.now()}.tmp`;
      try {
        await writeFile(temporary, JSON.stringify(catalog), { mode: 0o600 });
        await rename(temporary, file);
      } catch (error) {
        await rm(temporary, { force: true });
        throw error;
      }
    },
  };
}

function parseCachedCatalog(value: unknown): CachedCatalog | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { fetchedAt, datasources, schemas }: Readonly<Record<string, unknown>> = { ...value };
  if (typeof fetchedAt !== 'number' || !Array.isArray(datasources)) return undefined;
  return { fetchedAt, datasources, schemas: parseSchemas(schemas) };
}

function parseSchemas(value: unknown): Readonly<Record<string, readonly Column[]>> {
  if (typeof value !== 'object' || value === null) return {};
  const valid = Object.entries(value).filter(([, columns]) => Array.isArray(columns) && columns.every(isColumn));
  return Object.fromEntries(valid);
}

function isColumn(value: unknown): value is Column {
  return (
    typeof value === 'object' && value !== null && 'name' in value && typeof value.name === 'string' && 'type' in value
  );
}
