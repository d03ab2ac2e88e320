import { defineCustomElements } from '@revolist/revogrid/loader';
import { columnNames, numberColumns } from '../rows.ts';
import { type Contestant, columnWidth, host } from './contestant.ts';

/** RevoGrid as a web component, with its own sorting and filtering. */
export function createContestant(): Contestant {
  void defineCustomElements();
  const numeric = new Set<string>(numberColumns);
  const grid = document.createElement('revo-grid');
  grid.rowSize = 22;
  grid.readonly = true;
  grid.filter = true;
  grid.columns = columnNames.map((name) => ({
    prop: name,
    name,
    size: columnWidth,
    sortable: true,
    ...(numeric.has(name)
      ? {
          cellCompare: (prop: string, a: Readonly<Record<string, unknown>>, b: Readonly<Record<string, unknown>>) =>
            Number(a[prop]) - Number(b[prop]),
        }
      : {}),
  }));
  host().append(grid);
  let sorted: string | undefined;
  return {
    load(rows) {
      grid.source = rows;
    },
    sort(column) {
      sorted = column;
      void grid.updateColumnSorting(
        grid.columns.find(({ prop }) => prop === column),
        'asc',
        false,
      );
    },
    filter(column, needle) {
      // What its filter panel sends.
      const items = { [column]: [{ id: 0, type: 'contains', value: needle, relation: 'and' }] };
      grid.dispatchEvent(new CustomEvent('filter', { detail: items }));
    },
    clear() {
      if (sorted !== undefined) void grid.clearSorting();
      else grid.dispatchEvent(new CustomEvent('filter', { detail: {} }));
      sorted = undefined;
    },
  };
}
