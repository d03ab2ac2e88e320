import { AllCommunityModule, createGrid, ModuleRegistry } from 'ag-grid-community';
import { type BenchRow, columnNames, numberColumns } from '../rows.ts';
import { type Contestant, columnWidth, host } from './contestant.ts';

/** AG Grid, the community edition, with its client-side row model. */
export function createContestant(): Contestant {
  ModuleRegistry.registerModules([AllCommunityModule]);
  const numeric = new Set<string>(numberColumns);
  const api = createGrid<BenchRow>(host(), {
    rowHeight: 22,
    headerHeight: 26,
    animateRows: false,
    suppressColumnMoveAnimation: true,
    columnDefs: columnNames.map((field) => ({
      field,
      width: columnWidth,
      filter: numeric.has(field) ? 'agNumberColumnFilter' : 'agTextColumnFilter',
    })),
    rowData: [],
  });
  return {
    load: (rowData) => api.setGridOption('rowData', rowData),
    sort: (colId) => api.applyColumnState({ state: [{ colId, sort: 'asc' }] }),
    filter(column, filter) {
      api.setFilterModel({ [column]: { filterType: 'text', type: 'contains', filter } });
    },
    search: (needle) => api.setGridOption('quickFilterText', needle),
    clear() {
      api.setFilterModel(null);
      api.setGridOption('quickFilterText', '');
      api.applyColumnState({ defaultState: { sort: null } });
    },
  };
}
