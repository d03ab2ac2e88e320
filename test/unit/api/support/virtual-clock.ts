import type { Clock } from '../../../../server/api/transport/clock.ts';

export interface VirtualClock extends Clock {
  /** Moves time on, waking sleepers in order and letting what they start run before the next one wakes. */
  advance(milliseconds: number): Promise<void>;
  /** Moves only what the computer calls the time of day. */
  setWall(offsetMilliseconds: number): void;
  readonly sleeping: number;
}

/** A clock that stands still until it is moved. */
export function createVirtualClock(start = Date.parse('2031-04-02T08:00:00.000Z')): VirtualClock {
  let now = 0;
  let wallOffset = start;
  let sleepers: { readonly at: number; readonly wake: () => void }[] = [];
  return {
    monotonic: () => now,
    wall: () => now + wallOffset,
    sleep: (milliseconds, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted || !(milliseconds > 0)) {
          resolve();
          return;
        }
        const sleeper = { at: now + milliseconds, wake: resolve };
        sleepers.push(sleeper);
        signal?.addEventListener(
          'abort',
          () => {
            sleepers = sleepers.filter((other) => other !== sleeper);
            resolve();
          },
          { once: true },
        );
      }),
    async advance(milliseconds) {
      const end = now + milliseconds;
      await settle();
      for (;;) {
        const next = sleepers.reduce((least, sleeper) => Math.min(least, sleeper.at), Number.POSITIVE_INFINITY);
        if (next > end) break;
        now = next;
        const due = sleepers.filter((sleeper) => sleeper.at <= now);
        sleepers = sleepers.filter((sleeper) => sleeper.at > now);
        for (const sleeper of due) sleeper.wake();
        await settle();
      }
      now = end;
    },
    setWall(offsetMilliseconds) {
      wallOffset = start + offsetMilliseconds;
    },
    get sleeping() {
      return sleepers.length;
    },
  };
}

// A turn of the event loop drains all promise reactions, however deep.
function settle(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
