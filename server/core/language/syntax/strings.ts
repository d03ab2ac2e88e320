import type { StringLiteral } from './ast.ts';

/**
 * Finds the ends of strings and what they stand for. The three forms differ:
 * an s-string has no escapes but `''`; a double-quoted string has JSON's escapes; the legacy form takes `''` and `\'` for a quote and
 * keeps every other backslash, because nothing public says otherwise and queries in the field rely on it.
 */
export type StringForm = StringLiteral['form'];

export interface ScannedString {
  /** Offset behind the string. */
  readonly end: number;
  readonly terminated: boolean;
}

const quote = 39;
const doubleQuote = 34;
const backslash = 92;
const lineFeed = 10;
const carriageReturn = 13;

/**
 * Scans a string whose opening quote stands at `open`.
 *
 * Strings may run over several lines. A forgotten closing quote would then turn the rest of the text inside out, so a quote found on a
 * later line counts only when it does not look like the opening quote of the next string; else the string is taken to end, unterminated, with its line.
 */
export function scanString(text: string, open: number, form: StringForm): ScannedString {
  const mark = form === 'double-quoted' ? doubleQuote : quote;
  let lineEnd = -1;
  let escapedQuote = -1;
  let at = open + 1;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === mark) {
      if (form !== 'double-quoted' && text.charCodeAt(at + 1) === quote) {
        at++;
        continue;
      }
      break;
    }
    if (code === backslash && form !== 's-string') {
      const next = text.charCodeAt(at + 1);
      if (next === mark && lineEnd < 0) escapedQuote = at + 1;
      if (next === mark || next === backslash) at++;
    } else if (lineEnd < 0 && (code === lineFeed || code === carriageReturn)) {
      // A legacy string such as 'C:\' ends in a backslash: its quote only looked like an escaped one.
      if (form === 'legacy' && escapedQuote >= 0) return { end: escapedQuote + 1, terminated: true };
      lineEnd = at;
    }
  }
  if (at >= text.length) {
    if (form === 'legacy' && escapedQuote >= 0) return { end: escapedQuote + 1, terminated: true };
    return {
      end: lineEnd < 0 ? trimmedEnd(text, open, text.length) : trimmedEnd(text, open, lineEnd),
      terminated: false,
    };
  }
  if (lineEnd >= 0 && looksOpened(text, at + 1, mark))
    return { end: trimmedEnd(text, open, lineEnd), terminated: false };
  if (lineEnd < 0 && opensAnother(text, at, mark)) return { end: trimmedEnd(text, open, at), terminated: false };
  return { end: at + 1, terminated: true };
}

/**
 * Whether the quote at `at` rather opens a string than closes one: a name or number follows it without a blank, and the quotes on the rest
 * of the line do not pair. `a = 'x and b = 'y'` is two strings of which the first lacks its end. Looks at a short stretch only.
 */
function opensAnother(text: string, at: number, mark: number): boolean {
  if (!looksOpened(text, at + 1, mark)) return false;
  let quotes = 0;
  for (let i = at + 1; i < text.length && i < at + 500; i++) {
    const code = text.charCodeAt(i);
    if (code === lineFeed || code === carriageReturn) break;
    if (code === mark) quotes++;
    else if (code === backslash) i++;
  }
  return quotes % 2 === 1;
}

/**
 * Where a string without a closing quote ends: in front of the first closing bracket or comma of its line, or the first word that goes on
 * with a condition. All of them much more likely belong to the query than to the text.
 */
function trimmedEnd(text: string, open: number, lineEnd: number): number {
  const stop = /[)},]|\s(?:and|or|then|else|end|as)\s/i.exec(text.slice(open + 1, Math.min(lineEnd, open + 500)));
  let end = stop === null ? lineEnd : open + 1 + stop.index;
  while (end > open + 1 && isTrailing(text.charCodeAt(end - 1))) end--;
  return end;
}

function isTrailing(code: number): boolean {
  // blank, tab, line ends, ')' ',' '}'
  return code === 32 || (code >= 9 && code <= 13) || code === 41 || code === 44 || code === 125;
}

/** Whether the quote in front of `offset` rather opens a string than closes one: what follows it at once looks like the text of one. */
function looksOpened(text: string, offset: number, mark: number): boolean {
  const next = text.charCodeAt(offset);
  // Nearly always a blank, a comma or a bracket follows, or the text ends.
  if (!(next > 34) || next === 41 || next === 44 || next === 58 || next === 125) return false;
  const pattern = mark === quote ? /[A-Za-z0-9_%$^@\\.~#?]/ : /[A-Za-z0-9_%$^@\\~#?]/;
  if (!pattern.test(text.charAt(offset))) return false;
  const word = /^[A-Za-z]{2,7}(?![A-Za-z0-9_])/.exec(text.slice(offset, offset + 8))?.[0];
  return word === undefined || !wordsBehindStrings.has(word.toLowerCase());
}

const wordsBehindStrings = new Set(
  'and or as not in is like ilike rlike between then when else end on with'.split(' '),
);

/** The text that a string, given with its quotes, stands for. A closing quote may be missing. */
export function stringValue(source: string, form: StringForm): string {
  const open = form === 's-string' ? 2 : 1;
  const terminated = source.length > open && scanString(source, open - 1, form).terminated;
  const body = source.slice(open, terminated ? -1 : undefined);
  if (form === 's-string') return body.includes("''") ? body.replaceAll("''", "'") : body;
  if (form === 'double-quoted') return body.includes('\\') ? decodeEscapes(body) : body;
  if (!body.includes("'")) return body;
  let value = '';
  for (let at = 0; at < body.length; at++) {
    const char = body.charAt(at);
    const next = body.charAt(at + 1);
    if (char === '\\' && next === '\\') {
      value += '\\\\';
      at++;
    } else if ((char === '\\' || char === "'") && next === "'") {
      value += "'";
      at++;
    } else value += char;
  }
  return value;
}

const simpleEscapes: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};

function decodeEscapes(body: string): string {
  let value = '';
  for (let at = 0; at < body.length; at++) {
    const char = body.charAt(at);
    if (char !== '\\') {
      value += char;
      continue;
    }
    const next = body.charAt(at + 1);
    const simple = Object.hasOwn(simpleEscapes, next) ? simpleEscapes[next] : undefined;
    if (simple !== undefined) {
      value += simple;
      at++;
    } else if (next === 'u' && /^[0-9A-Fa-f]{4}$/.test(body.slice(at + 2, at + 6))) {
      value += String.fromCharCode(Number.parseInt(body.slice(at + 2, at + 6), 16));
      at += 5;
    } else value += char;
  }
  return value;
}

/** Offsets, relative to the string's first quote, of the escapes that a double-quoted string does not know, with their lengths. */
export function invalidEscapes(source: string): readonly { readonly offset: number; readonly length: number }[] {
  const found: { offset: number; length: number }[] = [];
  for (let at = source.indexOf('\\', 1); at >= 0 && at < source.length; at = source.indexOf('\\', at)) {
    const next = source.charAt(at + 1);
    if (Object.hasOwn(simpleEscapes, next)) at += 2;
    else if (next === 'u' && /^[0-9A-Fa-f]{4}$/.test(source.slice(at + 2, at + 6))) at += 6;
    else {
      // A character outside the basic plane is one character to the reader: both halves belong to the escape.
      const length = 1 + String.fromCodePoint(source.codePointAt(at + 1) ?? 32).length;
      found.push({ offset: at, length: Math.min(length, source.length - at) });
      at += Math.max(1, Math.min(length, source.length - at));
    }
  }
  return found;
}

/** Writes `value` as an s-string, the form without escapes. */
export function writeSString(value: string): string {
  return `s'${value.replaceAll("'", "''")}'`;
}

/** A literal with nothing to escape: the plain form people write most, and the s-string where a quote or backslash makes that one doubtful. */
export function writeString(value: string): string {
  return /['\\]/.test(value) ? writeSString(value) : `'${value}'`;
}

/** Writes `value` in double quotes, as path keys are. */
export function writeDoubleQuoted(value: string): string {
  return JSON.stringify(value);
}
