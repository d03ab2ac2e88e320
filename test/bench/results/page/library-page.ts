import { createContestant } from 'contestant';
import type { BenchRow } from '../rows.ts';
import type { Contestant } from './contestant.ts';
import { createProbe, type Probe } from './probe.ts';

type FromWorker =
  | { readonly kind: 'ready' }
  | { readonly kind: 'rows'; readonly sentAt: number; readonly rows: BenchRow[] };

/** What the benchmark calls in the page of a library. */
export interface LibraryPage {
  readonly probe: Probe;
  readonly contestant: Contestant;
  /** Makes the rows in the worker. */
  prepare(count: number): Promise<void>;
  /** Milliseconds from sending the rows to painting the first ones. */
  load(first: string): Promise<number>;
  /** Milliseconds from the call to the row `first` at the top, painted. */
  time(
    task: 'sort' | 'filter' | 'search',
    args: readonly [string, boolean | string] | readonly [string],
    first: string,
  ): Promise<number>;
}

const worker = new Worker('/worker.js', { type: 'module' });
const probe = createProbe();
const contestant = createContestant();

const page: LibraryPage = {
  probe,
  contestant,
  prepare(count) {
    worker.postMessage({ count });
    return new Promise((resolve) => worker.addEventListener('message', () => resolve(), { once: true }));
  },
  load(first) {
    return new Promise((resolve, reject) => {
      worker.addEventListener(
        'message',
        ({ data }: MessageEvent<FromWorker>) => {
          if (data.kind !== 'rows') return;
          probe
            .locate(first, () => contestant.load(data.rows))
            .then((painted) => resolve(painted - data.sentAt), reject);
        },
        { once: true },
      );
      worker.postMessage({});
    });
  },
  async time(task, [what, how], first) {
    const start = probe.now();
    const act = (): void => {
      if (task === 'sort') contestant.sort(what, how === true);
      else if (task === 'filter') contestant.filter(what, String(how));
      else contestant.search?.(what);
    };
    return (await probe.shows(first, act)) - start;
  },
};
Object.assign(globalThis, { bench: page });
