import type { ColumnLayout, RunView } from '../../protocol/results.ts';

/** Width of the row numbers, in CSS pixels. */
const gutterWidth = 56;

export function widthOf(layout: ColumnLayout, column: number): number {
  return layout.widths[column] ?? 140;
}

/** The widths as a CSS grid template: one place says where every column stands. */
export function columnTemplate(layout: ColumnLayout): string {
  return [gutterWidth, ...layout.order.map((column) => widthOf(layout, column))].map((width) => `${width}px`).join(' ');
}

/** Distance of a column's left edge from the table's, in CSS pixels. */
export function frozenOffset(layout: ColumnLayout, position: number): number {
  let left = gutterWidth;
  for (const column of layout.order.slice(0, position)) left += widthOf(layout, column);
  return left;
}

/** A first width shows the name and most values in full, but lets no column push the others out of sight. */
const longestText = 40;

/** The layout with a width for every column that has none yet, made from its texts and the font in use. */
export function withFirstWidths({ columns, layout }: RunView, characterWidth: number): ColumnLayout | undefined {
  const missing = columns.flatMap((column, index) => (layout.widths[index] === undefined ? [{ column, index }] : []));
  if (missing.length === 0) return undefined;
  const widths: { [column: number]: number } = { ...layout.widths };
  for (const { column, index } of missing) {
    // The name shares its cell with the menu's arrow and the sort mark.
    const characters = Math.max(column.label.length + 3, Math.min(column.length, longestText));
    widths[index] = Math.round(Math.max(64, characters * characterWidth + 20));
  }
  return { ...layout, widths };
}

/** CSS pixels of one character in the table's own font, which is a fixed-width one by default. */
export function measureCharacter(element: HTMLElement): number {
  const { fontSize, fontFamily, fontWeight } = getComputedStyle(element);
  const context = document.createElement('canvas').getContext('2d');
  if (!context) return 8;
  context.font = `${fontWeight} ${fontSize} ${fontFamily}`;
  return context.measureText('0000000000').width / 10;
}

export function sameLayout(a: ColumnLayout | undefined, b: ColumnLayout): boolean {
  return a === b || (a !== undefined && JSON.stringify(a) === JSON.stringify(b));
}
