import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { type Comparison, compare, type SyncState } from '../../core/content/compare.ts';
import { compareContent } from '../../core/content/compare-content.ts';
import { type ContentObject, contentKey, type RemoteObject } from '../../core/content/content-object.ts';
import { type Overrides, overriddenFields, overridesFile, parseOverrides } from '../../core/content/overrides.ts';
import { type Plan, plan, wordOf } from '../../core/content/plan.ts';
import { hashOf } from './content-folder.ts';
import type { ContentOptions, FolderComparison } from './content-sync.ts';

export interface PromotionRequest {
  /** What the other account shall have. */
  readonly source: ReadonlyMap<string, ContentObject>;
  readonly overrides: Overrides;
  /** What the account is called in the overrides, besides its id and its name. */
  readonly label: string;
}

export interface Promotion {
  readonly comparisons: readonly Comparison[];
  /** Keys of what the account has otherwise: promoting overwrites it, and nothing says whether that was seen. */
  readonly overwrites: ReadonlySet<string>;
  /** Keys of objects that are not there as the source says them, with the fields that the account has of its own. */
  readonly overridden: ReadonlyMap<string, readonly string[]>;
}

/** Compares what one account or the files have with another account, in which overrides hold. Deletes nothing there. */
export function comparePromotion(
  target: FolderComparison,
  { account }: ContentOptions,
  { source, overrides, label }: PromotionRequest,
): Promotion {
  const labels = labelsOf(account, label);
  const overridden = new Map<string, readonly string[]>();
  const local = new Map<string, ContentObject>();
  for (const [key, { kind, id, fields }] of source) {
    const own = overriddenFields({ kind, id }, overrides, labels, account.names);
    if (own) overridden.set(key, Object.keys(own));
    local.set(key, { kind, id, fields: { ...fields, ...own } });
  }
  const comparisons = compareContent({
    local,
    remote: target.remote,
    lock: target.lock,
    account: account.id,
    blocked: new Map(),
    baseOf: target.bases.get,
    hash: hashOf,
  }).filter((comparison) => local.has(contentKey(comparison)));
  const overwrites = new Set(comparisons.filter(({ state }) => promotable.has(state)).map(contentKey));
  return { comparisons, overwrites, overridden };
}

/** The plan for what was chosen. What is named by it, and is in the account as it is, need not be in the plan. */
export function planPromotion(
  { comparisons, overwrites }: Promotion,
  target: FolderComparison,
  { account }: ContentOptions,
  chosen: ReadonlySet<string>,
): Plan {
  const known = new Set(comparisons.map(contentKey));
  const wanted = comparisons.map((comparison) =>
    overwrites.has(contentKey(comparison)) && chosen.has(contentKey(comparison)) ? overwriting(comparison) : comparison,
  );
  const others = [...target.remote.values()].filter((object) => !known.has(contentKey(object))).map(asItIs);
  return plan([...wanted, ...others], {
    names: account.names,
    prune: false,
    overwrite: new Set(),
    only: chosen,
    fingerprint: hashOf,
  });
}

/**
 * What overrides say of objects that a plan is about which was made from the files as they are, one line an object: whoever wrote that may not
 * expect that it counts in promotions alone.
 */
export function overridesLeftOut(
  { operations, obstacles }: Plan,
  { account }: ContentOptions,
  { overrides, label }: Pick<PromotionRequest, 'overrides' | 'label'>,
): readonly string[] {
  const labels = labelsOf(account, label);
  const objects = new Map([...operations, ...obstacles].map((object) => [contentKey(object), object]));
  return [...objects.values()].flatMap(({ kind, id }) => {
    const own = overriddenFields({ kind, id }, overrides, labels, account.names);
    return own ? [`${wordOf(kind)} ${id}: ${Object.keys(own).join(', ')}`] : [];
  });
}

function labelsOf({ id, names }: ContentOptions['account'], label: string): readonly string[] {
  return [...new Set([id, names.account, label])];
}

const promotable: ReadonlySet<SyncState> = new Set(['unknownBase', 'conflict', 'remoteAhead', 'deletedRemotely']);

/** A person chose it, with both sides in sight: then the account's side is what the change is made from. */
function overwriting({ kind, id, local, remote }: Comparison): Comparison {
  return compare({ kind, id }, { base: remote, local, remote, wasSynchronised: remote !== undefined });
}

function asItIs(remote: RemoteObject): Comparison {
  return compare(remote, { base: remote, local: remote, remote, wasSynchronised: true });
}

/** What single accounts have of their own, as the folder says it. A file that cannot be read is an error: nothing goes out without it. */
export async function readOverrides(root: string): Promise<Overrides> {
  const text = await readFile(path.join(root, overridesFile), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw new Error(`${overridesFile} cannot be read: ${error.message}`);
  });
  return parseOverrides(text);
}
