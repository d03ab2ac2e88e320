import type { OperationResult } from './apply.ts';
import { type Comparison, compare } from './compare.ts';
import { contentKey, type RemoteObject } from './content-object.ts';

/**
 * Comparisons whose plan takes a deployment back: what was there before it is wanted, what it left is the base. An object that was changed
 * since comes out as a conflict and is not touched. Plan them with pruning, so that what the deployment created is deleted.
 */
export function undoComparisons(
  results: readonly OperationResult[],
  account: ReadonlyMap<string, RemoteObject>,
): Comparison[] {
  return results
    .filter(({ outcome }) => outcome.kind === 'done')
    .map(({ operation }) => {
      const { kind, id, before, desired } = operation;
      return compare(
        { kind, id },
        {
          base: desired,
          local: before && { kind, id, fields: before.fields },
          remote: account.get(contentKey(operation)),
          // Before and after a deletion there is no common content: the object comes back as something new.
          wasSynchronised: desired !== undefined,
        },
      );
    });
}
