import { arrayElement, keysAt } from '../../catalog/observed-keys.ts';
import { dataTypeOf } from '../../types/types.ts';
import type { AnalyzedText } from '../analyzed-text.ts';
import { placeBehindColon, placeKey, propertiesAt, usedKeys } from '../json-places.ts';
import { escapeMarkdown } from '../markdown.ts';
import { outlineOf } from '../token-outline.ts';
import type { CompletionContext } from './completion-context.ts';
import type { CompletionItem } from './completion-item.ts';

/** Words that must stand in double quotes when they are a key. */
const reservedInPaths: ReadonlySet<string> = new Set(
  'expr join limit outer paraminfo properties select sql type variant where'.split(' '),
);

/** Keys at a JSON path: those a schema lists first, then those that rows have, then those this and other queries use at the same place. */
export function jsonKeyItems(
  query: AnalyzedText,
  context: CompletionContext & { kind: 'jsonKey' },
  keysElsewhere: (place: string) => ReadonlyMap<string, number>,
  missing: Set<string>,
): CompletionItem[] {
  const outline = outlineOf(query.parsed);
  const place = placeBehindColon(outline, context.colon, context.at, query.catalog);
  if (place === undefined) return [];
  const datasource = query.catalog?.datasources.get(place.datasource);
  if (datasource !== undefined && datasource.columns === undefined) missing.add(place.datasource);
  const items = new Map<string, CompletionItem>();
  for (const property of propertiesAt(place, query.catalog)) {
    items.set(property.name, {
      ...keyItem(property.name, context.quoted, 10),
      detail: dataTypeOf(property.type),
      ...(property.description === undefined
        ? {}
        : { documentation: () => escapeMarkdown(property.description ?? '') }),
    });
  }
  for (const { name } of keysAt(query.catalog?.observedKeys, place)) {
    if (name !== arrayElement && !items.has(name))
      items.set(name, { ...keyItem(name, context.quoted, 15), detail: 'seen in rows' });
  }
  const key = placeKey(place);
  const typed = query.text.slice(context.range.start, context.range.end);
  const own = usedKeys(outline, query.catalog).get(key) ?? new Map<string, number>();
  for (const [name, count] of own) {
    // The word being typed is in the text too; it is no evidence that such a key exists.
    if (name === typed && count === 1) continue;
    if (!items.has(name)) items.set(name, { ...keyItem(name, context.quoted, 20), detail: 'used in this query' });
  }
  for (const [name, count] of keysElsewhere(key)) {
    if (items.has(name) || (name === typed && count === 1)) continue;
    items.set(name, { ...keyItem(name, context.quoted, 25), detail: 'used in another query' });
  }
  return [...items.values()];
}

function keyItem(name: string, quoted: boolean, rank: number): CompletionItem {
  const needsQuotes = !/^[A-Za-z][A-Za-z0-9_]*$/.test(name) || reservedInPaths.has(name.toLowerCase());
  const escaped = name.replace(/[\\"]/g, '\\$&');
  return { label: name, kind: 'key', insertText: quoted ? escaped : needsQuotes ? `"${escaped}"` : name, rank };
}
