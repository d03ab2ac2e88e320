import type { Value } from '../language/values/value.ts';
import type { ContentFields, ContentKind, ContentObject, RemoteObject } from './content-object.ts';
import { authoredFields, canonicalText, fieldMeaning, meaningOf } from './normalise.ts';

/**
 * How one object stands between files and account.
 * `unknownBase`: both sides exist and differ, and nothing says what they had in common; neither may be overwritten unseen.
 */
export type SyncState =
  | 'inSync'
  | 'localAhead'
  | 'remoteAhead'
  | 'conflict'
  | 'unknownBase'
  | 'localOnly'
  | 'remoteOnly'
  | 'deletedLocally'
  | 'deletedRemotely'
  | 'vendorOwned';

/** One field that differs, with what each side says; `undefined` where it says nothing. */
export interface FieldChange {
  readonly field: string;
  readonly base: Value;
  readonly local: Value;
  readonly remote: Value;
  /** Who changed it since the base; `unknown` without one. */
  readonly changedBy: 'local' | 'remote' | 'both' | 'unknown';
}

export interface Comparison {
  readonly kind: ContentKind;
  readonly id: string;
  readonly state: SyncState;
  readonly base: ContentObject | undefined;
  readonly local: ContentObject | undefined;
  readonly remote: RemoteObject | undefined;
  readonly changes: readonly FieldChange[];
}

/**
 * Compares one object three ways. `base` is what was last synchronised; `wasSynchronised` says that the lock knows the object even if its
 * base content is lost, so that a missing side is a deletion and not something new.
 */
export function compare(
  key: { readonly kind: ContentKind; readonly id: string },
  sides: {
    readonly base: ContentObject | undefined;
    readonly local: ContentObject | undefined;
    readonly remote: RemoteObject | undefined;
    readonly wasSynchronised: boolean;
  },
): Comparison {
  const { base, local, remote } = sides;
  const state = stateOf(sides);
  const changes = state === 'inSync' ? [] : fieldChanges(key.kind, base, local, remote);
  return { kind: key.kind, id: key.id, base, local, remote, state, changes };
}

function stateOf({
  base,
  local,
  remote,
  wasSynchronised,
}: {
  readonly base: ContentObject | undefined;
  readonly local: ContentObject | undefined;
  readonly remote: RemoteObject | undefined;
  readonly wasSynchronised: boolean;
}): SyncState {
  if (!local && !remote) return 'inSync';
  if (!local) {
    if (remote?.vendorOwned) return 'vendorOwned';
    if (!wasSynchronised) return 'remoteOnly';
    // Deleted here; but if the account went on since, the deletion was decided without knowing that.
    return base && remote && meaningOf(base) === meaningOf(remote) ? 'deletedLocally' : 'conflict';
  }
  if (!remote) {
    if (!wasSynchronised) return 'localOnly';
    return base && meaningOf(base) === meaningOf(local) ? 'deletedRemotely' : 'conflict';
  }
  const here = meaningOf(local);
  const there = meaningOf(remote);
  if (here === there) return 'inSync';
  if (!base) return 'unknownBase';
  const before = meaningOf(base);
  if (before === there) return 'localAhead';
  if (before === here) return 'remoteAhead';
  return 'conflict';
}

function fieldChanges(
  kind: ContentKind,
  base: ContentObject | undefined,
  local: ContentObject | undefined,
  remote: ContentObject | undefined,
): FieldChange[] {
  const changes: FieldChange[] = [];
  const none: ContentFields = {};
  for (const field of authoredFields[kind]) {
    const meaning = (object: ContentObject | undefined): string =>
      canonicalText(object ? fieldMeaning(kind, field, object.fields) : undefined);
    const [before, here, there] = [meaning(base), meaning(local), meaning(remote)];
    if (here === there) continue;
    const changedBy = !base ? 'unknown' : before === there ? 'local' : before === here ? 'remote' : 'both';
    changes.push({
      field,
      base: (base?.fields ?? none)[field],
      local: (local?.fields ?? none)[field],
      remote: (remote?.fields ?? none)[field],
      changedBy,
    });
  }
  return changes;
}

/** The two sides' changes in one object, when no field was changed by both; undefined when a person must decide. */
export function mergeFields(comparison: Comparison): ContentObject | undefined {
  const { base, local, remote, kind, id, changes } = comparison;
  if (!base || !local || !remote) return undefined;
  if (changes.some(({ changedBy }) => changedBy === 'both' || changedBy === 'unknown')) return undefined;
  const fields: { [field: string]: Value } = { ...local.fields };
  for (const { field, changedBy, remote: value } of changes) {
    if (changedBy !== 'remote') continue;
    if (value === undefined) delete fields[field];
    else fields[field] = value;
  }
  return { kind, id, fields };
}
