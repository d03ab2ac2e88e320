import type { LqlType } from '../types/types.ts';
import { isNumber, jsonText } from './json.ts';
import { type LqlNumber, numberText, parseNumber } from './numbers.ts';
import { formatTimestamp, isTimestamp, parseTimestamp } from './timestamps.ts';
import type { Value } from './value.ts';

export type Converter = (value: Value) => Value;

const identity: Converter = (value) => value;

/**
 * The conversion of values from one type to another, for casts and for coercions alike. SQL null stays SQL null, and so does every value that
 * has no counterpart (`'abc'` as a number): nothing public says whether the service fails there; ours never fails a run over one row.
 * Undefined where the language has no such conversion (a timestamp to a number, a boolean to a string).
 */
export function converter(from: LqlType, to: LqlType): Converter | undefined {
  if (from === to || to === 'unknown' || to === 'null' || from === 'null') return identity;
  switch (from) {
    case 'unknown':
    case 'json':
      return fromJson(to);
    case 'string':
      return fromString(to);
    case 'number':
      return fromNumber(to);
    case 'timestamp':
      return to === 'string' || to === 'json' ? timestampText : undefined;
    case 'boolean':
      return to === 'json' ? identity : undefined;
  }
}

function fromJson(to: LqlType): Converter {
  switch (to) {
    case 'string':
      return jsonToString;
    case 'number':
      return jsonToNumber;
    case 'boolean':
      return jsonToBoolean;
    case 'timestamp':
      return jsonToTimestamp;
    default:
      return identity;
  }
}

function fromString(to: LqlType): Converter {
  switch (to) {
    case 'number':
      return (value) => (typeof value === 'string' ? parseNumber(value) : undefined);
    case 'boolean':
      return (value) => (typeof value === 'string' ? parseBoolean(value) : undefined);
    case 'timestamp':
      return (value) => (typeof value === 'string' ? parseTimestamp(value) : undefined);
    default:
      // A text becomes a JSON string as it is; TO_JSON parses.
      return identity;
  }
}

function fromNumber(to: LqlType): Converter {
  switch (to) {
    case 'string':
      return (value) => (isNumber(value) ? numberText(value) : undefined);
    case 'boolean':
      return (value) => (isNumber(value) ? !isZero(value) : undefined);
    case 'timestamp':
      return (value) => (isNumber(value) ? secondsToTimestamp(value) : undefined);
    default:
      return identity;
  }
}

/** The text of a JSON value: a JSON string's characters, else compact JSON; none for the JSON null. */
export function jsonToString(value: Value): string | undefined {
  if (typeof value === 'string') return value;
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'object') return jsonText(value);
  // Conditions on one document come in groups (`EVENT like … or EVENT like …`), and writing it out is the costly part.
  if (lastDocument.value !== value) {
    lastDocument.text = jsonText(value);
    lastDocument.value = value;
  }
  return lastDocument.text;
}

/** The document written out last. JSON values never change, so its text stays true. */
const lastDocument: { value: Value; text: string } = { value: undefined, text: '' };

/** The number of a JSON number or of a JSON string that spells one. */
export function jsonToNumber(value: Value): LqlNumber | undefined {
  if (isNumber(value)) return value;
  return typeof value === 'string' ? parseNumber(value) : undefined;
}

function jsonToBoolean(value: Value): boolean | undefined {
  if (typeof value === 'boolean') return value;
  if (typeof value === 'string') return parseBoolean(value);
  return isNumber(value) ? !isZero(value) : undefined;
}

function jsonToTimestamp(value: Value): number | undefined {
  if (typeof value === 'string') return parseTimestamp(value);
  return isNumber(value) ? secondsToTimestamp(value) : undefined;
}

function timestampText(value: Value): string | undefined {
  return typeof value === 'number' ? formatTimestamp(value) : undefined;
}

/** Epoch seconds, fractions kept to the millisecond; undefined outside the years a timestamp can name. */
export function secondsToTimestamp(seconds: LqlNumber): number | undefined {
  return millisecondsToTimestamp(Number(seconds) * 1000);
}

/** Epoch milliseconds, cut to whole ones; undefined outside the years a timestamp can name. */
export function millisecondsToTimestamp(milliseconds: LqlNumber): number | undefined {
  // A tiny excess keeps 1.001 seconds, which is 1000.9999999999999 milliseconds as a double, at 1001.
  const whole = Math.floor(Number(milliseconds) + 1e-6);
  return isTimestamp(whole) ? whole : undefined;
}

const trueTexts: ReadonlySet<string> = new Set(['true', 't', 'yes', 'y', 'on', '1']);
const falseTexts: ReadonlySet<string> = new Set(['false', 'f', 'no', 'n', 'off', '0']);

/** `true`, `t`, `yes`, `y`, `on`, `1` and their opposites, in any case; undefined for another text. */
export function parseBoolean(text: string): boolean | undefined {
  const lower = text.trim().toLowerCase();
  if (trueTexts.has(lower)) return true;
  return falseTexts.has(lower) ? false : undefined;
}

function isZero(value: LqlNumber): boolean {
  return value === 0 || value === 0n;
}

/** A value as it stands in a row that leaves the engine: timestamps as ISO 8601 text with milliseconds, SQL null as null. */
export function wireValue(value: Value, type: LqlType): Exclude<Value, undefined> {
  if (value === undefined) return null;
  if (type === 'timestamp' && typeof value === 'number') return formatTimestamp(value) ?? null;
  return value;
}
