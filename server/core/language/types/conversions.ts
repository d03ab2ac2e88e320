import type { LqlType } from './types.ts';

/** A type that `value::Type` can name. */
export type CastType = 'string' | 'number' | 'timestamp' | 'json' | 'boolean';

/**
 * The documented cast table by source type: what `value::Type` can make of it. A cast to the value's own type is allowed everywhere.
 * `null` and `unknown` cast to anything.
 */
const castTargets: Readonly<Record<CastType, readonly CastType[]>> = {
  boolean: ['boolean', 'json'],
  json: ['json', 'boolean', 'number', 'string', 'timestamp'],
  number: ['number', 'boolean', 'json', 'string', 'timestamp'],
  string: ['string', 'boolean', 'json', 'number', 'timestamp'],
  timestamp: ['timestamp', 'json', 'string'],
};

/** Names people bring from other query languages, and the LQL type that is meant. Keys are lower case. */
const foreignTypeNames: Readonly<Record<string, CastType>> = {
  int: 'number',
  integer: 'number',
  bigint: 'number',
  smallint: 'number',
  long: 'number',
  float: 'number',
  double: 'number',
  real: 'number',
  decimal: 'number',
  numeric: 'number',
  text: 'string',
  varchar: 'string',
  char: 'string',
  str: 'string',
  date: 'timestamp',
  datetime: 'timestamp',
  time: 'timestamp',
  timestamptz: 'timestamp',
  timestamp_ntz: 'timestamp',
  bool: 'boolean',
  variant: 'json',
  object: 'json',
  array: 'json',
  jsonb: 'json',
};

/** The type a cast names, compared without case; undefined when there is no such type. */
export function castTypeFromName(name: string): CastType | undefined {
  const lower = name.toLowerCase();
  return lower === 'string' || lower === 'number' || lower === 'timestamp' || lower === 'json' || lower === 'boolean'
    ? lower
    : undefined;
}

/** The LQL type behind a type name of another language (`int`, `varchar`, …). */
export function castTypeFromForeignName(name: string): CastType | undefined {
  const lower = name.toLowerCase();
  return Object.hasOwn(foreignTypeNames, lower) ? foreignTypeNames[lower] : undefined;
}

export function canCast(from: LqlType, to: CastType): boolean {
  if (from === 'null' || from === 'unknown') return true;
  return castTargets[from].includes(to);
}

/** Types that take part in every operation without an objection: null coerces to all, and unknown things never cause a second error. */
export function isOpen(type: LqlType): boolean {
  return type === 'null' || type === 'unknown';
}

/** Whether two values can be compared. JSON is converted to the type of the other side by the service. */
export function areComparable(a: LqlType, b: LqlType): boolean {
  return a === b || isOpen(a) || isOpen(b) || a === 'json' || b === 'json';
}

/**
 * The one type of several branches (`case`, `coalesce`), or undefined when they have none in common. Null takes the other type;
 * JSON beside another type is converted to that type; unknown makes the whole unknown unless a type is certain.
 */
export function commonType(a: LqlType, b: LqlType): LqlType | undefined {
  if (a === b || b === 'null') return a;
  if (a === 'null') return b;
  if (a === 'unknown' || b === 'unknown') return 'unknown';
  if (a === 'json') return b;
  if (b === 'json') return a;
  return undefined;
}
