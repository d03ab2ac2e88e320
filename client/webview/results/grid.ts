import './grid.css';
import type { Cell, CellRange, ColumnLayout, CopyFormat, RowWindow, RunView } from '../../protocol/results.ts';
import {
  columnEdges,
  distrustFont,
  measureFont,
  measureLaidOut,
  type Slot,
  sameLayout,
  slotsInSight,
} from './column-layout.ts';
import { element } from './dom.ts';
import { createGridHeader } from './grid-header.ts';
import { cellId, createGridRow, type GridRow } from './grid-row.ts';
import { rehearsal } from './rehearsal.ts';
import { createRowCache } from './row-cache.ts';
import { type CellPosition, createSelection } from './selection.ts';

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

/**
 * A virtual table of any length and width: only the cells in sight exist as elements, in the roles that screen readers know as a grid, with
 * the numbers of their rows and columns. What is written is never read back: places and sizes are kept, so that no layout is made twice.
 */
export interface Grid {
  readonly element: HTMLElement;
  /** @returns whether what is said around the rows may wait until they are painted: they are other rows of the table that is shown */
  show(run: RunView): boolean;
  receive(revision: number, start: number, rows: readonly (readonly Cell[])[]): void;
  /** Shows rows of no result, while nobody sees or hears the table: what the first rows of one need is made and known to the page then. */
  prepare(): void;
  /** Columns shown and rows selected, in positions as shown. */
  selection(): CellRange | undefined;
  /** The cell that the keyboard acts on. */
  focused(): CellPosition | undefined;
  /** Gives it to another cell, in positions as shown, and brings that one into sight. */
  moveTo(row: number, position: number): void;
  /** The rows that have elements. */
  inSight(): RowWindow;
  focus(): void;
  /** Scrolls until the cell that has the focus is in sight, after the table has become narrower. */
  revealFocus(): void;
}

/** As the style sheet has them, the header's with its border. */
const rowHeight = 22;
const wrappedRowHeight = 58;
const headerHeight = 26;
const overscan = 4;
/** Rows asked for before they come into sight. */
const ahead = 100;
/** What is in sight is painted before rows beyond it are asked for. */
const aheadDelay = 30;
const tidyDelay = 300;

export function createGrid(events: GridEvents): Grid {
  let run: RunView | undefined;
  let height = rowHeight;
  const rows = new Map<number, GridRow>();
  /** Rows out of sight, for others to come. */
  const spare: GridRow[] = [];
  let painted = '';
  let edges: readonly number[] = [];
  let slots: readonly Slot[] = [];
  /** What `slots` was made for. */
  let slotted = '';
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
  /** Where the table is scrolled to and what of it can be seen, in CSS pixels. */
  const sight = { top: 0, left: 0, width: 0, height: 0 };
  let characterWidth: number | undefined;

  let scheduled = false;
  const schedule = (): void => {
    if (scheduled) return;
    scheduled = true;
    requestAnimationFrame(() => {
      scheduled = false;
      render();
    });
  };
  grid.addEventListener(
    'scroll',
    () => {
      sight.top = grid.scrollTop;
      sight.left = grid.scrollLeft;
      scrolled = true;
      render();
    },
    { passive: true },
  );
  /** The browser makes the layout at once to scroll: only where there is a way to go. */
  const toOrigin = (): void => {
    if (!scrolled) return;
    scrolled = false;
    grid.scrollTop = 0;
    grid.scrollLeft = 0;
    sight.top = 0;
    sight.left = 0;
  };
  let scrolled = false;
  const measure = (): void => {
    sight.width = grid.clientWidth;
    sight.height = grid.clientHeight;
  };
  new ResizeObserver(() => {
    measure();
    // At once: this is the frame in which the table is seen first.
    render();
  }).observe(grid);

  const seenHeight = (): number => sight.height - headerHeight;
  const rowsPerPage = (): number => Math.max(1, Math.floor(seenHeight() / height));

  const range = (beyond = overscan): { readonly first: number; readonly last: number } => {
    const count = run?.shownCount ?? 0;
    // Fewer rows than before: the browser scrolls back, but says so later.
    const top = Math.max(0, Math.min(sight.top, count * height - seenHeight()));
    return {
      first: Math.max(0, Math.floor(top / height) - beyond),
      last: Math.min(count - 1, Math.ceil((top + seenHeight()) / height) + beyond),
    };
  };

  function slotColumns(shown: RunView): void {
    const kept = selection.focus?.column;
    const made = slotsInSight(shown, edges, sight, kept, shown.layout.wrap ? undefined : characterWidth);
    const key = made.map(({ position, width, kind }) => `${position}:${width}:${kind}`).join();
    if (key === slotted) return;
    slotted = key;
    slots = made;
  }

  let wanting = false;
  /** Rows around those in sight are asked for once these are painted. */
  const wantAhead = (): void => {
    if (wanting) return;
    wanting = true;
    setTimeout(() => {
      wanting = false;
      if (frameBehind) showFrame();
      const { first, last } = range();
      if (behind) render();
      if (last >= first) cache.want(Math.max(0, first - ahead), Math.min((run?.shownCount ?? 0) - 1, last + ahead));
    }, aheadDelay);
  };

  /** Rows stand in the page as they are read once nothing moves any more, and what is left over leaves it. */
  let tidying: ReturnType<typeof setTimeout> | undefined;
  const tidySoon = (): void => {
    clearTimeout(tidying);
    tidying = setTimeout(() => {
      // Nothing is shown while a query runs: its rows will need what is left over.
      if (rows.size === 0) return;
      for (const row of spare) row.element.remove();
      spare.length = Math.min(spare.length, rows.size);
      let before: Element | null = null;
      for (const [, row] of [...rows].sort(([a], [b]) => b - a)) {
        if (row.element.nextElementSibling !== before) canvas.insertBefore(row.element, before);
        before = row.element;
      }
      checkFont();
    }, tidyDelay);
  };

  /** The zoom may have changed how wide characters are laid out: columns stand where they should, or are laid out anew. */
  function checkFont(): void {
    const last = slots.at(-1);
    const expected = last && edges[last.position + 1];
    if (expected === undefined || [...rows.values()].every((row) => Math.abs(row.end() - expected) < 1)) return;
    const before = characterWidth;
    measureLaidOut(grid);
    if (measureFont(grid).character === before) distrustFont(grid);
    rebuild();
    render();
  }
  const changeFont = (): void => {
    measureLaidOut(grid);
    if (measureFont(grid).character === characterWidth) return;
    rebuild();
    render();
  };
  // Where VS Code keeps its theme and its fonts.
  new MutationObserver(changeFont).observe(document.documentElement, { attributes: true, attributeFilter: ['style'] });

  let missing = false;
  /** Rows just out of sight show what was there before: those in sight come first. */
  let behind = false;
  /** The header's marks and the length of the table are those of the rows before: other rows at the top are painted first. */
  let frameBehind = false;
  function render(inSightOnly = false): void {
    if (!run || sight.height === 0) return;
    behind = inSightOnly;
    slotColumns(run);
    grid.classList.toggle('sideways', sight.left > 0);
    const { first, last } = range();
    const { focus } = selection;
    /** Out of sight, but what the keyboard acts on and a screen reader reads. */
    const away = focus && focus.row < run.shownCount && (focus.row < first || focus.row > last) ? focus.row : -1;
    for (const [index, row] of rows) {
      if ((index >= first && index <= last) || index === away) continue;
      rows.delete(index);
      spare.push(row);
    }
    const selected = JSON.stringify([focus, selection.range]);
    const added: HTMLElement[] = [];
    missing = false;
    const place = (index: number): void => {
      let row = rows.get(index);
      if (!row) {
        row = spare.shift() ?? createGridRow();
        if (!row.element.isConnected) added.push(row.element);
        rows.set(index, row);
        row.expire();
      }
      row.arrange(slots);
      const fresh = !row.filled;
      if (fresh) row.fill(index, height, cache.row(index));
      missing ||= !row.filled;
      // A row just filled carries no marks, and most rows neither have nor get any.
      if ((selected !== painted || fresh) && (row.marked || touched(index))) paintSelection(row);
    };
    const seen = inSightOnly ? range(0) : { first, last };
    for (let index = seen.first; index <= seen.last; index++) place(index);
    if (away >= 0) place(away);
    if (missing) {
      cache.want(first, last);
      if (away >= 0) cache.want(away, away);
    }
    wantAhead();
    painted = selected;
    for (const row of spare) row.release();
    if (added.length > 0) canvas.append(...added);
    tidySoon();
    // Rows may have gone from under the focus.
    const active =
      !focus || focus.row >= run.shownCount
        ? ''
        : focus.row < 0
          ? header.cellId(focus.column)
          : cellId(focus.row, focus.column);
    if (active !== described) {
      described = active;
      if (active === '') grid.removeAttribute('aria-activedescendant');
      else grid.setAttribute('aria-activedescendant', active);
    }
    header.paintFocus(focus?.row === -1 ? focus.column : undefined);
  }
  let described = '';

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

  /** All rows again: their columns or height changed. */
  function rebuild(): void {
    if (!run) return;
    const { layout } = run;
    characterWidth = measureFont(grid).character;
    edges = columnEdges(layout);
    slotted = '';
    for (const row of rows.values()) row.expire();
    grid.classList.toggle('wrap', layout.wrap);
    canvas.style.width = `${edges.at(-1) ?? 0}px`;
    grid.setAttribute('aria-colcount', String(layout.order.length + 1));
    resize();
  }

  function showFrame(): void {
    if (!run) return;
    frameBehind = false;
    header.show(run);
    resize();
  }

  /** As many rows as there are now. */
  function resize(): void {
    if (!run) return;
    const count = run.shownCount;
    if (counted !== count * height) {
      counted = count * height;
      canvas.style.height = `${counted}px`;
      grid.setAttribute('aria-rowcount', String(count + 1));
    }
  }
  let counted = -1;

  function reveal(row: number, position: number): void {
    if (!run) return;
    scrolled = true;
    if (row >= 0) {
      const top = row * height;
      if (top < sight.top) grid.scrollTop = top;
      else if (top + height > sight.top + seenHeight()) grid.scrollTop = top + height - seenHeight();
    }
    if (position < run.layout.frozen) return;
    const left = edges[position] ?? 0;
    const right = edges[position + 1] ?? 0;
    const frozen = edges[run.layout.frozen] ?? 0;
    if (left - frozen < sight.left) grid.scrollLeft = left - frozen;
    else if (right > sight.left + sight.width) grid.scrollLeft = right - sight.width;
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
        for (const row of rows.values()) row.expire();
        if (next.head) cache.receive(next.head.start, next.head.rows);
      }
      if (other) {
        selection.clear();
        toOrigin();
      }
      frameBehind = changed && !laidOut && next.head !== undefined && sight.top === 0;
      if (!frameBehind) showFrame();
      if (laidOut) rebuild();
      // With its rows at hand, all of the change is laid out in one go; a frame that begins with a part of it lays out twice.
      if (changed && next.head) render(true);
      else schedule();
      return frameBehind;
    },
    receive(revision, start, received) {
      if (!run || revision !== run.revision) return;
      cache.receive(start, received);
      if (missing) schedule();
    },
    prepare() {
      if (sight.height === 0) measure();
      if (run && run.columns.length > 0) return;
      measureLaidOut(grid);
      this.show(rehearsal(Math.ceil(seenHeight() / rowHeight) + overscan));
    },
    selection: () => selection.range,
    focused: () => selection.focus,
    moveTo: (row, position) => moveTo(row, position, false),
    inSight() {
      const { first, last } = range();
      return { start: first, count: Math.max(0, last - first + 1) };
    },
    focus: () => grid.focus(),
    revealFocus() {
      const at = selection.focus;
      if (!at) return;
      measure();
      reveal(at.row, at.column);
      schedule();
    },
  };
}

function sameKinds(a: RunView | undefined, b: RunView): boolean {
  return a?.columns.length === b.columns.length && b.columns.every(({ kind }, i) => kind === a.columns[i]?.kind);
}

/** Row and column position of the cell an event hit; column −1 is the row's number. */
function cellAt(target: EventTarget | null): { row: number; column: number } | undefined {
  if (!(target instanceof Element)) return undefined;
  const cell = target.closest('.cell');
  const row = cell?.closest('.row');
  if (!cell || !row) return undefined;
  return {
    row: Number(row.getAttribute('aria-rowindex')) - 2,
    column: Number(cell.getAttribute('aria-colindex')) - 2,
  };
}
