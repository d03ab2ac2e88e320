import type { Browser } from 'playwright-core';
import { createRowStore, type RowStore } from '../../../server/core/results/row-store.ts';
import { finish } from '../../support/finish.ts';
import { sampleRows } from '../../ui/support/results-page.ts';
import { median } from '../measure.ts';
import { openView } from './ours.ts';
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

/** Milliseconds of a question about one row and its answer, with nothing to draw: what every answer of the host costs at least. */
export async function roundTrip(browser: Browser): Promise<number> {
  const { shell, host } = await openView(browser);
  host.run.succeed(sampleRows(100), 0, undefined);
  await shell.frame.locator('[role=gridcell]').first().waitFor();
  const question = { kind: 'getRow', runId: host.run.id, revision: host.run.view().revision, row: 0 };
  const times = await shell.frame.evaluate(async (asked) => {
    const answered = (): Promise<void> =>
      new Promise((resolve) => {
        const hear = (event: MessageEvent<string>): void => {
          if (!event.data.startsWith('{"kind":"row"')) return;
          window.removeEventListener('message', hear);
          resolve();
        };
        window.addEventListener('message', hear);
      });
    const api = (
      globalThis as unknown as { acquireVsCodeApi(): { postMessage(message: unknown): void } }
    ).acquireVsCodeApi();
    const found: number[] = [];
    for (let i = 0; i < 60; i++) {
      const start = performance.now();
      const answer = answered();
      api.postMessage(asked);
      await answer;
      found.push(performance.now() - start);
    }
    return found;
  }, question);
  await shell.close();
  return median(times);
}
