import { assertNever } from '../assert-never.ts';
import { type Comparison, mergeFields, type SyncState } from './compare.ts';
import { type ContentObject, contentKey, type RemoteObject } from './content-object.ts';
import { wordOf } from './plan.ts';

export type PullStep =
  /** A new file. */
  | { readonly kind: 'create'; readonly comparison: Comparison; readonly object: RemoteObject }
  /** The file takes over what the account has, or what both changed in different fields. */
  | { readonly kind: 'update' | 'merge'; readonly comparison: Comparison; readonly object: ContentObject }
  /** Both sides are the same: only what was last synchronised is written down. */
  | { readonly kind: 'adopt'; readonly comparison: Comparison }
  /** A person has to decide; nothing is written. */
  | { readonly kind: 'left'; readonly comparison: Comparison; readonly message: string };

export interface PullOptions {
  /** Keys a person named; everything when undefined. */
  readonly only: ReadonlySet<string> | undefined;
  /** Keys of which a person decided that the account holds, after seeing what is lost. */
  readonly take: ReadonlySet<string>;
}

/** What a pull does to the files. Nothing that a person wrote is given up unless its key is in `take`. */
export function planPull(comparisons: readonly Comparison[], { only, take }: PullOptions): PullStep[] {
  const steps: PullStep[] = [];
  for (const comparison of comparisons) {
    const key = contentKey(comparison);
    if (only && !only.has(key)) continue;
    const step = stepFor(comparison, take.has(key), only !== undefined);
    if (step) steps.push(step);
  }
  return steps;
}

function stepFor(comparison: Comparison, taken: boolean, named: boolean): PullStep | undefined {
  const { state, remote, local } = comparison;
  const left = (message: string): PullStep => ({ kind: 'left', comparison, message });
  const update = (kind: 'update' | 'merge', object: ContentObject | undefined): PullStep | undefined =>
    object && { kind, comparison, object };
  switch (state) {
    case 'inSync':
      return local && remote ? { kind: 'adopt', comparison } : undefined;
    case 'vendorOwned':
    case 'localAhead':
    case 'localOnly':
      return taken && remote ? update('update', remote) : undefined;
    case 'remoteOnly':
      return remote && { kind: 'create', comparison, object: remote };
    case 'remoteAhead':
      return update('update', remote);
    case 'deletedLocally':
      // Asked for by name, it comes back.
      return (named || taken) && remote
        ? { kind: 'create', comparison, object: remote }
        : left(leftMessage(state, comparison));
    case 'deletedRemotely':
      return left(leftMessage(state, comparison));
    case 'conflict': {
      if (taken && remote) return local ? update('update', remote) : { kind: 'create', comparison, object: remote };
      const merged = mergeFields(comparison);
      return merged ? update('merge', merged) : left(leftMessage(state, comparison));
    }
    case 'unknownBase':
      return taken ? update('update', remote) : left(leftMessage(state, comparison));
    default:
      return assertNever(state);
  }
}

function leftMessage(state: SyncState, { kind, local, remote }: Comparison): string {
  const word = wordOf(kind);
  switch (state) {
    case 'deletedLocally':
      return `The ${word} was deleted here and still is in the account. Deploy with pruning to delete it there, or pull it by name to have it back.`;
    case 'deletedRemotely':
      return `The ${word} was deleted in the account. The file stays; delete it too, or deploy it again as something new.`;
    case 'conflict':
      if (!local)
        return `The ${word} was deleted here and changed in the account. Pull it by name with the account's side, or deploy with pruning.`;
      if (!remote)
        return `The ${word} was changed here and deleted in the account. Delete the file, or deploy it again as something new.`;
      return `File and account changed the same fields of the ${word}. Merge them: nothing was overwritten.`;
    case 'unknownBase':
      return `File and account differ, and nothing on this computer says what they had in common. Compare them and decide which side holds.`;
    default:
      return `The ${word} is left as it is.`;
  }
}
