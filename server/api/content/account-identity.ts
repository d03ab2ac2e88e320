/** The name of the sample account, which the local platform puts in front of chosen policy ids. */
export const localAccountName = 'harborline';

/** What an account is called in the lock: where it is, and which part of it. */
export function contentIdOf(origin: URL, subAccount: string | undefined): string {
  return subAccount === undefined || subAccount === '' ? origin.host : `${origin.host}/${subAccount.toLowerCase()}`;
}

/** What the service puts in front of chosen policy ids: the sub-account's name, else the account's, which is the first part of its address. */
export function accountNameOf(origin: URL, subAccount: string | undefined): string {
  return (
    subAccount === undefined || subAccount === '' ? (origin.hostname.split('.')[0] ?? '') : subAccount
  ).toLowerCase();
}
