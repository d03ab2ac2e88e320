import { parse } from '../language/syntax/parse.ts';
import { isJsonObject, jsonProperty } from '../language/values/json.ts';
import type { JsonObject, Value } from '../language/values/value.ts';
import { writeJson } from '../language/values/write-json.ts';
import { defaultPolicyLimit } from '../resources/policy.ts';
import type { ContentFields, ContentKind, ContentObject, RemoteObject } from './content-object.ts';
import { type AccountNames, canonicalPolicyId, neutralPolicyId } from './identity.ts';

/** Fields that people write, per kind, in the order in which files list them. Everything else is the service's. */
export const authoredFields: { readonly [kind in ContentKind]: readonly string[] } = {
  query: ['queryText', 'queryName', 'description'],
  alertProfile: ['extends', 'alerts'],
  policy: [
    'policyType',
    'queryId',
    'title',
    'enabled',
    'severity',
    'description',
    'remediation',
    'alertEnabled',
    'alertProfile',
    'limit',
    'evalFrequency',
    'tags',
  ],
  exception: ['policyId', 'description', 'constraints', 'expiryTime'],
};

/** What the service fills in when a field is absent: absent and default mean the same. */
const defaults: { readonly [kind in ContentKind]: ContentFields } = {
  query: {},
  alertProfile: {},
  policy: { policyType: 'Violation', limit: defaultPolicyLimit },
  exception: {},
};

/** Tags of these families are set by the service and refused from people. */
const serviceTag = /^(domain|subdomain):/i;

/**
 * The authored part of an object, in canonical form: known fields only, nulls and empty optional texts out, ids account-neutral, sets sorted.
 * The query's text stays as written; `meaningOf` reads it by its tokens.
 */
export function normalise(kind: ContentKind, raw: JsonObject, names: AccountNames): ContentFields {
  const fields: { [field: string]: Value } = {};
  for (const field of authoredFields[kind]) {
    const value = normaliseField(kind, field, raw[field], names);
    if (value !== undefined) fields[field] = value;
  }
  return fields;
}

function normaliseField(kind: ContentKind, field: string, value: Value, names: AccountNames): Value {
  if (value === undefined || value === null || value === '') return undefined;
  if (kind === 'policy' && field === 'tags' && Array.isArray(value)) {
    const tags = (value as readonly Value[]).filter((tag) => typeof tag === 'string' && !serviceTag.test(tag));
    return tags.length === 0 ? undefined : [...new Set(tags)].sort();
  }
  if (kind === 'policy' && field === 'severity' && typeof value === 'string') return value.toLowerCase();
  if (kind === 'exception' && field === 'policyId' && typeof value === 'string') return canonicalPolicyId(value, names);
  if (kind === 'exception' && field === 'constraints' && Array.isArray(value)) {
    return [...(value as readonly Value[])].sort((a, b) => compareText(canonicalText(a), canonicalText(b)));
  }
  if (kind === 'alertProfile' && field === 'alerts' && Array.isArray(value)) {
    return [...(value as readonly Value[])].sort((a, b) => compareText(templateName(a), templateName(b)));
  }
  return value;
}

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function templateName(template: Value): string {
  const name = jsonProperty(template, 'name');
  return typeof name === 'string' ? name : '';
}

// Fields never change, and reading a query by its tokens is what comparing a whole account costs.
const meanings = new WeakMap<ContentFields, string>();

/** One text per meaning: equal for two objects exactly when deploying one over the other would change nothing. */
export function meaningOf({ kind, fields }: Pick<ContentObject, 'kind' | 'fields'>): string {
  const known = meanings.get(fields);
  if (known?.startsWith(`${kind} `)) return known;
  const meaning = `${kind} ${canonicalText(
    Object.fromEntries(authoredFields[kind].map((field) => [field, fieldMeaning(kind, field, fields)])),
  )}`;
  meanings.set(fields, meaning);
  return meaning;
}

/** The meaning of one field: defaults filled in, query text by its tokens. `undefined` when neither is there. */
export function fieldMeaning(kind: ContentKind, field: string, fields: ContentFields): Value {
  const value = fields[field] ?? defaults[kind][field];
  return kind === 'query' && field === 'queryText' && typeof value === 'string' ? queryMeaning(value) : value;
}

/** The tokens of a query, comments and layout and the deprecated name dropped. A text that is no LQL means itself, line ends aside. */
function queryMeaning(text: string): string {
  const known = queryMeanings.get(text);
  if (known !== undefined) return known;
  if (queryMeanings.size >= rememberedQueries) queryMeanings.clear();
  const meaning = meaningOfQuery(text);
  queryMeanings.set(text, meaning);
  return meaning;
}

/** Lists are read again and again around a deployment, and nearly every text in them is the one that was read before. */
const queryMeanings = new Map<string, string>();
const rememberedQueries = 2_000;

function meaningOfQuery(text: string): string {
  const parsed = parse(text);
  const { query } = parsed.file;
  if (!query || parsed.diagnostics.some(({ severity }) => severity === 'error'))
    return text.replace(/\r\n?/g, '\n').trim();
  const start = query.kind === 'query' ? query.body.range.start : query.range.start;
  const words: string[] = [];
  for (const token of parsed.tokens) {
    if (token.start < start) continue;
    const written = text.slice(token.start, token.end);
    words.push(isName(token.kind) ? written : written.toLowerCase());
  }
  return words.join(' ');
}

/** Names and strings mean their exact spelling; keywords mean the same in every case. */
const isName = (kind: string): boolean => /identifier|reserved|string/i.test(kind);

/** JSON with sorted keys: one text for values that are equal. */
export function canonicalText(value: Value): string {
  return writeJson(value, { sorted: true });
}

const text = (value: Value): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

/** A query of the account's list. */
export function remoteQuery(raw: JsonObject, names: AccountNames): RemoteObject {
  const remoteId = text(raw['queryId']) ?? '';
  return {
    kind: 'query',
    id: remoteId,
    remoteId,
    fields: normalise('query', raw, names),
    vendorOwned: remoteId.startsWith(`${names.vendorPrefix}_Global_`) || isVendor(raw['owner']),
    updateTime: text(raw['lastUpdateTime']),
    updateUser: text(raw['lastUpdateUser']) ?? text(raw['owner']),
  };
}

/** A policy of the account's list. */
export function remotePolicy(raw: JsonObject, names: AccountNames): RemoteObject {
  const remoteId = text(raw['policyId']) ?? '';
  const id = neutralPolicyId(remoteId, names);
  return {
    kind: 'policy',
    id,
    remoteId,
    fields: normalise('policy', raw, names),
    vendorOwned: /-global-\d+$/.test(remoteId) || isVendor(raw['owner']),
    updateTime: text(raw['lastUpdateTime']),
    updateUser: text(raw['lastUpdateUser']) ?? text(raw['owner']),
  };
}

/** An alert profile of the account: its own part only. What the parent has under the same name and wording is inherited, not authored. */
export function remoteAlertProfile(raw: JsonObject, parent: JsonObject | undefined, names: AccountNames): RemoteObject {
  const remoteId = text(raw['alertProfileId']) ?? '';
  const inherited = new Set(templatesOf(parent).map(canonicalText));
  const own = templatesOf(raw).filter((template) => !inherited.has(canonicalText(template)));
  return {
    kind: 'alertProfile',
    id: remoteId,
    remoteId,
    fields: normalise('alertProfile', { ...raw, alerts: own }, names),
    vendorOwned: remoteId.startsWith(`${names.vendorPrefix}_`),
    updateTime: undefined,
    updateUser: undefined,
  };
}

function templatesOf(profile: JsonObject | undefined): readonly JsonObject[] {
  const alerts = profile?.['alerts'];
  if (!Array.isArray(alerts)) return [];
  return (alerts as readonly Value[])
    .filter(isJsonObject)
    .map(({ name, eventName, description, subject }) => ({ name, eventName, description, subject }));
}

/** An exception of one policy. `name` is how files call it: the lock's name for this remote id, else the remote id. */
export function remoteException(raw: JsonObject, policyId: string, name: string, names: AccountNames): RemoteObject {
  const neutral = canonicalPolicyId(policyId, names);
  return {
    kind: 'exception',
    id: `${neutral}/${name}`,
    remoteId: text(raw['exceptionId']) ?? '',
    fields: normalise('exception', { ...raw, policyId: neutral }, names),
    vendorOwned: false,
    updateTime: text(raw['lastUpdateTime']),
    updateUser: text(raw['lastUpdateUser']),
  };
}

const isVendor = (owner: Value): boolean => typeof owner === 'string' && /^(lacework|vendor|svc)$/i.test(owner);
