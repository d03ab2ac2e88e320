import type { ApiFailure } from './errors.ts';

/** How often and when failed calls are tried again, all calls of a client together. */
export interface RetryPolicy {
  /** Milliseconds to wait before the next attempt, or undefined when there shall be none. */
  next(
    failure: ApiFailure,
    attempt: number,
    idempotent: boolean,
    retryAfterSeconds: number | undefined,
  ): number | undefined;
  /** Every call earns a part of a retry. */
  deposit(): void;
}

export const maxRetries = 3;
const firstDelayMilliseconds = 300;
const longestDelayMilliseconds = 8_000;
const longestRetryAfterSeconds = 30;
/** Retries that may be spent before calls earn further ones: with the share, a total outage costs at most a tenth more. */
const startingBudget = 8;
const largestBudget = 16;
const earnedByCall = 0.09;

/**
 * Only what may be repeated is repeated: an idempotent call after a broken connection or a passing failure of the service, and any call whose
 * request surely never left. Timeouts are not: the next attempt would most likely take as long, and cost as much.
 */
export function createRetryPolicy(random: () => number): RetryPolicy {
  let budget = startingBudget;
  return {
    next(failure, attempt, idempotent, retryAfterSeconds) {
      if (attempt > maxRetries || budget < 1 || !isRepeatable(failure, idempotent)) return undefined;
      budget -= 1;
      if (retryAfterSeconds !== undefined)
        return Math.min(retryAfterSeconds, longestRetryAfterSeconds) * 1000 + random() * firstDelayMilliseconds;
      return random() * Math.min(longestDelayMilliseconds, firstDelayMilliseconds * 2 ** attempt);
    },
    deposit() {
      budget = Math.min(largestBudget, budget + earnedByCall);
    },
  };
}

/** Whether a write that failed so may have been carried out all the same. */
export function isAmbiguous(failure: ApiFailure): boolean {
  switch (failure.kind) {
    case 'network':
      return failure.sent;
    case 'timeout':
      return failure.sent;
    case 'truncated':
    case 'too-large':
    case 'unexpected-answer':
    case 'cancelled':
      return true;
    case 'status':
      return failure.status >= 500 && failure.status !== 501 && failure.status !== 503;
    default:
      return false;
  }
}

function isRepeatable(failure: ApiFailure, idempotent: boolean): boolean {
  if (failure.kind === 'network') return !failure.sent || idempotent;
  if (!idempotent) return false;
  if (failure.kind === 'truncated') return true;
  return (
    failure.kind === 'status' &&
    (failure.status === 500 || failure.status === 502 || failure.status === 503 || failure.status === 504)
  );
}
