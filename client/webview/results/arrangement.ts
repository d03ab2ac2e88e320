import type { RunView, SortKey, TableFilter } from '../../protocol/results.ts';

/** How the rows of a run are ordered and which of them are shown. */
export interface Arrangement {
  readonly sort: readonly SortKey[];
  readonly filter: TableFilter;
}

/**
 * What the person asked for last. The host needs a while for many rows; the next click or key goes on from what was asked for, not
 * from what is still shown.
 */
export interface Arrangements {
  /** What was asked for last, else what is shown. */
  of(run: RunView): Arrangement;
  asked(runId: string, arrangement: Arrangement): void;
  /** The host has told what it shows, or is about to show. */
  told(run: RunView): void;
}

export function createArrangements(): Arrangements {
  let last: { readonly runId: string; readonly arrangement: Arrangement } | undefined;
  return {
    of: (run) => (last?.runId === run.id ? last.arrangement : arrangementOf(run)),
    asked(runId, arrangement) {
      last = { runId, arrangement };
    },
    told(run) {
      if (last?.runId !== run.id || JSON.stringify(last.arrangement) === JSON.stringify(arrangementOf(run)))
        last = undefined;
    },
  };
}

/** Unsorted → ascending → descending → unsorted; an additional key keeps those before it. */
export function nextSort(sort: readonly SortKey[], column: number, additive: boolean): readonly SortKey[] {
  const before = sort.find((key) => key.column === column);
  const others = additive ? sort.filter((key) => key.column !== column) : [];
  return before?.descending ? others : [...others, { column, descending: before !== undefined }];
}

function arrangementOf({ sort, filter }: RunView): Arrangement {
  return { sort, filter };
}
