import type { RowValue } from '../../core/resources/index.ts';

/**
 * Reads JSON with every integer exact: one beyond 2^53 becomes a bigint, everything else is what JSON.parse gives. Throws SyntaxError on text
 * that is no JSON.
 */
export function parseExact(text: string): RowValue {
  return parseExactBytes(Buffer.from(text, 'utf8'));
}

/**
 * `parseExact` of UTF-8 bytes, which it may change: they are the caller's no longer.
 *
 * Asking JSON.parse for the source of every number costs six times a plain parse. So one pass over the bytes looks for integers of 16 digits
 * or more. Without one that loses digits, a plain parse is exact. Otherwise each of them is overwritten in place by a text of the same
 * length, a mark and the integer's number in a list, and after the parse those texts become the integers. That is exact because the mark
 * stands nowhere else in the document. Digits inside a string would end that string at the mark, which stands for nothing outside of
 * strings: the parse fails, and the slow and sure way is taken.
 */
export function parseExactBytes(bytes: Buffer): RowValue {
  const found = longIntegers(bytes);
  if (found.length === 0) return JSON.parse(textOf(bytes));
  if (bytes.includes(mark) || bytes.includes('\\u007')) return parseBySource(textOf(bytes));
  const integers: string[] = [];
  for (let entry = 0; entry < found.length; entry += 2) {
    const start = found[entry] as number;
    const end = found[entry + 1] as number;
    writeMark(bytes, start, end, integers.push(bytes.toString('latin1', start, end)) - 1);
  }
  let value: Mutable;
  try {
    value = JSON.parse(textOf(bytes));
  } catch {
    for (const [index, integer] of integers.entries()) bytes.write(integer, found[index * 2] as number, 'latin1');
    return parseBySource(textOf(bytes));
  }
  return readMarks(value, integers) as RowValue;
}

/** Writes JSON; bigints as the integers they are. */
export function writeExact(value: unknown): string {
  return JSON.stringify(value, (_, entry: unknown) =>
    typeof entry === 'bigint' ? (JSON as unknown as JsonWithRaw).rawJSON(entry.toString()) : entry,
  );
}

/** A control character that JSON allows in strings, and that no text of people holds. */
const mark = 0x7f;
/** Shorter integers are below 2^53. */
const leastDigits = 16;
const [quote, minus, comma, colon, zero, nine] = [0x22, 0x2d, 0x2c, 0x3a, 0x30, 0x39] as const;
const [openBracket, closeBracket, closeBrace] = [0x5b, 0x5d, 0x7d] as const;

type Mutable = null | boolean | number | bigint | string | Mutable[] | { [key: string]: Mutable };

interface JsonWithRaw {
  rawJSON(text: string): unknown;
}

/**
 * Starts and ends, in turn, of what looks like an integer that a number cannot hold. A run of 16 digits covers at least one of every 16th
 * byte, so most bytes are never looked at.
 */
function longIntegers(bytes: Buffer): readonly number[] {
  const found: number[] = [];
  const { length } = bytes;
  let at = leastDigits - 1;
  while (at < length) {
    if (!isDigit(bytes[at])) {
      at += leastDigits;
      continue;
    }
    let start = at;
    while (start > 0 && isDigit(bytes[start - 1])) start--;
    let end = at + 1;
    while (end < length && isDigit(bytes[end])) end++;
    at = end + leastDigits;
    if (end - start < leastDigits || bytes[start] === zero || !endsNumber(bytes[end])) continue;
    // At 16 digits some are held exactly, at 17 none.
    if (end - start === leastDigits && Number.isSafeInteger(Number(bytes.toString('latin1', start, end)))) continue;
    if (bytes[start - 1] === minus) start--;
    if (startsNumber(bytes[start - 1])) found.push(start, end);
  }
  return found;
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= zero && byte <= nine;
}

function startsNumber(before: number | undefined): boolean {
  return before === colon || before === comma || before === openBracket || isBlank(before);
}

function endsNumber(after: number | undefined): boolean {
  return after === comma || after === closeBrace || after === closeBracket || isBlank(after);
}

/** Blanks of JSON; the document's ends count, too. */
function isBlank(byte: number | undefined): boolean {
  return byte === undefined || byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

/** Writes `"␡00…index"` over a number: the same length, whatever the index. */
function writeMark(bytes: Buffer, start: number, end: number, index: number): void {
  bytes[start] = quote;
  bytes[start + 1] = mark;
  let rest = index;
  for (let at = end - 2; at > start + 1; at--) {
    bytes[at] = zero + (rest % 10);
    rest = Math.trunc(rest / 10);
  }
  bytes[end - 1] = quote;
}

function readMarks(value: Mutable, integers: readonly string[]): Mutable {
  if (typeof value === 'string') {
    return value.charCodeAt(0) === mark ? BigInt(integers[Number(value.slice(1))] as string) : value;
  }
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      const entry = value[index] as Mutable;
      const read = readMarks(entry, integers);
      if (read !== entry) value[index] = read;
    }
    return value;
  }
  for (const key in value) {
    const entry = value[key] as Mutable;
    const read = readMarks(entry, integers);
    if (read !== entry) value[key] = read;
  }
  return value;
}

function parseBySource(text: string): RowValue {
  return JSON.parse(text, ((_key: string, value: unknown, context: { source?: string }) =>
    typeof value === 'number' && isInexact(value) && /^-?\d+$/.test(context.source ?? '')
      ? BigInt(context.source ?? '')
      : value) as (key: string, value: unknown) => unknown);
}

function isInexact(value: number): boolean {
  return Number.isInteger(value) && !Number.isSafeInteger(value);
}

/** The text of UTF-8 bytes, without the byte order mark that some services send. */
export function textOf(bytes: Buffer): string {
  const start = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  return bytes.toString('utf8', start);
}
