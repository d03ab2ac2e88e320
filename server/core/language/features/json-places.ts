import type { Catalog, Column } from '../catalog/catalog.ts';
import { arrayElement, type JsonPlace } from '../catalog/observed-keys.ts';
import {
  type BodyOutline,
  isString,
  isWord,
  type OutlineDatasource,
  type OutlineExpansion,
  type OutlineToken,
  type TokenOutline,
} from './token-outline.ts';

/** Equal for equal places. */
export function placeKey(place: JsonPlace): string {
  return JSON.stringify([place.datasource, place.column, ...place.path]);
}

/**
 * The place whose keys stand behind the `:` at token `colon`, after the keys already written up to token `until`.
 * Undefined when the left side is not a column or an expansion of one.
 */
export function placeBehindColon(
  outline: TokenOutline,
  colon: number,
  until: number,
  catalog: Catalog | undefined,
): JsonPlace | undefined {
  const body = outline.frames[colon]?.body;
  if (body === undefined) return undefined;
  const base = placeOfName(outline, colon, body, catalog, Number.POSITIVE_INFINITY);
  if (base === undefined) return undefined;
  const keys = keysBetween(outline.tokens, colon + 1, until);
  return { ...base, path: [...base.path, ...keys] };
}

/** The columns (or keys) that a schema lists at `place`; empty where no schema says anything. */
export function propertiesAt(place: JsonPlace, catalog: Catalog | undefined): readonly Column[] {
  const columns = catalog?.datasources.get(place.datasource)?.columns;
  let properties = columns?.find((column) => column.name === place.column)?.properties;
  for (const key of place.path) {
    if (key === arrayElement) continue;
    properties = properties?.find((property) => property.name === key)?.properties;
  }
  return properties ?? [];
}

/** Nothing real nests deeper. Every step is kept with its whole way, so without a limit a long path would cost its square. */
const deepestPath = 40;

/** Every key that the query uses behind a `:`, by the place it is used at, with how often. */
export function usedKeys(outline: TokenOutline, catalog: Catalog | undefined): Map<string, Map<string, number>> {
  const used = new Map<string, Map<string, number>>();
  outline.tokens.forEach((token, colon) => {
    if (token.text !== ':') return;
    const place = placeBehindColon(outline, colon, colon + 1, catalog);
    if (place === undefined) return;
    const path = [...place.path];
    for (let i = colon + 1; i < outline.tokens.length && path.length < deepestPath; i += 2) {
      const key = keyName(outline.tokens[i]);
      if (key === undefined) break;
      const at = placeKey({ ...place, path });
      const counts = used.get(at) ?? new Map<string, number>();
      counts.set(key, (counts.get(key) ?? 0) + 1);
      used.set(at, counts);
      path.push(key);
      if (outline.tokens[i + 1]?.text !== '.') break;
    }
  });
  return used;
}

export function datasourcesOf(body: BodyOutline): OutlineDatasource[] {
  return body.sources.filter((source): source is OutlineDatasource => source.kind === 'datasource');
}

export function expansionsOf(body: BodyOutline): OutlineExpansion[] {
  return body.sources.filter((source): source is OutlineExpansion => source.kind === 'expansion');
}

/** The place of the column or expansion whose name ends right before token `end`. Only expansions in front of token `before` are seen, so this ends. */
function placeOfName(
  outline: TokenOutline,
  end: number,
  body: BodyOutline,
  catalog: Catalog | undefined,
  before: number,
): JsonPlace | undefined {
  const { tokens } = outline;
  const name = tokens[end - 1];
  if (name === undefined || !isWord(name.text) || isString(name)) return undefined;
  const hasQualifier = tokens[end - 2]?.text === '.';
  const qualifier = hasQualifier ? tokens[end - 3] : undefined;
  if (hasQualifier && (qualifier === undefined || !isWord(qualifier.text))) return undefined;

  const expansion = expansionsOf(body).find(
    (e) =>
      e.token < before && e.columnAlias === name.text && (qualifier === undefined || e.tableAlias === qualifier.text),
  );
  if (expansion !== undefined) return placeOfExpansion(outline, expansion, body, catalog);

  const sources = datasourcesOf(body);
  if (qualifier !== undefined) {
    const source = sources.find((s) => s.alias === qualifier.text || s.datasource === qualifier.text);
    return source && { datasource: source.datasource, column: name.text, path: [] };
  }
  const owner =
    sources.length === 1
      ? sources[0]
      : sources.find((s) => catalog?.datasources.get(s.datasource)?.columns?.some((c) => c.name === name.text));
  return owner && { datasource: owner.datasource, column: name.text, path: [] };
}

function placeOfExpansion(
  outline: TokenOutline,
  expansion: OutlineExpansion,
  body: BodyOutline,
  catalog: Catalog | undefined,
): JsonPlace | undefined {
  const [start, end] = expansion.argument;
  const { tokens } = outline;
  let colon = start;
  while (colon < end && tokens[colon]?.text !== ':') colon++;
  // Anything but `name` or `qualifier.name` left of the colon (a call, a cast) has no place.
  if (colon - start !== 1 && !(colon - start === 3 && tokens[start + 1]?.text === '.')) return undefined;
  const base = placeOfName(outline, colon, body, catalog, expansion.token);
  if (base === undefined) return undefined;
  return { ...base, path: [...base.path, ...keysBetween(tokens, colon + 1, end), arrayElement] };
}

function keysBetween(tokens: readonly OutlineToken[], from: number, until: number): string[] {
  const keys: string[] = [];
  for (let i = from; i < until; i += 2) {
    const key = keyName(tokens[i]);
    if (key === undefined) break;
    keys.push(key);
    if (tokens[i + 1]?.text !== '.') break;
  }
  return keys;
}

function keyName(token: OutlineToken | undefined): string | undefined {
  if (token === undefined) return undefined;
  if (token.text.startsWith('"'))
    return token.text.length > 1 && token.text.endsWith('"') ? token.text.slice(1, -1) : undefined;
  return isWord(token.text) && !isString(token) ? token.text : undefined;
}
