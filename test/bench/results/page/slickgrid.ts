import { SlickDataView, SlickGrid } from 'slickgrid';
import { type BenchRow, columnNames } from '../rows.ts';
import { type Contestant, columnWidth, host } from './contestant.ts';

/** SlickGrid with its DataView, as vscode-mssql uses it. */
export function createContestant(): Contestant {
  const view = new SlickDataView<BenchRow>({ inlineFilters: false });
  const columns = columnNames.map((name) => ({ id: name, name, field: name, width: columnWidth, sortable: true }));
  const grid = new SlickGrid(host(), view, columns, { rowHeight: 22, enableColumnReorder: false });
  view.onRowCountChanged.subscribe(() => {
    grid.updateRowCount();
    grid.render();
  });
  view.onRowsChanged.subscribe((_event, { rows }) => {
    grid.invalidateRows(rows);
    grid.render();
  });
  return {
    load(rows) {
      view.setItems(rows, 'ID');
      grid.invalidate();
    },
    sort(column, numeric) {
      if (numeric) view.sort((a, b) => Number(a[column]) - Number(b[column]), true);
      else {
        view.sort((a, b) => {
          const x = String(a[column]);
          const y = String(b[column]);
          return x < y ? -1 : x > y ? 1 : 0;
        }, true);
      }
      grid.invalidate();
    },
    filter(column, needle) {
      view.setFilter((row) => String(row[column]).toLowerCase().includes(needle));
      grid.invalidate();
    },
    search(needle) {
      view.setFilter((row) => columnNames.some((name) => String(row[name]).toLowerCase().includes(needle)));
      grid.invalidate();
    },
    clear() {
      view.setFilter(() => true);
      view.sort((a, b) => Number(a['ID']) - Number(b['ID']), true);
      grid.invalidate();
    },
  };
}
