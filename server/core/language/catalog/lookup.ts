import type { Catalog, Column, Datasource, Relationship } from './catalog.ts';
import { boundedDistance, distanceLimit, nearestNames } from './nearest.ts';

/** The relationship that `with` follows when no `on '…'` names another. */
export const defaultRelationshipName = '(default)';

export interface Suggestions {
  /** Best first; at most three. */
  readonly names: readonly string[];
  /** True when the one name differs in case alone: then it is the only reading. */
  readonly caseOnly: boolean;
}

interface CatalogIndex {
  readonly names: readonly string[];
  readonly lowerNames: readonly string[];
  readonly byLowerName: ReadonlyMap<string, string>;
  /** One bit a letter or digit: two names whose masks differ in more than 2 × limit bits cannot be near. */
  readonly masks: Int32Array;
  readonly knowsRelationships: boolean;
  readonly suggestions: Map<string, Suggestions>;
}

/** A catalog is immutable, so its index is built once, when first needed, and dies with it. */
const indexes = new WeakMap<Catalog, CatalogIndex>();
const columnIndexes = new WeakMap<readonly Column[], ReadonlyMap<string, Column>>();
const rememberedSuggestions = 256;

/** The column of this exact name (names are case-sensitive); undefined when there is none or the schema is unknown. */
export function findColumn(datasource: Datasource, name: string): Column | undefined {
  const { columns } = datasource;
  if (columns === undefined) return undefined;
  // A scan beats building an index for the short lists that nearly all datasources have.
  if (columns.length <= 24) return columns.find((column) => column.name === name);
  let index = columnIndexes.get(columns);
  if (index === undefined) {
    index = new Map(columns.map((column) => [column.name, column]));
    columnIndexes.set(columns, index);
  }
  return index.get(name);
}

/** Names of a short list that may be meant by `wanted`. */
export function suggestAmong(wanted: string, candidates: Iterable<string>): Suggestions {
  const names = nearestNames(wanted, candidates);
  return { names, caseOnly: names.length === 1 && names[0]?.toLowerCase() === wanted.toLowerCase() };
}

/** Relationships from one datasource to another, by any name. */
export function relationshipsBetween(from: Datasource, to: string): readonly Relationship[] {
  return from.relationships.filter((relationship) => relationship.to === to);
}

/** False when no datasource of the catalog lists a relationship: then the answer did not carry them, and joins cannot be judged. */
export function knowsRelationships(catalog: Catalog): boolean {
  return indexOf(catalog).knowsRelationships;
}

/**
 * Datasources that may be meant by a name the catalog lacks: one that differs in case alone, else the nearest by edit distance,
 * else those made of nearly the same words (`…_S3_BUCKETS` for `…_S3`). Remembered per catalog, since editors ask again at every key.
 */
export function suggestDatasources(catalog: Catalog, wanted: string): Suggestions {
  const index = indexOf(catalog);
  const known = index.suggestions.get(wanted);
  if (known !== undefined) return known;
  const lower = wanted.toLowerCase();
  const sameButCase = index.byLowerName.get(lower);
  const suggestions: Suggestions =
    sameButCase !== undefined
      ? { names: [sameButCase], caseOnly: true }
      : { names: nearestDatasources(index, lower), caseOnly: false };
  if (index.suggestions.size >= rememberedSuggestions) index.suggestions.clear();
  index.suggestions.set(wanted, suggestions);
  return suggestions;
}

function indexOf(catalog: Catalog): CatalogIndex {
  const known = indexes.get(catalog);
  if (known !== undefined) return known;
  const names = [...catalog.datasources.keys()];
  const lowerNames = names.map((name) => name.toLowerCase());
  let relationshipsSeen = false;
  for (const datasource of catalog.datasources.values()) {
    if (datasource.relationships.length > 0) {
      relationshipsSeen = true;
      break;
    }
  }
  const index: CatalogIndex = {
    names,
    lowerNames,
    byLowerName: new Map(lowerNames.map((lower, i) => [lower, names[i] ?? lower])),
    masks: Int32Array.from(lowerNames, maskOf),
    knowsRelationships: relationshipsSeen,
    suggestions: new Map(),
  };
  indexes.set(catalog, index);
  return index;
}

function nearestDatasources(index: CatalogIndex, lower: string): readonly string[] {
  const limit = distanceLimit(lower.length);
  const mask = maskOf(lower);
  const found: { at: number; score: number }[] = [];
  for (let at = 0; at < index.names.length; at++) {
    const candidate = index.lowerNames[at] ?? '';
    if (Math.abs(candidate.length - lower.length) > limit) continue;
    if (bitCount((index.masks[at] ?? 0) ^ mask) > 2 * limit) continue;
    const distance = boundedDistance(lower, candidate, limit);
    if (distance <= limit) found.push({ at, score: -distance });
  }
  if (found.length === 0) {
    const words = lower.split('_');
    if (words.length >= 3) {
      for (let at = 0; at < index.names.length; at++) {
        const score = likeness(words, (index.lowerNames[at] ?? '').split('_'));
        if (score >= 0.75) found.push({ at, score });
      }
    }
  }
  return found
    .sort((x, y) => y.score - x.score || x.at - y.at)
    .slice(0, 3)
    .map(({ at }) => index.names[at] ?? '');
}

/** Dice coefficient of two lists of words: 1 when they are the same words. */
function likeness(a: readonly string[], b: readonly string[]): number {
  if (a[0] !== b[0]) return 0;
  let common = 0;
  for (const word of a) if (b.includes(word)) common++;
  return (2 * Math.min(common, b.length)) / (a.length + b.length);
}

function maskOf(lower: string): number {
  let mask = 0;
  for (let i = 0; i < lower.length; i++) mask |= 1 << (lower.charCodeAt(i) & 31);
  return mask;
}

function bitCount(bits: number): number {
  let rest = bits - ((bits >>> 1) & 0x55555555);
  rest = (rest & 0x33333333) + ((rest >>> 2) & 0x33333333);
  return (((rest + (rest >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
}
