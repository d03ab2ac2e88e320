import { compareNumbers, normalizeInteger, numberKey } from './numbers.ts';
import type { JsonArray, JsonObject, Value } from './value.ts';
import { scalarText, writeJson } from './write-json.ts';

export function isJsonArray(value: Value): value is JsonArray {
  return Array.isArray(value);
}

export function isJsonObject(value: Value): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a value is a number in either representation. */
export function isNumber(value: Value): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}

/** The value of a key of a JSON object; undefined when the value is no object or lacks the key. Inherited properties do not count. */
export function jsonProperty(value: Value, key: string): Value {
  return isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/**
 * Parses a JSON text. Integers beyond 2^53 become bigint, so that ids of 64 bits survive. Undefined when the text is not JSON.
 */
export function parseJson(text: string): Value {
  try {
    // Reviving costs several times the parsing, so only texts with a long run of digits pay for it.
    return hasLongInteger(text) ? (JSON.parse(text, reviveExactly as never) as Value) : (JSON.parse(text) as Value);
  } catch {
    return undefined;
  }
}

/** An integer beyond 2^53 has at least this many digits. */
const longDigits = 16;

/** Whether the text holds a run of 16 digits. Every such run covers a multiple of 16, so looking at those positions finds it. */
function hasLongInteger(text: string): boolean {
  for (let index = longDigits - 1; index < text.length; index += longDigits) {
    if (!isDigit(text.charCodeAt(index))) continue;
    let start = index;
    let end = index + 1;
    while (isDigit(text.charCodeAt(start - 1))) start--;
    while (isDigit(text.charCodeAt(end))) end++;
    if (end - start >= longDigits) return true;
  }
  return false;
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

/** The third argument is in every engine this runs on, but not yet in the library types of the language version we compile for. */
function reviveExactly(_key: string, value: unknown, context?: { readonly source?: string }): unknown {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return value;
  const source = context?.source;
  return source !== undefined && /^-?[0-9]{16,39}$/.test(source) ? normalizeInteger(BigInt(source)) : value;
}

/** Compact JSON text, keys in their own order, integers exact. SQL nulls inside (which only our own values could hold) are left out like missing keys. */
export function jsonText(value: Value): string {
  return typeof value === 'object' && value !== null ? documentText(value) : scalarText(value);
}

/** JSON.stringify is the fastest way and refuses bigint and what is nested too deep; documents that hold that, few, are written by hand. */
function documentText(value: JsonObject | JsonArray): string {
  try {
    return JSON.stringify(value);
  } catch {
    return writeJson(value);
  }
}

/**
 * A text that two JSON values share exactly when they are equal by value: numbers by their size, objects whatever the order of their keys.
 * Strings are written with their length instead of escapes, which is much faster and as unambiguous.
 */
export function jsonKey(value: Value): string {
  switch (typeof value) {
    case 'undefined':
      return 'u';
    case 'boolean':
      return value ? 't' : 'f';
    case 'number':
    case 'bigint':
      return numberKey(value);
    case 'string':
      return `"${value.length}:${value}`;
    default:
      return value === null ? 'n' : isJsonArray(value) ? arrayKey(value) : objectKey(value);
  }
}

function arrayKey(array: JsonArray): string {
  let text = '[';
  for (const item of array) text += `${jsonKey(item)},`;
  return `${text}]`;
}

function objectKey(object: JsonObject): string {
  let text = '{';
  for (const key of Object.keys(object).sort()) {
    const value = object[key];
    if (value !== undefined) text += `${key.length}:${key}${jsonKey(value)},`;
  }
  return `${text}}`;
}

/** Equality of JSON by value. SQL null is not JSON: callers answer it before. */
export function jsonEquals(a: Value, b: Value): boolean {
  if (a === b) return true;
  if (isNumber(a) && isNumber(b)) return compareNumbers(a, b) === 0;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (isJsonArray(a) || isJsonArray(b)) {
    if (!isJsonArray(a) || !isJsonArray(b) || a.length !== b.length) return false;
    for (let index = 0; index < a.length; index++) if (!jsonEquals(a[index], b[index])) return false;
    return true;
  }
  const object = a as JsonObject;
  const other = b as JsonObject;
  const keys = Object.keys(object).filter((key) => object[key] !== undefined);
  if (keys.length !== Object.keys(other).filter((key) => other[key] !== undefined).length) return false;
  return keys.every((key) => Object.hasOwn(other, key) && jsonEquals(object[key], other[key]));
}
