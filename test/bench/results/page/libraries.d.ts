// What the benchmark uses of the libraries. They are installed for the benchmark alone, so their own types cannot be relied on.
declare module 'slickgrid' {
  interface Subscribable<Arguments> {
    subscribe(handle: (event: unknown, args: Arguments) => void): void;
  }
  export class SlickDataView<Item> {
    constructor(options: { inlineFilters: boolean });
    readonly onRowCountChanged: Subscribable<unknown>;
    readonly onRowsChanged: Subscribable<{ readonly rows: readonly number[] }>;
    setItems(items: readonly Item[], idProperty: string): void;
    setFilter(filter: (item: Item) => boolean): void;
    sort(compare: (a: Item, b: Item) => number, ascending: boolean): void;
  }
  export class SlickGrid<Item> {
    constructor(
      host: HTMLElement,
      view: SlickDataView<Item>,
      columns: readonly { id: string; name: string; field: string; width: number; sortable: boolean }[],
      options: { rowHeight: number; enableColumnReorder: boolean },
    );
    updateRowCount(): void;
    render(): void;
    invalidate(): void;
    invalidateRows(rows: readonly number[]): void;
  }
}

declare module '@revolist/revogrid/loader' {
  export function defineCustomElements(): Promise<void>;
}

interface RevoColumn {
  readonly prop: string;
  readonly name: string;
  readonly size: number;
  readonly sortable: boolean;
  readonly cellCompare?: (
    prop: string,
    a: Readonly<Record<string, unknown>>,
    b: Readonly<Record<string, unknown>>,
  ) => number;
}

interface RevoGridElement extends HTMLElement {
  rowSize: number;
  readonly: boolean;
  filter: boolean;
  columns: readonly RevoColumn[];
  source: readonly object[];
  updateColumnSorting(column: RevoColumn | undefined, order: 'asc' | 'desc', additive: boolean): Promise<void>;
  clearSorting(): Promise<void>;
}

interface HTMLElementTagNameMap {
  'revo-grid': RevoGridElement;
}

declare module 'ag-grid-community' {
  export const AllCommunityModule: object;
  export const ModuleRegistry: { registerModules(modules: readonly object[]): void };
  interface GridApi<Row> {
    setGridOption(name: 'rowData', rows: readonly Row[]): void;
    setGridOption(name: 'quickFilterText', text: string): void;
    setFilterModel(model: Readonly<Record<string, { filterType: string; type: string; filter: string }>> | null): void;
    applyColumnState(change: {
      state?: readonly { colId: string; sort: 'asc' | 'desc' }[];
      defaultState?: { sort: null };
    }): void;
  }
  export function createGrid<Row>(
    host: HTMLElement,
    options: {
      rowHeight: number;
      headerHeight: number;
      animateRows: boolean;
      suppressColumnMoveAnimation: boolean;
      columnDefs: readonly { field: string; width: number; filter: string }[];
      rowData: readonly Row[];
    },
  ): GridApi<Row>;
}
