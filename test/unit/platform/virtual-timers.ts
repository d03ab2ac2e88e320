import type { Timers } from '../../../server/platform/alerting/schedule.ts';
import { type Clock, createClock } from './signed-in.ts';

/** A clock whose time passes only when a test says so, and timers on it. */
export interface VirtualTimers extends Clock {
  readonly timers: Timers;
  /** Timers that wait. */
  readonly waiting: () => number;
  /** Lets time pass timer by timer; what a timer begins is done before the next one goes off. */
  pass(milliseconds: number): Promise<void>;
}

export function createVirtualTimers(start?: number): VirtualTimers {
  const clock = createClock(start);
  const waiting = new Map<number, { readonly at: number; readonly action: () => void }>();
  let count = 0;
  return Object.assign(clock, {
    timers: {
      after(milliseconds: number, action: () => void) {
        const id = ++count;
        waiting.set(id, { at: clock.time + milliseconds, action });
        return () => void waiting.delete(id);
      },
    },
    waiting: () => waiting.size,
    async pass(milliseconds: number) {
      const end = clock.time + milliseconds;
      for (;;) {
        const [next] = [...waiting].sort(([, left], [, right]) => left.at - right.at);
        if (next === undefined || next[1].at > end) break;
        const [id, { at, action }] = next;
        waiting.delete(id);
        clock.time = at;
        action();
        // The schedule waits again only after what the timer began has ended.
        while (waiting.size === 0) await new Promise((resolve) => setImmediate(resolve));
      }
      clock.time = end;
    },
  });
}
