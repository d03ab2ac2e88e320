import type { Cell, RunView } from '../../protocol/results.ts';
import { frozenOffset } from './column-layout.ts';
import { element } from './dom.ts';

/** A row's elements, made once for the columns in sight and filled again and again: scrolling makes no elements. */
export interface GridRow {
  readonly element: HTMLElement;
  /** Position of the row it shows. */
  readonly index: number;
  /** Its cells show the row's texts, not their absence. */
  readonly filled: boolean;
  /** Shows the row at `index`; `cells` is undefined while they are on their way. All marks of selection and focus are gone. */
  fill(index: number, height: number, cells: readonly Cell[] | undefined): void;
  /** Marks cells by their position. */
  mark(isSelected: (position: number) => boolean, focused: number | undefined): void;
}

export const cellId = (row: number, position: number): string => `cell-${row}-${position}`;

export function createGridRow({ layout, columns }: RunView): GridRow {
  const number = element('div', { class: 'cell gutter', attributes: { role: 'rowheader', 'aria-colindex': '1' } });
  const numberText = document.createTextNode('');
  number.append(numberText);
  const cells = layout.order.map((column, position) => {
    const frozen = position < layout.frozen;
    const made = element('div', { attributes: { role: 'gridcell', 'aria-colindex': String(position + 2) } });
    if (frozen) made.style.left = `${frozenOffset(layout, position)}px`;
    const text = document.createTextNode('');
    made.append(text);
    return { column, made, text, plain: `cell ${columns[column]?.kind ?? 'text'}${frozen ? ' frozen' : ''}` };
  });
  const row = element('div', { attributes: { role: 'row' } }, [number, ...cells.map(({ made }) => made)]);
  let index = -1;
  let filled = false;
  let marked = false;
  return {
    element: row,
    get index() {
      return index;
    },
    get filled() {
      return filled;
    },
    fill(next, height, values) {
      if (next !== index) {
        index = next;
        row.setAttribute('aria-rowindex', String(next + 2));
        row.style.transform = `translateY(${next * height}px)`;
        row.dataset['row'] = String(next);
        numberText.data = String(next + 1);
        for (const [position, { made }] of cells.entries()) made.id = cellId(next, position);
      }
      filled = values !== undefined;
      setClass(row, `row${next % 2 === 0 ? '' : ' odd'}${filled ? '' : ' pending'}`);
      for (const { column, made, text, plain } of cells) {
        const cell = values?.[column];
        let shown = '';
        let look = plain;
        if (cell === null) {
          shown = 'NULL';
          look = `${plain} null`;
        } else if (typeof cell === 'string') shown = cell;
        else if (cell) {
          shown = `${cell.text}…`;
          look = `${plain} cut`;
        }
        if (text.data !== shown) text.data = shown;
        setClass(made, look);
        if (marked) made.removeAttribute('aria-selected');
      }
      marked = false;
    },
    mark(isSelected, focused) {
      for (const [position, { made }] of cells.entries()) {
        const selected = isSelected(position);
        made.classList.toggle('selected', selected);
        made.classList.toggle('focused', focused === position);
        if (selected) made.setAttribute('aria-selected', 'true');
        else made.removeAttribute('aria-selected');
      }
      marked = true;
    },
  };
}

/** Styles are worked out again only for elements whose classes were set. */
function setClass(target: HTMLElement, name: string): void {
  if (target.className !== name) target.className = name;
}
