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
  /** So many characters of ASCII surely fit. */
  readonly characters: number;
}

/** CSS pixels beyond both sides of the table that have cells: what comes into sight is there already. */
const beside = 60;
/** The padding and border of a cell. */
const cellEdges = 17;

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
      characters: characterWidth === undefined ? 0 : Math.floor((next - start - cellEdges) / characterWidth),
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

/** Measures the table's own font, which is a fixed-width one by default. */
export function measureFont(element: HTMLElement): TableFont {
  const { fontSize, fontFamily, fontWeight } = getComputedStyle(element);
  const font = `${fontWeight} ${fontSize} ${fontFamily}`;
  const known = measured.get(font);
  if (known) return known;
  canvas ??= document.createElement('canvas').getContext('2d');
  if (!canvas) return { digit: 8, character: undefined };
  canvas.font = font;
  const width = (text: string): number => (canvas?.measureText(text.repeat(20)).width ?? 0) / 20;
  const digit = width('0');
  const fixed = ['i', 'W', ' ', '@'].every((character) => Math.abs(width(character) - digit) < 0.01);
  const found = { digit, character: fixed ? digit : undefined };
  measured.set(font, found);
  return found;
}

export function sameLayout(a: ColumnLayout | undefined, b: ColumnLayout): boolean {
  return a === b || (a !== undefined && JSON.stringify(a) === JSON.stringify(b));
}
