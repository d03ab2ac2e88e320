import { jsonText as compactText } from '../language/values/json.ts';
import type { Value } from '../language/values/value.ts';
import { writeJson } from '../language/values/write-json.ts';

/** The text of a cell: what is shown, searched, copied and exported. `undefined` for null, which each of them spells its own way. */
export function cellText(value: Value): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string') return value;
  if (typeof value === 'object') return jsonText(value);
  return String(value);
}

/** JSON with integers of any size exact; compact unless `indent` is given. */
export function jsonText(value: Value, indent = ''): string {
  return indent === '' ? compactText(value) : writeJson(value, { indent });
}
