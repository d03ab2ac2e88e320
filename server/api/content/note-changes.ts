import type { OperationResult } from '../../core/content/apply.ts';
import { contentKey } from '../../core/content/content-object.ts';
import { lockKey } from '../../core/content/lock.ts';
import type { ContentOptions, FolderComparison } from './content-sync.ts';
import { note } from './content-sync.ts';
import { changeLock } from './merges.ts';

/**
 * Notes what a deployment did that did not come from the files, as an undo or the switching of a policy. A base moves by the fields that were
 * changed and by no other: what somebody else changed in the account, and nobody here has seen, stays unseen. What has no file and was never
 * synchronised stays so: noted, it would look like a file that was deleted. `before` is the comparison that the plan was made from.
 */
export async function noteChanges(
  results: readonly OperationResult[],
  before: FolderComparison,
  options: ContentOptions,
): Promise<void> {
  const { account } = options;
  const known = new Map(before.comparisons.map((comparison) => [contentKey(comparison), comparison]));
  await changeLock(options, async (lock, bases) => {
    for (const { operation, outcome } of results) {
      if (outcome.kind !== 'done') continue;
      const key = contentKey(operation);
      const { desired, changes } = operation;
      const base = known.get(key)?.base;
      if (!desired) {
        lock.delete(lockKey(operation, account.id));
        continue;
      }
      const times = { updateTime: undefined, updateUser: undefined };
      const object = { ...desired, remoteId: outcome.remoteId, vendorOwned: false, ...times };
      if (operation.action === 'create') {
        if (before.folder.objects.has(key)) await note(lock, bases, account.id, object);
        continue;
      }
      if (!base) continue;
      const fields = { ...base.fields };
      for (const { field } of changes) {
        const value = desired.fields[field];
        if (value === undefined) delete fields[field];
        else fields[field] = value;
      }
      await note(lock, bases, account.id, { ...object, fields });
    }
  });
}
