import type { Browser } from 'playwright-core';
import { createRowStore, type RowStore } from '../../../server/core/results/row-store.ts';
import { finish } from '../../../server/core/results/view.ts';
import { openResults, sampleRows } from '../../ui/support/results-page.ts';
import { median } from '../measure.ts';
import { benchRows, columnNames, numberColumns } from './rows.ts';

const mb = 2 ** 20;

/** What the store holds on to for `count` rows, and what their columns weigh: 8 bytes a number, the UTF-8 bytes of a text. */
export function holdRows(count: number, held: () => number): { readonly heldMb: number; readonly columnsMb: number } {
  const before = held();
  const store = fill(count);
  const heldMb = (held() - before) / mb;
  let bytes = 0;
  for (const [column, name] of columnNames.entries()) {
    for (let row = 0; row < store.rowCount; row++) {
      bytes += (numberColumns as readonly string[]).includes(name)
        ? 8
        : Buffer.byteLength(store.text(row, column) ?? '');
    }
  }
  return { heldMb, columnsMb: bytes / mb };
}

/** In a function of its own, so that nothing but the store is left of the rows. */
function fill(count: number): RowStore {
  const store = createRowStore();
  store.append(benchRows(count));
  finish(store.settle());
  return store;
}

/** Milliseconds of a question about one row and its answer, in the page. */
export async function roundTrip(browser: Browser): Promise<number> {
  const view = await openResults(browser);
  view.run.succeed(sampleRows(100), 0, undefined);
  await view.page.locator('[role=gridcell]').first().waitFor();
  const cell = view.page.locator('#cell-2-1');
  await cell.dblclick();
  const times = await view.page.evaluate(async () => {
    const grid = document.querySelector('[role=grid]');
    const answered = (): Promise<void> =>
      new Promise((resolve) => {
        const hear = (event: MessageEvent<{ readonly kind?: string }>): void => {
          if (event.data.kind !== 'row') return;
          window.removeEventListener('message', hear);
          resolve();
        };
        window.addEventListener('message', hear);
      });
    const found: number[] = [];
    for (let i = 0; i < 40; i++) {
      const start = performance.now();
      const answer = answered();
      grid?.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowDown' }));
      await answer;
      found.push(performance.now() - start);
    }
    return found;
  });
  await view.close();
  return median(times);
}
