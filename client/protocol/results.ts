import type { ExportFormat } from '../../server/core/results/export.ts';
import type { ColumnFilter, TableFilter } from '../../server/core/results/filter.ts';
import type { JsonTreeLine } from '../../server/core/results/json-tree.ts';
import type { SortKey } from '../../server/core/results/sort.ts';
import type { ColumnStatistics, TimeHistogram } from '../../server/core/results/statistics.ts';

export type { ColumnFilter, ColumnStatistics, ExportFormat, JsonTreeLine, SortKey, TableFilter, TimeHistogram };

/*
 * What the extension host and the results view say to each other. The view owns no rows: it asks for the window it shows.
 * Everything is plain data; row values arrive as text and are shown as text. What the host says goes as one JSON text, which every process on
 * the way passes on as it is: a message of many small texts would be walked, written and read again at each step.
 */

/** How a column's cells are shown and compared. */
export type ColumnKind = 'number' | 'time' | 'text' | 'json' | 'boolean';

export interface ViewColumn {
  /** The service's name: upper-case. */
  readonly name: string;
  /** As the query spells it. */
  readonly label: string;
  readonly kind: ColumnKind;
  /** Characters of the longest text among the first rows: what a column's first width is made from. */
  readonly length: number;
}

/** How the person arranged the columns of one result. Widths in CSS pixels. */
export interface ColumnLayout {
  /** Column numbers in the order shown; hidden ones are absent. */
  readonly order: readonly number[];
  readonly widths: { readonly [column: number]: number };
  /** How many columns from the left stay in sight while scrolling sideways. */
  readonly frozen: number;
  readonly wrap: boolean;
}

export type RunPhase = 'running' | 'succeeded' | 'failed' | 'cancelled';

export interface RunTab {
  readonly id: string;
  readonly title: string;
  readonly phase: RunPhase;
  readonly pinned: boolean;
  /** Written to disk, so that it is there after a reload. */
  readonly kept: boolean;
}

/** Everything the view shows of one run besides its rows. */
export interface RunView {
  readonly id: string;
  readonly title: string;
  readonly phase: RunPhase;
  readonly queryText: string;
  readonly accountLabel: string;
  /** ISO 8601 times, and the words the person chose. */
  readonly window: { readonly start: string; readonly end: string; readonly label: string };
  /** Milliseconds since 1970 UTC. */
  readonly startedAt: number;
  /** Milliseconds; undefined while it runs. */
  readonly durationMs: number | undefined;
  /** In which zone the window is told. Cells are shown as they were received. */
  readonly timeZone: 'utc' | 'local';
  readonly columns: readonly ViewColumn[];
  readonly layout: ColumnLayout;
  readonly rowCount: number;
  /** Rows that pass the filter. */
  readonly shownCount: number;
  /** Changes whenever the rows shown or their order change: answers to older questions are dropped. */
  readonly revision: number;
  /** Rows that come with this revision, so that they are painted without a question: the first ones, or those in sight when it was asked for. */
  readonly head: RowsAt | undefined;
  readonly sort: readonly SortKey[];
  readonly filter: TableFilter;
  /** The host is sorting or filtering. */
  readonly busy: boolean;
  /** What must be known about the rows, e.g. that the service cut them. */
  readonly note: string | undefined;
  /** Why there are no rows, or why the run failed. */
  readonly message: string | undefined;
  readonly actions: readonly RunAction[];
}

/** A button below a message. The view sends the id back; the host knows what it means. */
export interface RunAction {
  readonly id: string;
  readonly title: string;
}

/** A long text is cut for the table; the inspector asks for the whole. */
export interface CutCell {
  readonly text: string;
  /** UTF-16 units of the whole text. */
  readonly length: number;
}

/** One cell in full. */
export interface Field {
  /** `null` is a null of the service; JSON is laid out over lines. */
  readonly text: string | null;
  /** The members of a JSON object or array. */
  readonly tree?: readonly JsonTreeLine[] | undefined;
}

/** Rows by position as shown: `start`, `start + 1`, … */
export interface RowWindow {
  readonly start: number;
  readonly count: number;
}

/** `null` is a null of the service. */
export type Cell = string | null | CutCell;

/** Cells of every column for the rows shown at `start`, `start + 1`, … */
export interface RowsAt {
  readonly start: number;
  readonly rows: readonly (readonly Cell[])[];
}

/** Row and column positions as shown, both ends included. */
export interface CellRange {
  readonly firstRow: number;
  readonly lastRow: number;
  readonly firstColumn: number;
  readonly lastColumn: number;
}

/** A cell that has the text looked for, in positions as shown, and how many such cells come before it. */
export interface CellMatch {
  readonly row: number;
  readonly position: number;
  readonly index: number;
}

export interface ColumnValue {
  readonly text: string | null;
  readonly count: number;
}

export type ToResultsView =
  | {
      readonly kind: 'state';
      readonly tabs: readonly RunTab[];
      readonly run: RunView | undefined;
      /** Whether rows over time are shown; undefined where nobody said: then it is the view's height that decides. */
      readonly bars?: boolean | undefined;
    }
  | {
      readonly kind: 'rows';
      readonly runId: string;
      readonly revision: number;
      readonly start: number;
      readonly rows: readonly (readonly Cell[])[];
    }
  | {
      readonly kind: 'row';
      readonly runId: string;
      readonly revision: number;
      readonly row: number;
      readonly fields: readonly Field[];
    }
  | {
      readonly kind: 'statistics';
      readonly runId: string;
      readonly column: number;
      readonly statistics: ColumnStatistics;
    }
  | { readonly kind: 'histogram'; readonly runId: string; readonly histogram: TimeHistogram | undefined }
  | {
      readonly kind: 'values';
      readonly runId: string;
      readonly column: number;
      /** The most frequent values first, among the rows that pass all filters but the column's own; `null` is a null of the service. */
      readonly values: readonly ColumnValue[];
      /** There are more, or some are too long to be told from one another in a list. */
      readonly incomplete: boolean;
    }
  | {
      readonly kind: 'found';
      readonly runId: string;
      readonly revision: number;
      readonly text: string;
      /** The next one; undefined when no cell has the text. */
      readonly match: CellMatch | undefined;
      /** Cells that have the text. */
      readonly count: number;
    }
  | { readonly kind: 'filterError'; readonly runId: string; readonly message: string }
  | { readonly kind: 'announce'; readonly text: string };

export type FromResultsView =
  | { readonly kind: 'ready' }
  | {
      readonly kind:
        | 'activate'
        | 'close'
        | 'closeOthers'
        | 'togglePin'
        | 'toggleKeep'
        | 'cancel'
        | 'openBeside'
        | 'rename';
      readonly runId: string;
    }
  | { readonly kind: 'action'; readonly runId: string; readonly action: string }
  /** Cells of every column for the rows shown at `start`, `start + 1`, … */
  | {
      readonly kind: 'getRows';
      readonly runId: string;
      readonly revision: number;
      readonly start: number;
      readonly count: number;
    }
  | { readonly kind: 'getRow'; readonly runId: string; readonly revision: number; readonly row: number }
  | { readonly kind: 'getStatistics'; readonly runId: string; readonly column: number }
  | { readonly kind: 'getHistogram'; readonly runId: string }
  | { readonly kind: 'getValues'; readonly runId: string; readonly column: number }
  /** Looks for the next cell that contains a text, without case, behind or before a cell, both in positions as shown. */
  | {
      readonly kind: 'find';
      readonly runId: string;
      readonly revision: number;
      readonly text: string;
      readonly from: { readonly row: number; readonly column: number };
      readonly backwards: boolean;
    }
  | { readonly kind: 'showBars'; readonly shown: boolean }
  | {
      readonly kind: 'arrange';
      readonly runId: string;
      readonly sort: readonly SortKey[];
      readonly filter: TableFilter;
      /** The rows in sight: they come with the new order. */
      readonly window: RowWindow;
    }
  | { readonly kind: 'layout'; readonly runId: string; readonly layout: ColumnLayout }
  | {
      readonly kind: 'copy';
      readonly runId: string;
      readonly range: CellRange;
      readonly format: CopyFormat;
      readonly header: boolean;
    }
  | { readonly kind: 'copyText'; readonly text: string }
  /** Edits the query's text: a condition or a column more, from what a cell holds at `path` (keys below the column). */
  | {
      readonly kind: 'editQuery';
      readonly runId: string;
      readonly edit: 'filter' | 'exclude' | 'addColumn';
      readonly column: number;
      readonly path: readonly string[];
      /** The value there as text; null for null. */
      readonly value: string | null;
      readonly valueKind: JsonTreeLine['kind'];
    }
  | { readonly kind: 'export'; readonly runId: string; readonly scope: 'shown' | 'all' }
  | { readonly kind: 'setRange'; readonly runId: string; readonly start: string; readonly end: string };

export type CopyFormat = Exclude<ExportFormat, 'ndjson'>;
