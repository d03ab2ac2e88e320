import type { JsonObject, Value } from '../language/values/value.ts';
import type { Comparison, FieldChange, SyncState } from './compare.ts';
import { type ContentKind, type ContentObject, contentKey, contentKinds, type RemoteObject } from './content-object.ts';
import { type AccountNames, idProblem } from './identity.ts';
import { canonicalText, meaningOf } from './normalise.ts';
import { type TemplateStep, templateSteps, withSteps } from './template-steps.ts';
import { warningsOf } from './warnings.ts';

export type OperationAction = 'create' | 'update' | 'delete';

/** One object's change, applied whole or not at all. */
export interface Operation {
  /**
   * The second half of a change of an alert profile, whose first half is an operation of its own: templates that policies of the same plan
   * leave go once they have left, and those that they are switched to are there before.
   */
  readonly part?: 'removal';
  readonly action: OperationAction;
  readonly kind: ContentKind;
  /** Account-neutral. */
  readonly id: string;
  /** What the object will be; undefined for a deletion. */
  readonly desired: ContentObject | undefined;
  /** What was seen in the account when the plan was made; undefined for a creation. Applying checks that it still is. */
  readonly before: RemoteObject | undefined;
  readonly changes: readonly FieldChange[];
  /** Why, in words: `changed here`, `new here`, `deleted here`. */
  readonly reason: string;
  /** What a reviewer must not overlook. */
  readonly warnings: readonly string[];
  /** Keys of operations that must have succeeded before this one. */
  readonly dependsOn: readonly string[];
  /** Calls for the templates of an alert profile, which the service changes one by one. */
  readonly templates: readonly TemplateStep[];
  /** Writing calls; the calls that look before and after are counted by wave, not by object. */
  readonly writes: number;
}

/** Stands for an operation in journals and among what others depend on: the key of its object, unless that one is changed in two parts. */
export function operationKey(operation: Pick<Operation, 'kind' | 'id' | 'part'>): string {
  return operation.part ? `${contentKey(operation)}\n${operation.part}` : contentKey(operation);
}

/** Something that stands in the way: named, never silently left out. */
export interface Obstacle {
  readonly kind: ContentKind;
  readonly id: string;
  readonly state: SyncState;
  /** What is in the way and what to do about it. */
  readonly message: string;
}

export interface Plan {
  readonly account: string;
  /** In the order in which they are applied. */
  readonly operations: readonly Operation[];
  /** Objects that differ but that this plan leaves alone, with the reason. */
  readonly obstacles: readonly Obstacle[];
  /** About the plan as a whole: wide changes, deletions. */
  readonly warnings: readonly string[];
  readonly writes: number;
  /** Stands for everything the plan was made from. A plan whose fingerprint is no longer that of the account writes nothing. */
  readonly fingerprint: string;
}

export interface PlanOptions {
  readonly names: AccountNames;
  /** Delete in the account what was deleted here. */
  readonly prune: boolean;
  /** Keys that a person decided to overwrite although both sides changed, or although nothing says what they had in common. */
  readonly overwrite: ReadonlySet<string>;
  /** Bring back what was there before: an id that only the service gives out is no obstacle, it gives another. */
  readonly restore?: boolean;
  /** Keys to look at; everything when undefined. */
  readonly only: ReadonlySet<string> | undefined;
  /** A short text that stands for a long one; hosts give a cryptographic hash. */
  readonly fingerprint: (text: string) => string;
}

/** Above this many operations, or this share of the account, a plan says so. */
const wideOperations = 20;
const wideShare = 0.25;

/** What a deployment would do, completely: every difference is an operation or an obstacle. */
export function plan(comparisons: readonly Comparison[], options: PlanOptions): Plan {
  const obstacles: Obstacle[] = [];
  const wanted: Operation[] = [];
  const looked = options.only
    ? comparisons.filter((comparison) => options.only?.has(contentKey(comparison)))
    : comparisons;
  for (const comparison of looked) {
    const decided = decide(comparison, options);
    if (decided?.kind === 'operation') {
      const { operation } = decided;
      wanted.push(options.restore ? { ...operation, reason: 'as it was before the deployment' } : operation);
    } else if (decided) obstacles.push(decided.obstacle);
  }
  const { possible, blocked } = withoutDangling(wanted, comparisons);
  const profiles = new Map(comparisons.map(({ remote, ...object }) => [contentKey(object), remote]));
  const parts = possible.flatMap((entry) => inParts(entry, possible, profiles));
  const operations = ordered(parts.map((entry) => ({ ...entry, dependsOn: dependenciesOf(entry, parts, profiles) })));
  return {
    account: options.names.account,
    operations,
    obstacles: [...obstacles, ...blocked],
    warnings: planWarnings(operations, comparisons),
    writes: operations.reduce((sum, { writes }) => sum + writes, 0),
    fingerprint: options.fingerprint(fingerprintText(operations)),
  };
}

/** What an operation was made from, as one text: the same again exactly when applying it would do the same again. */
function fingerprintText(operations: readonly Operation[]): string {
  return operations
    .map(({ action, kind, id, desired, before }) =>
      canonicalText([
        action,
        kind,
        id,
        desired ? meaningOf(desired) : undefined,
        before ? meaningOf(before) : undefined,
        before?.updateTime,
        before?.remoteId,
      ]),
    )
    .join('\n');
}

type Decision =
  | { readonly kind: 'operation'; readonly operation: Operation }
  | { readonly kind: 'obstacle'; readonly obstacle: Obstacle };

function decide(comparison: Comparison, options: PlanOptions): Decision | undefined {
  const { state, local, remote } = comparison;
  const obstacle = (message: string): Decision => ({
    kind: 'obstacle',
    obstacle: { kind: comparison.kind, id: comparison.id, state, message },
  });
  switch (state) {
    case 'inSync':
    case 'remoteOnly':
    case 'vendorOwned':
      return undefined;
    case 'remoteAhead':
      return obstacle('The account is newer than the file. Pull it, or nothing of it is touched.');
    case 'deletedRemotely':
      return obstacle('It was deleted in the account. Delete the file too, or deploy it again as something new.');
    case 'localOnly':
      return create(comparison, options, 'new here');
    case 'localAhead':
      return update(comparison, 'changed here');
    case 'deletedLocally':
      if (!options.prune)
        return obstacle('It was deleted here but still is in the account. Deploy with pruning to delete it there.');
      return deletion(comparison);
    case 'unknownBase':
    case 'conflict':
      if (!options.overwrite.has(contentKey(comparison))) {
        return obstacle(
          state === 'conflict'
            ? 'Both the file and the account changed since they were last synchronised. Merge them first.'
            : 'File and account differ, and nothing here says what they had in common. Pull to compare, or decide which one holds.',
        );
      }
      if (!local) return deletion(comparison);
      return remote
        ? update(comparison, 'overwrites the account, as decided')
        : create(comparison, options, 'created again, as decided');
  }
}

function create(comparison: Comparison, { names, restore }: PlanOptions, reason: string): Decision {
  const { kind, id, local, state } = comparison;
  const problem = restore ? undefined : idProblem(kind, id, names);
  if (problem !== undefined || !local) {
    return { kind: 'obstacle', obstacle: { kind, id, state, message: problem ?? 'There is no file for it.' } };
  }
  return operation(comparison, 'create', local, undefined, reason, []);
}

function update(comparison: Comparison, reason: string): Decision {
  const { kind, id, local, remote, state } = comparison;
  const refuse = (message: string): Decision => ({ kind: 'obstacle', obstacle: { kind, id, state, message } });
  if (!local || !remote) return refuse('One side of the comparison is missing.');
  if (remote.vendorOwned)
    return refuse('It belongs to the vendor and cannot be changed. Give your version an id of its own.');
  if (kind === 'alertProfile' && text(local.fields['extends']) !== text(remote.fields['extends'])) {
    return refuse(
      'The parent of an alert profile cannot be changed. Make a new profile that extends the other parent.',
    );
  }
  const stuck = comparison.changes.find(({ field }) => !canBeSent(kind, field, local));
  if (stuck)
    return refuse(stuckMessages[kind]?.(stuck.field) ?? `The service has no way to change its ${stuck.field}.`);
  const steps = kind === 'alertProfile' ? templateSteps(remote.fields['alerts'], local.fields['alerts']) : [];
  return operation(comparison, 'update', local, remote, reason, steps);
}

/** What the service takes in a change. Texts and lists can be emptied, what else is set stays set. */
function canBeSent(kind: ContentKind, field: string, { fields }: ContentObject): boolean {
  if (kind === 'exception') return field !== 'expiryTime' && field !== 'policyId';
  const gone = fields[field] === undefined;
  return !(kind === 'policy' && gone && (field === 'alertProfile' || field === 'evalFrequency'));
}

const stuckMessages: { readonly [kind in ContentKind]?: (field: string) => string } = {
  policy: (field) =>
    `The service cannot take ${field} away from a policy. Write the one it shall have, or delete the policy and make it anew.`,
  exception: (field) =>
    `The service cannot change the ${field} of an exception. Make a new exception with another name and delete this one.`,
};

function deletion(comparison: Comparison): Decision {
  return operation(comparison, 'delete', undefined, comparison.remote, 'deleted here', []);
}

function operation(
  comparison: Comparison,
  action: OperationAction,
  desired: ContentObject | undefined,
  before: RemoteObject | undefined,
  reason: string,
  templates: readonly TemplateStep[],
): Decision {
  const { kind, id, changes } = comparison;
  return {
    kind: 'operation',
    operation: {
      action,
      kind,
      id,
      desired,
      before,
      changes,
      reason,
      warnings: warningsOf(action, kind, before, desired),
      dependsOn: [],
      templates,
      writes: templates.length > 0 ? templates.length : 1,
    },
  };
}

const text = (value: Value): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

/** What an object names: a policy its query and its alert profile, an exception its policy. */
export function referencesOf({
  kind,
  fields,
}: Pick<ContentObject, 'kind' | 'fields'>): { kind: ContentKind; id: string }[] {
  if (kind === 'exception') {
    const policyId = text(fields['policyId']);
    return policyId === undefined ? [] : [{ kind: 'policy', id: policyId }];
  }
  if (kind !== 'policy') return [];
  const queryId = text(fields['queryId']);
  const profile = text(fields['alertProfile'])?.split('.')[0];
  return [
    ...(queryId === undefined ? [] : [{ kind: 'query', id: queryId } as const]),
    ...(profile === undefined ? [] : [{ kind: 'alertProfile', id: profile } as const]),
  ];
}

type Objects = Pick<ReadonlyMap<string, ContentObject | undefined>, 'get'>;

function parentKeyOf({ kind, fields }: Pick<ContentObject, 'kind' | 'fields'>): string | undefined {
  const parent = kind === 'alertProfile' ? text(fields['extends']) : undefined;
  return parent === undefined ? undefined : contentKey({ kind: 'alertProfile', id: parent });
}

/** Whether an object cannot be without the one that a key stands for. */
function needs(object: Pick<ContentObject, 'kind' | 'fields'>, key: string): boolean {
  return parentKeyOf(object) === key || referencesOf(object).some((reference) => contentKey(reference) === key);
}

/** What is named must be there first; what is deleted must have lost everything that named it. */
function dependenciesOf(operation: Operation, all: readonly Operation[], account: Objects): string[] {
  const { kind, desired, part } = operation;
  const key = contentKey(operation);
  if (takesTemplatesOnly(operation))
    return [...(part ? [key] : []), ...leaversOf(operation, all, account).map(contentKey)];
  if (desired) {
    const named = referencesOf(desired).map(contentKey);
    if (kind === 'policy') return [...named, ...makersOf(desired, all, account)];
    const parent = parentKeyOf(desired);
    return all.some((other) => other.action === 'create' && contentKey(other) === parent)
      ? [...named, `${parent}`]
      : named;
  }
  return all.filter(({ before }) => before && needs(before, key)).map(operationKey);
}

/** A change of an alert profile in two where policies of the plan leave templates that it takes away: what they go to first, what they left last. */
function inParts(operation: Operation, all: readonly Operation[], account: Objects): Operation[] {
  const { kind, action, before, desired, templates, changes, reason } = operation;
  const removals = templates.filter((step) => step.action === 'delete');
  const others = templates.filter((step) => step.action !== 'delete');
  const isMixed = kind === 'alertProfile' && action === 'update' && removals.length > 0 && others.length > 0;
  if (!isMixed || !before || !desired || leaversOf(operation, all, account).length === 0) return [operation];
  const alerts = withSteps(before.fields['alerts'], others);
  const between = { ...desired.fields, alerts };
  return [
    {
      ...operation,
      desired: { ...desired, fields: between },
      changes: changes.map((change) => ({ ...change, local: alerts })),
      templates: others,
      writes: others.length,
    },
    {
      ...operation,
      part: 'removal',
      before: { ...before, fields: between },
      changes: changes.map((change) => ({ ...change, remote: alerts })),
      reason: `${reason}; last, once no policy uses it`,
      templates: removals,
      writes: removals.length,
    },
  ];
}

/** Policies of the plan that are deleted, or switched away, from a template that an operation takes from its profile, or from one that inherits it. */
function leaversOf({ id, templates }: Operation, all: readonly Operation[], account: Objects): Operation[] {
  const gone = new Set(templates.flatMap((step) => (step.action === 'delete' ? [step.name] : [])));
  return all.filter(({ kind, before, desired }) => {
    const named = kind === 'policy' ? text(before?.fields['alertProfile']) : undefined;
    if (named === undefined || named === text(desired?.fields['alertProfile'])) return false;
    const [profile = '', template] = named.split('.');
    return (template === undefined || gone.has(template)) && withAncestors(profile, account).includes(id);
  });
}

/** Keys of operations that give a policy the template it names, where its profile only inherits it. */
function makersOf({ fields }: ContentObject, all: readonly Operation[], account: Objects): string[] {
  const [profile, template] = text(fields['alertProfile'])?.split('.') ?? [];
  const made = all.filter(({ kind, action, part }) => kind === 'alertProfile' && action !== 'delete' && !part);
  if (profile === undefined || made.length === 0) return [];
  const planned = new Map(made.map((entry) => [contentKey(entry), entry.desired]));
  const [, ...ancestors] = withAncestors(profile, { get: (key) => planned.get(key) ?? account.get(key) });
  return made
    .filter(({ id }) => ancestors.includes(id))
    .filter(
      ({ action, templates }) =>
        action === 'create' || templates.some((step) => step.action === 'create' && step.name === template),
    )
    .map(operationKey);
}

/** An alert profile and those from which it inherits, as far as they are known. */
function withAncestors(profile: string, objects: Objects): readonly string[] {
  const ids = new Set<string>();
  for (let id: string | undefined = profile; id !== undefined && !ids.has(id); ) {
    ids.add(id);
    id = text(objects.get(contentKey({ kind: 'alertProfile', id }))?.fields['extends']);
  }
  return [...ids];
}

/** Takes out what would leave something in the account naming what is not there, until nothing more must go. */
function withoutDangling(
  wanted: readonly Operation[],
  comparisons: readonly Comparison[],
): { possible: Operation[]; blocked: Obstacle[] } {
  const blocked: Obstacle[] = [];
  const states = new Map(comparisons.map((comparison) => [contentKey(comparison), comparison]));
  let possible = [...wanted];
  for (let changed = true; changed; ) {
    changed = false;
    const created = new Set(possible.filter(({ action }) => action === 'create').map(contentKey));
    const deleted = new Set(possible.filter(({ action }) => action === 'delete').map(contentKey));
    const after = new Map(
      possible.filter(({ action }) => action !== 'delete').map((entry) => [contentKey(entry), entry.desired]),
    );
    const block = (entry: Operation, message: string): void => {
      changed = true;
      possible = possible.filter((other) => other !== entry);
      blocked.push({
        kind: entry.kind,
        id: entry.id,
        state: states.get(contentKey(entry))?.state ?? 'conflict',
        message,
      });
    };
    for (const entry of possible) {
      const unworded = withoutTemplate(entry, possible, comparisons);
      if (unworded !== undefined) {
        block(entry, unworded);
        break;
      }
      if (entry.desired) {
        const isMissing = (key: string): boolean => deleted.has(key) || (!created.has(key) && !states.get(key)?.remote);
        const missing = referencesOf(entry.desired).find((reference) => isMissing(contentKey(reference)));
        if (missing) {
          block(
            entry,
            `It names the ${wordOf(missing.kind)} ${missing.id}, which is not in the account and not part of this plan.`,
          );
          break;
        }
        // Services that do not list the vendor's profiles have them all the same.
        const parent = parentKeyOf(entry.desired);
        if (parent !== undefined && states.has(parent) && isMissing(parent)) {
          const id = text(entry.desired.fields['extends']);
          block(entry, `It extends the alert profile ${id}, which is not in the account and not part of this plan.`);
          break;
        }
        continue;
      }
      const user = comparisons.find((comparison) => {
        const key = contentKey(comparison);
        if (deleted.has(key)) return false;
        const object = after.get(key) ?? comparison.remote;
        return object !== undefined && needs(object, contentKey(entry));
      });
      if (user) {
        block(entry, `The ${wordOf(user.kind)} ${user.id} still uses it.`);
        break;
      }
    }
  }
  return { possible, blocked };
}

/**
 * Why an operation would leave a policy without the template that words its alerts: it takes the template away from under a policy that this
 * plan neither deletes nor switches, or it is the policy and names a template that nobody has.
 */
function withoutTemplate(
  operation: Operation,
  all: readonly Operation[],
  comparisons: readonly Comparison[],
): string | undefined {
  const { kind, id, desired } = operation;
  const planned = new Map(all.map((entry) => [contentKey(entry), entry]));
  const states = new Map(comparisons.map((comparison) => [contentKey(comparison), comparison]));
  const after = (key: string): ContentObject | undefined => {
    const entry = planned.get(key);
    return entry ? entry.desired : states.get(key)?.remote;
  };
  if (kind === 'policy' && desired) {
    const named = text(desired.fields['alertProfile']);
    // What it has named all along is no reason to refuse the rest of a change.
    const isNew = named !== text(operation.before?.fields['alertProfile']);
    return named !== undefined && isNew && wordsAlerts(named, after) === false
      ? `Its alerts are to be worded by ${named}, and there is no such template in the account or in this plan.`
      : undefined;
  }
  if (kind !== 'alertProfile' || !operation.templates.some(({ action }) => action === 'delete')) return undefined;
  const before = (key: string): ContentObject | undefined => states.get(key)?.remote;
  for (const comparison of comparisons) {
    const policy = comparison.kind === 'policy' ? after(contentKey(comparison)) : undefined;
    const named = text(policy?.fields['alertProfile']);
    if (named === undefined || wordsAlerts(named, after) !== false || wordsAlerts(named, before) === false) continue;
    return `The policy ${comparison.id} words its alerts by ${named}, which this would delete${id === named.split('.')[0] ? '' : ` from ${id}`}. Give the policy another template, or delete it too.`;
  }
  return undefined;
}

/** Whether a policy's `profile.template` is there, the profile's ancestors included; undefined when one of them is not known. */
function wordsAlerts(named: string, objectOf: (key: string) => ContentObject | undefined): boolean | undefined {
  const [first = '', template] = named.split('.');
  const seen = new Set<string>();
  for (let id: string | undefined = first; id !== undefined && !seen.has(id); ) {
    seen.add(id);
    const profile = objectOf(contentKey({ kind: 'alertProfile', id }));
    // Whether a profile is there at all is a question of its own.
    if (!profile) return undefined;
    const alerts = profile.fields['alerts'];
    const own = Array.isArray(alerts) ? (alerts as readonly JsonObject[]) : [];
    if (own.some(({ name }) => template === undefined || name === template)) return true;
    id = text(profile.fields['extends']);
  }
  return false;
}

export function wordOf(kind: ContentKind): string {
  return kind === 'alertProfile' ? 'alert profile' : kind;
}

/** Whether a change of an alert profile only takes templates away. */
function takesTemplatesOnly({ kind, action, templates }: Operation): boolean {
  return kind === 'alertProfile' && action === 'update' && templates.every((step) => step.action === 'delete');
}

/**
 * Creations and updates by kind in the order of need, then deletions the other way round; profiles that extend each other likewise. Ids make
 * the order stable.
 */
function ordered(operations: readonly Operation[]): Operation[] {
  const profiles = new Map(
    operations.map((operation) => [contentKey(operation), operation.desired ?? operation.before]),
  );
  const depth = ({ kind, id, action }: Operation): number => {
    const steps = kind === 'alertProfile' ? withAncestors(id, profiles).length : 0;
    return action === 'delete' ? -steps : steps;
  };
  const rank = (operation: Operation): number => {
    const order = contentKinds.indexOf(operation.kind);
    // Policies are switched to other templates before theirs go.
    const isTaking = operation.action === 'delete' || takesTemplatesOnly(operation);
    return isTaking ? 2 * contentKinds.length - order : order;
  };
  return [...operations].sort(
    (a, b) => rank(a) - rank(b) || depth(a) - depth(b) || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0),
  );
}

function planWarnings(operations: readonly Operation[], comparisons: readonly Comparison[]): string[] {
  const warnings: string[] = [];
  const deletions = operations.filter(({ action }) => action === 'delete').length;
  if (deletions > 0)
    warnings.push(`${deletions} ${deletions === 1 ? 'object is' : 'objects are'} deleted from the account.`);
  const own = comparisons.filter(({ remote }) => remote && !remote.vendorOwned).length;
  if (operations.length > wideOperations || (own >= 8 && operations.length > own * wideShare)) {
    warnings.push(`The plan is wide: ${operations.length} operations on an account with ${own} objects of its own.`);
  }
  return warnings;
}
