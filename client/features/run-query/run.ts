import type { Diagnostic } from '../../../server/core/language/diagnostics/diagnostic.ts';
import { isCancellation, messageOf, UserError } from '../../infrastructure/errors.ts';
import type { Log } from '../../infrastructure/log.ts';
import type { Row, RunHandle, RunWindow } from '../../infrastructure/runs.ts';
import type { Execution, QueryArgument } from '../../infrastructure/session/account-api.ts';
import type { ApiSession } from '../../infrastructure/session/api-session.ts';

/** How a run ended. */
export type RunOutcome =
  | { readonly kind: 'succeeded'; readonly rows: readonly Row[]; readonly durationMs: number }
  | { readonly kind: 'failed'; readonly message: string; readonly status: number | undefined }
  | { readonly kind: 'cancelled' };

export interface RunRequest {
  /** The text as the service takes it: one line, without comments and id. */
  readonly wireText: string;
  readonly window: RunWindow;
  readonly arguments: readonly QueryArgument[];
  /** Show no more rows than this; undefined: all that the service gives. */
  readonly limit: number | undefined;
}

// The service's documents name no cap for executions; this is what its other lists and its own tools stop at.
const assumedRowCap = 5000;

/** Sends a query once, whatever its range, and tells the view how it ended. Never throws. */
export async function run(
  request: RunRequest,
  { session, log, view, signal }: { session: ApiSession; log: Log; view: RunHandle; signal: AbortSignal },
): Promise<RunOutcome> {
  const started = performance.now();
  try {
    const rows = await session.withApi((api) => api.execute(executionOf(request), signal));
    if (signal.aborted) return { kind: 'cancelled' };
    const durationMs = performance.now() - started;
    const { shown, note } = limited(rows, request.limit);
    view.succeeded(shown, durationMs, note);
    return { kind: 'succeeded', rows: shown, durationMs };
  } catch (error) {
    if (signal.aborted || isCancellation(error)) return { kind: 'cancelled' };
    log.warn('The query was not answered', error);
    const failure = error instanceof UserError ? error : undefined;
    const message = messageOf(error);
    view.failed({ message, action: failure?.actions[0] });
    return { kind: 'failed', message, status: failure?.status };
  }
}

function executionOf({ wireText, window, arguments: named, limit }: RunRequest): Execution {
  const { startTime, endTime } = window;
  // One row more than is shown tells whether anything was cut.
  return {
    queryText: wireText,
    startTime,
    endTime,
    arguments: named,
    limit: limit === undefined ? undefined : limit + 1,
  };
}

function limited(rows: readonly Row[], limit: number | undefined): { shown: readonly Row[]; note?: string } {
  if (limit !== undefined && rows.length > limit) {
    return {
      shown: rows.slice(0, limit),
      note: `Cut to ${limit} rows by \`-- @limit ${limit}\` in the query; there are more.`,
    };
  }
  if (rows.length !== assumedRowCap) return { shown: rows };
  return {
    shown: rows,
    note: `Exactly ${assumedRowCap.toLocaleString('en')} rows: the service may have cut the result there. Choose a shorter time range or filter further to see what is missing.`,
  };
}

/** The text for the service, or what keeps it from being sent. The parser is loaded when the first query is run. */
export async function wireTextOf(
  queryText: string,
): Promise<
  | { readonly kind: 'ok'; readonly text: string }
  | { readonly kind: 'refused'; readonly diagnostics: readonly Diagnostic[] }
> {
  const { toWireText } = await import('../../../server/core/language/format/wire.ts');
  return toWireText(queryText);
}
