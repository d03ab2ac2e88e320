import { assertNever } from '../../core/assert-never.ts';
import { secretHeaderName } from '../../core/resources/index.ts';

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
  /** The proxy on the way refused to connect to the service. */
  | { readonly kind: 'proxy'; readonly status: number }
  /** The service reads the secret in the header of another vendor prefix than the one in use. */
  | { readonly kind: 'vendor-prefix'; readonly used: string; readonly expected: string }
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
        : `The service cannot be reached${unreachableReasons.get(failure.code) ?? ''} (${failure.code}).`;
    case 'certificate':
      return `The certificate of the service is not trusted${certificateReasons.get(failure.code) ?? ''} (${failure.code}).`;
    case 'proxy':
      return failure.status === 407
        ? 'The proxy refused the connection to the service: it wants you to sign in to it (407).'
        : `The proxy refused the connection to the service (${failure.status}).`;
    case 'vendor-prefix':
      return `The service reads the secret in the header ${secretHeaderName(failure.expected)}, and it was sent in ${secretHeaderName(failure.used)}: the account is set up with the wrong vendor prefix.`;
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
      return actionForNetwork(failure.code);
    case 'certificate':
      return actionForCertificate(failure.code);
    case 'proxy':
      return failure.status === 407
        ? "Give VS Code the proxy's user and password (setting 'http.proxy' or 'http.proxyAuthorization'), or the command line HTTPS_PROXY with both."
        : "Ask whoever runs the proxy to allow the address, or exclude it from the proxy ('http.noProxy', NO_PROXY).";
    case 'vendor-prefix':
      return `Choose ${failure.expected} as the vendor prefix of the account (on the command line: --vendor-prefix ${failure.expected}).`;
    case 'timeout':
      return failure.phase === 'connect'
        ? 'Check the network, the proxy and the address of the account, then try again.'
        : 'Try again, with a shorter time range or a narrower query.';
    case 'cancelled':
      return 'Run it again when you need it.';
    case 'redirect':
      return 'Enter the address of the account itself, without a path, in the settings of the account.';
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

const unreachableReasons: ReadonlyMap<string, string> = new Map([
  ['ENOTFOUND', ': there is no computer of this name'],
  ['EAI_AGAIN', ': its name cannot be looked up at the moment'],
  ['ECONNREFUSED', ': nothing listens at its address'],
  ['ENETUNREACH', ': there is no way from this network to its address'],
  ['EHOSTUNREACH', ': there is no way from this network to its address'],
]);

function actionForNetwork(code: string): string {
  switch (code) {
    case 'ENOTFOUND':
      return 'Look for a slip in the address of the account; if it is right, check the network and the name server.';
    case 'ECONNREFUSED':
      return 'Check the address and the port of the account, and whether a firewall or a proxy is in the way, then try again.';
    default:
      return 'Check the network, the proxy and the address of the account, then try again.';
  }
}

const unknownAuthority = ': this computer does not know the authority that issued it, as behind a proxy that inspects';
const certificateReasons: ReadonlyMap<string, string> = new Map([
  ['DEPTH_ZERO_SELF_SIGNED_CERT', ': it is signed by itself'],
  ['SELF_SIGNED_CERT_IN_CHAIN', unknownAuthority],
  ['UNABLE_TO_GET_ISSUER_CERT', unknownAuthority],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', unknownAuthority],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', unknownAuthority],
  ['CERT_HAS_EXPIRED', ': it has expired'],
  ['CERT_NOT_YET_VALID', ': it is not valid yet'],
  ['CERT_REVOKED', ': it was revoked'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', ': it belongs to another address'],
]);

function actionForCertificate(code: string): string {
  switch (code) {
    case 'CERT_HAS_EXPIRED':
    case 'CERT_NOT_YET_VALID':
      return 'Check the date of this computer; if it is right, whoever runs the service or the proxy has to renew the certificate.';
    case 'CERT_REVOKED':
      return 'Do not connect; ask whoever runs the service.';
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return 'Make sure that the address is that of the account. If it is, something else answers in its place: do not connect.';
    default:
      return "Install the authority's certificate in the system and leave 'http.systemCertificates' on, or name its file in NODE_EXTRA_CA_CERTS before you start. Do not switch 'http.proxyStrictSSL' off: anybody on the way could then read the key.";
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
