import { setImmediate, setTimeout } from 'node:timers/promises';
import { cellText, jsonText } from '../../../server/core/results/cell-text.ts';
import type { ColumnSpec } from '../../../server/core/results/columns.ts';
import { allRows, FilterPatternError } from '../../../server/core/results/filter.ts';
import { jsonTree } from '../../../server/core/results/json-tree.ts';
import { type CellKind, createRowStore, type RowStore } from '../../../server/core/results/row-store.ts';
import { arrangeRows, plainView, type ViewSettings } from '../../../server/core/results/view.ts';
import type { Row, RunDescription, RunFailure } from '../../infrastructure/runs.ts';
import type {
  Cell,
  CellRange,
  ColumnKind,
  ColumnLayout,
  Field,
  RowsAt,
  RowWindow,
  RunAction,
  RunPhase,
  RunView,
  ViewColumn,
} from '../../protocol/results.ts';

/** Texts longer than this are cut for the table; the inspector, copies and exports take the whole. */
const maxCellLength = 400;
/** Work on rows goes on for about this long before the extension host gets a turn. */
const turnMilliseconds = 12;
/** Work that is done sooner is not announced: the view would be told twice within a blink. */
const busyMilliseconds = 60;
/** The first rows are on their way to the view before columns are made of all of them. */
const settleDelay = 150;
/** More than a table shows at once on most screens. */
const firstRows: RowWindow = { start: 0, count: 50 };

/** One run with its rows and how they are shown. */
export interface Run {
  readonly id: string;
  title: string;
  pinned: boolean;
  /** Its rows are on disk, as the person asked. */
  kept: boolean;
  /** The person gave it its title. */
  renamed: boolean;
  /** An editor shows it beside the panel. */
  beside: boolean;
  /** Milliseconds since 1970 UTC. */
  readonly startedAt: number;
  readonly description: RunDescription;
  readonly phase: RunPhase;
  readonly store: RowStore;
  /** Rows shown, in order. */
  readonly shown: Uint32Array;
  /** Changes whenever `shown` does. */
  readonly revision: number;
  /** How the rows shown are sorted and filtered. */
  readonly settings: ViewSettings;
  readonly layout: ColumnLayout;
  /** What each button of the message does. */
  readonly actions: ReadonlyMap<string, () => void>;
  /** All that the view shows of it, with the cells of the rows in sight. */
  view(): RunView;
  /** Cells of the rows shown from `start` on; fewer at the end. */
  cells(start: number, count: number): Cell[][];
  /** One row in full. */
  fields(position: number): Field[];
  /** Sorts and filters; false when a later request overtook this one, or its filter is not valid. The new state brings the rows of `window`. */
  arrange(settings: ViewSettings, window?: RowWindow): Promise<boolean>;
  setLayout(layout: ColumnLayout): void;
  succeed(rows: readonly Row[], durationMs: number, note: string | undefined, waysOn?: readonly WayOn[]): void;
  fail(failure: Pick<RunFailure, 'message'>, waysOn?: readonly WayOn[]): void;
  cancelled(): void;
}

/** A button beside what is said about a run. */
export interface WayOn {
  readonly title: string;
  readonly run: () => void;
}

export interface RunEvents {
  changed(): void;
  filterError(message: string): void;
  /** In which zone times of the run are told; UTC where nobody says. */
  timeZone?(): 'utc' | 'local';
}

export function createRun(id: string, description: RunDescription, startedAt: number, events: RunEvents): Run {
  let phase: RunPhase = 'running';
  let store = createRowStore();
  let shown: Uint32Array = new Uint32Array(0);
  let settings: ViewSettings = plainView;
  let layout: ColumnLayout = { order: [], widths: {}, frozen: 0, wrap: false };
  let revision = 0;
  let inSight: RowWindow = firstRows;
  let busy = false;
  let durationMs: number | undefined;
  let note: string | undefined;
  let message: string | undefined;
  let buttons: readonly RunAction[] = [];
  const actions = new Map<string, () => void>();
  actions.set('rerun', () => description.rerun());

  const setActions = (entries: readonly WayOn[]): void => {
    buttons = entries.map(({ title }, index) => ({ id: `action-${index}`, title }));
    for (const [index, { run }] of entries.entries()) actions.set(`action-${index}`, run);
  };

  /** Rows in order, made in turns; a later request makes an earlier one worthless, so the earlier one stops. */
  let arranging = 0;
  let underWay = 0;
  const arrange = async (next: ViewSettings, window: RowWindow = firstRows): Promise<boolean> => {
    const turn = ++arranging;
    settings = next;
    const begun = performance.now();
    underWay++;
    try {
      const arranged = await inTurns(arrangeRows(store, next), () => {
        if (!busy && performance.now() - begun > busyMilliseconds) {
          busy = true;
          events.changed();
        }
        return turn === arranging;
      });
      if (!arranged) return false;
      shown = arranged.value;
      inSight = window;
      revision++;
      return true;
    } catch (error) {
      if (!(error instanceof FilterPatternError)) throw error;
      events.filterError(`The filter is not valid: ${error.message}. The rows are shown as they were.`);
      return false;
    } finally {
      underWay--;
      if (turn === arranging) {
        busy = false;
        events.changed();
      }
    }
  };

  /** Makes columns of the rows, in turns. What a column holds was told from its first values: now it is known. */
  const settle = async (): Promise<void> => {
    await setTimeout(settleDelay, undefined, { ref: false });
    const settling = store;
    await inTurns(settling.settle(), async () => {
      // What the person asked for comes first; it makes the columns it needs itself.
      while (underWay > 0) await setTimeout(turnMilliseconds);
      return settling === store;
    });
    const known = viewColumns();
    if (known.every(({ kind }, column) => kind === columns[column]?.kind)) return;
    columns = known;
    events.changed();
  };

  const viewColumns = (): ViewColumn[] =>
    store.columns.map(({ name, label, type }, column) => ({
      name,
      label,
      kind: kindOf(type, store.kind(column)),
      length: textLength(store, column),
    }));
  let columns: readonly ViewColumn[] = [];

  const cells = (start: number, count: number): Cell[][] => {
    const rows: Cell[][] = [];
    for (let position = start; position < Math.min(start + count, shown.length); position++) {
      const row = shown[position] ?? 0;
      rows.push(store.columns.map((_, column) => cut(store.text(row, column))));
    }
    return rows;
  };
  /** Fewer rows than before may leave the window without any: then the view shows the last ones. */
  const headRows = (): RowsAt => {
    const start = Math.max(0, Math.min(inSight.start, shown.length - inSight.count));
    return { start, rows: cells(start, inSight.count) };
  };

  const run: Run = {
    id,
    title: description.title,
    pinned: false,
    kept: false,
    renamed: false,
    beside: false,
    startedAt,
    description,
    get phase() {
      return phase;
    },
    get store() {
      return store;
    },
    get shown() {
      return shown;
    },
    get revision() {
      return revision;
    },
    get settings() {
      return settings;
    },
    get layout() {
      return layout;
    },
    actions,
    view: () => ({
      id,
      title: run.title,
      phase,
      queryText: description.queryText,
      accountLabel: description.accountLabel,
      window: {
        start: new Date(description.window.startTime).toISOString(),
        end: new Date(description.window.endTime).toISOString(),
        label: description.window.label,
      },
      timeZone: events.timeZone?.() ?? 'utc',
      startedAt,
      durationMs,
      columns,
      layout,
      rowCount: store.rowCount,
      shownCount: shown.length,
      revision,
      head: shown.length === 0 ? undefined : headRows(),
      sort: settings.sort,
      filter: settings.filter,
      busy,
      note,
      message,
      actions: buttons,
    }),
    cells,
    fields(position) {
      const row = shown[position] ?? 0;
      return store.columns.map((_, column): Field => {
        const value = store.value(row, column);
        if (typeof value !== 'object' || value === null) return { text: cellText(value) ?? null };
        return { text: jsonText(value, '  '), tree: jsonTree(value) };
      });
    },
    arrange,
    setLayout(next) {
      layout = next;
    },
    succeed(rows, duration, text, waysOn = []) {
      if (phase !== 'running') return;
      phase = 'succeeded';
      durationMs = duration;
      note = text;
      store = createRowStore(
        (description.columns ?? []).map(
          ({ name, type }): ColumnSpec => ({ name: name.toUpperCase(), label: name, type }),
        ),
      );
      store.append(rows);
      columns = viewColumns();
      shown = allRows(store.rowCount);
      inSight = firstRows;
      layout = {
        order: store.columns.map((_, column) => column),
        widths: {},
        frozen: 0,
        wrap: false,
      };
      revision++;
      if (store.rowCount === 0) {
        message = emptyMessage(description);
        setActions([
          ...(/7 days/.test(description.window.label)
            ? []
            : [{ title: 'Run over the last 7 days', run: () => description.rerun('last 7 days') }]),
          { title: 'Run again', run: () => description.rerun() },
        ]);
      } else setActions(waysOn);
      events.changed();
      void settle();
    },
    fail(failure, waysOn = []) {
      if (phase !== 'running') return;
      phase = 'failed';
      durationMs = Date.now() - startedAt;
      message = failure.message;
      setActions([...waysOn, { title: 'Run again', run: () => description.rerun() }]);
      events.changed();
    },
    cancelled() {
      if (phase !== 'running') return;
      phase = 'cancelled';
      durationMs = Date.now() - startedAt;
      message = 'The run was cancelled. An answer that comes later is dropped.';
      setActions([{ title: 'Run again', run: () => description.rerun() }]);
      events.changed();
    },
  };
  return run;
}

/** Row numbers and columns behind a range of positions as shown. */
export function selectionOf(run: Run, range: CellRange): { rows: Uint32Array; columns: number[] } {
  const { order } = run.layout;
  return {
    rows: run.shown.slice(range.firstRow, range.lastRow + 1),
    columns: order.slice(range.firstColumn, range.lastColumn + 1),
  };
}

function cut(text: string | undefined): Cell {
  if (text === undefined) return null;
  return text.length > maxCellLength ? { text: text.slice(0, maxCellLength), length: text.length } : text;
}

function kindOf(type: ColumnSpec['type'], cells: CellKind): ColumnKind {
  if (cells === 'number' || cells === 'time') return cells;
  if (type === 'json') return 'json';
  if (type === 'timestamp') return 'time';
  if (type === 'boolean') return 'boolean';
  return cells === 'mixed' ? 'json' : 'text';
}

/** Takes steps, and gives the extension host a turn between them; undefined once `goesOn`, asked after each turn, says no. */
export async function inTurns<T>(
  steps: Generator<undefined, T>,
  goesOn: () => boolean | Promise<boolean>,
): Promise<{ readonly value: T } | undefined> {
  let since = performance.now();
  for (;;) {
    const step = steps.next();
    if (step.done) return { value: step.value };
    if (performance.now() - since < turnMilliseconds) continue;
    await setImmediate();
    if (!(await goesOn())) return undefined;
    since = performance.now();
  }
}

/** Characters of the longest text among the first rows; nulls are shown as four. */
function textLength(store: RowStore, column: number): number {
  let longest = 0;
  for (let row = 0; row < Math.min(store.rowCount, 60); row++) {
    longest = Math.max(longest, store.text(row, column)?.length ?? 4);
  }
  return longest;
}

function emptyMessage({ window, accountLabel, queryText }: RunDescription): string {
  const reason = /\b[A-Z]+_CFG_/.test(queryText)
    ? 'Configuration data is collected about once a day: a time range that misses the collection has no rows. Else the filter excludes all of them.'
    : 'Either nothing happened in that time, or the filter excludes all of it.';
  // The line above tells the times, in the zone that the person reads.
  return `No rows in ${accountLabel} over this time range: ${window.label}.\n${reason}`;
}
