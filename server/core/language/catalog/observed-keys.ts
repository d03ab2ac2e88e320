import type { Value } from '../values/value.ts';

/** A key of a JSON value that rows were seen to have, with the keys below it. The elements of an array stand below the name `[]`. */
export interface ObservedKey {
  readonly name: string;
  readonly keys: readonly ObservedKey[];
}

/** A spot in the JSON of a datasource's column. `[]` in the path is "every element of the array". */
export interface JsonPlace {
  readonly datasource: string;
  readonly column: string;
  readonly path: readonly string[];
}

export const arrayElement = '[]';

/** Keys by column, by datasource. */
export type ObservedKeys = ReadonlyMap<string, ReadonlyMap<string, readonly ObservedKey[]>>;

// A level with more keys than this is data (a map by ARN, say), no structure: its names are not kept.
const maxKeysOfLevel = 100;
const maxDepth = 12;
const maxNameLength = 100;
/** Elements of one array that are looked at. */
const maxElements = 20;

/** The keys that some values of one column have. Names only: nothing of what stands behind them is kept. */
export function observeKeys(values: Iterable<Value>): readonly ObservedKey[] {
  let found: readonly ObservedKey[] = [];
  for (const value of values) found = mergeKeys(found, keysOf(value, 0));
  return found;
}

function keysOf(value: Value, depth: number): readonly ObservedKey[] {
  if (typeof value !== 'object' || value === null || depth >= maxDepth) return [];
  if (Array.isArray(value)) {
    let elements: readonly ObservedKey[] = [];
    for (const element of value.slice(0, maxElements)) elements = mergeKeys(elements, keysOf(element, depth + 1));
    return elements.length === 0 ? [] : [{ name: arrayElement, keys: elements }];
  }
  const entries = Object.entries(value);
  if (entries.length > maxKeysOfLevel) return [];
  return entries
    .filter(([name]) => isName(name))
    .map(([name, inner]): ObservedKey => ({ name, keys: keysOf(inner, depth + 1) }));
}

function isName(name: string): boolean {
  return name !== '' && name.length <= maxNameLength;
}

/** Both lists as one. A level that grows beyond what a structure has keeps what it had first. */
export function mergeKeys(a: readonly ObservedKey[], b: readonly ObservedKey[]): readonly ObservedKey[] {
  if (b.length === 0) return a;
  if (a.length === 0) return b;
  const merged = new Map(a.map((key) => [key.name, key]));
  let changed = false;
  for (const key of b) {
    const known = merged.get(key.name);
    if (known === undefined && merged.size >= maxKeysOfLevel) continue;
    const keys = known === undefined ? key.keys : mergeKeys(known.keys, key.keys);
    if (known !== undefined && keys === known.keys) continue;
    merged.set(key.name, { name: key.name, keys });
    changed = true;
  }
  return changed ? [...merged.values()] : a;
}

/** Keys out of what a client says. What is no key is left out, and so is what lies too deep. */
export function readObservedKeys(content: unknown, depth = 0): readonly ObservedKey[] {
  if (!Array.isArray(content) || content.length > maxKeysOfLevel || depth >= maxDepth) return [];
  return content.flatMap((entry: unknown): readonly ObservedKey[] => {
    if (typeof entry !== 'object' || entry === null || !('name' in entry) || !('keys' in entry)) return [];
    const { name, keys } = entry;
    return typeof name === 'string' && isName(name) ? [{ name, keys: readObservedKeys(keys, depth + 1) }] : [];
  });
}

/** The same keys with those at one more place. */
export function withKeysAt(observed: ObservedKeys, place: JsonPlace, keys: readonly ObservedKey[]): ObservedKeys {
  if (keys.length === 0 || place.path.length >= maxDepth) return observed;
  const columns = observed.get(place.datasource);
  const wrapped = place.path.reduceRight<readonly ObservedKey[]>((inner, name) => [{ name, keys: inner }], keys);
  const known = columns?.get(place.column) ?? [];
  const merged = mergeKeys(known, wrapped);
  if (merged === known) return observed;
  return new Map(observed).set(place.datasource, new Map(columns).set(place.column, merged));
}

/** What is known at a place; empty where no row has told anything. */
export function keysAt(observed: ObservedKeys | undefined, place: JsonPlace): readonly ObservedKey[] {
  let keys = observed?.get(place.datasource)?.get(place.column) ?? [];
  for (const name of place.path) keys = keys.find((key) => key.name === name)?.keys ?? [];
  return keys;
}
