import { chosenPolicyId, queryIdForm, serviceGivenPolicyId } from '../resources/ids.ts';
import type { ContentKind } from './content-object.ts';

/** What turns the ids of one account into ids that mean the same in every account, and back. */
export interface AccountNames {
  /** The account's name, which the service puts in front of chosen policy ids; compared without case. */
  readonly account: string;
  /** `SVC` or `LW`. */
  readonly vendorPrefix: string;
}

const placeholder = '$account';

/** `acme-buckets-1` → `$account-buckets-1`. Ids that do not carry the account's name stay as they are. */
export function neutralPolicyId(remoteId: string, { account }: AccountNames): string {
  const prefix = `${account}-`;
  return account !== '' && remoteId.toLowerCase().startsWith(prefix.toLowerCase())
    ? `${placeholder}-${remoteId.slice(prefix.length)}`
    : remoteId;
}

/** `$account-buckets-1` → `acme-buckets-1`. */
export function remotePolicyId(neutralId: string, { account }: AccountNames): string {
  return neutralId.startsWith(`${placeholder}-`) ? `${account}${neutralId.slice(placeholder.length)}` : neutralId;
}

/**
 * The id to compare by. Files spell a policy's id in three ways that mean one (`$account-x-1`, `x-1`, `acme-x-1`); this is the first.
 */
export function canonicalPolicyId(written: string, names: AccountNames): string {
  if (written.startsWith(`${placeholder}-`)) return written;
  const neutral = neutralPolicyId(written, names);
  return neutral === written && chosenPolicyId.test(written) ? `${placeholder}-${written}` : neutral;
}

/** Why an id cannot be created, in words for the person; undefined when it can. */
export function idProblem(kind: ContentKind, id: string, { vendorPrefix }: AccountNames): string | undefined {
  switch (kind) {
    case 'query':
      if (id.startsWith(`${vendorPrefix}_Global_`)) {
        return `Query ids that begin with ${vendorPrefix}_Global_ belong to the vendor. Choose another, e.g. Custom_${id.slice(vendorPrefix.length + 8)}.`;
      }
      return queryIdForm.test(id)
        ? undefined
        : 'A query id begins with a letter and goes on with letters, digits and underscores.';
    case 'alertProfile':
      return id.startsWith(`${vendorPrefix}_`)
        ? `Alert profile ids that begin with ${vendorPrefix}_ belong to the vendor. Choose another and extend the vendor's profile.`
        : undefined;
    case 'policy': {
      if (!id.startsWith(`${placeholder}-`)) return 'A policy of your own needs an id like $account-buckets-1.';
      const rest = id.slice(placeholder.length + 1);
      if (serviceGivenPolicyId.test(rest))
        return 'Policy ids that begin with “default” are given out by the service. Choose another.';
      return chosenPolicyId.test(rest)
        ? undefined
        : 'Behind $account- a policy id has 1 to 16 lower-case letters, then perhaps a hyphen and up to 8 digits.';
    }
    case 'exception':
      return undefined;
  }
}
