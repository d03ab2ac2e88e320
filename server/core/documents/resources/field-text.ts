import { escapeMarkdown, inlineCode } from '../../language/features/markdown.ts';
import { type TextRange, touches } from '../../text/range.ts';
import { findResources } from './check-resources.ts';
import type { PlacedValue } from './placed-value.ts';
import { type FieldSchema, resourceDefinitions } from './resource-kinds.ts';

const typeWords: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'number',
  boolean: 'true or false',
  array: 'list',
  object: 'map',
};

/** What a field is, as Markdown. */
export function fieldMarkdown(name: string, schema: FieldSchema): string {
  const type =
    schema.enum === undefined ? (typeWords[schema.type ?? ''] ?? '') : `one of ${schema.enum.map(String).join(', ')}`;
  const parts = [`**field** ${inlineCode(name)} ${escapeMarkdown(type)}`.trim()];
  if (schema.description !== undefined) parts.push(escapeMarkdown(schema.description));
  if (schema.default !== undefined) parts.push(`Default: ${inlineCode(String(schema.default))}`);
  return parts.join('\n\n');
}

/** The field whose key `offset` touches. */
export function hoverResource(document: string, offset: number): { range: TextRange; markdown: string } | undefined {
  for (const { kind, map } of findResources(document)) {
    if (!touches(map.range, offset)) continue;
    const found = hoverEntry(map, resourceDefinitions[kind].fields, offset);
    if (found !== undefined) return found;
  }
  return undefined;
}

function hoverEntry(
  value: PlacedValue,
  fields: Readonly<Record<string, FieldSchema>>,
  offset: number,
): { range: TextRange; markdown: string } | undefined {
  if (value.kind !== 'map') return undefined;
  for (const { key, keyRange, value: inner } of value.entries) {
    const schema = Object.hasOwn(fields, key) ? fields[key] : undefined;
    if (schema === undefined) continue;
    if (touches(keyRange, offset)) return { range: keyRange, markdown: fieldMarkdown(key, schema) };
    if (inner.kind !== 'list' || schema.items?.properties === undefined) continue;
    for (const item of inner.items) {
      const found = hoverEntry(item, schema.items.properties, offset);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}
