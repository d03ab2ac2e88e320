import type { Diagnostic } from '../../../server/core/language/diagnostics/diagnostic.ts';
import { type ErrorAction, isCancellation, messageOf, UserError } from '../../infrastructure/errors.ts';
import type { Log } from '../../infrastructure/log.ts';
import type { Row, RunAccount, RunHandle, RunWindow } from '../../infrastructure/runs.ts';
import type { Execution, QueryArgument } from '../../infrastructure/session/account-api.ts';
import type { ApiSession } from '../../infrastructure/session/api-session.ts';
import { accountKey } from '../../infrastructure/session/catalog-cache.ts';
import { profileLabel } from '../../infrastructure/session/profile.ts';
import { describeSlice, describeSlices, finerSlice, mayBeTooLong, type Slice, sliceMs, slicesOf } from './slices.ts';

/** How a run ended. */
export type RunOutcome =
  | { readonly kind: 'succeeded'; readonly rows: readonly Row[]; readonly durationMs: number }
  | {
      readonly kind: 'failed';
      readonly message: string;
      readonly status: number | undefined;
      /** The service finds fault with the query itself, not with who asks, when, or over which window. */
      readonly aboutText: boolean;
    }
  | { readonly kind: 'cancelled' };

export interface RunRequest {
  /** The text as the service takes it: one line, without comments and id. */
  readonly wireText: string;
  /** Where the query is to go, and nowhere else: a run may wait while the window is switched. */
  readonly account: RunAccount;
  readonly window: RunWindow;
  readonly arguments: readonly QueryArgument[];
  /** Show no more rows than this; undefined: all that the service gives. */
  readonly limit: number | undefined;
  /** Runs the query once for each slice of the window, of so many milliseconds: what a person chose. Undefined: one run, whatever the window. */
  readonly sliceMs: number | undefined;
  /** What the editor finds wrong with the query's meaning: it is sent all the same, and its rows come with this. */
  readonly doubts: readonly string[];
  /** The command that runs the same query with something changed, to be offered with an answer that is not all. */
  readonly again: (changes: RunChanges) => Pick<ErrorAction, 'command' | 'arguments'>;
}

export type RunChanges = { readonly sliceMs?: number; readonly withoutLimit?: true };

// The service's documents name no cap for executions; this is what its other lists and its own tools stop at.
const assumedRowCap = 5000;

const eachByItself = 'distinct, joins and subqueries are then evaluated in each slice by itself';

/**
 * Sends a query once, whatever its range, or once a slice where the person asked for that, and tells the view how it ended.
 * Never throws.
 */
export async function run(
  request: RunRequest,
  { session, log, view, signal }: { session: ApiSession; log: Log; view: RunHandle; signal: AbortSignal },
): Promise<RunOutcome> {
  const started = performance.now();
  try {
    const slices = request.sliceMs === undefined ? [request.window] : slicesOf(request.window, request.sliceMs);
    const parts: (readonly Row[])[] = [];
    let count = 0;
    for (const slice of slices) {
      const part = await session.withApi((api) => {
        refuseOtherAccount(request, session);
        return api.execute(executionOf(request, slice), signal);
      });
      if (signal.aborted) return { kind: 'cancelled' };
      parts.push(part);
      count += part.length;
      if (request.limit !== undefined && count > request.limit) break;
    }
    const durationMs = performance.now() - started;
    const rows = parts.length === 1 ? (parts[0] ?? []) : parts.flat();
    const shown = request.limit === undefined ? rows : rows.slice(0, request.limit);
    const { notes, actions } = remarksOn(request, parts, rows.length);
    view.succeeded(shown, durationMs, notes.length > 0 ? notes.join(' ') : undefined, actions);
    return { kind: 'succeeded', rows: shown, durationMs };
  } catch (error) {
    if (signal.aborted || isCancellation(error)) return { kind: 'cancelled' };
    log.warn('The query was not answered', error);
    const failure = error instanceof UserError ? error : undefined;
    const message = messageOf(error);
    const sliceable = failure?.status === 400 && request.sliceMs === undefined && mayBeTooLong(message, request.window);
    const inSlices: ErrorAction = { title: 'Run in Slices', ...request.again({ sliceMs }) };
    const offer = `It can be run in ${describeSlices(request.window, sliceMs)} instead: ${eachByItself}.`;
    view.failed(
      sliceable
        ? { message: `${message}${/[.!?]$/.test(message) ? '' : '.'} ${offer}`, action: inSlices }
        : { message, action: failure?.actions[0] },
    );
    return { kind: 'failed', message, status: failure?.status, aboutText: failure?.status === 400 && !sliceable };
  }
}

/** Throws UserError. The rows of a run stand below the name of one account, and only that one was agreed to. */
function refuseOtherAccount({ account, again }: RunRequest, { profile }: ApiSession): void {
  if (accountKey(profile) === account.key) return;
  throw new UserError(
    `Not sent, because the window went over to ${profileLabel(profile)} while this waited to be run on ${account.label}.`,
    [{ title: 'Run Again', ...again({}) }],
  );
}

function executionOf({ wireText, arguments: named, limit }: RunRequest, { startTime, endTime }: Slice): Execution {
  // One row more than is shown tells whether anything was cut.
  return {
    queryText: wireText,
    startTime,
    endTime,
    arguments: named,
    limit: limit === undefined ? undefined : limit + 1,
  };
}

/** What the person must know about the rows, as sentences, and the ways on. */
function remarksOn(
  { limit, window, sliceMs: sliced, doubts, again }: RunRequest,
  parts: readonly (readonly Row[])[],
  count: number,
): { readonly notes: readonly string[]; readonly actions: readonly ErrorAction[] } {
  const notes: string[] = [];
  const actions: ErrorAction[] = [];
  const [doubt] = doubts;
  if (doubt !== undefined) {
    const others = doubts.length > 1 ? ` (and ${doubts.length - 1} more)` : '';
    notes.push(`The service ran this although the editor finds an error in the query: ${doubt}${others}`);
    actions.push({ title: 'Show Problems', command: 'workbench.actions.view.problems' });
  }
  if (parts.length > 1 && sliced !== undefined) {
    notes.push(
      `Put together from ${parts.length} runs of at most ${describeSlice(sliced)} each: distinct, joins and subqueries were evaluated in each by itself.`,
    );
  }
  if (limit !== undefined && count > limit) {
    notes.push(`Cut to ${limit} rows by \`-- @limit ${limit}\` in the query; there are more.`);
    actions.push({ title: 'Run without the Limit', ...again({ withoutLimit: true }) });
  } else if (parts.some((part) => part.length === assumedRowCap)) {
    notes.push(
      `Exactly ${assumedRowCap.toLocaleString('en')} rows came at once: the service may have cut the result there. Filter further, or choose a shorter time range.`,
    );
    const finer = finerSlice(window, sliced);
    if (finer !== undefined) {
      const runs = slicesOf(window, finer).length;
      notes.push(`In slices, ${eachByItself}.`);
      actions.push({ title: `Run in ${runs} Slices of ${describeSlice(finer)}`, ...again({ sliceMs: finer }) });
    }
  }
  return { notes, actions };
}

/**
 * A text with syntax errors on one line, without its comments: what to send where the person knows better than our grammar. What it means
 * is for the service to say.
 */
export async function uncheckedWireText(queryText: string): Promise<string> {
  const { parse } = await import('../../../server/core/language/syntax/parse.ts');
  let text = '';
  let at = 0;
  for (const {
    range: { start, end },
  } of parse(queryText).comments) {
    text += `${queryText.slice(at, start)} `;
    at = end;
  }
  return (text + queryText.slice(at)).replace(/\s*[\n\r\v\f\u0085\u2028\u2029]\s*/g, ' ').trim();
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
