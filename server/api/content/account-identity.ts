/** The name of the sample account, which the local platform puts in front of chosen policy ids. */
export const localAccountName = 'harborline';

/** What an account is called in the lock: where it is, and which part of it. */
export function contentIdOf(origin: URL, subAccount: string | undefined): string {
  return subAccount === undefined || subAccount === '' ? origin.host : `${origin.host}/${subAccount.toLowerCase()}`;
}

/**
 * What the service puts in front of chosen policy ids: the sub-account's name, else the account's, which is the first part of its
 * address unless somebody says otherwise, e.g. behind an address of one's own.
 */
export function accountNameOf(origin: URL, subAccount: string | undefined, account?: string | undefined): string {
  const own = account ?? origin.hostname.split('.')[0] ?? '';
  return (subAccount === undefined || subAccount === '' ? own : subAccount).toLowerCase();
}

/** The content that was listed is another account's: nothing may be written on the strength of it. */
export class WrongAccount extends Error {
  override readonly name = 'WrongAccount';
}

/**
 * Whether the service really listed the sub-account. A key that may not reach it (a service user's) is answered for its own account
 * instead, without a word: then the chosen policies bear that account's name and none the sub-account's. Throws WrongAccount.
 */
export function checkListedAccount(
  policyIds: Iterable<string>,
  { account, primary }: { readonly account: string; readonly primary: string | undefined },
): void {
  if (primary === undefined || primary === account) return;
  const begins = (id: string, name: string): boolean => id.toLowerCase().startsWith(`${name.toLowerCase()}-`);
  let foreign: string | undefined;
  for (const id of policyIds) {
    if (begins(id, account)) return;
    if (foreign === undefined && begins(id, primary)) foreign = id;
  }
  if (foreign !== undefined) {
    throw new WrongAccount(
      `Nothing was written: the service lists the content of '${primary}' (for example '${foreign}'), not of the sub-account '${account}'. The key of a service user reaches its own account alone. Sign in with the key of a user, or with one made in the sub-account.`,
    );
  }
}
