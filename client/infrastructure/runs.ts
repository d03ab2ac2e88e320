import type { NamedValue } from '../../server/core/documents/run-directives.ts';
import type { LqlType } from '../../server/core/language/types/types.ts';
import type { Value } from '../../server/core/language/values/value.ts';
import type { ErrorAction } from './errors.ts';

/** What is known of a run when it starts. */
export interface RunDescription {
  /** The query's id or its file's name: the tab's title. */
  readonly title: string;
  /** The query as the person wrote it. */
  readonly queryText: string;
  /** URI of the document the query came from. */
  readonly uri: string | undefined;
  readonly window: RunWindow;
  /** The account as the person knows it, e.g. `Local platform` or `acme`. */
  readonly accountLabel: string;
  /** Tells the account from all others, whatever it is called; undefined for results that were kept without it. */
  readonly accountKey?: string | undefined;
  readonly columns?: readonly ResultColumn[] | undefined;
  /** Named arguments that were sent beside the window. */
  readonly arguments?: readonly NamedValue[] | undefined;
  /** Ends the run; the view's own cancel button. */
  readonly cancel: () => void;
  /** Runs the same query again, over another time range when one is given (`last 7 days`). */
  readonly rerun: (range?: string) => void;
}

/** The account that a run went to, for whoever repeats it. */
export interface RunAccount {
  /** As in `RunDescription`; undefined where only the name was remembered. */
  readonly key: string | undefined;
  readonly label: string;
}

/** Milliseconds since 1970 UTC, and the words the person chose, e.g. `last 24 hours`. */
export interface RunWindow {
  readonly startTime: number;
  readonly endTime: number;
  readonly label: string;
}

export interface ResultColumn {
  readonly name: string;
  readonly type: LqlType;
}

export type Row = { readonly [column: string]: Value };

export interface RunFailure {
  readonly message: string;
  readonly action?: ErrorAction | undefined;
}

/** One run as its view sees it. Exactly one of the three ends it; what comes later is ignored. */
export interface RunHandle {
  /** `note` says what the person must know about the rows, e.g. that the service cut them; `actions` are the ways on. */
  succeeded(rows: readonly Row[], durationMs: number, note?: string, actions?: readonly ErrorAction[]): void;
  failed(failure: RunFailure): void;
  cancelled(): void;
}

/** Shows runs and their rows. */
export interface ResultsService {
  openRun(run: RunDescription): RunHandle;
}

/** How a run ended. Rows are not part of it: whoever keeps outcomes keeps none of the account's data. */
export type RunEnd =
  | { readonly kind: 'succeeded'; readonly rowCount: number; readonly durationMs: number }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'cancelled' };

/** Told of every run when it is sent. What it gives back is told how the run ended. */
export interface RunObserver {
  started(
    run: Pick<RunDescription, 'title' | 'queryText' | 'uri' | 'window' | 'accountLabel' | 'accountKey' | 'arguments'>,
  ): (end: RunEnd) => void;
}
