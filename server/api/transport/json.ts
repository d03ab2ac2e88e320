import type { Value } from '../../core/language/values/value.ts';

/**
 * Reads JSON with every integer exact: one beyond 2^53 becomes a bigint, everything else is what JSON.parse gives. Throws SyntaxError on text
 * that is no JSON.
 *
 * Asking JSON.parse for the source of every number costs six times a plain parse. So the text is first searched for runs of 16 digits where a
 * number may begin. Without one, a plain parse is exact. With some, the numbers that lost digits are found again in the parsed tree in the
 * order of the text; only where the two do not match (a digit run inside a string, keys that JavaScript reorders) is the slow way taken.
 */
export function parseExact(text: string): Value {
  const unsafe: string[] = [];
  // A text that is a number alone has nothing in front of it.
  if (text.length < 1_000 && /^\s*-?\d{16,}\s*$/.test(text) && isInexact(Number(text))) unsafe.push(text.trim());
  for (const candidate of text.match(longNumber) ?? []) {
    const digits = candidate.slice(1);
    if (isInexact(Number(digits))) unsafe.push(digits);
  }
  if (unsafe.length === 0) return JSON.parse(text);
  const holder = { root: JSON.parse(text) as Mutable };
  return restore(holder, unsafe) ? (holder.root as Value) : parseBySource(text);
}

/** Writes JSON; bigints as the integers they are. */
export function writeExact(value: unknown): string {
  return JSON.stringify(value, (_, entry: unknown) =>
    typeof entry === 'bigint' ? (JSON as unknown as JsonWithRaw).rawJSON(entry.toString()) : entry,
  );
}

const longNumber = /[:,[\s]-?\d{16,}(?=[,\]}\s])/g;

type Mutable = null | boolean | number | bigint | string | Mutable[] | { [key: string]: Mutable };

interface JsonWithRaw {
  rawJSON(text: string): unknown;
}

function isInexact(value: number): boolean {
  return Number.isInteger(value) && !Number.isSafeInteger(value);
}

// False when the tree's inexact integers are not those of the list, one by one.
function restore(holder: { root: Mutable }, digits: readonly string[]): boolean {
  let next = 0;
  let aligned = true;
  const exact = (value: number): bigint | undefined => {
    const source = digits[next++];
    if (source === undefined || Number(source) !== value) {
      aligned = false;
      return undefined;
    }
    return BigInt(source);
  };
  const visit = (value: Mutable): Mutable | undefined => {
    if (typeof value === 'number') return isInexact(value) ? exact(value) : undefined;
    if (typeof value !== 'object' || value === null) return undefined;
    if (Array.isArray(value)) {
      for (let index = 0; index < value.length && aligned; index++) {
        const replaced = visit(value[index] as Mutable);
        if (replaced !== undefined) value[index] = replaced;
      }
      return undefined;
    }
    for (const key in value) {
      // Such keys come first, whatever their place in the text; and a key given twice hides a number of the text.
      const first = key.charCodeAt(0);
      if (first >= 48 && first <= 57) aligned = false;
      if (!aligned) return undefined;
      const replaced = visit(value[key] as Mutable);
      if (replaced !== undefined) value[key] = replaced;
    }
    return undefined;
  };
  const root = visit(holder.root);
  if (root !== undefined) holder.root = root;
  return aligned && next === digits.length;
}

function parseBySource(text: string): Value {
  return JSON.parse(text, ((_key: string, value: unknown, context: { source?: string }) =>
    typeof value === 'number' && isInexact(value) && /^-?\d+$/.test(context.source ?? '')
      ? BigInt(context.source ?? '')
      : value) as (key: string, value: unknown) => unknown);
}
