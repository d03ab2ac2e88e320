/** Numbers from 0 to 1, the same for the same seed. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export interface Scheduler {
  /**
   * A request of an actor: carried out, and answered, when the schedule says so. Between the two, and before them, others may be served;
   * requests that an actor makes at once are carried out in any order.
   */
  request<T>(actor: string, handle: () => Promise<T>): Promise<T>;
  /** Runs the actors to their ends. */
  run(actors: ReadonlyMap<string, () => Promise<void>>): Promise<void>;
  /** What was served, in order, e.g. `A>` for a request of A that was carried out and `A<` for its answer. */
  readonly trace: readonly string[];
}

interface Gate {
  readonly actor: string;
  readonly open: () => Promise<void>;
}

/** Serves the requests of several actors in an order that the random numbers alone decide. */
export function createScheduler(random: () => number): Scheduler {
  const gates: Gate[] = [];
  const trace: string[] = [];
  return {
    trace,
    request: (actor, handle) =>
      new Promise((resolve, reject) => {
        const deliver = (settle: () => void): void => {
          gates.push({
            actor,
            open: async () => {
              trace.push(`${actor}<`);
              settle();
            },
          });
        };
        gates.push({
          actor,
          open: async () => {
            trace.push(`${actor}>`);
            await handle().then(
              (value) => deliver(() => resolve(value)),
              (error: unknown) => deliver(() => reject(error)),
            );
          },
        });
      }),
    async run(actors) {
      const live = new Set(actors.keys());
      const failures: unknown[] = [];
      for (const [name, run] of actors)
        void run()
          .catch((error: unknown) => failures.push(error))
          .finally(() => live.delete(name));
      for (;;) {
        // An actor that works on its own reaches its next request, or its end, without anybody's help.
        do await new Promise((resolve) => setImmediate(resolve));
        while ([...live].some((name) => !gates.some(({ actor }) => actor === name)));
        const [gate] = gates.splice(Math.floor(random() * gates.length), 1);
        if (!gate) break;
        await gate.open();
      }
      if (failures.length > 0) throw failures[0];
    },
  };
}
