import type { Value } from '../language/values/value.ts';

/** In the order in which things must exist: a policy needs its query and its alert profile. */
export const contentKinds = ['query', 'alertProfile', 'policy', 'exception'] as const;
export type ContentKind = (typeof contentKinds)[number];

export type ContentFields = { readonly [field: string]: Value };

/**
 * One authored thing, in the form that files and accounts share: account-neutral ids, authored fields only, what the service adds left out.
 * Two objects with the same `meaningOf` are the same content, however they are written.
 */
export interface ContentObject {
  readonly kind: ContentKind;
  /** Account-neutral: `$account-buckets-1` for a policy, `<policy id>/<name>` for an exception. */
  readonly id: string;
  readonly fields: ContentFields;
}

/** A thing of an account as its lists give it. */
export interface RemoteObject extends ContentObject {
  /** The service's own id, e.g. `acme-buckets-1`. */
  readonly remoteId: string;
  /** Written by the vendor: shown, never changed or deleted. */
  readonly vendorOwned: boolean;
  /** ISO 8601, when and by whom it was last changed, where the service says so. */
  readonly updateTime: string | undefined;
  readonly updateUser: string | undefined;
}

/** A kind and an id as one key for maps; no id holds a line break. */
export function contentKey(object: { readonly kind: ContentKind; readonly id: string }): string {
  return `${object.kind}\n${object.id}`;
}
