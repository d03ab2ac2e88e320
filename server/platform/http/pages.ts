import { randomUUID } from 'node:crypto';
import { apiRoot } from '../../api/endpoint.ts';
import { maxPageRows, maxResultRows } from '../../core/resources/index.ts';

/** Addresses of further pages are valid this long. */
const pageLifetime = 24 * 3_600_000;
/**
 * Rows of all results that are kept. A row of the sample takes up to 600 bytes, so results take 600 MB at most, and one can still be read to
 * its end while another of the longest kind is begun.
 */
const mostKeptRows = 2 * maxResultRows;

/** `paging` as an answer carries it beside `data`. */
export interface PageInfo {
  readonly rows: number;
  readonly totalRows: number;
  readonly urls: { readonly nextPage: string | null };
}

export interface Page<Row> {
  readonly paging: PageInfo;
  readonly data: Row[];
}

export interface PageStore {
  /** The first page of a result; the rest waits under opaque addresses below `path` (the operation's path without `/search`). */
  first<Row>(rows: readonly Row[], owner: string, path: string, origin: string, now: number): Page<Row>;
  /** A further page by the path of its address; undefined when there is none for this owner, its time is over or its result had to go. */
  next(path: string, owner: string, origin: string, now: number): Page<unknown> | undefined;
}

interface Result {
  readonly rows: readonly unknown[];
  readonly owner: string;
  readonly path: string;
  readonly expiresAt: number;
}

/** Results of which pages can still be fetched. Rows are shared with their source, not copied. */
export function createPageStore(): PageStore {
  const results = new Map<string, Result>();
  const keep = (id: string, result: Result, now: number): void => {
    results.set(id, result);
    let rows = 0;
    for (const [key, entry] of [...results].toReversed()) {
      rows += entry.rows.length;
      if (entry.expiresAt <= now || rows > mostKeptRows) results.delete(key);
    }
  };
  const page = (id: string, result: Result, from: number, origin: string): Page<unknown> => {
    const data = result.rows.slice(from, from + maxPageRows);
    const end = from + data.length;
    const token = tokenOf(id, end, result.rows.length);
    return {
      paging: {
        rows: data.length,
        totalRows: result.rows.length,
        urls: { nextPage: end < result.rows.length ? `${origin}${apiRoot}${result.path}/${token}` : null },
      },
      data,
    };
  };
  return {
    first<Row>(rows: readonly Row[], owner: string, path: string, origin: string, now: number): Page<Row> {
      const result: Result = { rows: rows.slice(0, maxResultRows), owner, path, expiresAt: now + pageLifetime };
      const id = randomUUID();
      if (result.rows.length > maxPageRows) keep(id, result, now);
      return page(id, result, 0, origin) as Page<Row>;
    },
    next(path, owner, origin, now) {
      const slash = path.lastIndexOf('/');
      const [id = '', from = ''] = Buffer.from(path.slice(slash + 1), 'base64url')
        .toString('utf8')
        .split(',');
      const result = results.get(id);
      if (result === undefined || result.owner !== owner || now >= result.expiresAt) return undefined;
      if (path.slice(0, slash) !== apiRoot + result.path) return undefined;
      const start = Number(from);
      // Only an address that was given out is answered, to the last character.
      const given = start > 0 && path.slice(slash + 1) === tokenOf(id, start, result.rows.length);
      return given ? page(id, result, start, origin) : undefined;
    },
  };
}

function tokenOf(id: string, start: number, total: number): string {
  return Buffer.from(`${id},${start},${Math.min(start + maxPageRows, total)}`).toString('base64url');
}
