import type { Cell } from '../../protocol/results.ts';
import { paddingBeside, type Slot } from './column-layout.ts';
import { element } from './dom.ts';

/** A row's elements, made for the columns in sight and filled again and again: scrolling makes no elements. */
export interface GridRow {
  readonly element: HTMLElement;
  /** Position of the row it shows. */
  readonly index: number;
  /** Its cells show the row's texts, not their absence. */
  readonly filled: boolean;
  /** Carries marks of selection or focus. */
  readonly marked: boolean;
  /** Has a cell for each of `slots`; they are filled next. */
  arrange(slots: readonly Slot[]): void;
  /** Shows the row at `index`; `cells` is undefined while they are on their way. All marks of selection and focus are gone. */
  fill(index: number, height: number, cells: readonly Cell[] | undefined): void;
  /** What it shows is to be filled again. */
  expire(): void;
  /** Shows nothing any more: its ids are free for another row's cells. */
  release(): void;
  /** Where its last cell ends, in CSS pixels from its left; the page must be laid out. */
  end(): number;
  /** Marks cells by their position. */
  mark(isSelected: (position: number) => boolean, focused: number | undefined): void;
}

export const cellId = (row: number, position: number): string => `cell-${row}-${position}`;

interface MadeCell {
  readonly made: HTMLElement;
  readonly text: Text;
  slot: Slot;
  /** Its classes, but for those that say what it shows. */
  plain: string;
  /** What it has now, kept: asking the page for it takes longer than a comparison. */
  look: string;
  shown: string;
  padding: number | undefined;
}

const ascii = /^[\x20-\x7e]*$/;

export function createGridRow(): GridRow {
  const number = element('span', {
    class: 'cell gutter boxed',
    attributes: { role: 'rowheader', 'aria-colindex': '1' },
  });
  const numberText = document.createTextNode('');
  number.append(numberText);
  const row = element('div', { attributes: { role: 'row' } }, [number]);
  const cells: MadeCell[] = [];
  let arranged: readonly Slot[] | undefined;
  let index = -1;
  let filled = false;
  let marked = false;

  function createCell(slot: Slot): MadeCell {
    const made = element('span', { attributes: { role: 'gridcell' } });
    const text = document.createTextNode('');
    made.append(text);
    row.append(made);
    return { made, text, slot, plain: '', look: '', shown: '', padding: undefined };
  }

  function place(cell: MadeCell, slot: Slot): void {
    cell.slot = slot;
    cell.plain = slot.left === undefined ? 'cell' : 'cell frozen';
    const { made } = cell;
    made.setAttribute('aria-colindex', String(slot.position + 2));
    made.style.width = `${slot.width}px`;
    made.style.padding = '';
    cell.padding = undefined;
    made.style.marginLeft = slot.gap === 0 ? '' : `${slot.gap}px`;
    made.style.left = slot.left === undefined ? '' : `${slot.left}px`;
    if (index >= 0) made.id = cellId(index, slot.position);
  }

  return {
    element: row,
    get index() {
      return index;
    },
    get filled() {
      return filled;
    },
    get marked() {
      return marked;
    },
    arrange(slots) {
      if (slots === arranged) return;
      arranged = slots;
      filled = false;
      for (const { made } of cells.splice(slots.length)) made.remove();
      // An id must not be given to a second cell before the first one has another.
      for (const { made } of cells) made.removeAttribute('id');
      for (const [at, slot] of slots.entries()) {
        let cell = cells[at];
        if (!cell) {
          cell = createCell(slot);
          cells.push(cell);
        }
        place(cell, slot);
      }
    },
    fill(next, height, values) {
      if (next !== index) {
        if (index < 0) row.removeAttribute('aria-hidden');
        index = next;
        row.setAttribute('aria-rowindex', String(next + 2));
        numberText.data = String(next + 1);
        for (const { made, slot } of cells) made.id = cellId(next, slot.position);
      }
      const transform = `translateY(${next * height}px)`;
      if (row.style.transform !== transform) row.style.transform = transform;
      filled = values !== undefined;
      const rowLook = `row${next % 2 === 0 ? '' : ' odd'}${filled ? '' : ' pending'}`;
      // Styles are worked out again only for elements whose classes were set.
      if (row.className !== rowLook) row.className = rowLook;
      for (const target of cells) {
        const { slot, made, plain } = target;
        const cell = values?.[slot.column];
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
        // Texts of known width stand in the row's one line, with a padding that fills the cell: half the work of a box for each. Others may
        // have to be clipped, or read from right to left; those in italics need not be as wide.
        const padding = cell === null || !ascii.test(shown) ? undefined : paddingBeside(slot, shown.length);
        if (padding === undefined) look += slot.kind === 'number' ? ' boxed number' : ' boxed';
        if (target.padding !== padding) {
          target.padding = padding;
          made.style[slot.kind === 'number' ? 'paddingLeft' : 'paddingRight'] =
            padding === undefined ? '' : `${padding}px`;
        }
        if (target.shown !== shown) {
          target.shown = shown;
          target.text.data = shown;
        }
        if (marked || target.look !== look) {
          target.look = look;
          made.className = look;
          made.removeAttribute('aria-selected');
        }
      }
      marked = false;
    },
    expire() {
      filled = false;
    },
    release() {
      if (index < 0) return;
      index = -1;
      filled = false;
      for (const { made } of cells) made.removeAttribute('id');
      row.removeAttribute('aria-rowindex');
      // Above the table, where nobody sees or hears of it. A class that hides it would be worked out for each of its cells.
      row.style.transform = 'translateY(-1000px)';
      row.setAttribute('aria-hidden', 'true');
    },
    end() {
      const last = cells.at(-1)?.made ?? number;
      return last.getBoundingClientRect().right - row.getBoundingClientRect().left;
    },
    mark(isSelected, focused) {
      let any = false;
      for (const { slot, made } of cells) {
        const selected = isSelected(slot.position);
        made.classList.toggle('selected', selected);
        made.classList.toggle('focused', focused === slot.position);
        if (selected) made.setAttribute('aria-selected', 'true');
        else made.removeAttribute('aria-selected');
        any ||= selected || focused === slot.position;
      }
      marked = any;
    },
  };
}
