import { assertNever } from '../../assert-never.ts';
import type { LqlType } from '../types/types.ts';
import { isNumber, jsonEquals, jsonKey } from './json.ts';
import { compareNumbers, numberKey } from './numbers.ts';
import type { Value } from './value.ts';

/** The type in which two values are compared, or undefined when no comparison exists. */
export function comparisonType(left: LqlType, right: LqlType): LqlType | undefined {
  const a = left === 'unknown' ? 'json' : left;
  const b = right === 'unknown' ? 'json' : right;
  if (a === b || b === 'null') return a;
  if (a === 'null') return b;
  // JSON takes on the type of the other side; against a text it compares as text, whatever kind of JSON it is.
  if (a === 'json') return b;
  if (b === 'json') return a;
  if (a === 'boolean' || b === 'boolean') return a === 'timestamp' || b === 'timestamp' ? undefined : 'boolean';
  if (a === 'timestamp' || b === 'timestamp') return 'timestamp';
  return 'number';
}

/** A result of a comparison: negative, zero, positive, or undefined when the two have no order. Both values are of the given type and not SQL null. */
export type Comparator = (a: Value, b: Value) => number | undefined;

export function comparator(type: LqlType): Comparator {
  switch (type) {
    case 'string':
      return (a, b) => compareStrings(a as string, b as string);
    case 'number':
      return (a, b) => compareNumbers(a as number | bigint, b as number | bigint);
    case 'timestamp':
      return (a, b) => (a as number) - (b as number);
    case 'boolean':
      return (a, b) => Number(a) - Number(b);
    case 'json':
    case 'unknown':
      return compareJson;
    case 'null':
      return () => undefined;
    default:
      return assertNever(type);
  }
}

/** By UTF-16 code units. */
function compareStrings(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** JSON numbers, strings and booleans order among themselves; values of different kinds, objects, arrays and nulls have no order. */
function compareJson(a: Value, b: Value): number | undefined {
  if (isNumber(a) && isNumber(b)) return compareNumbers(a, b);
  if (typeof a === 'string' && typeof b === 'string') return compareStrings(a, b);
  if (typeof a === 'boolean' && typeof b === 'boolean') return Number(a) - Number(b);
  return undefined;
}

/** Equality of two values of one type, neither SQL null. JSON compares by value. */
export function equality(type: LqlType): (a: Value, b: Value) => boolean {
  if (type === 'json' || type === 'unknown') return jsonEquals;
  if (type === 'number') return (a, b) => a === b || compareNumbers(a as number | bigint, b as number | bigint) === 0;
  return (a, b) => a === b;
}

/**
 * A key for hash tables: equal values of one type have keys that are one for a Map. SQL null has none.
 * Strings, booleans and timestamps are their own keys.
 */
export function hashKey(type: LqlType): (value: Value) => string | number | bigint | boolean {
  if (type === 'json' || type === 'unknown') return jsonKey;
  if (type === 'number') {
    return (value) => {
      if (typeof value !== 'number') return value as bigint;
      return Number.isSafeInteger(value) || !Number.isInteger(value) ? value : BigInt(value);
    };
  }
  return (value) => value as string | number | boolean;
}

/** The key of one value among rows that must differ (`distinct`, tuples): SQL null is a value here, equal to itself. */
export function distinctKey(type: LqlType): (value: Value) => string {
  switch (type) {
    case 'string':
      return (value) => (value === undefined ? 'u' : JSON.stringify(value));
    case 'number':
      return (value) => (value === undefined ? 'u' : numberKey(value as number | bigint));
    case 'timestamp':
    case 'boolean':
      return (value) => (value === undefined ? 'u' : String(value));
    case 'json':
    case 'unknown':
    case 'null':
      return jsonKey;
    default:
      return assertNever(type);
  }
}
