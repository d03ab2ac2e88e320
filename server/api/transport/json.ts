import type { RowValue } from '../../core/resources/index.ts';

/**
 * Reads JSON with every integer exact: one beyond 2^53 becomes a bigint, everything else is what JSON.parse gives. Throws SyntaxError on text
 * that is no JSON.
 *
 * Asking JSON.parse for the source of every number costs six times a plain parse. So one pass looks for runs of 16 digits where a number may
 * begin. Without one that loses digits, a plain parse is exact. Otherwise those numbers are put in quotes behind a mark, and the marked texts
 * become integers after the parse. A run of digits inside a string would end that string at the mark, which stands for nothing outside of
 * strings: the parse fails, and the slow and sure way is taken.
 */
export function parseExact(text: string): RowValue {
  if (text.includes(mark)) return parseBySource(text);
  // A text that is a number alone has nothing in front of it.
  if (text.length < 1_000 && /^\s*-?\d{16,}\s*$/.test(text)) return parseBySource(text);
  let marked = false;
  const patched = text.replaceAll(longNumber, (candidate) => {
    if (!isInexact(Number(candidate.slice(1)))) return candidate;
    marked = true;
    return `${candidate.charAt(0)}"${mark}${candidate.slice(1)}"`;
  });
  if (!marked) return JSON.parse(text);
  let value: Mutable;
  try {
    value = JSON.parse(patched);
  } catch {
    return parseBySource(text);
  }
  return readMarks(value) as RowValue;
}

/** Writes JSON; bigints as the integers they are. */
export function writeExact(value: unknown): string {
  return JSON.stringify(value, (_, entry: unknown) =>
    typeof entry === 'bigint' ? (JSON as unknown as JsonWithRaw).rawJSON(entry.toString()) : entry,
  );
}

const longNumber = /[:,[\s]-?\d{16,}(?=[,\]}\s])/g;
/** A control character that JSON allows in strings, of one byte in memory as all of an ASCII text, and that no text of people holds. */
const mark = '\u0091';
const markCode = 0x91;

type Mutable = null | boolean | number | bigint | string | Mutable[] | { [key: string]: Mutable };

interface JsonWithRaw {
  rawJSON(text: string): unknown;
}

function isInexact(value: number): boolean {
  return Number.isInteger(value) && !Number.isSafeInteger(value);
}

function readMarks(value: Mutable): Mutable {
  if (typeof value === 'string') return value.charCodeAt(0) === markCode ? BigInt(value.slice(1)) : value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      const entry = value[index] as Mutable;
      const read = readMarks(entry);
      if (read !== entry) value[index] = read;
    }
    return value;
  }
  for (const key in value) {
    const entry = value[key] as Mutable;
    const read = readMarks(entry);
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
