/**
 * Runs that wait for one another: only so many at once, the others in the order they came. A run can be cancelled in
 * either state; what it still answers is dropped.
 */
export interface RunQueue {
  /** Resolves when the run has ended, in whatever way. */
  add(run: QueuedRun): Promise<void>;
  cancelAll(): void;
  cancel(run: QueuedRun): void;
  readonly running: readonly QueuedRun[];
  readonly waiting: readonly QueuedRun[];
}

export interface QueuedRun {
  readonly title: string;
  /** Does the work and tells the view. Must not throw. */
  readonly work: (signal: AbortSignal) => Promise<void>;
  /** Called once when the run is cancelled, at once: it does not wait for the work to end. */
  readonly cancelled: () => void;
}

export function createRunQueue(limit: number, changed: () => void): RunQueue {
  const running = new Map<QueuedRun, AbortController>();
  const waiting: { readonly run: QueuedRun; readonly done: () => void }[] = [];

  const next = (): void => {
    while (running.size < limit) {
      const entry = waiting.shift();
      if (!entry) break;
      start(entry.run, entry.done);
    }
    changed();
  };
  const start = (run: QueuedRun, done: () => void): void => {
    const abort = new AbortController();
    running.set(run, abort);
    const ended = (): void => {
      // A cancelled run has made room already.
      if (running.delete(run)) next();
      done();
    };
    run.work(abort.signal).then(ended, ended);
  };
  const cancel = (run: QueuedRun): void => {
    const abort = running.get(run);
    const index = waiting.findIndex((entry) => entry.run === run);
    if (!abort && index < 0) return;
    running.delete(run);
    const [entry] = index < 0 ? [] : waiting.splice(index, 1);
    run.cancelled();
    abort?.abort();
    entry?.done();
    next();
  };
  return {
    get running() {
      return [...running.keys()];
    },
    get waiting() {
      return waiting.map(({ run }) => run);
    },
    add(run) {
      return new Promise<void>((done) => {
        waiting.push({ run, done });
        next();
      });
    },
    cancel,
    cancelAll() {
      for (const { run } of [...waiting]) cancel(run);
      for (const run of [...running.keys()]) cancel(run);
    },
  };
}
