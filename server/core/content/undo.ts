import type { OperationResult } from './apply.ts';
import { type Comparison, compare } from './compare.ts';
import { contentKey, type RemoteObject } from './content-object.ts';
import type { Operation } from './plan.ts';

/**
 * Comparisons whose plan takes a deployment back: what was there before it is wanted, what it left is the base. An object that was changed
 * since comes out as a conflict and is not touched. Plan them with pruning, so that what the deployment created is deleted. `exceptions` are
 * those that went along with deleted policies, by the policy's key.
 */
export function undoComparisons(
  results: readonly OperationResult[],
  account: ReadonlyMap<string, RemoteObject>,
  exceptions: ReadonlyMap<string, readonly RemoteObject[]> = new Map(),
): Comparison[] {
  const done = inOne(results.filter(({ outcome }) => outcome.kind === 'done').map(({ operation }) => operation));
  const own = new Set(done.map(contentKey));
  const along = done.flatMap((operation) => {
    const key = contentKey(operation);
    // A policy that somebody made again has exceptions of its own, and nothing is added to them.
    if (operation.desired || account.has(key)) return [];
    return (exceptions.get(key) ?? []).filter((exception) => !own.has(contentKey(exception)));
  });
  return [
    ...done.map((operation) => {
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
    }),
    ...along.map(({ kind, id, fields }) =>
      compare(
        { kind, id },
        { base: undefined, local: { kind, id, fields }, remote: undefined, wasSynchronised: false },
      ),
    ),
  ];
}

/** What was done to each object: one that was changed in two parts is taken back in one. */
function inOne(operations: readonly Operation[]): Operation[] {
  const objects = new Map<string, Operation>();
  for (const operation of operations) {
    const key = contentKey(operation);
    objects.set(key, { ...operation, before: (objects.get(key) ?? operation).before });
  }
  return [...objects.values()];
}
