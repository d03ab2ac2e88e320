/** Work that can stop after any unit and go on later. */
export interface Task {
  readonly done: boolean;
  /** Does up to about `budget` (at least 1) units of work and answers how many are left over. */
  step(budget: number): number;
}

/** Works tasks off one after the other. */
export function stepAll(tasks: readonly Task[], budget: number): number {
  let left = budget;
  for (const task of tasks) {
    while (!task.done && left > 0) left = task.step(left);
    if (left <= 0) break;
  }
  return left;
}

export function allDone(tasks: readonly Task[]): boolean {
  return tasks.every((task) => task.done);
}
