import { maxResultRows } from '../core/resources/index.ts';
import type { Clock } from './transport/clock.ts';
import { ApiError } from './transport/errors.ts';

/** One page of a result. */
export interface Page<Row> {
  readonly rows: readonly Row[];
  /** Rows of all pages, where the service tells. */
  readonly totalRows: number | undefined;
  /** 0 for the first. */
  readonly index: number;
  /**
   * `more`: another page follows. `end`: this was the last. `stopped`: the result is cut here for the reason given, and must be shown as
   * incomplete.
   */
  readonly next:
    | { readonly kind: 'more' }
    | { readonly kind: 'end' }
    | { readonly kind: 'stopped'; readonly reason: string };
}

/** The body of a page as it came. */
export interface PageBody<Row> {
  readonly data: readonly Row[];
  readonly paging?:
    | { readonly totalRows?: number; readonly urls?: { readonly nextPage?: string | null } | null }
    | null
    | undefined;
}

export interface PageReaderOptions<Row> {
  readonly origin: URL;
  /** Where the pages of this operation lie: the next one must be below. */
  readonly path: string;
  readonly clock: Clock;
  readonly signal: AbortSignal | undefined;
  readonly first: (signal: AbortSignal) => Promise<PageBody<Row>>;
  readonly next: (url: URL, signal: AbortSignal) => Promise<PageBody<Row>>;
}

/** A next-page address is good for this long. */
const pageLifeMilliseconds = 24 * 3_600_000;

/**
 * Reads a result page by page, one page ahead of the reader. It ends where the service says so; it stops where a page is empty, an address
 * comes again, or the service's own cap on rows is reached. Rows already given stay good when a later page fails.
 */
export async function* readPages<Row>(options: PageReaderOptions<Row>): AsyncGenerator<Page<Row>, void, undefined> {
  const controller = new AbortController();
  const cancel = () => controller.abort();
  options.signal?.addEventListener('abort', cancel, { once: true });
  if (options.signal?.aborted) cancel();
  const seen = new Set<string>();
  let count = 0;
  try {
    let pending = options.first(controller.signal);
    for (let index = 0; ; index++) {
      const body = await pending;
      const fetchedAt = options.clock.monotonic();
      count += body.data.length;
      const { next, url } = follow(body, count, seen, options);
      if (url) {
        pending = options.next(url, controller.signal);
        // The failure is reported when the reader asks for that page; until then nobody listens.
        pending.catch(() => {});
      }
      yield { rows: body.data, totalRows: body.paging?.totalRows, index, next };
      if (!url) return;
      if (options.clock.monotonic() - fetchedAt > pageLifeMilliseconds) {
        throw new ApiError({ kind: 'page', problem: 'The next page expired: its address is good for 24 hours only.' });
      }
    }
  } finally {
    controller.abort();
    options.signal?.removeEventListener('abort', cancel);
  }
}

/** All rows of a result, and why they are not all of it where they are not. */
export interface CollectedRows<Row> {
  readonly rows: readonly Row[];
  readonly incomplete: string | undefined;
}

/**
 * Reads every page, or as many rows as are wanted: those that were left out on purpose do not make a result incomplete. A failure after the
 * first page keeps what was read and marks it incomplete.
 */
export async function collectPages<Row>(
  pages: AsyncIterable<Page<Row>>,
  mostRows = Number.POSITIVE_INFINITY,
): Promise<CollectedRows<Row>> {
  const rows: Row[] = [];
  let read = 0;
  try {
    for await (const page of pages) {
      read++;
      for (const row of page.rows) {
        if (rows.length === mostRows) return { rows, incomplete: undefined };
        rows.push(row);
      }
      if (page.next.kind === 'stopped') return { rows, incomplete: page.next.reason };
    }
  } catch (error) {
    if (read === 0 || !(error instanceof ApiError)) throw error;
    return { rows, incomplete: error.message };
  }
  return { rows, incomplete: undefined };
}

interface Following<Row> {
  readonly next: Page<Row>['next'];
  readonly url: URL | undefined;
}

function follow<Row>(
  body: PageBody<Row>,
  count: number,
  seen: Set<string>,
  options: PageReaderOptions<Row>,
): Following<Row> {
  const address = body.paging?.urls?.nextPage;
  if (address === undefined || address === null || address === '') return { next: { kind: 'end' }, url: undefined };
  if (body.data.length === 0) return { next: { kind: 'end' }, url: undefined };
  if (count >= maxResultRows) {
    const reason = `The service gives at most ${maxResultRows.toLocaleString('en')} rows of a result; narrow the search to see the rest.`;
    return stopped(reason);
  }
  if (!URL.canParse(address)) throw new ApiError({ kind: 'page', problem: 'The address of the next page is no URL.' });
  const url = new URL(address);
  if (url.origin !== options.origin.origin || url.username !== '' || url.password !== '') {
    throw new ApiError({
      kind: 'page',
      problem: `The next page is said to be at ${url.host}, which is not the account's address; it was not fetched, because the token would have gone there.`,
    });
  }
  if (!url.pathname.startsWith(`${options.path}/`) && url.pathname !== options.path) {
    throw new ApiError({
      kind: 'page',
      problem: 'The address of the next page belongs to another operation; it was not fetched.',
    });
  }
  if (seen.has(url.href)) return stopped('The service sent the same page again; reading stopped there.');
  seen.add(url.href);
  return { next: { kind: 'more' }, url };
}

function stopped<Row>(reason: string): Following<Row> {
  return { next: { kind: 'stopped', reason }, url: undefined };
}
