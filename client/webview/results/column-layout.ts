import type { ColumnKind, ColumnLayout, RunView } from '../../protocol/results.ts';

/** Width of the row numbers, in CSS pixels. */
const gutterWidth = 56;

export function widthOf(layout: ColumnLayout, column: number): number {
  return layout.widths[column] ?? 140;
}

/** The widths as a CSS grid template: one place says where every column stands. */
export function columnTemplate(layout: ColumnLayout): string {
  return [gutterWidth, ...layout.order.map((column) => widthOf(layout, column))].map((width) => `${width}px`).join(' ');
}

/** Left edge of each position, and behind the last one the right edge of them all, in CSS pixels from the table's left. */
export function columnEdges(layout: ColumnLayout): readonly number[] {
  const edges = [gutterWidth];
  for (const column of layout.order) edges.push((edges.at(-1) ?? 0) + widthOf(layout, column));
  return edges;
}

/** A column whose cells exist in every row. */
export interface Slot {
  /** As shown; `column` is its number in the result. */
  readonly position: number;
  readonly column: number;
  readonly kind: ColumnKind;
  readonly width: number;
  /** Width of the columns left out before it. */
  readonly gap: number;
  /** Where a frozen column stands; undefined for others. */
  readonly left: number | undefined;
  /** CSS pixels of any character of ASCII; undefined where they differ. */
  readonly character: number | undefined;
}

/** The padding that fills a cell up behind a text of ASCII, or before it; undefined where the text may not fit. CSS pixels. */
export function paddingBeside({ width, character }: Slot, length: number): number | undefined {
  if (character === undefined) return undefined;
  const padding = width - cellBorder - cellPadding - length * character;
  return padding < cellPadding ? undefined : padding;
}

/** CSS pixels beyond both sides of the table that have cells: what comes into sight is there already. */
const beside = 60;
/** The padding of one side of a cell, and its border. */
const cellPadding = 8;
const cellBorder = 1;

/** The frozen columns, those between `left` and `left + width`, and the one at `kept`, whatever is scrolled. */
export function slotsInSight(
  { columns, layout }: RunView,
  edges: readonly number[],
  sight: { readonly left: number; readonly width: number },
  kept: number | undefined,
  characterWidth: number | undefined,
): readonly Slot[] {
  const slots: Slot[] = [];
  const from = sight.left + (edges[layout.frozen] ?? 0) - beside;
  const to = sight.left + sight.width + beside;
  let end = gutterWidth;
  for (const [position, column] of layout.order.entries()) {
    const start = edges[position] ?? 0;
    const next = edges[position + 1] ?? 0;
    const frozen = position < layout.frozen;
    if (!frozen && position !== kept && (next <= from || start >= to)) continue;
    slots.push({
      position,
      column,
      kind: columns[column]?.kind ?? 'text',
      width: next - start,
      gap: start - end,
      left: frozen ? start : undefined,
      character: characterWidth,
    });
    end = next;
  }
  return slots;
}

/** A name shares its cell with padding, the sort mark and its number, and the menu's arrow: their width, in CSS pixels. */
const besideName = 68;

/** A first width shows the name and most values in full, but lets no column push the others out of sight. */
const longestText = 40;

/** The layout with a width for every column that has none yet, made from its texts and the font in use. */
export function withFirstWidths(
  { columns, layout }: Pick<RunView, 'columns' | 'layout'>,
  characterWidth: () => number,
): ColumnLayout | undefined {
  if (columns.every((_, index) => layout.widths[index] !== undefined)) return undefined;
  const widths: { [column: number]: number } = { ...layout.widths };
  for (const [index, column] of columns.entries()) {
    if (widths[index] !== undefined) continue;
    const name = column.label.length * characterWidth() + besideName;
    const values = Math.min(column.length, longestText) * characterWidth() + 20;
    widths[index] = Math.ceil(Math.max(name, values));
  }
  return { ...layout, widths };
}

export interface TableFont {
  /** CSS pixels of a digit. */
  readonly digit: number;
  /** CSS pixels of any character of ASCII; undefined where they differ. */
  readonly character: number | undefined;
}

const measured = new Map<string, TableFont>();
let canvas: CanvasRenderingContext2D | null | undefined;

/** Letters wide and narrow: where they are as wide as a digit, all of ASCII is. */
const letters = ['i', 'W', ' ', '@'];
const repeats = 20;

/** Measures the table's own font, which is a fixed-width one by default; the table need not be laid out. */
export function measureFont(element: HTMLElement): TableFont {
  const font = fontOf(element);
  const known = measured.get(font.key);
  if (known) return known;
  canvas ??= document.createElement('canvas').getContext('2d');
  if (!canvas) return { digit: 8, character: undefined };
  canvas.font = font.css;
  const found = fontFrom((text) => canvas?.measureText(text).width ?? 0);
  measured.set(font.key, found);
  return found;
}

/** Measures the font as the page lays it out, which may round what a canvas does not. The table must be laid out. */
export function measureLaidOut(element: HTMLElement): void {
  const ruler = document.createElement('span');
  ruler.className = 'ruler';
  element.append(ruler);
  const found = fontFrom((text) => {
    ruler.textContent = text;
    return ruler.getBoundingClientRect().width;
  });
  ruler.remove();
  if (found.digit > 0) measured.set(fontOf(element).key, found);
}

/** The characters of this font are not as wide as they were measured: none is taken for granted any more. */
export function distrustFont(element: HTMLElement): void {
  measured.set(fontOf(element).key, { ...measureFont(element), character: undefined });
}

function fontOf(element: HTMLElement): { readonly css: string; readonly key: string } {
  const { fontSize, fontFamily, fontWeight } = getComputedStyle(element);
  const css = `${fontWeight} ${fontSize} ${fontFamily}`;
  return { css, key: `${css} ${devicePixelRatio}` };
}

function fontFrom(width: (text: string) => number): TableFont {
  const of = (character: string): number => width(character.repeat(repeats)) / repeats;
  const digit = of('0');
  const fixed = letters.every((character) => Math.abs(of(character) - digit) < 0.01);
  return { digit, character: fixed ? digit : undefined };
}

export function sameLayout(a: ColumnLayout | undefined, b: ColumnLayout): boolean {
  return a === b || (a !== undefined && JSON.stringify(a) === JSON.stringify(b));
}
