import './results.css';
import type {
  CellRange,
  ColumnFilter,
  ColumnLayout,
  RunView,
  SortKey,
  TableFilter,
  ToResultsView,
} from '../../protocol/results.ts';
import { createArrangements, nextSort } from './arrangement.ts';
import { measureFont, withFirstWidths } from './column-layout.ts';
import { element, iconButton, textButton } from './dom.ts';
import { openFilterDialog } from './filter-dialog.ts';
import { createFindBar } from './find.ts';
import { formatCount, useTimeZone } from './format.ts';
import { createGrid } from './grid.ts';
import { createHistogram } from './histogram.ts';
import { connectHost } from './host.ts';
import { createInspector } from './inspector.ts';
import { type MenuItem, openMenu } from './menu.ts';
import { createNote } from './note.ts';
import { openStatistics } from './statistics.ts';
import { createStatusLine } from './status.ts';
import { createTabStrip } from './tabs.ts';
import { openValueList } from './value-list.ts';

const host = connectHost();
let run: RunView | undefined;
const arrangements = createArrangements();
/** Where the statistics that were asked for will open. */
let statisticsAnchor: HTMLElement | undefined;
/** Where the values that were asked for will open. */
let valuesAnchor: HTMLElement | undefined;
let inspectedColumn: number | undefined;

const tabs = createTabStrip(host.send);
const status = createStatusLine();
const inspector = createInspector({
  copy: (text) => host.send({ kind: 'copyText', text }),
  edit(edit, column, line) {
    if (!run) return;
    const { path, text, kind } = line;
    if (path)
      host.send({
        kind: 'editQuery',
        runId: run.id,
        edit,
        column,
        path,
        value: kind === 'null' ? null : text,
        valueKind: kind,
      });
  },
  closed: () => grid.focus(),
});
const histogram = createHistogram((start, end) => {
  if (run) host.send({ kind: 'setRange', runId: run.id, start, end });
});
const search = element('input', {
  class: 'search',
  attributes: {
    type: 'search',
    placeholder: 'Filter rows',
    'aria-label': 'Filter rows by text in any column',
    spellcheck: 'false',
  },
});
const message = element('div', { class: 'message' });
const note = createNote((action) => act(action));
const announcer = element('div', { class: 'visually-hidden', attributes: { role: 'status' } });

const grid = createGrid({
  requestRows: (start, count) => {
    if (run) host.send({ kind: 'getRows', runId: run.id, revision: run.revision, start, count });
  },
  sort: (column, additive) => sortBy(column, additive),
  columnMenu: (column, anchor) => openColumnMenu(column, anchor),
  cellMenu: (range, anchor, at) => openCellMenu(range, anchor, at),
  openRow(row, column) {
    openInspector();
    requestRow(row, column);
  },
  focusRow(row, column) {
    if (inspector.isOpen) requestRow(row, column);
  },
  copy: (range, format, header) => {
    if (run) host.send({ kind: 'copy', runId: run.id, range, format, header });
  },
  layout: (layout) => setLayout(layout),
});

const find = createFindBar(grid, host.send);

const buttons = {
  cancel: iconButton({ icon: 'stop', label: 'Cancel the run', onClick: () => forRun('cancel') }),
  rerun: iconButton({ icon: 'rerun', label: 'Run again', onClick: () => act('rerun') }),
  clear: iconButton({
    icon: 'clear',
    label: 'Clear sorting and filters',
    onClick: () => arrange([], noFilter),
  }),
  bars: iconButton({
    icon: 'chart',
    label: 'Rows over time',
    onClick: () => showBars(!barsShown()),
  }),
  columns: iconButton({ icon: 'columns', label: 'Columns…', onClick: () => openColumnsMenu() }),
  wrap: iconButton({
    icon: 'wrap',
    label: 'Wrap long cells',
    onClick: () => {
      if (run) setLayout({ ...run.layout, wrap: !run.layout.wrap });
    },
  }),
  details: iconButton({
    icon: 'panel',
    label: 'Row details (Enter)',
    onClick: () => {
      if (inspector.isOpen) inspector.close();
      else {
        openInspector();
        requestRow(grid.selection()?.firstRow ?? 0, grid.selection()?.firstColumn ?? 0);
      }
    },
  }),
  copy: iconButton({ icon: 'copy', label: 'Copy…', onClick: () => openCopyMenu(buttons.copy) }),
  save: iconButton({ icon: 'export', label: 'Export…', onClick: () => openExportMenu() }),
  pin: iconButton({ icon: 'pin', label: 'Pin this result', onClick: () => forRun('togglePin') }),
  beside: iconButton({ icon: 'beside', label: 'Open beside the editor', onClick: () => forRun('openBeside') }),
};

buttons.beside.dataset['alsoInMenu'] = '';
buttons.pin.dataset['alsoInMenu'] = '';

const toolbar = element('div', { class: 'toolbar', attributes: { role: 'toolbar', 'aria-label': 'Result' } }, [
  buttons.cancel,
  buttons.rerun,
  search,
  buttons.clear,
  status.element,
  buttons.bars,
  buttons.wrap,
  buttons.columns,
  buttons.details,
  buttons.copy,
  buttons.save,
  buttons.pin,
  buttons.beside,
]);
const table = element('div', { class: 'table' }, [grid.element, inspector.element]);
const panel = element('div', { class: 'run', attributes: { id: 'run', role: 'tabpanel' } }, [
  toolbar,
  note.element,
  message,
  histogram.element,
  find.element,
  table,
]);
const welcome = element('div', { class: 'welcome' }, [
  element('p', { text: 'Run a query to see its rows here.' }),
  element('p', {
    class: 'hint',
    text: 'Open an .lql file and press Ctrl+Enter (⌘Enter on macOS), or choose Run in the editor’s title.',
  }),
]);
const main = element('main', {}, [
  element('h1', { class: 'visually-hidden', text: 'Query results' }),
  tabs.element,
  welcome,
  panel,
  announcer,
]);
document.body.append(main);

function forRun(kind: 'cancel' | 'togglePin' | 'openBeside'): void {
  if (run) host.send({ kind, runId: run.id });
}

/** It takes its place from the table: the cell that was asked about must not vanish behind it. */
function openInspector(): void {
  inspector.open();
  grid.revealFocus();
}

function act(action: string): void {
  if (run) host.send({ kind: 'action', runId: run.id, action });
}

function requestRow(row: number, column: number): void {
  inspectedColumn = column;
  if (run && run.shownCount > 0) host.send({ kind: 'getRow', runId: run.id, revision: run.revision, row });
}

function arrange(sort: readonly SortKey[], filter: TableFilter): void {
  if (!run) return;
  arrangements.asked(run.id, { sort, filter });
  host.send({ kind: 'arrange', runId: run.id, sort, filter, window: grid.inSight() });
}

function sortBy(column: number, additive: boolean): void {
  if (!run) return;
  const { sort, filter } = arrangements.of(run);
  arrange(nextSort(sort, column, additive), filter);
}

function setColumnFilter(column: number, filter: ColumnFilter | undefined): void {
  if (!run) return;
  const { sort, filter: before } = arrangements.of(run);
  const others = before.columns.filter((entry) => entry.column !== column);
  arrange(sort, { ...before, columns: filter ? [...others, { column, filter }] : others });
}

/** Shown at once, and told to the host, which keeps it with the result. */
function setLayout(layout: ColumnLayout): void {
  if (!run) return;
  run = { ...run, layout };
  show();
  host.send({ kind: 'layout', runId: run.id, layout });
}

function openColumnMenu(column: number, anchor: HTMLElement): void {
  if (!run) return;
  const { layout } = run;
  const { sort, filter } = arrangements.of(run);
  const position = layout.order.indexOf(column);
  const key = sort.find((entry) => entry.column === column);
  const shown = run.columns[column];
  if (!shown) return;
  const items: MenuItem[] = [
    {
      label: 'Sort ascending',
      checked: key?.descending === false,
      run: () => arrange([{ column, descending: false }], filter),
    },
    {
      label: 'Sort descending',
      checked: key?.descending === true,
      run: () => arrange([{ column, descending: true }], filter),
    },
    { label: 'Add to sorting', run: () => sortBy(column, true), shortcut: 'Shift+Click' },
    {
      label: 'Filter…',
      separatorBefore: true,
      run: () => {
        const current = filter.columns.find((entry) => entry.column === column)?.filter;
        if (isWritable(current)) openFilterDialog(anchor, shown, current, (next) => setColumnFilter(column, next));
        else askValues(column, anchor);
      },
    },
    { label: 'Filter by values…', run: () => askValues(column, anchor) },
    {
      label: 'Statistics',
      run: () => {
        statisticsAnchor = anchor;
        if (run) host.send({ kind: 'getStatistics', runId: run.id, column });
      },
    },
    { label: 'Move left', separatorBefore: true, run: () => moveColumn(position, position - 1) },
    { label: 'Move right', run: () => moveColumn(position, position + 1) },
    { label: 'Wider', run: () => resize(column, 1.4) },
    { label: 'Narrower', run: () => resize(column, 1 / 1.4) },
    {
      label: 'Freeze up to here',
      checked: layout.frozen === position + 1,
      run: () => setLayout({ ...layout, frozen: layout.frozen === position + 1 ? 0 : position + 1 }),
    },
    {
      label: 'Hide column',
      run: () =>
        setLayout({
          ...layout,
          order: layout.order.filter((other) => other !== column),
          frozen: Math.min(layout.frozen, layout.order.length - 1),
        }),
    },
    { label: 'Copy column', separatorBefore: true, run: () => copyColumn(position, 'tsv') },
    { label: 'Copy as LQL list', run: () => copyColumn(position, 'in-list') },
  ];
  openMenu(anchor, `Column ${shown.label}`, items);
}

const noFilter: TableFilter = { search: '', columns: [] };

/** Values are written between commas: null, or a value that has a comma or blank edges itself, would come back as another one. */
function isWritable(filter: ColumnFilter | undefined): boolean {
  return (
    filter?.kind !== 'in' || filter.values.every((text) => text !== null && text !== '' && !/^\s|\s$|,/.test(text))
  );
}

function askValues(column: number, anchor: HTMLElement): void {
  valuesAnchor = anchor;
  if (run) host.send({ kind: 'getValues', runId: run.id, column });
}

function moveColumn(from: number, to: number): void {
  if (!run || to < 0 || to >= run.layout.order.length) return;
  const order = [...run.layout.order];
  const [moved] = order.splice(from, 1);
  if (moved === undefined) return;
  order.splice(to, 0, moved);
  setLayout({ ...run.layout, order });
}

function resize(column: number, factor: number): void {
  if (!run) return;
  const width = Math.round(Math.max(40, Math.min(1200, (run.layout.widths[column] ?? 140) * factor)));
  setLayout({ ...run.layout, widths: { ...run.layout.widths, [column]: width } });
}

function copyColumn(position: number, format: 'tsv' | 'in-list'): void {
  if (!run) return;
  const range = { firstRow: 0, lastRow: run.shownCount - 1, firstColumn: position, lastColumn: position };
  host.send({ kind: 'copy', runId: run.id, range, format, header: false });
}

function openColumnsMenu(): void {
  if (!run) return;
  const { layout } = run;
  const items: MenuItem[] = run.columns.map((column, index) => {
    const visible = layout.order.includes(index);
    return {
      label: column.label,
      checked: visible,
      run: () =>
        setLayout({
          ...layout,
          order: visible ? layout.order.filter((other) => other !== index) : [...layout.order, index],
        }),
    };
  });
  openMenu(buttons.columns, 'Columns', [
    ...items,
    {
      label: 'Show all in the query’s order',
      separatorBefore: true,
      run: () => setLayout({ ...layout, order: run?.columns.map((_, index) => index) ?? [] }),
    },
  ]);
}

function selectedRange(): CellRange | undefined {
  if (!run || run.shownCount === 0) return undefined;
  return (
    grid.selection() ?? {
      firstRow: 0,
      lastRow: run.shownCount - 1,
      firstColumn: 0,
      lastColumn: run.layout.order.length - 1,
    }
  );
}

function copyItems(range: CellRange): MenuItem[] {
  const copy = (format: 'tsv' | 'csv' | 'json' | 'markdown' | 'in-list', header: boolean) => (): void => {
    if (run) host.send({ kind: 'copy', runId: run.id, range, format, header });
  };
  return [
    { label: 'Copy', shortcut: 'Ctrl+C', run: copy('tsv', false) },
    { label: 'Copy with column names', shortcut: 'Ctrl+Shift+C', run: copy('tsv', true) },
    { label: 'Copy as CSV', run: copy('csv', true) },
    { label: 'Copy as JSON', run: copy('json', true) },
    { label: 'Copy as Markdown', run: copy('markdown', true) },
    { label: 'Copy as LQL list', run: copy('in-list', false) },
  ];
}

function openCopyMenu(anchor: HTMLElement): void {
  const range = selectedRange();
  if (range) openMenu(anchor, 'Copy', copyItems(range));
}

function openCellMenu(range: CellRange, anchor: HTMLElement, at: { x: number; y: number }): void {
  const column = run?.layout.order[range.firstColumn];
  if (!run || column === undefined) return;
  const items: MenuItem[] = [
    {
      label: 'Row details',
      shortcut: 'Enter',
      run: () => {
        openInspector();
        requestRow(range.firstRow, range.firstColumn);
      },
    },
    { label: 'Filter by this value', run: () => filterByCell(range, column, false) },
    { label: 'Exclude this value', run: () => filterByCell(range, column, true) },
    ...copyItems(range).map((item, index) => (index === 0 ? { ...item, separatorBefore: true } : item)),
  ];
  openMenu(anchor, 'Cell', items, at);
}

/** The whole value is needed and the table may hold only its beginning, so the host is asked for the row first. */
let cellFilter: { readonly column: number; readonly negated: boolean; readonly row: number } | undefined;

function filterByCell(range: CellRange, column: number, negated: boolean): void {
  cellFilter = { column, negated, row: range.firstRow };
  if (run) host.send({ kind: 'getRow', runId: run.id, revision: run.revision, row: range.firstRow });
}

function openExportMenu(): void {
  if (!run) return;
  const { id } = run;
  openMenu(buttons.save, 'Export', [
    { label: 'Export rows shown…', run: () => host.send({ kind: 'export', runId: id, scope: 'shown' }) },
    { label: 'Export all rows…', run: () => host.send({ kind: 'export', runId: id, scope: 'all' }) },
    {
      label: 'Keep across reloads (writes the rows to disk)',
      checked: kept,
      separatorBefore: true,
      run: () => host.send({ kind: 'toggleKeep', runId: id }),
    },
  ]);
}

let searchTimer: ReturnType<typeof setTimeout> | undefined;
function searchNow(): void {
  clearTimeout(searchTimer);
  searchTimer = undefined;
  if (!run) return;
  const { sort, filter } = arrangements.of(run);
  if (filter.search !== search.value) arrange(sort, { ...filter, search: search.value });
}
// Whoever leaves the box is done with typing: nothing of it may be lost to what comes next.
search.addEventListener('change', searchNow);
search.addEventListener('input', () => {
  clearTimeout(searchTimer);
  searchTimer = setTimeout(searchNow, 120);
});
search.addEventListener('keydown', (event) => {
  if (event.key === 'Enter') searchNow();
  if (event.key === 'ArrowDown' || event.key === 'Enter') grid.focus();
});
document.addEventListener('keydown', (event) => {
  const command = event.ctrlKey || event.metaKey;
  // With Option, macOS types another letter.
  if (command && event.altKey && (event.key === 'f' || event.code === 'KeyF')) {
    search.focus();
    search.select();
  } else if (command && event.key === 'f') find.open();
  else if (event.key === 'F3' && !command && !event.altKey) find.step(event.shiftKey);
  else return;
  event.preventDefault();
});

function show(): void {
  welcome.hidden = run !== undefined;
  panel.hidden = run === undefined;
  if (!run) return;
  // First: it asks for the font, which is free only while nothing else has changed.
  const rowsFirst = grid.show(run);
  const hasRows = run.rowCount > 0;
  showMessage(run, hasRows && run.shownCount === 0 && !run.busy);
  const waiting = run.phase === 'running' && !hasRows;
  table.hidden = !hasRows && !waiting;
  table.classList.toggle('waiting', waiting);
  table.ariaHidden = waiting ? 'true' : null;
  grid.element.tabIndex = waiting ? -1 : 0;
  if (waiting) prepareSoon();
  find.show(run);
  // Takes room from the table when it comes.
  note.show(run);
  clearTimeout(surroundingsTimer);
  if (rowsFirst) surroundingsTimer = setTimeout(showSurroundings, surroundingsDelay);
  else showSurroundings();
}

/** Milliseconds. */
const surroundingsDelay = 30;
let surroundingsTimer: ReturnType<typeof setTimeout> | undefined;
function showSurroundings(): void {
  if (!run) return;
  const hasRows = run.rowCount > 0;
  panel.setAttribute('aria-labelledby', `tab-${run.id}`);
  buttons.cancel.hidden = run.phase !== 'running';
  buttons.rerun.hidden = run.phase === 'running';
  search.hidden = !hasRows;
  buttons.clear.hidden =
    !hasRows || (run.sort.length === 0 && run.filter.search === '' && run.filter.columns.length === 0);
  for (const button of [buttons.columns, buttons.wrap, buttons.details, buttons.copy, buttons.save])
    button.hidden = !hasRows;
  buttons.pin.classList.toggle('pressed', pinned);
  buttons.pin.setAttribute('aria-pressed', String(pinned));
  buttons.wrap.setAttribute('aria-pressed', String(run.layout.wrap));
  if (document.activeElement !== search && searchTimer === undefined) search.value = arrangements.of(run).filter.search;
  status.show(run);
}

let messageShown = '';
function showMessage(shown: RunView, filteredOut: boolean): void {
  const look = JSON.stringify([shown.phase, shown.message, shown.actions, filteredOut]);
  if (look === messageShown) return;
  messageShown = look;
  message.hidden = shown.message === undefined && !filteredOut;
  message.className = `message ${shown.phase}`;
  const buttonsShown = [
    ...shown.actions.map((action, index) => textButton(action.title, () => act(action.id), index === 0)),
    ...(filteredOut
      ? [textButton('Clear filters', () => run && arrange(arrangements.of(run).sort, noFilter), true)]
      : []),
  ];
  message.replaceChildren(
    element('p', { text: shown.message ?? 'No row passes the filter.' }),
    ...(buttonsShown.length > 0 ? [element('div', { class: 'dialog-buttons' }, buttonsShown)] : []),
  );
}

let pinned = false;
let kept = false;
/** Below this height bars would leave no room for rows: there they are shown only to whoever asks for them. */
const lowView = window.matchMedia('(max-height: 300px)');
let barsWanted: boolean | undefined;
const hasTimes = (): boolean =>
  run !== undefined && run.rowCount > 1 && run.columns.some(({ kind }) => kind === 'time');
const barsShown = (): boolean => barsWanted ?? !lowView.matches;
lowView.addEventListener('change', () => requestHistogram());

/** Shown at once, and told to the host, which remembers it. */
function showBars(shown: boolean): void {
  barsWanted = shown;
  requestHistogram();
  host.send({ kind: 'showBars', shown });
}

let histogramFor = '';
/** What is in sight is painted before the rows are counted over time. */
const histogramDelay = 60;

/** The order of the rows says nothing about when they were: only other rows have other bars. */
function requestHistogram(): void {
  buttons.bars.hidden = !hasTimes();
  buttons.bars.setAttribute('aria-pressed', String(barsShown()));
  const wanted = run && hasTimes() && barsShown() ? JSON.stringify([run.id, run.rowCount, run.filter]) : '';
  if (wanted === histogramFor) return;
  histogramFor = wanted;
  if (wanted === '') histogram.show(undefined, '', undefined);
  else {
    // Its place is kept free from the start: rows must not move under the pointer when it comes.
    histogram.reserve(true);
    setTimeout(() => {
      if (run && histogramFor === wanted) host.send({ kind: 'getHistogram', runId: run.id });
    }, histogramDelay);
  }
}

/** Elements and measures that the first rows need are made while the query runs. */
let prepared = false;
function prepareSoon(): void {
  if (prepared) return;
  prepared = true;
  requestIdleCallback(() => {
    grid.prepare();
    formatCount(1000);
  });
}

function receive(received: ToResultsView): void {
  switch (received.kind) {
    case 'state': {
      run = received.run;
      if (run) arrangements.told(run);
      useTimeZone(run?.timeZone ?? 'utc');
      const measured = run && withFirstWidths(run, () => measureFont(grid.element).digit);
      if (run && measured) {
        run = { ...run, layout: measured };
        host.send({ kind: 'layout', runId: run.id, layout: measured });
      }
      const tab = received.tabs.find(({ id }) => id === run?.id);
      pinned = tab?.pinned ?? false;
      kept = tab?.kept ?? false;
      barsWanted = received.bars;
      tabs.element.hidden = received.tabs.length === 0;
      tabs.show(received.tabs, run?.id);
      requestHistogram();
      show();
      return;
    }
    case 'rows':
      if (received.runId === run?.id) grid.receive(received.revision, received.start, received.rows);
      return;
    case 'row':
      if (!run || received.runId !== run.id || received.revision !== run.revision) return;
      if (cellFilter && cellFilter.row === received.row) {
        const { column, negated } = cellFilter;
        cellFilter = undefined;
        setColumnFilter(column, { kind: 'in', values: [received.fields[column]?.text ?? null], negated });
      } else if (inspector.isOpen) inspector.show(run, received, inspectedColumn);
      return;
    case 'statistics': {
      const column = run?.columns[received.column];
      if (!run || received.runId !== run.id || !column) return;
      openStatistics(statisticsAnchor ?? grid.element, column, received.statistics, (text) =>
        setColumnFilter(received.column, { kind: 'in', values: [text], negated: false }),
      );
      return;
    }
    case 'values': {
      const column = run?.columns[received.column];
      if (!run || received.runId !== run.id || !column) return;
      const current = arrangements.of(run).filter.columns.find((entry) => entry.column === received.column)?.filter;
      openValueList(valuesAnchor ?? grid.element, column, received, current, (chosen) =>
        setColumnFilter(received.column, chosen),
      );
      return;
    }
    case 'histogram':
      if (received.runId === run?.id)
        histogram.show(received.histogram, run.columns[received.histogram?.column ?? -1]?.label ?? '', run.window);
      return;
    case 'found':
      if (received.runId === run?.id && received.revision === run.revision) find.receive(received);
      return;
    case 'filterError':
    case 'announce':
      announcer.textContent = received.kind === 'announce' ? received.text : received.message;
      if (received.kind === 'filterError') note.warn(received.message);
  }
}

host.onMessage(receive);
host.send({ kind: 'ready' });
