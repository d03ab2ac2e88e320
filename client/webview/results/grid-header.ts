import type { RunView } from '../../protocol/results.ts';
import { columnEdges, widthOf } from './column-layout.ts';
import { element, iconOf } from './dom.ts';
import type { GridEvents } from './grid.ts';

const minWidth = 40;
const maxWidth = 1200;

/** The header row: sorts on click, opens a column's menu, resizes and moves columns by dragging. */
export interface GridHeader {
  readonly element: HTMLElement;
  show(run: RunView): void;
  paintFocus(position: number | undefined): void;
  openMenu(position: number): void;
  cellId(position: number): string;
}

export function createGridHeader(events: GridEvents, current: () => RunView | undefined): GridHeader {
  const corner = element(
    'div',
    { class: 'header-cell gutter', attributes: { role: 'columnheader', 'aria-colindex': '1' } },
    [element('span', { class: 'visually-hidden', text: 'Row number' })],
  );
  const row = element('div', { class: 'header-row', attributes: { role: 'row', 'aria-rowindex': '1' } }, [corner]);
  const cells: { readonly look: string; readonly cell: HTMLElement }[] = [];
  /** The position that is marked as focused. */
  let painted: number | undefined;
  const group = element('div', { class: 'header', attributes: { role: 'rowgroup' } }, [row]);
  const cellId = (position: number): string => `header-${position}`;
  let dragged: number | undefined;

  function createHeaderCell(run: RunView, column: number, position: number, left: number): HTMLElement {
    const { label, kind } = run.columns[column] ?? { label: '', kind: 'text' as const };
    const key = run.sort.findIndex((sort) => sort.column === column);
    const descending = run.sort[key]?.descending ?? false;
    const cell = element('div', {
      class: 'header-cell',
      title: `${label} (${kind})`,
      attributes: {
        role: 'columnheader',
        id: cellId(position),
        'aria-colindex': String(position + 2),
        'aria-sort': key < 0 ? 'none' : descending ? 'descending' : 'ascending',
        draggable: 'true',
      },
    });
    cell.append(element('span', { class: 'header-label', text: label }));
    if (run.filter.columns.some((filter) => filter.column === column)) cell.append(iconOf('filter'));
    if (key >= 0) {
      cell.append(iconOf(descending ? 'down' : 'up'));
      if (run.sort.length > 1) cell.append(element('span', { class: 'sort-order', text: String(key + 1) }));
    }
    // Reached by keyboard as Alt+Down on the header, so it needs no place of its own in the order of focus.
    const more = element(
      'span',
      { class: 'header-more', title: 'Column menu (Alt+Down)', attributes: { 'aria-hidden': 'true' } },
      [iconOf('more')],
    );
    more.addEventListener('click', (event) => {
      event.stopPropagation();
      events.columnMenu(column, cell);
    });
    cell.append(more, createResizer(column));
    cell.addEventListener('click', (event) => events.sort(column, event.shiftKey));
    cell.addEventListener('contextmenu', (event) => {
      event.preventDefault();
      events.columnMenu(column, cell);
    });
    cell.addEventListener('dragstart', () => {
      dragged = position;
    });
    cell.addEventListener('dragover', (event) => event.preventDefault());
    cell.addEventListener('drop', (event) => {
      event.preventDefault();
      if (dragged !== undefined) moveColumn(dragged, position);
      dragged = undefined;
    });
    if (position < run.layout.frozen) {
      cell.classList.add('frozen');
      cell.style.left = `${left}px`;
    }
    return cell;
  }

  function createResizer(column: number): HTMLElement {
    const handle = element('span', { class: 'resizer', attributes: { 'aria-hidden': 'true' } });
    handle.addEventListener('click', (event) => event.stopPropagation());
    handle.addEventListener('pointerdown', (event) => {
      const run = current();
      if (!run) return;
      event.preventDefault();
      event.stopPropagation();
      handle.setPointerCapture(event.pointerId);
      const start = event.clientX;
      const before = widthOf(run.layout, column);
      const drag = (move: PointerEvent): void => {
        const now = current();
        if (!now) return;
        const width = Math.max(minWidth, Math.min(maxWidth, before + move.clientX - start));
        events.layout({ ...now.layout, widths: { ...now.layout.widths, [column]: width } });
      };
      handle.addEventListener('pointermove', drag);
      handle.addEventListener('pointerup', () => handle.removeEventListener('pointermove', drag), { once: true });
    });
    return handle;
  }

  function moveColumn(from: number, to: number): void {
    const run = current();
    if (!run || from === to) return;
    const order = [...run.layout.order];
    const [moved] = order.splice(from, 1);
    if (moved === undefined) return;
    order.splice(to, 0, moved);
    events.layout({ ...run.layout, order });
  }

  return {
    element: group,
    cellId,
    show(run) {
      // The cells that look as they did stay: a sort changes two of them.
      const edges = run.layout.frozen > 0 ? columnEdges(run.layout) : [];
      const focused = painted;
      painted = undefined;
      for (const [position, column] of run.layout.order.entries()) {
        const left = edges[position] ?? 0;
        const look = lookOf(run, column, left, position < run.layout.frozen);
        const before = cells[position];
        if (before?.look === look) continue;
        const cell = createHeaderCell(run, column, position, left);
        if (before) before.cell.replaceWith(cell);
        else row.append(cell);
        cells[position] = { look, cell };
      }
      for (const { cell } of cells.splice(run.layout.order.length)) cell.remove();
      this.paintFocus(focused);
    },
    paintFocus(position) {
      if (position === painted) return;
      if (painted !== undefined) cells[painted]?.cell.classList.remove('focused');
      if (position !== undefined) cells[position]?.cell.classList.add('focused');
      painted = position;
    },
    openMenu(position) {
      const column = current()?.layout.order[position];
      const cell = cells[position]?.cell;
      if (column !== undefined && cell) events.columnMenu(column, cell);
    },
  };
}

/** All that a header cell's look depends on. */
function lookOf(run: RunView, column: number, left: number, frozen: boolean): string {
  const { label, kind } = run.columns[column] ?? {};
  const key = run.sort.findIndex((sort) => sort.column === column);
  const filtered = run.filter.columns.some((filter) => filter.column === column);
  const sorted = key < 0 ? [] : [key, run.sort[key]?.descending, run.sort.length > 1];
  return JSON.stringify([column, label, kind, filtered, sorted, frozen && left]);
}
