import type { Clock } from './clock.ts';
import type { Secret } from './redact.ts';

/** A token as the service issued it, with the life that the service gave it by its own clock. */
export interface IssuedToken {
  readonly token: Secret;
  readonly lifetimeSeconds: number;
}

export interface TokenSource {
  /** A token that is still good; asks for one when there is none. All callers share one request. */
  get(signal?: AbortSignal): Promise<Secret>;
  /** Forgets a token that the service refused. One that has been replaced meanwhile is left alone. */
  invalidate(token: Secret): void;
}

/** A token is replaced ahead of time when this share of its life is over, and no longer handed out this long before its end. */
const refreshShare = 0.8;
const marginMilliseconds = 10_000;

/**
 * Keeps one token. Its end is counted on the monotonic clock from before the request was sent, so neither a wrong clock here nor a slow
 * answer makes it live too long.
 */
export function createTokenSource(issue: () => Promise<IssuedToken>, clock: Clock): TokenSource {
  let current: { readonly token: Secret; readonly refreshAt: number; readonly endsAt: number } | undefined;
  let pending: Promise<Secret> | undefined;

  const request = (): Promise<Secret> => {
    pending ??= (async () => {
      const asked = clock.monotonic();
      try {
        const { token, lifetimeSeconds } = await issue();
        const life = lifetimeSeconds * 1000;
        const margin = Math.min(marginMilliseconds, life / 10);
        current = { token, refreshAt: asked + life * refreshShare, endsAt: asked + life - margin };
        return token;
      } finally {
        pending = undefined;
      }
    })();
    return pending;
  };

  return {
    async get(signal) {
      const now = clock.monotonic();
      if (current && now < current.endsAt) {
        // The old one is good for a while: its replacement happens beside the calls, and its failure is the next caller's to report.
        if (now >= current.refreshAt && !pending) request().catch(() => {});
        return current.token;
      }
      return orAborted(request(), signal);
    },
    invalidate(token) {
      if (current?.token === token) current = undefined;
    },
  };
}

/**
 * The life of a token in seconds. By preference the difference of two times of the service (its end and the answer's Date), never more than
 * was asked for: then the clock here does not matter. Else what was asked for.
 */
export function tokenLifetime(expiresAt: string, answerDate: string | undefined, askedSeconds: number): number {
  const end = Date.parse(expiresAt);
  const sent = answerDate === undefined ? Number.NaN : Date.parse(answerDate);
  const told = (end - sent) / 1000;
  return told > 0 && told < askedSeconds ? told : askedSeconds;
}

/** Waits for a shared result, or until this one caller gives up; the shared work goes on for the others. */
function orAborted<T>(shared: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return shared;
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) {
      shared.catch(() => {});
      abort();
      return;
    }
    signal.addEventListener('abort', abort, { once: true });
    shared.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
