import { assertNever } from '../../core/assert-never.ts';

/** What went wrong with a call. */
export type ApiFailure =
  /** Found before anything was sent: the call does not fit the operation's definition. */
  | { readonly kind: 'invalid-call'; readonly problem: string }
  | { readonly kind: 'body-too-large'; readonly bytes: number; readonly limit: number }
  /** The profile may only read. */
  | { readonly kind: 'read-only' }
  /** An operation outside the specification that this service does not have. */
  | { readonly kind: 'not-offered' }
  /** No connection; `sent` tells whether bytes of the request may have left. */
  | { readonly kind: 'network'; readonly code: string; readonly sent: boolean }
  | { readonly kind: 'certificate'; readonly code: string }
  | {
      readonly kind: 'timeout';
      readonly phase: 'connect' | 'answer' | 'idle';
      readonly seconds: number;
      readonly sent: boolean;
    }
  | { readonly kind: 'cancelled' }
  /** The service wanted to send the call, and its secrets, elsewhere. */
  | { readonly kind: 'redirect'; readonly status: number; readonly host: string | undefined }
  | { readonly kind: 'truncated' }
  | { readonly kind: 'too-large'; readonly limit: number }
  | { readonly kind: 'unexpected-answer'; readonly problem: string; readonly status: number }
  /** The service refused; `serviceMessage` is its own text. */
  | { readonly kind: 'status'; readonly status: number; readonly serviceMessage: string | undefined }
  /** The rate limit, ours or the service's; `resetsInSeconds` until a call is allowed again. */
  | { readonly kind: 'rate-limited'; readonly functionality: string; readonly resetsInSeconds: number }
  /** A write whose outcome is unknown: it may have been done. `cause` tells why. */
  | { readonly kind: 'ambiguous'; readonly cause: ApiFailure }
  | { readonly kind: 'page'; readonly problem: string };

/** A failed call. `message` says what happened and why, `action` what the person can do; neither ever holds a secret. */
export class ApiError extends Error {
  readonly failure: ApiFailure;
  readonly action: string;
  /** The operation, e.g. `queries.execute`; undefined when the failure belongs to none. */
  readonly operation: string | undefined;

  constructor(failure: ApiFailure, operation?: string) {
    super(describe(failure));
    this.name = 'ApiError';
    this.failure = failure;
    this.action = actionFor(failure);
    this.operation = operation;
  }

  /** The status the service answered, where it did. */
  get status(): number | undefined {
    return this.failure.kind === 'status' ? this.failure.status : undefined;
  }
}

export function isCancelled(error: unknown): boolean {
  return error instanceof ApiError && error.failure.kind === 'cancelled';
}

function describe(failure: ApiFailure): string {
  switch (failure.kind) {
    case 'invalid-call':
      return failure.problem;
    case 'body-too-large':
      return `The request has ${failure.bytes.toLocaleString('en')} bytes; the service takes at most ${failure.limit.toLocaleString('en')}.`;
    case 'read-only':
      return 'The profile is marked read-only, so nothing was sent.';
    case 'not-offered':
      return 'The service does not offer this operation.';
    case 'network':
      return failure.sent
        ? `The connection to the service broke (${failure.code}).`
        : `The service cannot be reached (${failure.code}).`;
    case 'certificate':
      return `The certificate of the service is not trusted (${failure.code}).`;
    case 'timeout':
      return `${timeoutPhases[failure.phase]} within ${failure.seconds} seconds.`;
    case 'cancelled':
      return 'The call was cancelled.';
    case 'redirect':
      return `The service answered with a redirect (${failure.status})${failure.host === undefined ? '' : ` to ${failure.host}`}, which was refused: following it would hand the credentials on.`;
    case 'truncated':
      return 'The answer ended before it was complete, so none of it is shown.';
    case 'too-large':
      return `The answer is larger than ${Math.round(failure.limit / 1_048_576)} MB and was cut off.`;
    case 'unexpected-answer':
      return `The answer (${failure.status}) is not what the service promises: ${failure.problem}`;
    case 'status':
      return describeStatus(failure.status, failure.serviceMessage);
    case 'rate-limited':
      return `The rate limit of '${failure.functionality}' is used up; the next call is allowed in ${describeSeconds(failure.resetsInSeconds)}.`;
    case 'ambiguous':
      return `The service may or may not have carried out the change: ${describe(failure.cause)}`;
    case 'page':
      return failure.problem;
    default:
      return assertNever(failure);
  }
}

function actionFor(failure: ApiFailure): string {
  switch (failure.kind) {
    case 'invalid-call':
      return 'Correct the input and try again.';
    case 'body-too-large':
      return 'Make the text smaller or split it.';
    case 'read-only':
      return 'Choose another profile, or allow writing in this one.';
    case 'not-offered':
      return 'Nothing to do: what depends on it works with less.';
    case 'network':
      return 'Check the network, the proxy and the address of the account, then try again.';
    case 'certificate':
      return 'Add the certificate authority of your network to the system, and make sure that the address is right.';
    case 'timeout':
      return failure.phase === 'connect'
        ? 'Check the network, the proxy and the address of the account, then try again.'
        : 'Try again, with a shorter time range or a narrower query.';
    case 'cancelled':
      return 'Run it again when you need it.';
    case 'redirect':
      return 'Enter the address of the account itself, without a path, in the connection profile.';
    case 'truncated':
    case 'too-large':
      return 'Try again, with a shorter time range, fewer columns or a limit.';
    case 'unexpected-answer':
      return 'Check that the address is that of the service, and not of a proxy or a login page.';
    case 'status':
      return actionForStatus(failure.status);
    case 'rate-limited':
      return 'Wait, or use what was fetched before.';
    case 'ambiguous':
      return 'Look at the object in the account before you repeat the change.';
    case 'page':
      return 'Search again; what has been fetched so far is kept.';
    default:
      return assertNever(failure);
  }
}

const timeoutPhases = {
  connect: 'No connection to the service',
  answer: 'No answer from the service',
  idle: 'The answer stopped and did not go on',
} as const;

const statusTexts: ReadonlyMap<number, string> = new Map([
  [400, 'The service calls the request malformed'],
  [401, 'The service refused the credentials'],
  [403, 'The service refuses this request'],
  [404, 'The service does not know this object or path'],
  [405, 'The service does not allow this operation here'],
  [409, 'The change conflicts with the present state of the object'],
  [413, 'The service calls the request too large'],
  [429, 'The rate limit of the service is used up'],
  [500, 'The service failed'],
  [502, 'The service is not reachable behind its gateway'],
  [503, 'The service is temporarily unavailable'],
  [504, 'The service did not answer its gateway in time'],
]);

function describeStatus(status: number, serviceMessage: string | undefined): string {
  const text = statusTexts.get(status) ?? 'The service answered with an error';
  return `${text} (${status})${serviceMessage === undefined ? '.' : `: ${serviceMessage}`}`;
}

function actionForStatus(status: number): string {
  switch (status) {
    case 400:
      return 'Correct what the message names; repeating the request unchanged does not help.';
    case 401:
      return 'Sign in again: the API key may be wrong, disabled or deleted.';
    case 403:
      return 'Ask an administrator for the permission, or check the sub-account of the profile.';
    case 404:
      return 'Refresh: the object may have been deleted or renamed.';
    case 409:
      return 'Refresh and look at the present state before trying again.';
    case 429:
      return 'Wait, or use what was fetched before.';
    default:
      return status >= 500 ? 'Try again in a minute.' : 'Check the request.';
  }
}

function describeSeconds(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} seconds`;
  return `${Math.ceil(seconds / 60)} minutes`;
}
