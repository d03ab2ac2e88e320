import type { ColumnLayout } from '../../protocol/results.ts';

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
