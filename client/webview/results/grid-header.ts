import type { RunView } from '../../protocol/results.ts';
import { frozenOffset, widthOf } from './column-layout.ts';
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
  const row = element('div', { class: 'header-row', attributes: { role: 'row', 'aria-rowindex': '1' } });
  const group = element('div', { class: 'header', attributes: { role: 'rowgroup' } }, [row]);
  const cellId = (position: number): string => `header-${position}`;
  let dragged: number | undefined;

  function createHeaderCell(run: RunView, column: number, position: number): HTMLElement {
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
      cell.style.left = `${frozenOffset(run.layout, position)}px`;
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
      const corner = element(
        'div',
        {
          class: 'header-cell gutter',
          attributes: { role: 'columnheader', 'aria-colindex': '1' },
        },
        [element('span', { class: 'visually-hidden', text: 'Row number' })],
      );
      row.replaceChildren(
        corner,
        ...run.layout.order.map((column, position) => createHeaderCell(run, column, position)),
      );
    },
    paintFocus(position) {
      for (const [index, cell] of [...row.children].entries()) cell.classList.toggle('focused', index - 1 === position);
    },
    openMenu(position) {
      const column = current()?.layout.order[position];
      const cell = row.children[position + 1];
      if (column !== undefined && cell instanceof HTMLElement) events.columnMenu(column, cell);
    },
  };
}
