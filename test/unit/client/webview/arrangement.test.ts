import { expect, test } from 'vitest';
import type { RunView } from '../../../../client/protocol/results.ts';
import { createArrangements, nextSort } from '../../../../client/webview/results/arrangement.ts';

const unfiltered = { search: '', columns: [] };
const up = { column: 2, descending: false };
const down = { column: 2, descending: true };

/** Of a run nothing but its id and how it is arranged is looked at. */
function told(id: string, sort: RunView['sort'], filter: RunView['filter'] = unfiltered): RunView {
  return {
    id,
    sort,
    filter,
    title: id,
    phase: 'succeeded',
    queryText: '{}',
    accountLabel: 'acme',
    window: { start: '', end: '', label: '' },
    startedAt: 0,
    durationMs: 1,
    timeZone: 'utc',
    columns: [],
    layout: { order: [], widths: {}, frozen: 0, wrap: false },
    rowCount: 0,
    shownCount: 0,
    revision: 1,
    head: undefined,
    busy: false,
    note: undefined,
    message: undefined,
    actions: [],
  };
}

test.each([
  [[], false, [up]],
  [[up], false, [down]],
  [[down], false, []],
  [[{ column: 0, descending: true }], false, [up]],
  [[{ column: 0, descending: true }], true, [{ column: 0, descending: true }, up]],
  [[up, { column: 0, descending: true }], true, [{ column: 0, descending: true }, down]],
  [[down, { column: 0, descending: true }], true, [{ column: 0, descending: true }]],
])('after %j, with the others kept: %s, comes %j', (before, additive, after) => {
  expect(nextSort(before, 2, additive)).toEqual(after);
});

test('a second click goes on from what the first asked for, however long the host takes', () => {
  const arrangements = createArrangements();
  const shown = told('run-1', []);
  const click = (): void => {
    const { sort, filter } = arrangements.of(shown);
    arrangements.asked('run-1', { sort: nextSort(sort, 2, false), filter });
  };
  click();
  expect(arrangements.of(shown).sort).toEqual([up]);
  // The host speaks of something else meanwhile.
  arrangements.told(shown);
  click();
  expect(arrangements.of(shown).sort).toEqual([down]);
  arrangements.told(told('run-1', [up]));
  expect(arrangements.of(told('run-1', [up])).sort).toEqual([down]);
  arrangements.told(told('run-1', [down]));
  // From now on what the host shows counts again.
  expect(arrangements.of(told('run-1', [])).sort).toEqual([]);
});

test('what was asked of one run is not asked of another', () => {
  const arrangements = createArrangements();
  arrangements.asked('run-1', { sort: [up], filter: { search: 'x', columns: [] } });
  expect(arrangements.of(told('run-2', [down]))).toEqual({ sort: [down], filter: unfiltered });
  arrangements.told(told('run-2', [down]));
  expect(arrangements.of(told('run-1', [])).sort).toEqual([]);
});
