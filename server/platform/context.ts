import type { Datasets } from './data/datasets.ts';
import type { AccessTokens } from './http/access-tokens.ts';
import type { PageStore } from './http/pages.ts';
import { ServiceError } from './service-error.ts';
import type { PlatformSettings } from './settings.ts';
import type { AuditEntry } from './state/account-state.ts';
import type { AccountStore } from './state/state-store.ts';

/** What a handler works with beside the request itself. */
export interface RequestContext {
  readonly settings: PlatformSettings;
  readonly datasets: Datasets;
  readonly pages: PageStore;
  readonly tokens: AccessTokens;
  /** The account or sub-account the request is for. */
  readonly account: AccountStore;
  /** Who asks; the key id while a token is asked for. */
  readonly user: string;
  /** Milliseconds since 1970 UTC at which the request arrived. */
  readonly now: number;
  /** Aborted when the client is gone. */
  readonly signal: AbortSignal;
  /** Aborted when the platform ends. */
  readonly lifetime: AbortSignal;
  /** Scheme, host and port the client used, for addresses in answers. */
  readonly origin: string;
  /** The secret of a token request, from its header. */
  readonly secret: string | undefined;
}

/** What it takes to know the content of an account: the vendor's and its own. */
export type AccountContext = Pick<RequestContext, 'settings' | 'account'>;

/** Writes what a handler changed, with an entry of the audit log. */
export function commit(
  context: RequestContext,
  eventName: string,
  userAction: AuditEntry['userAction'],
  eventDescription: string,
): void {
  const { account, user, now } = context;
  account.commit({
    createdTime: new Date(now).toISOString(),
    accountName: account.name,
    userName: user,
    eventName,
    userAction,
    eventDescription,
  });
}

/** Whether a client is gone, so that work for it can end. */
export function throwIfGone(context: Pick<RequestContext, 'signal'>): void {
  if (context.signal.aborted) throw gone();
}

/** Waits for work that others need too, and so goes on without this client, but no longer than the client does. */
export function unlessGone<T>(context: Pick<RequestContext, 'signal'>, work: Promise<T>): Promise<T> {
  const { signal } = context;
  return new Promise((resolve, reject) => {
    const leave = (): void => reject(gone());
    if (signal.aborted) leave();
    signal.addEventListener('abort', leave, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
  });
}

function gone(): ServiceError {
  return new ServiceError(503, 'The request was cancelled by the client.');
}

/** Lets other requests and the closing of sockets be seen between two steps of long work. */
export function breathe(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
