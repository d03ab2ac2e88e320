/** Time and chance, handed in so that tests own them. */
export interface Clock {
  /** Milliseconds that only ever grow, whatever happens to the computer's clock. */
  monotonic(): number;
  /** Milliseconds since 1970; may be wrong by any amount, so nothing is decided by it. */
  wall(): number;
  /** Waits; a cancellation ends the wait early, without an error. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

/** Timers beyond this fire at once. */
const longestTimer = 2 ** 31 - 1;

/** The computer's own clock. */
export const systemClock: Clock = {
  monotonic: () => performance.now(),
  wall: () => Date.now(),
  sleep: (milliseconds, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted || !(milliseconds > 0)) {
        resolve();
        return;
      }
      const end = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', end);
        resolve();
      };
      const timer = setTimeout(end, Math.min(milliseconds, longestTimer));
      signal?.addEventListener('abort', end, { once: true });
    }),
};
