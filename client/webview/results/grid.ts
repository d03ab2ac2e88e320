import type { Cell, CellRange, ColumnLayout, CopyFormat, RowWindow, RunView } from '../../protocol/results.ts';
import { columnTemplate, frozenOffset, sameLayout, widthOf } from './column-layout.ts';
import { element } from './dom.ts';
import { createGridHeader } from './grid-header.ts';
import { cellId, createGridRow, type GridRow } from './grid-row.ts';
import { createRowCache } from './row-cache.ts';
import { createSelection } from './selection.ts';

export interface GridEvents {
  requestRows(start: number, count: number): void;
  /** A click on a header: sorts by it alone, or adds it to the sort keys. */
  sort(column: number, additive: boolean): void;
  columnMenu(column: number, anchor: HTMLElement): void;
  cellMenu(range: CellRange, anchor: HTMLElement, at: { x: number; y: number }): void;
  openRow(row: number, column: number): void;
  focusRow(row: number, column: number): void;
  copy(range: CellRange, format: CopyFormat, header: boolean): void;
  layout(layout: ColumnLayout): void;
}

/** A virtual table of any length: only the rows in sight exist as elements, in the roles that screen readers know as a grid. */
export interface Grid {
  readonly element: HTMLElement;
  show(run: RunView): void;
  receive(revision: number, start: number, rows: readonly (readonly Cell[])[]): void;
  /** Columns shown and rows selected, in positions as shown. */
  selection(): CellRange | undefined;
  /** The rows in sight and around them. */
  inSight(): RowWindow;
  focus(): void;
}

const rowHeight = 22;
const wrappedRowHeight = 58;
const overscan = 8;
/** Rows asked for before they come into sight. */
const ahead = 100;

export function createGrid(events: GridEvents): Grid {
  let run: RunView | undefined;
  let height = rowHeight;
  const rows = new Map<number, GridRow>();
  /** Rows out of sight, for others to come. */
  const spare: GridRow[] = [];
  let painted = '';
  let headed = '';
  const cache = createRowCache((start, count) => events.requestRows(start, count));
  const selection = createSelection();
  const header = createGridHeader(events, () => run);
  const canvas = element('div', { class: 'grid-canvas', attributes: { role: 'rowgroup' } });
  const grid = element(
    'div',
    {
      class: 'grid',
      attributes: { role: 'grid', tabindex: '0', 'aria-multiselectable': 'true', 'aria-label': 'Query results' },
    },
    [header.element, canvas],
  );

  let scheduled = false;
  const schedule = (): void => {
    if (scheduled) return;
    scheduled = true;
    requestAnimationFrame(() => {
      scheduled = false;
      render();
    });
  };
  grid.addEventListener('scroll', schedule, { passive: true });
  new ResizeObserver(schedule).observe(grid);

  const headerHeight = (): number => header.element.offsetHeight;
  const rowsPerPage = (): number => Math.max(1, Math.floor((grid.clientHeight - headerHeight()) / height));

  const range = (): { readonly first: number; readonly last: number } => ({
    first: Math.max(0, Math.floor(grid.scrollTop / height) - overscan),
    last: Math.min((run?.shownCount ?? 0) - 1, Math.ceil((grid.scrollTop + grid.clientHeight) / height) + overscan),
  });

  function render(): void {
    if (!run) return;
    const { first, last } = range();
    for (const [index, row] of rows) {
      if (index >= first && index <= last) continue;
      rows.delete(index);
      spare.push(row);
    }
    if (last >= first) cache.want(Math.max(0, first - ahead), Math.min(run.shownCount - 1, last + ahead));
    const selected = JSON.stringify([selection.focus, selection.range]);
    const added: HTMLElement[] = [];
    for (let index = first; index <= last; index++) {
      let row = rows.get(index);
      const fresh = row?.filled !== true;
      if (!row) {
        row = spare.pop();
        if (!row) {
          row = createGridRow(run);
          added.push(row.element);
        }
        rows.set(index, row);
      }
      if (fresh) row.fill(index, height, cache.row(index));
      // A row just filled carries no marks.
      if (selected !== painted || (fresh && touched(index))) paintSelection(row);
    }
    painted = selected;
    // What is left over stays in the page, out of sight, only as long as it is few.
    for (const row of spare.splice(2 * overscan)) row.element.remove();
    for (const row of spare) row.element.classList.add('spare');
    if (added.length > 0) canvas.append(...added);
    const focused = selection.focus;
    if (focused && rows.has(focused.row))
      grid.setAttribute('aria-activedescendant', cellId(focused.row, focused.column));
    else if (focused?.row === -1) grid.setAttribute('aria-activedescendant', header.cellId(focused.column));
    else grid.removeAttribute('aria-activedescendant');
    header.paintFocus(focused?.row === -1 ? focused.column : undefined);
  }

  const touched = (index: number): boolean => {
    const { focus, range: selected } = selection;
    return focus?.row === index || (selected !== undefined && index >= selected.firstRow && index <= selected.lastRow);
  };

  function paintSelection(row: GridRow): void {
    const { focus, range: selected } = selection;
    const { index } = row;
    row.mark(
      (position) => selected !== undefined && selection.has(index, position),
      focus?.row === index ? focus.column : undefined,
    );
  }

  /** Throws all rows away: their columns or height changed. */
  function rebuild(): void {
    for (const row of [...rows.values(), ...spare]) row.element.remove();
    rows.clear();
    spare.length = 0;
    resize();
  }

  /** Shows other rows, or as many as there are now. */
  function resize(): void {
    if (run) {
      canvas.style.height = `${run.shownCount * height}px`;
      grid.setAttribute('aria-rowcount', String(run.shownCount + 1));
      grid.setAttribute('aria-colcount', String(run.layout.order.length + 1));
      grid.classList.toggle('wrap', run.layout.wrap);
      grid.style.setProperty('--columns', columnTemplate(run.layout));
      grid.style.setProperty('--row-height', `${height}px`);
    }
    schedule();
  }

  function reveal(row: number, position: number): void {
    if (!run) return;
    if (row >= 0) {
      const top = row * height;
      const visible = grid.clientHeight - headerHeight();
      if (top < grid.scrollTop) grid.scrollTop = top;
      else if (top + height > grid.scrollTop + visible) grid.scrollTop = top + height - visible;
    }
    const left = frozenOffset(run.layout, position);
    const width = widthOf(run.layout, run.layout.order[position] ?? 0);
    const frozen = position < run.layout.frozen ? 0 : frozenOffset(run.layout, run.layout.frozen);
    if (left - frozen < grid.scrollLeft) grid.scrollLeft = left - frozen;
    else if (left + width > grid.scrollLeft + grid.clientWidth) grid.scrollLeft = left + width - grid.clientWidth;
  }

  function moveTo(row: number, column: number, extend: boolean): void {
    if (!run || run.layout.order.length === 0) return;
    const position = Math.max(0, Math.min(column, run.layout.order.length - 1));
    const target = Math.max(-1, Math.min(row, run.shownCount - 1));
    selection.moveTo(target, position, extend && target >= 0);
    reveal(target, position);
    schedule();
    if (target >= 0) events.focusRow(target, position);
  }

  grid.addEventListener('keydown', (event) => {
    if (!run) return;
    const at = selection.focus ?? { row: 0, column: 0 };
    const command = event.ctrlKey || event.metaKey;
    const lastColumn = run.layout.order.length - 1;
    const lastRow = run.shownCount - 1;
    const move = (row: number, column: number): void => {
      moveTo(row, column, event.shiftKey);
      event.preventDefault();
    };
    switch (event.key) {
      case 'ArrowDown':
        if (event.altKey && at.row === -1) {
          header.openMenu(at.column);
          event.preventDefault();
          return;
        }
        return move(command ? lastRow : at.row + 1, at.column);
      case 'ArrowUp':
        return move(command ? 0 : at.row - 1, at.column);
      case 'ArrowRight':
        return move(at.row, command ? lastColumn : at.column + 1);
      case 'ArrowLeft':
        return move(at.row, command ? 0 : at.column - 1);
      case 'PageDown':
        return move(at.row + rowsPerPage(), at.column);
      case 'PageUp':
        return move(Math.max(0, at.row - rowsPerPage()), at.column);
      case 'Home':
        return move(command ? 0 : at.row, 0);
      case 'End':
        return move(command ? lastRow : at.row, lastColumn);
      case 'Enter':
      case ' ':
        if (at.row === -1) {
          const column = run.layout.order[at.column];
          if (column !== undefined) events.sort(column, event.shiftKey);
        } else if (event.key === 'Enter') events.openRow(at.row, at.column);
        event.preventDefault();
        return;
      case 'a':
        if (!command) return;
        selection.select({ firstRow: 0, lastRow, firstColumn: 0, lastColumn });
        schedule();
        event.preventDefault();
        return;
      case 'c': {
        const range = selection.range;
        if (!command || !range) return;
        events.copy(range, 'tsv', event.shiftKey);
        event.preventDefault();
        return;
      }
      case 'ContextMenu':
      case 'F10': {
        if (event.key === 'F10' && !event.shiftKey) return;
        if (at.row === -1) header.openMenu(at.column);
        else openCellMenu(document.getElementById(cellId(at.row, at.column)));
        event.preventDefault();
        return;
      }
    }
  });

  function openCellMenu(cell: HTMLElement | null, at?: { x: number; y: number }): void {
    const range = selection.range;
    if (!cell || !range) return;
    const box = cell.getBoundingClientRect();
    events.cellMenu(range, grid, at ?? { x: box.left, y: box.bottom });
  }

  let dragging = false;
  canvas.addEventListener('pointerdown', (event) => {
    const target = cellAt(event.target);
    if (!target || !run) return;
    if (event.button === 2 && selection.has(target.row, target.column)) return;
    if (target.column < 0) {
      const lastColumn = run.layout.order.length - 1;
      selection.select({ firstRow: target.row, lastRow: target.row, firstColumn: 0, lastColumn }, event.shiftKey);
      schedule();
      events.focusRow(target.row, 0);
    } else moveTo(target.row, target.column, event.shiftKey);
    dragging = event.button === 0;
  });
  canvas.addEventListener('pointermove', (event) => {
    if (!dragging || event.buttons !== 1) return;
    const target = cellAt(event.target);
    if (target && target.column >= 0) {
      selection.moveTo(target.row, target.column, true);
      schedule();
    }
  });
  window.addEventListener('pointerup', () => {
    dragging = false;
  });
  canvas.addEventListener('dblclick', (event) => {
    const target = cellAt(event.target);
    if (target) events.openRow(target.row, Math.max(0, target.column));
  });
  canvas.addEventListener('contextmenu', (event) => {
    event.preventDefault();
    const target = cellAt(event.target);
    if (target)
      openCellMenu(document.getElementById(cellId(target.row, Math.max(0, target.column))), {
        x: event.clientX,
        y: event.clientY,
      });
  });
  grid.addEventListener('focus', () => {
    if (selection.focus || !run || run.shownCount === 0) return;
    moveTo(0, 0, false);
  });

  return {
    element: grid,
    show(next) {
      const other = next.id !== run?.id;
      const changed = other || next.revision !== run?.revision || next.shownCount !== run.shownCount;
      const laidOut = other || !sameLayout(run?.layout, next.layout) || !sameKinds(run, next);
      run = next;
      height = next.layout.wrap ? wrappedRowHeight : rowHeight;
      if (changed) {
        cache.reset(next.shownCount);
        spare.push(...rows.values());
        rows.clear();
      }
      if (other) {
        selection.clear();
        grid.scrollTop = 0;
        grid.scrollLeft = 0;
      }
      const head = JSON.stringify([next.id, next.columns, next.layout, next.sort, next.filter.columns]);
      if (head !== headed) header.show(next);
      headed = head;
      if (laidOut) rebuild();
      else if (changed) resize();
      else schedule();
    },
    receive(revision, start, received) {
      if (!run || revision !== run.revision) return;
      cache.receive(start, received);
      schedule();
    },
    selection: () => selection.range,
    inSight() {
      const { first, last } = range();
      return cache.around(first, Math.max(first, last));
    },
    focus: () => grid.focus(),
  };
}

function sameKinds(a: RunView | undefined, b: RunView): boolean {
  return a?.columns.length === b.columns.length && b.columns.every(({ kind }, i) => kind === a.columns[i]?.kind);
}

/** Row and column position of the cell an event hit; column −1 is the row's number. */
function cellAt(target: EventTarget | null): { row: number; column: number } | undefined {
  if (!(target instanceof Element)) return undefined;
  const cell = target.closest('.cell');
  const row = cell?.closest<HTMLElement>('.row');
  if (!cell || !row) return undefined;
  return { row: Number(row.dataset['row']), column: Array.prototype.indexOf.call(row.children, cell) - 1 };
}
