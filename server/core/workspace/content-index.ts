import type { Region } from '../documents/region.ts';
import type { PlacedResource } from '../documents/resources/check-resources.ts';
import type { PlacedMap, PlacedScalar } from '../documents/resources/placed-value.ts';
import type { ResourceKind } from '../documents/resources/resource-kinds.ts';
import { createLineIndex, type LineColumn } from '../text/line-index.ts';
import { type TextRange, touches } from '../text/range.ts';

/** A place in one of the documents of a workspace. */
export interface Place {
  readonly uri: string;
  readonly range: TextRange;
  /** The range once more as lines: the document may be closed by the time somebody goes there. */
  readonly from: LineColumn;
  readonly to: LineColumn;
}

/** An object with an id, or the mention of one. */
export interface Mention extends Place {
  readonly kind: ResourceKind;
  readonly id: string;
  readonly role: 'definition' | 'reference';
  /** The kind of object that mentions it; its own for a definition. */
  readonly by: ResourceKind;
}

/** What the documents of a workspace define and what they refer to: queries, policies, alert profiles. */
export interface ContentIndex {
  /** Another number after each change. */
  readonly version: number;
  /** Replaces what is known of a document. */
  set(uri: string, mentions: readonly Mention[]): void;
  remove(uri: string): void;
  /** The mention whose id stands at `offset` of a document. */
  at(uri: string, offset: number): Mention | undefined;
  /** Everything a document defines and mentions. */
  of(uri: string): readonly Mention[];
  definitions(kind: ResourceKind, id: string): readonly Mention[];
  references(kind: ResourceKind, id: string): readonly Mention[];
  /** All definitions, documents in the order in which they came. */
  all(): Iterable<Mention>;
}

export function createContentIndex(): ContentIndex {
  const byDocument = new Map<string, readonly Mention[]>();
  const byId = new Map<string, Set<Mention>>();
  const keyOf = (kind: ResourceKind, id: string): string => `${kind} ${id}`;
  let version = 0;
  const drop = (uri: string): void => {
    if (byDocument.has(uri)) version++;
    for (const mention of byDocument.get(uri) ?? []) byId.get(keyOf(mention.kind, mention.id))?.delete(mention);
    byDocument.delete(uri);
  };
  const find = (kind: ResourceKind, id: string, role: Mention['role']): Mention[] =>
    [...(byId.get(keyOf(kind, id)) ?? [])].filter((mention) => mention.role === role);
  return {
    get version() {
      return version;
    },
    set(uri, mentions) {
      drop(uri);
      if (mentions.length === 0) return;
      version++;
      byDocument.set(uri, mentions);
      for (const mention of mentions) {
        const key = keyOf(mention.kind, mention.id);
        const known = byId.get(key);
        if (known === undefined) byId.set(key, new Set([mention]));
        else known.add(mention);
      }
    },
    remove: drop,
    at: (uri, offset) => byDocument.get(uri)?.find(({ range }) => touches(range, offset)),
    of: (uri) => byDocument.get(uri) ?? [],
    definitions: (kind, id) => find(kind, id, 'definition'),
    references: (kind, id) => find(kind, id, 'reference'),
    *all() {
      for (const mentions of byDocument.values())
        for (const mention of mentions) if (mention.role === 'definition') yield mention;
    },
  };
}

/** What one document defines and mentions: its objects, and the queries of hosts whose objects are not read (Terraform). */
export function mentionsOf(
  uri: string,
  document: string,
  resources: readonly PlacedResource[],
  regions: readonly Region[],
): readonly Mention[] {
  if (resources.length === 0 && regions.every(({ queryId }) => queryId === undefined)) return [];
  const lines = createLineIndex(document);
  const mentions: Mention[] = [];
  const mention = (range: TextRange, kind: ResourceKind, id: string, role: Mention['role'], by: ResourceKind): void => {
    mentions.push({
      uri,
      range,
      from: lines.positionAt(range.start),
      to: lines.positionAt(range.end),
      kind,
      id,
      role,
      by,
    });
  };
  for (const { kind, map } of resources) {
    const add = (
      field: string,
      of: ResourceKind,
      role: Mention['role'],
      idOf = (text: string): string => text,
    ): void => {
      const value = scalarOf(map, field);
      if (typeof value?.value === 'string' && value.value !== '')
        mention(value.range, of, idOf(value.value), role, kind);
    };
    switch (kind) {
      case 'query':
        add('queryId', 'query', 'definition');
        break;
      case 'policy':
        add('policyId', 'policy', 'definition');
        // A policy that brings its text may name the query it makes of it.
        add('queryId', 'query', scalarOf(map, 'queryText') === undefined ? 'reference' : 'definition');
        add('alertProfile', 'alertProfile', 'reference', (text) => text.split('.')[0] ?? text);
        break;
      case 'alertProfile':
        add('alertProfileId', 'alertProfile', 'definition');
        add('extends', 'alertProfile', 'reference');
        break;
      case 'exception':
        add('policyId', 'policy', 'reference');
        break;
    }
  }
  const known = new Set(mentions.filter(({ role }) => role === 'definition').map(({ id }) => id));
  for (const { queryId, map } of regions) {
    if (queryId === undefined || queryId === '' || known.has(queryId)) continue;
    // Where the id itself stands is not known; the start of the text is near.
    mention({ start: map.outer.start, end: map.outer.start }, 'query', queryId, 'definition', 'query');
  }
  return mentions;
}

function scalarOf(map: PlacedMap, field: string): PlacedScalar | undefined {
  const value = map.entries.find(({ key }) => key === field)?.value;
  return value?.kind === 'scalar' ? value : undefined;
}
