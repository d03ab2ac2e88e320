import type { Cell, CellRange, ColumnLayout, CopyFormat, RunView } from '../../protocol/results.ts';
import { columnTemplate, frozenOffset, sameLayout, widthOf } from './column-layout.ts';
import { element } from './dom.ts';
import { createGridHeader } from './grid-header.ts';
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
  focus(): void;
}

const rowHeight = 22;
const wrappedRowHeight = 58;
const overscan = 8;

export function createGrid(events: GridEvents): Grid {
  let run: RunView | undefined;
  let height = rowHeight;
  const rows = new Map<number, HTMLElement>();
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

  function render(): void {
    if (!run) return;
    const count = run.shownCount;
    const first = Math.max(0, Math.floor(grid.scrollTop / height) - overscan);
    const last = Math.min(count - 1, Math.ceil((grid.scrollTop + grid.clientHeight) / height) + overscan);
    for (const [index, row] of rows) {
      if (index >= first && index <= last) continue;
      row.remove();
      rows.delete(index);
    }
    if (last >= first) cache.want(first, last);
    const added: HTMLElement[] = [];
    for (let index = first; index <= last; index++) {
      let row = rows.get(index);
      if (!row) {
        row = createRow(index);
        rows.set(index, row);
        added.push(row);
      }
      paintSelection(row, index);
    }
    if (added.length > 0) canvas.append(...added);
    const focused = selection.focus;
    if (focused && rows.has(focused.row))
      grid.setAttribute('aria-activedescendant', cellId(focused.row, focused.column));
    else if (focused?.row === -1) grid.setAttribute('aria-activedescendant', header.cellId(focused.column));
    else grid.removeAttribute('aria-activedescendant');
    header.paintFocus(focused?.row === -1 ? focused.column : undefined);
  }

  function createRow(index: number): HTMLElement {
    const cells = cache.row(index);
    const row = element('div', {
      class: index % 2 === 0 ? 'row' : 'row odd',
      attributes: { role: 'row', 'aria-rowindex': String(index + 2) },
    });
    row.style.transform = `translateY(${index * height}px)`;
    row.dataset['row'] = String(index);
    if (!cells) row.classList.add('pending');
    const number = element('div', {
      class: 'cell gutter',
      text: String(index + 1),
      attributes: { role: 'rowheader', 'aria-colindex': '1' },
    });
    row.append(number);
    run?.layout.order.forEach((column, position) => {
      row.append(createCell(index, position, column, cells?.[column]));
    });
    return row;
  }

  function createCell(row: number, position: number, column: number, cell: Cell | undefined): HTMLElement {
    const kind = run?.columns[column]?.kind ?? 'text';
    const made = element('div', {
      class: `cell ${kind}`,
      attributes: { role: 'gridcell', id: cellId(row, position), 'aria-colindex': String(position + 2) },
    });
    if (cell === null) {
      made.classList.add('null');
      made.textContent = 'NULL';
    } else if (typeof cell === 'string') made.textContent = cell;
    else if (cell) {
      made.textContent = `${cell.text}…`;
      made.classList.add('cut');
    }
    freeze(made, position);
    return made;
  }

  function freeze(cell: HTMLElement, position: number): void {
    if (!run || position >= run.layout.frozen) return;
    cell.classList.add('frozen');
    cell.style.left = `${frozenOffset(run.layout, position)}px`;
  }

  function paintSelection(row: HTMLElement, index: number): void {
    const cells = row.children;
    const focus = selection.focus;
    for (let position = 0; position + 1 < cells.length; position++) {
      const cell = cells[position + 1];
      if (!cell) continue;
      const selected = selection.has(index, position);
      cell.classList.toggle('selected', selected);
      cell.classList.toggle('focused', focus?.row === index && focus.column === position);
      if (selected) cell.setAttribute('aria-selected', 'true');
      else cell.removeAttribute('aria-selected');
    }
  }

  /** Throws all rows away: their text, order, columns or height changed. */
  function rebuild(): void {
    for (const row of rows.values()) row.remove();
    rows.clear();
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
      const laidOut = changed || !sameLayout(run?.layout, next.layout);
      run = next;
      height = next.layout.wrap ? wrappedRowHeight : rowHeight;
      if (changed) cache.reset(next.shownCount);
      if (other) {
        selection.clear();
        grid.scrollTop = 0;
        grid.scrollLeft = 0;
      }
      header.show(next);
      if (laidOut) rebuild();
      else schedule();
    },
    receive(revision, start, received) {
      if (!run || revision !== run.revision) return;
      cache.receive(start, received);
      for (let index = start; index < start + received.length; index++) {
        rows.get(index)?.remove();
        rows.delete(index);
      }
      schedule();
    },
    selection: () => selection.range,
    focus: () => grid.focus(),
  };
}

const cellId = (row: number, position: number): string => `cell-${row}-${position}`;

/** Row and column position of the cell an event hit; column −1 is the row's number. */
function cellAt(target: EventTarget | null): { row: number; column: number } | undefined {
  if (!(target instanceof Element)) return undefined;
  const cell = target.closest('.cell');
  const row = cell?.closest<HTMLElement>('.row');
  if (!cell || !row) return undefined;
  return { row: Number(row.dataset['row']), column: Array.prototype.indexOf.call(row.children, cell) - 1 };
}
