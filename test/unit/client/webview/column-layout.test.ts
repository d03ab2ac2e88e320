import { expect, test } from 'vitest';
import { withFirstWidths } from '../../../../client/webview/results/column-layout.ts';

const layout = { order: [0, 1, 2], widths: { 2: 300 }, frozen: 0, wrap: false };
const columns = [
  { name: 'OS', label: 'OS', kind: 'text', length: 6 },
  { name: 'EVENT', label: 'EVENT', kind: 'json', length: 4000 },
  { name: 'KEPT', label: 'KEPT', kind: 'text', length: 9 },
] as const;

test('a first width has room for the name beside the sort mark and the menu, and for most values', () => {
  const view = { columns, layout };
  // Two characters of seven pixels, and 68 for padding, arrow, mark and number.
  expect(withFirstWidths(view, () => 7)?.widths).toEqual({ 0: 82, 1: 300, 2: 300 });
  expect(withFirstWidths({ columns, layout: { ...layout, widths: { 0: 1, 1: 2, 2: 3 } } }, () => 7)).toBeUndefined();
});
