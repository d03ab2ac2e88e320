/** Runs a generator of steps to its end: hosts of the product yield between them. */
export function finish<T>(steps: Generator<undefined, T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
