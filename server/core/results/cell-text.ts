import type { Value } from '../language/values/value.ts';

/** The text of a cell: what is shown, searched, copied and exported. `undefined` for null, which each of them spells its own way. */
export function cellText(value: Value): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string') return value;
  if (typeof value === 'object') return jsonText(value);
  return String(value);
}

/** Compact JSON with integers of any size exact, which JSON.stringify refuses. */
export function jsonText(value: Value, indent = ''): string {
  return write(value, indent, indent === '' ? '' : '\n');
}

function write(value: Value, indent: string, newline: string): string {
  if (value === undefined || value === null) return 'null';
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object') return JSON.stringify(value);
  const inner = newline + indent;
  const parts: string[] = [];
  if (Array.isArray(value)) {
    for (const item of value as readonly Value[]) parts.push(write(item, indent, inner));
    return parts.length === 0 ? '[]' : `[${inner}${parts.join(`,${inner}`)}${newline}]`;
  }
  const colon = indent === '' ? ':' : ': ';
  for (const [key, item] of Object.entries(value)) {
    if (item !== undefined) parts.push(JSON.stringify(key) + colon + write(item, indent, inner));
  }
  return parts.length === 0 ? '{}' : `{${inner}${parts.join(`,${inner}`)}${newline}}`;
}
