import type { Clock } from './clock.ts';
import { ApiError } from './errors.ts';

/** `person`: somebody waits for it. `background`: refreshes and prefetches, which leave the reserve alone. */
export type Priority = 'person' | 'background';

export interface RateLimitState {
  readonly functionality: string;
  readonly limit: number;
  readonly remaining: number;
  /** Wall-clock milliseconds when the next call is allowed; undefined while calls are left. */
  readonly resetsAt: number | undefined;
  readonly queued: number;
}

export interface RateLimits {
  /**
   * Waits for a turn and takes it. The person goes before the background. A person's call that would have to wait longer than
   * `maxWaitMilliseconds` is refused with `rate-limited` instead; a background call waits as long as it takes.
   */
  acquire(functionality: string, options: AcquireOptions): Promise<Turn>;
  /** Waits until so many calls of a functionality may be made at once, and takes none of them. True when it had to wait. */
  whenFree(functionality: string, calls: number, signal?: AbortSignal): Promise<boolean>;
  state(): readonly RateLimitState[];
  onDidChange(listener: () => void): () => void;
  /** The calls made through this mirror in the last hour, with wall-clock times, to be kept for the next session or another window. */
  save(): SavedRateLimits;
  restore(saved: SavedRateLimits): void;
}

export interface AcquireOptions {
  readonly priority: Priority;
  readonly signal?: AbortSignal | undefined;
  readonly maxWaitMilliseconds?: number | undefined;
}

/** A taken turn, to be ended once: with the answer's headers, or without when there was no answer. */
export interface Turn {
  end(answer: { readonly status: number; readonly headers: ReadonlyMap<string, string> } | undefined): void;
}

export type SavedRateLimits = {
  readonly [functionality: string]: { readonly limit: number; readonly used: readonly number[] };
};

export interface RateLimitOptions {
  readonly clock: Clock;
  /** Calls an hour for every functionality. */
  readonly limit?: number;
  /** The share that only the person may use. */
  readonly reserve?: number;
}

export const defaultRateLimit = 480;
/** The share of every budget that background work leaves for the person. */
export const reserveShare = 0.1;
const windowMilliseconds = 3_600_000;
/** A person is told rather than kept waiting longer than this. */
const patienceMilliseconds = 10_000;
/** A service that names this limit has none, and what it names beyond is not believed. */
export const unlimited = 1_000_000;
/** Calls of one functionality that are kept for the next session. */
const keptCalls = 1_000;

/**
 * A mirror of the service's limits: at most so many calls of one functionality in any hour. A call counts from when it starts until one hour
 * after its answer, so the mirror is never ahead of the service, whether that keeps a rolling window or refills a bucket. The RateLimit
 * headers tell of calls made elsewhere; they are believed within reason, for an answer may be hostile.
 */
export function createRateLimits(options: RateLimitOptions): RateLimits {
  const { clock } = options;
  const reserve = options.reserve ?? reserveShare;
  const buckets = new Map<string, Bucket>();
  const listeners = new Set<() => void>();
  const changed = () => {
    for (const listener of listeners) listener();
  };

  const bucketOf = (functionality: string): Bucket => {
    let bucket = buckets.get(functionality);
    if (!bucket) {
      bucket = {
        limit: options.limit ?? defaultRateLimit,
        running: 0,
        occupied: 0,
        endings: [],
        head: 0,
        own: [],
        person: [],
        background: [],
        waking: undefined,
      };
      buckets.set(functionality, bucket);
    }
    return bucket;
  };

  const forget = (bucket: Bucket): void => {
    const now = clock.monotonic();
    for (let next = bucket.endings[bucket.head]; next && next.at <= now; next = bucket.endings[bucket.head]) {
      bucket.occupied -= next.places;
      bucket.head++;
    }
    if (bucket.head > 1024 && bucket.head * 2 > bucket.endings.length) {
      bucket.endings.splice(0, bucket.head);
      bucket.head = 0;
    }
  };

  const free = (bucket: Bucket): number => bucket.limit - bucket.running - bucket.occupied;
  const kept = (bucket: Bucket, priority: Priority): number =>
    priority === 'person' ? 0 : Math.min(Math.ceil(bucket.limit * reserve), bucket.limit - 1);

  /** Until a call of this priority behind `ahead` others is allowed, as far as the answered calls tell. */
  const waitFor = (bucket: Bucket, priority: Priority, ahead: number): number => {
    let missing = ahead + 1 + kept(bucket, priority) - free(bucket);
    if (missing <= 0) return 0;
    for (let index = bucket.head; index < bucket.endings.length; index++) {
      const { at, places } = bucket.endings[index] as Ending;
      missing -= places;
      if (missing <= 0) return Math.max(0, at - clock.monotonic());
    }
    // What is missing is held by calls under way: none of them frees its place before an hour has passed.
    return windowMilliseconds;
  };

  const take = (functionality: string, bucket: Bucket): Turn => {
    bucket.running++;
    let ended = false;
    return {
      end(answer) {
        if (ended) return;
        ended = true;
        bucket.running--;
        occupy(bucket, clock.monotonic() + windowMilliseconds, 1);
        bucket.own.push(clock.monotonic());
        if (bucket.own.length > 2 * keptCalls) bucket.own.splice(0, keptCalls);
        if (answer) believe(bucket, answer);
        serve(functionality, bucket);
        changed();
      },
    };
  };

  const believe = (
    bucket: Bucket,
    answer: { readonly status: number; readonly headers: ReadonlyMap<string, string> },
  ): void => {
    const limit = wholeNumber(answer.headers.get('ratelimit-limit'));
    if (limit !== undefined && limit >= 1 && limit <= unlimited) bucket.limit = limit;
    forget(bucket);
    const told = wholeNumber(answer.headers.get('ratelimit-remaining'));
    const remaining = answer.status === 429 ? 0 : told;
    if (remaining === undefined) return;
    // Calls under way may be counted in the service's figure already, when answers overtake each other; ours counts them all, so only a figure
    // lower than that tells of others. Where they are not counted yet, their own answers will tell.
    const surplus = answer.status === 429 ? free(bucket) : free(bucket) - remaining;
    if (surplus <= 0) return;
    occupy(bucket, clock.monotonic() + resetMilliseconds(answer), surplus);
  };

  const serve = (functionality: string, bucket: Bucket): void => {
    forget(bucket);
    for (const priority of ['person', 'background'] as const) {
      const queue = bucket[priority];
      while (queue.length > 0 && free(bucket) > kept(bucket, priority))
        queue.shift()?.resolve(take(functionality, bucket));
      if (queue.length > 0) break;
    }
    wakeLater(functionality, bucket);
  };

  const wakeLater = (functionality: string, bucket: Bucket): void => {
    bucket.waking?.abort();
    bucket.waking = undefined;
    const priority = bucket.person.length > 0 ? 'person' : bucket.background.length > 0 ? 'background' : undefined;
    if (priority === undefined) return;
    const waking = new AbortController();
    bucket.waking = waking;
    void clock.sleep(Math.max(1, waitFor(bucket, priority, 0)), waking.signal).then(() => {
      if (bucket.waking === waking) serve(functionality, bucket);
    });
  };

  return {
    acquire(functionality, { priority, signal, maxWaitMilliseconds }) {
      const bucket = bucketOf(functionality);
      forget(bucket);
      const ahead = bucket.person.length + (priority === 'person' ? 0 : bucket.background.length);
      if (ahead === 0 && free(bucket) > kept(bucket, priority)) {
        const turn = take(functionality, bucket);
        changed();
        return Promise.resolve(turn);
      }
      const patience = maxWaitMilliseconds ?? (priority === 'person' ? patienceMilliseconds : Number.POSITIVE_INFINITY);
      const wait = waitFor(bucket, priority, ahead);
      if (wait > patience) {
        return Promise.reject(new ApiError({ kind: 'rate-limited', functionality, resetsInSeconds: wait / 1000 }));
      }
      return new Promise<Turn>((resolve, reject) => {
        const queue = bucket[priority];
        const leave = () => {
          const index = queue.indexOf(waiter);
          if (index >= 0) queue.splice(index, 1);
          changed();
          reject(new ApiError({ kind: 'cancelled' }));
        };
        const waiter: Waiter = {
          resolve: (turn) => {
            signal?.removeEventListener('abort', leave);
            resolve(turn);
          },
        };
        if (signal?.aborted) {
          reject(new ApiError({ kind: 'cancelled' }));
          return;
        }
        signal?.addEventListener('abort', leave, { once: true });
        queue.push(waiter);
        serve(functionality, bucket);
        changed();
      });
    },

    async whenFree(functionality, calls, signal) {
      const bucket = bucketOf(functionality);
      for (let waited = false; ; waited = true) {
        if (signal?.aborted) throw new ApiError({ kind: 'cancelled' });
        forget(bucket);
        const wait = waitFor(bucket, 'person', Math.min(calls, bucket.limit) - 1 + bucket.person.length);
        if (wait <= 0) return waited;
        await clock.sleep(Math.max(1, wait), signal);
      }
    },

    state: () =>
      [...buckets].map(([functionality, bucket]) => {
        forget(bucket);
        const wait = waitFor(bucket, 'person', 0);
        return {
          functionality,
          limit: bucket.limit,
          remaining: Math.max(0, free(bucket)),
          resetsAt: wait > 0 ? clock.wall() + wait : undefined,
          queued: bucket.person.length + bucket.background.length,
        };
      }),

    onDidChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },

    save() {
      const toWall = clock.wall() - clock.monotonic();
      const saved: Record<string, { limit: number; used: number[] }> = {};
      for (const [functionality, bucket] of buckets) {
        const since = clock.monotonic() - windowMilliseconds;
        bucket.own = bucket.own.filter((time) => time > since).slice(-keptCalls);
        const used = bucket.own.map((time) => Math.round(time + toWall));
        for (let call = 0; call < bucket.running; call++) used.push(Math.round(clock.wall()));
        saved[functionality] = { limit: bucket.limit, used };
      }
      return saved;
    },

    restore(saved) {
      const toMonotonic = clock.monotonic() - clock.wall();
      for (const [functionality, { limit, used }] of Object.entries(saved)) {
        const bucket = bucketOf(functionality);
        if (Number.isInteger(limit) && limit >= 1 && limit <= unlimited) bucket.limit = limit;
        for (const time of used) {
          // A time in the future tells of a clock that was set back; it counts for one hour at most.
          const end = Math.min(time + toMonotonic, clock.monotonic()) + windowMilliseconds;
          if (end > clock.monotonic()) occupy(bucket, end, 1);
        }
      }
      changed();
    },
  };
}

interface Bucket {
  limit: number;
  /** Calls under way. */
  running: number;
  /** Places taken by calls that have ended. */
  occupied: number;
  /** When they become free, ascending from `head`. */
  readonly endings: Ending[];
  head: number;
  /** When calls through this mirror ended. */
  own: number[];
  readonly person: Waiter[];
  readonly background: Waiter[];
  waking: AbortController | undefined;
}

interface Ending {
  /** On the monotonic clock. */
  readonly at: number;
  readonly places: number;
}

interface Waiter {
  readonly resolve: (turn: Turn) => void;
}

function occupy(bucket: Bucket, at: number, places: number): void {
  let index = bucket.endings.length;
  while (index > bucket.head && (bucket.endings[index - 1]?.at ?? 0) > at) index--;
  bucket.endings.splice(index, 0, { at, places });
  bucket.occupied += places;
}

// A reset may be missing, negative, absurd or no number at all.
function resetMilliseconds(answer: { readonly status: number; readonly headers: ReadonlyMap<string, string> }): number {
  const told = wholeNumber(answer.headers.get('ratelimit-reset')) ?? wholeNumber(answer.headers.get('retry-after'));
  const fallback = answer.status === 429 ? 60 : windowMilliseconds / 1000;
  const seconds = told ?? fallback;
  return Math.min(Math.max(seconds, 1), windowMilliseconds / 1000) * 1000;
}

function wholeNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\s*\d{1,15}\s*$/.test(text) ? Number(text) : undefined;
}
