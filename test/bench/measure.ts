/** Something to be timed: runs once and gives a value, so that nothing can be left out as unused. */
export type Contender = () => unknown;

/** Keeps results alive, so that the compiler cannot drop the work that made them. */
let sink: unknown;

export function keep(value: unknown): void {
  sink = value;
}

export function kept(): unknown {
  return sink;
}

export interface MeasureOptions {
  /** Milliseconds a contender runs before it is measured. */
  readonly warmUp: number;
  readonly rounds: number;
  /** Milliseconds that one sample should take. */
  readonly sample: number;
}

const ordinary: MeasureOptions = { warmUp: 400, rounds: 40, sample: 8 };

/**
 * Times contenders side by side in one process: each is warmed up, then all take turns, round by round, so that whatever else the machine
 * does falls on all of them. Gives the median of each, in microseconds a run.
 */
export function measure<Name extends string>(
  contenders: Readonly<Record<Name, Contender>>,
  options: Partial<MeasureOptions> = {},
): Readonly<Record<Name, number>> {
  const { warmUp, rounds, sample } = { ...ordinary, ...options };
  const names = Object.keys(contenders) as Name[];
  const batches = new Map<Name, number>();
  for (const name of names) {
    const run = contenders[name];
    const start = performance.now();
    let runs = 0;
    // By time and by count: on a busy machine the time passes without a run being compiled.
    while (performance.now() - start < warmUp || (runs < 3_000 && performance.now() - start < 10 * warmUp)) {
      keep(run());
      runs++;
    }
    // The second half of the warm-up tells how fast it is once compiled.
    const again = performance.now();
    let count = 0;
    while (performance.now() - again < sample) {
      keep(run());
      count++;
    }
    batches.set(name, Math.max(1, count));
  }
  const samples = new Map<Name, number[]>(names.map((name) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const name of names) {
      const run = contenders[name];
      const batch = batches.get(name) ?? 1;
      const start = performance.now();
      for (let i = 0; i < batch; i++) keep(run());
      samples.get(name)?.push(((performance.now() - start) * 1000) / batch);
    }
  }
  return Object.fromEntries(names.map((name) => [name, median(samples.get(name) ?? [])])) as Record<Name, number>;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? Number.NaN;
}

/** Bytes on the heap and beside it after everything unused has been collected. Needs `--expose-gc`. */
export function heldBytes(): number {
  const { gc } = globalThis as { readonly gc?: () => void };
  if (gc === undefined) throw new Error('Memory is measured with --expose-gc: start the benchmark by npm run bench.');
  for (let i = 0; i < 4; i++) gc();
  const { heapUsed, external, arrayBuffers } = process.memoryUsage();
  return heapUsed + Math.max(external, arrayBuffers);
}
