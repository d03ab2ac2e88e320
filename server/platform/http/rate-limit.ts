/** Requests a user may make of one functionality within a rolling hour. */
export const hourlyRequests = 480;
const windowMilliseconds = 3_600_000;
/** What the headers say where nothing is limited: so many that a client which keeps to them never waits. */
export const unlimitedRequests = 1_000_000;

/** How a bucket stands after a request. */
export interface RateState {
  readonly allowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** Seconds until the next token comes back, rounded up; 0 for a full bucket. */
  readonly resetSeconds: number;
}

export interface RateLimiter {
  /** Takes a token of a user's bucket for a functionality, when there is one. `now` in milliseconds. */
  take(user: string, functionality: string, limit: number, now: number): RateState;
  /** How the bucket stands, without taking anything. */
  look(user: string, functionality: string, limit: number, now: number): RateState;
}

interface Bucket {
  readonly moments: number[];
  /** Index of the oldest moment that still counts. */
  first: number;
}

/**
 * A bucket of tokens a user and functionality, exact over a rolling window: every token comes back one hour after it was taken. The moments
 * of the last `limit` requests are remembered; that is at most 480 numbers a bucket.
 */
export function createRateLimiter(): RateLimiter {
  const buckets = new Map<string, Bucket>();
  const bucketOf = (user: string, functionality: string): Bucket => {
    const key = `${user}\n${functionality}`;
    let bucket = buckets.get(key);
    if (bucket === undefined) {
      bucket = { moments: [], first: 0 };
      buckets.set(key, bucket);
    }
    return bucket;
  };
  const stateOf = (bucket: Bucket, limit: number, now: number): RateState => {
    const { moments } = bucket;
    while (bucket.first < moments.length && (moments[bucket.first] ?? 0) + windowMilliseconds <= now) bucket.first++;
    if (bucket.first > 1024) {
      moments.splice(0, bucket.first);
      bucket.first = 0;
    }
    const used = moments.length - bucket.first;
    const oldest = moments[bucket.first];
    const resetSeconds = oldest === undefined ? 0 : Math.ceil((oldest + windowMilliseconds - now) / 1000);
    return { allowed: used < limit, limit, remaining: Math.max(0, limit - used), resetSeconds };
  };
  return {
    take(user, functionality, limit, now) {
      const bucket = bucketOf(user, functionality);
      const { allowed } = stateOf(bucket, limit, now);
      if (allowed) bucket.moments.push(now);
      return { ...stateOf(bucket, limit, now), allowed };
    },
    look: (user, functionality, limit, now) => stateOf(bucketOf(user, functionality), limit, now),
  };
}

/** The headers every answer carries. */
export function rateHeaders(state: RateState): { readonly [name: string]: string } {
  return {
    'RateLimit-Limit': String(state.limit),
    'RateLimit-Remaining': String(state.remaining),
    'RateLimit-Reset': String(state.resetSeconds),
  };
}
