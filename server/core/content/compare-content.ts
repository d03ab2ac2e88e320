import { type Comparison, compare } from './compare.ts';
import { type ContentFields, type ContentObject, contentKey, type RemoteObject } from './content-object.ts';
import { type Lock, lockKey } from './lock.ts';
import { meaningOf } from './normalise.ts';

/** Both sides, and what is known of their past. */
export interface ContentSides {
  readonly local: ReadonlyMap<string, ContentObject>;
  readonly remote: ReadonlyMap<string, RemoteObject>;
  readonly lock: Lock;
  /** Stable id of the account, as the lock has it. */
  readonly account: string;
  /** Keys whose files cannot be taken at their word, e.g. because two of them claim the same id. */
  readonly blocked: ReadonlyMap<string, string>;
  /** Contents that were seen on this computer when they were synchronised, by the hash of their meaning. */
  readonly baseOf: (hash: string) => ContentFields | undefined;
  readonly hash: (text: string) => string;
}

/**
 * Every object of either side, compared three ways, sorted by kind and id. A base is content that this computer has seen: what the lock alone
 * says somebody synchronised is none, unless the file itself still is that content.
 */
export function compareContent(sides: ContentSides): Comparison[] {
  const { local, remote, lock, account } = sides;
  const keys = new Set([...local.keys(), ...remote.keys()]);
  for (const entry of lock.values()) if (entry.account === account) keys.add(contentKey(entry));
  const comparisons: Comparison[] = [];
  for (const key of [...keys].sort()) {
    if (sides.blocked.has(key)) continue;
    const here = local.get(key);
    const there = remote.get(key);
    const object = here ?? there;
    if (!object) continue;
    const entry = lock.get(lockKey(object, account));
    const fields = entry?.hash === undefined ? undefined : baseFields(entry.hash, here, sides);
    const { kind, id } = object;
    comparisons.push(
      compare(
        { kind, id },
        { base: fields && { kind, id, fields }, local: here, remote: there, wasSynchronised: entry !== undefined },
      ),
    );
  }
  return comparisons;
}

function baseFields(
  hash: string,
  local: ContentObject | undefined,
  { baseOf, hash: hashOf }: ContentSides,
): ContentFields | undefined {
  return baseOf(hash) ?? (local && hashOf(meaningOf(local)) === hash ? local.fields : undefined);
}
