import type { RunView } from '../../protocol/results.ts';
import { columnEdges, columnTemplate, widthOf } from './column-layout.ts';
import { element, iconOf, setText } from './dom.ts';
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

interface HeaderCell {
  readonly element: HTMLElement;
  show(run: RunView, column: number, left: number): void;
}

export function createGridHeader(events: GridEvents, current: () => RunView | undefined): GridHeader {
  const corner = element(
    'div',
    { class: 'header-cell gutter', attributes: { role: 'columnheader', 'aria-colindex': '1' } },
    [element('span', { class: 'visually-hidden', text: 'Row number' })],
  );
  const row = element('div', { class: 'header-row', attributes: { role: 'row', 'aria-rowindex': '1' } }, [corner]);
  /** By position; those behind the last column are out of the page, for other tables. */
  const cells: HeaderCell[] = [];
  let shownCells = 0;
  /** The position that is marked as focused. */
  let painted: number | undefined;
  const group = element('div', { class: 'header', attributes: { role: 'rowgroup' } }, [row]);
  const cellId = (position: number): string => `header-${position}`;
  let dragged: number | undefined;

  /** A cell stays where it is in the page and shows whatever column stands there. */
  function createHeaderCell(position: number): HeaderCell {
    let column = -1;
    let look = '';
    const label = element('span', { class: 'header-label' });
    // Reached by keyboard as Alt+Down on the header, so it needs no place of its own in the order of focus.
    const more = element(
      'span',
      { class: 'header-more', title: 'Column menu (Alt+Down)', attributes: { 'aria-hidden': 'true' } },
      [iconOf('more')],
    );
    const resizer = createResizer(() => column);
    const cell = element(
      'div',
      {
        class: 'header-cell',
        attributes: {
          role: 'columnheader',
          id: cellId(position),
          'aria-colindex': String(position + 2),
          draggable: 'true',
        },
      },
      [label, more, resizer],
    );
    more.addEventListener('click', (event) => {
      event.stopPropagation();
      events.columnMenu(column, cell);
    });
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
    return {
      element: cell,
      show(run, next, left) {
        const frozen = position < run.layout.frozen;
        const nextLook = lookOf(run, next, left, frozen);
        if (nextLook === look) return;
        look = nextLook;
        column = next;
        const shown = run.columns[column] ?? { label: '', kind: 'text' };
        const key = run.sort.findIndex((sort) => sort.column === column);
        const descending = run.sort[key]?.descending ?? false;
        cell.title = `${shown.label} (${shown.kind})`;
        cell.setAttribute('aria-sort', key < 0 ? 'none' : descending ? 'descending' : 'ascending');
        setText(label, shown.label);
        const marks: Element[] = [];
        if (run.filter.columns.some((filter) => filter.column === column)) marks.push(iconOf('filter'));
        if (key >= 0) {
          marks.push(iconOf(descending ? 'down' : 'up'));
          if (run.sort.length > 1) marks.push(element('span', { class: 'sort-order', text: String(key + 1) }));
        }
        while (label.nextSibling && label.nextSibling !== more) label.nextSibling.remove();
        label.after(...marks);
        cell.classList.toggle('frozen', frozen);
        cell.style.left = frozen ? `${left}px` : '';
      },
    };
  }

  function createResizer(columnNow: () => number): HTMLElement {
    const handle = element('span', { class: 'resizer', attributes: { 'aria-hidden': 'true' } });
    handle.addEventListener('click', (event) => event.stopPropagation());
    handle.addEventListener('pointerdown', (event) => {
      const run = current();
      if (!run) return;
      event.preventDefault();
      event.stopPropagation();
      handle.setPointerCapture(event.pointerId);
      const start = event.clientX;
      const column = columnNow();
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
      const { order, frozen } = run.layout;
      // On the row itself: a property that its cells inherit, or those of the table, would have all of their styles worked out again.
      const template = columnTemplate(run.layout);
      if (row.style.gridTemplateColumns !== template) row.style.gridTemplateColumns = template;
      const edges = frozen > 0 ? columnEdges(run.layout) : [];
      const added: HTMLElement[] = [];
      for (const [position, column] of order.entries()) {
        let cell = cells[position];
        if (!cell) {
          cell = createHeaderCell(position);
          cells.push(cell);
        }
        cell.show(run, column, edges[position] ?? 0);
        if (position >= shownCells) added.push(cell.element);
      }
      for (let position = order.length; position < shownCells; position++) cells[position]?.element.remove();
      if (added.length > 0) row.append(...added);
      shownCells = order.length;
    },
    paintFocus(position) {
      if (position === painted) return;
      if (painted !== undefined) cells[painted]?.element.classList.remove('focused');
      if (position !== undefined) cells[position]?.element.classList.add('focused');
      painted = position;
    },
    openMenu(position) {
      const column = current()?.layout.order[position];
      const cell = cells[position]?.element;
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
