import { type ParseError, parseTree } from 'jsonc-parser';
import { type Document, isMap, isSeq, type Node, parseAllDocuments } from 'yaml';
import { dataFormOf } from '../../documents/find-regions.ts';
import { kindOfKeys, looksLikeQuery, wrapperKeys } from '../../documents/resources/resource-kinds.ts';
import { isReadableYaml } from '../../documents/yaml-regions.ts';
import { parse } from '../../language/syntax/parse.ts';
import { isJsonObject } from '../../language/values/json.ts';
import type { JsonObject, Value } from '../../language/values/value.ts';
import { type TextRange, textRange } from '../../text/range.ts';
import type { ContentFields, ContentKind } from '../content-object.ts';
import { type AccountNames, canonicalPolicyId } from '../identity.ts';
import { authoredFields, normalise } from '../normalise.ts';
import { type ContentLayout, idOfPath } from './file-names.ts';

export type PathSegment = string | number;

/** Where in its file an object stands. */
export type Place =
  /** The whole file is the text of a query. */
  | { readonly kind: 'bare' }
  | { readonly kind: 'yaml'; readonly document: number; readonly path: readonly PathSegment[] }
  | { readonly kind: 'json'; readonly path: readonly PathSegment[] };

/** One authored object as a file holds it. */
export interface FileObject {
  readonly kind: ContentKind;
  /** Account-neutral. */
  readonly id: string;
  readonly fields: ContentFields;
  readonly place: Place;
  readonly range: TextRange;
}

export interface FileProblem {
  readonly range: TextRange;
  readonly message: string;
}

export interface ContentFile {
  readonly objects: readonly FileObject[];
  /** Objects that cannot be told apart from others, or cannot be deployed as they are. */
  readonly problems: readonly FileProblem[];
  /** Why the file cannot be read, e.g. because it is half saved: then nothing can be said about what it holds. */
  readonly unreadable: string | undefined;
}

const empty: ContentFile = { objects: [], problems: [], unreadable: undefined };
const maxAliases = 20;

/**
 * The objects of one file. `path` is relative to the root of the content, with `/`. A query on its own counts where queries live; elsewhere
 * it is somebody's notebook, and nobody deploys that. Files that cannot hold content, or do not, are empty.
 */
export function readContentFile(path: string, text: string, layout: ContentLayout, names: AccountNames): ContentFile {
  const ending = /\.([A-Za-z]+)$/.exec(path)?.[1]?.toLowerCase();
  const host =
    ending === 'lql' ? 'lql' : ending === 'json' ? 'json' : ending === 'yaml' || ending === 'yml' ? 'yaml' : undefined;
  if (host === undefined) return empty;
  const form = dataFormOf(text, host);
  if (form === undefined) return bareQuery(path, text, layout);
  if (!mentionsContent(text)) return empty;
  const found = form === 'json' ? jsonObjects(text) : yamlObjects(text);
  if (typeof found === 'string') return { ...empty, unreadable: found };
  return identified(found, path, layout, names);
}

// Most YAML and JSON of a workspace is something else; it is not read further.
function mentionsContent(text: string): boolean {
  return /queryid|querytext|policyid|policytype|alertprofileid/i.test(text);
}

function bareQuery(path: string, text: string, layout: ContentLayout): ContentFile {
  const folder = `${layout.query}/`;
  if (!path.startsWith(folder) || text.trim() === '') return empty;
  const { query } = parse(text).file;
  const named = query?.kind === 'query' ? query.name?.name : undefined;
  const id = named ?? idOfPath('query', path.slice(folder.length).replace(/\.[^.]*$/, ''));
  const object = {
    kind: 'query',
    id,
    fields: { queryText: text },
    place: { kind: 'bare' },
    range: textRange(0, text.length),
  } as const;
  return { ...empty, objects: [object] };
}

interface RawObject {
  readonly kind: ContentKind;
  readonly raw: JsonObject;
  readonly place: Place;
  readonly range: TextRange;
}

function yamlObjects(text: string): RawObject[] | string {
  if (!isReadableYaml(text)) return 'It is too large or nested too deep to be read.';
  const found: RawObject[] = [];
  for (const [number, document] of yamlDocuments(text).entries()) {
    const [error] = document.errors;
    if (error) return `It is no valid YAML: ${error.message.split('\n')[0]}`;
    const look = (node: Node | null, path: readonly PathSegment[], depth: number): void => {
      if (isSeq(node) && depth < 2)
        for (const [index, item] of node.items.entries()) look(item as Node, [...path, index], depth + 1);
      if (!isMap(node)) return;
      const raw = plain(node, document);
      if (!isJsonObject(raw)) return;
      const kind = kindOfKeys(new Set(Object.keys(raw)));
      if (kind) {
        const [start, end] = node.range ?? [0, 0];
        found.push({ kind, raw, place: { kind: 'yaml', document: number, path }, range: textRange(start, end) });
        return;
      }
      for (const key of wrapperKeys.keys()) {
        const inner = node.get(key, true) as Node | undefined;
        if (isSeq(inner)) look(inner, [...path, key], 1);
      }
    };
    try {
      look(document.contents, [], 0);
    } catch {
      return 'It uses aliases in a way that is not followed.';
    }
  }
  return found;
}

/** The documents of a text, with what is needed to change them where they stand. */
export function yamlDocuments(text: string): Document.Parsed[] {
  const documents = parseAllDocuments(text, { keepSourceTokens: true, logLevel: 'silent', intAsBigInt: false });
  return Array.isArray(documents) ? documents : [];
}

function plain(node: Node, document: Document): Value {
  return node.toJS(document, { maxAliasCount: maxAliases }) as Value;
}

function jsonObjects(text: string): RawObject[] | string {
  if (!isReadableYaml(text)) return 'It is too large or nested too deep to be read.';
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true, disallowComments: false });
  if (errors.length > 0 || !root) return `It is no valid JSON (at character ${errors[0]?.offset ?? 0}).`;
  const found: RawObject[] = [];
  const look = (node: JsonNode, path: readonly PathSegment[], depth: number): void => {
    if (node.type === 'array' && depth < 2)
      for (const [index, item] of (node.children ?? []).entries()) look(item, [...path, index], depth + 1);
    if (node.type !== 'object') return;
    const entries = (node.children ?? []).flatMap(({ children }) =>
      children?.[0] && children[1] ? [[children[0], children[1]] as const] : [],
    );
    const raw: { [key: string]: Value } = {};
    // The vendor's tool takes the keys of JSON in any case.
    for (const [key, value] of entries) raw[canonicalKey(String(key.value))] = jsonValue(value);
    const kind = kindOfKeys(new Set(Object.keys(raw)));
    if (kind) {
      found.push({
        kind,
        raw,
        place: { kind: 'json', path },
        range: textRange(node.offset, node.offset + node.length),
      });
      return;
    }
    for (const [key, value] of entries) {
      if (wrapperKeys.has(String(key.value)) && value.type === 'array') look(value, [...path, String(key.value)], 1);
    }
  };
  look(root, [], 0);
  return found;
}

type JsonNode = NonNullable<ReturnType<typeof parseTree>>;

function jsonValue(node: JsonNode): Value {
  if (node.type === 'array') return (node.children ?? []).map(jsonValue);
  if (node.type !== 'object') return node.value as Value;
  const entries = (node.children ?? []).map(({ children }) => [
    String(children?.[0]?.value),
    children?.[1] ? jsonValue(children[1]) : null,
  ]);
  return Object.fromEntries(entries) as JsonObject;
}

const knownKeys = new Map(
  [...Object.values(authoredFields).flat(), 'queryId', 'policyId', 'alertProfileId', 'name'].map((key) => [
    key.toLowerCase(),
    key,
  ]),
);

export function canonicalKey(written: string): string {
  return knownKeys.get(written.toLowerCase()) ?? written;
}

/** Gives objects the ids by which they are compared, and says which have none. */
function identified(
  found: readonly RawObject[],
  path: string,
  layout: ContentLayout,
  names: AccountNames,
): ContentFile {
  const objects: FileObject[] = [];
  const problems: FileProblem[] = [];
  const lone = found.filter(({ kind }) => kind === 'exception').length === 1;
  for (const { kind, raw, place, range } of found) {
    // Without an id, only a text makes a query of it.
    if (kind === 'query' && raw['queryId'] === undefined && !looksLikeQuery(raw['queryText'])) continue;
    const id = idOf(kind, raw, names, lone ? exceptionName(path, layout) : undefined);
    if (id === undefined) problems.push({ range, message: idMessages[kind] });
    else objects.push({ kind, id, fields: normalise(kind, raw, names), place, range });
  }
  return { objects, problems, unreadable: undefined };
}

const idMessages: { readonly [kind in ContentKind]: string } = {
  query: 'The query has no queryId, so nothing says which query of the account it is. Give it one.',
  policy:
    'The policy has no policyId. The service would make one up, and another in every account: choose one, e.g. policyId: $account-buckets-1.',
  alertProfile: 'The alert profile has no alertProfileId. Give it one.',
  exception:
    'The exception cannot be told from others. Write name: and a name of your choice, or keep it in a file of its own, and say which policyId it belongs to.',
};

function idOf(
  kind: ContentKind,
  raw: JsonObject,
  names: AccountNames,
  fileName: string | undefined,
): string | undefined {
  const text = (key: string): string | undefined => {
    const value = raw[key];
    return typeof value === 'string' && value.trim() !== '' && !/[\r\n]/.test(value) ? value.trim() : undefined;
  };
  const policyId = text('policyId');
  switch (kind) {
    case 'query':
      return text('queryId');
    case 'alertProfile':
      return text('alertProfileId');
    case 'policy':
      return policyId && canonicalPolicyId(policyId, names);
    case 'exception': {
      const name = text('name') ?? fileName;
      return policyId && name && `${canonicalPolicyId(policyId, names)}/${name}`;
    }
  }
}

/** The name of an exception that is alone in its file. */
function exceptionName(path: string, layout: ContentLayout): string {
  const folder = `${layout.exception}/`;
  const below = (path.startsWith(folder) ? path.slice(folder.length) : path).replace(/\.[^./]*$/, '');
  const name = path.startsWith(folder) ? below : below.slice(below.lastIndexOf('/') + 1);
  const id = idOfPath('exception', name);
  return name.includes('/') ? id.slice(id.indexOf('/') + 1) : id;
}
