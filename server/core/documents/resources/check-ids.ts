import type { Fix } from '../../language/diagnostics/diagnostic.ts';
import { parse } from '../../language/syntax/parse.ts';
import { chosenPolicyId, policyAccountMark, queryIdForm, serviceGivenPolicyId } from '../../resources/ids.ts';
import { reservedQueryIdPrefix } from '../../resources/query.ts';
import type { TextRange } from '../../text/range.ts';
import type { PlacedMap } from './placed-value.ts';
import type { ResourceKind } from './resource-kinds.ts';

/** The field that says which object of the account it is; an exception has none. */
export const idFields: { readonly [kind in ResourceKind]: string | undefined } = {
  query: 'queryId',
  policy: 'policyId',
  alertProfile: 'alertProfileId',
  exception: undefined,
};

export interface IdFinding {
  readonly code: 'missing-id' | 'invalid-id' | 'duplicate-id';
  readonly range: TextRange;
  readonly message: string;
  readonly fixes: readonly Fix[];
}

interface Resource {
  readonly kind: ResourceKind;
  readonly map: PlacedMap;
}

/**
 * Ids that are missing, with one to choose where that can be derived, that no account takes, or that the document gives twice. What the vendor
 * reserves for itself is known only with its abbreviation.
 */
export function checkIds(resources: readonly Resource[], vendorPrefix?: string): readonly IdFinding[] {
  const findings: IdFinding[] = [];
  const used = new Set(resources.map(({ kind, map }) => idText(kind, map)));
  const seen = new Set<string>();
  const exceptions = resources.filter(({ kind }) => kind === 'exception').length;
  for (const { kind, map } of resources) {
    if (!map.isComplete) continue;
    const key = identity(kind, map);
    if (key !== undefined && seen.has(key)) {
      const range = placeOf(map, idFields[kind] ?? 'name');
      findings.push({ code: 'duplicate-id', range, message: duplicates[kind], fixes: [] });
    }
    if (key !== undefined) seen.add(key);
    if (kind === 'exception') {
      if (exceptions > 1 && scalar(map, 'name') === undefined) findings.push(unnamed(map, used));
      continue;
    }
    const field = idFields[kind];
    const id = idText(kind, map);
    if (field === undefined) continue;
    if (id === undefined || id.trim() === '') {
      const proposed = free(proposals[kind]?.(map), used);
      if (proposed !== undefined) used.add(proposed);
      const fixes = proposed === undefined ? [] : withId(map, field, proposed);
      findings.push({ code: 'missing-id', range: placeOf(map, field), message: missing[kind], fixes });
      continue;
    }
    const message = idRules[kind]?.(id) ?? (vendorPrefix === undefined ? undefined : reserved(kind, id, vendorPrefix));
    if (message !== undefined) findings.push({ code: 'invalid-id', range: placeOf(map, field), message, fixes: [] });
  }
  return findings;
}

const missing: { readonly [kind in ResourceKind]: string } = {
  query: 'The query has no queryId, so nothing says which query of the account it is. Give it one.',
  policy:
    'The policy has no policyId. The service would make one up, and another in every account: choose one, e.g. policyId: $account-buckets-1.',
  alertProfile: 'The alert profile has no alertProfileId. Give it one.',
  exception:
    'The exception has no name of its own, and the file holds several, so nothing tells them apart. Write name: and a name of your choice.',
};

const duplicates: { readonly [kind in ResourceKind]: string } = {
  query: 'The document has another query with this id. None of them is deployed until one is left.',
  policy: 'The document has another policy with this id. None of them is deployed until one is left.',
  alertProfile: 'The document has another alert profile with this id. None of them is deployed until one is left.',
  exception:
    'The document has another exception with this name for the same policy. None of them is deployed until one is left.',
};

/** One text for the object that is meant, however its id is spelled; undefined where that is not said. */
function identity(kind: ResourceKind, map: PlacedMap): string | undefined {
  const id = kind === 'exception' ? scalar(map, 'policyId') : idText(kind, map);
  if (id === undefined || id.trim() === '') return undefined;
  const neutral = kind === 'policy' || kind === 'exception' ? neutralSpelling(id) : id;
  if (kind !== 'exception') return `${kind} ${neutral}`;
  const name = scalar(map, 'name');
  return name === undefined ? undefined : `exception ${neutral}/${name}`;
}

/** `buckets-1` and `$account-buckets-1` are one policy. */
export function neutralSpelling(policyId: string): string {
  return chosenPolicyId.test(policyId) ? `${policyAccountMark}${policyId}` : policyId;
}

/** What is wrong with an id in every account; what only one account can tell is found when a plan is made. */
const idRules: { readonly [kind in ResourceKind]?: (id: string) => string | undefined } = {
  query: (id) =>
    queryIdForm.test(id)
      ? undefined
      : `"${id}" is no id of a query. It begins with a letter and goes on with letters, digits and underscores.`,
  policy(id) {
    if (!id.startsWith(policyAccountMark)) return undefined;
    const chosen = id.slice(policyAccountMark.length);
    if (serviceGivenPolicyId.test(chosen))
      return `Policy ids that begin with "${policyAccountMark}default" are given out by the service. Choose another.`;
    return chosenPolicyId.test(chosen)
      ? undefined
      : `"${id}" is no id of a policy. Behind ${policyAccountMark} it has 1 to 16 lower-case letters, then perhaps a hyphen and up to 8 digits.`;
  },
};

function reserved(kind: ResourceKind, id: string, vendorPrefix: string): string | undefined {
  const start = reservedStarts[kind]?.(vendorPrefix);
  if (start === undefined || !id.startsWith(start)) return undefined;
  return `Ids that begin with ${start} belong to the vendor: no account takes "${id}" from a file. Choose another.`;
}

const reservedStarts: { readonly [kind in ResourceKind]?: (vendorPrefix: string) => string } = {
  query: reservedQueryIdPrefix,
  alertProfile: (vendorPrefix) => `${vendorPrefix}_`,
};

const proposals: { readonly [kind in ResourceKind]?: (map: PlacedMap) => string | undefined } = {
  query(map) {
    const text = scalar(map, 'queryText');
    const { query } = parse(text ?? '').file;
    const named = query?.kind === 'query' ? query.name?.name : undefined;
    const fromName = (scalar(map, 'queryName') ?? '').replace(/[^A-Za-z0-9]+/g, '_').replace(/^[_0-9]+|_+$/g, '');
    return named ?? (fromName === '' ? undefined : fromName);
  },
  policy(map) {
    const words = (scalar(map, 'title') ?? '').toLowerCase().match(/[a-z]+/g) ?? [];
    let letters = '';
    for (const word of words) {
      if (letters.length + word.length > longestChoice) break;
      letters += word;
    }
    return `${policyAccountMark}${letters === '' ? 'policy' : letters}-1`;
  },
};

const longestChoice = 16;

/** The proposal, or the next like it that the document does not use. */
function free(proposed: string | undefined, used: ReadonlySet<string | undefined>): string | undefined {
  if (proposed === undefined || !used.has(proposed)) return proposed;
  const stem = proposed.replace(/-?\d+$/, '');
  const gap = proposed.startsWith(policyAccountMark) ? '-' : '_';
  for (let number = 2; ; number++) if (!used.has(`${stem}${gap}${number}`)) return `${stem}${gap}${number}`;
}

function unnamed(map: PlacedMap, used: Set<string | undefined>): IdFinding {
  const words = (scalar(map, 'description') ?? '').toLowerCase().match(/[a-z0-9]+/g) ?? [];
  const name = free(words.slice(0, 4).join('-') || 'exception', used);
  used.add(name);
  return {
    code: 'missing-id',
    range: placeOf(map, 'name'),
    message: missing.exception,
    fixes: name === undefined ? [] : withId(map, 'name', name),
  };
}

/** Puts the id in front of the other fields. */
function withId(map: PlacedMap, field: string, id: string): readonly Fix[] {
  const first = map.entries[0];
  if (first === undefined) return [];
  const there = map.entries.find(({ key }) => key === field);
  if (there) {
    if (there.value.kind !== 'scalar') return [];
    const quoted = !there.value.isPlain || map.indent === undefined;
    const newText = quoted ? JSON.stringify(id) : id;
    // An empty value has no place of its own behind the colon.
    const lead = there.value.range.start === there.value.range.end ? ' ' : '';
    return [
      { title: `Write ${field}: ${id}`, edits: [{ range: there.value.range, newText: lead + newText }], safe: false },
    ];
  }
  const at = { start: first.keyRange.start, end: first.keyRange.start };
  const newText =
    map.indent === undefined
      ? `${JSON.stringify(field)}: ${JSON.stringify(id)}, `
      : `${field}: ${id}\n${' '.repeat(map.indent)}`;
  return [{ title: `Add ${field}: ${id}`, edits: [{ range: at, newText }], safe: false }];
}

function idText(kind: ResourceKind, map: PlacedMap): string | undefined {
  const field = idFields[kind];
  return field === undefined ? undefined : scalar(map, field);
}

function scalar(map: PlacedMap, field: string): string | undefined {
  const value = map.entries.find(({ key }) => key === field)?.value;
  return value?.kind === 'scalar' && typeof value.value === 'string' ? value.value : undefined;
}

function placeOf(map: PlacedMap, field: string): TextRange {
  const entry = map.entries.find(({ key }) => key === field);
  if (!entry) return map.entries[0]?.keyRange ?? map.range;
  return entry.value.range.start === entry.value.range.end ? entry.keyRange : entry.value.range;
}
