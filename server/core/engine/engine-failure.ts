import type { EngineError } from './execution.ts';

/** Carries an `EngineError` up to the execution, which ends with it. Never leaves the engine. */
export class EngineFailure extends Error {
  readonly failure: EngineError;

  constructor(code: EngineError['code'], message: string) {
    super(message);
    this.name = 'EngineFailure';
    this.failure = { code, message };
  }
}

/** Counts the bytes an execution holds and ends it before they exceed what its host allowed. */
export interface MemoryBudget {
  charge(bytes: number): void;
  release(bytes: number): void;
}

export function createMemoryBudget(limit: number): MemoryBudget {
  let held = 0;
  return {
    charge(bytes) {
      held += bytes;
      if (held > limit) {
        throw new EngineFailure(
          'memory-limit',
          `The query needs more than ${Math.round(limit / 1_048_576)} MB of memory for its intermediate rows. Narrow the time range, filter more, or expand fewer arrays.`,
        );
      }
    },
    release(bytes) {
      held = Math.max(0, held - bytes);
    },
  };
}
