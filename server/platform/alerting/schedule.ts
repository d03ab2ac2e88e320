/** Something that waits. Tests hand in one whose time they turn. */
export interface Timers {
  /** Calls `action` once after a time in milliseconds; what is given back calls it off. */
  after(milliseconds: number, action: () => void): () => void;
}

/** The system's timers. They do not keep a process alive that has nothing else to do. */
export const systemTimers: Timers = {
  after(milliseconds, action) {
    const timer = setTimeout(action, milliseconds);
    timer.unref();
    return () => clearTimeout(timer);
  },
};

/**
 * Between two looks at which policies are due. A look costs next to nothing while none is; it is so frequent, rather than made when the
 * next one will be due, because policies are created and a computer sleeps in between.
 */
export const lookInterval = 60_000;

export interface Schedule {
  start(): void;
  /** Ends the looks; settles when the one under way has ended. */
  stop(): Promise<void>;
}

/** Calls `look` again and again, never two at once. A look that fails is reported and does not end the schedule. */
export function createSchedule(look: () => Promise<void>, timers: Timers, report: (error: unknown) => void): Schedule {
  let callOff: (() => void) | undefined;
  let stopped = false;
  let running: Promise<void> = Promise.resolve();
  const arm = (): void => {
    if (!stopped) callOff = timers.after(lookInterval, () => void tick());
  };
  const tick = async (): Promise<void> => {
    running = look().catch(report);
    await running;
    arm();
  };
  return {
    start: arm,
    async stop() {
      stopped = true;
      callOff?.();
      await running;
    },
  };
}
