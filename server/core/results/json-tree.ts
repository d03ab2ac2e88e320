import type { Value } from '../language/values/value.ts';
import { jsonText } from './cell-text.ts';

/** One line of a JSON value laid out as a tree, parents before their children. */
export interface JsonTreeLine {
  /** 0 for the members of the value itself. */
  readonly depth: number;
  /** The key, or the position in an array. */
  readonly label: string;
  readonly kind: 'object' | 'array' | 'string' | 'number' | 'boolean' | 'null';
  /** A scalar as text; `3 keys`, `5 items` for what has members. */
  readonly text: string;
  /**
   * The keys that lead here from the column, for a path in a query; undefined below an array, whose elements no path can name
   * (a query reaches them by `array_to_rows`).
   */
  readonly path: readonly string[] | undefined;
}

/** A tree with more lines than this is cut: nobody reads it, and the text as a whole can still be copied. */
export const maxTreeLines = 3_000;

/** Lays out an object or array; undefined for every other value. */
export function jsonTree(value: Value): readonly JsonTreeLine[] | undefined {
  if (value === null || typeof value !== 'object') return undefined;
  const lines: JsonTreeLine[] = [];
  // An explicit stack: data decides the depth, so recursion would let it decide over the stack too.
  const pending: {
    readonly label: string;
    readonly value: Value;
    readonly depth: number;
    readonly path: readonly string[] | undefined;
  }[] = [];
  const push = (parent: Value, depth: number, path: readonly string[] | undefined): void => {
    if (parent === null || typeof parent !== 'object') return;
    const members = Array.isArray(parent)
      ? (parent as readonly Value[]).map((item, index) => ({
          label: String(index),
          value: item,
          depth,
          path: undefined,
        }))
      : Object.entries(parent).map(([key, item]) => ({
          label: key,
          value: item as Value,
          depth,
          path: path && [...path, key],
        }));
    pending.push(...members.slice(0, maxTreeLines).reverse());
  };
  push(value, 0, []);
  for (let next = pending.pop(); next && lines.length < maxTreeLines; next = pending.pop()) {
    lines.push({ depth: next.depth, label: next.label, path: next.path, ...describe(next.value) });
    push(next.value, next.depth + 1, next.path);
  }
  return lines;
}

function describe(value: Value): Pick<JsonTreeLine, 'kind' | 'text'> {
  if (value === null || value === undefined) return { kind: 'null', text: 'null' };
  if (Array.isArray(value)) return { kind: 'array', text: counted(value.length, 'item') };
  switch (typeof value) {
    case 'object':
      return { kind: 'object', text: counted(Object.keys(value).length, 'key') };
    case 'string':
      return { kind: 'string', text: value };
    case 'boolean':
      return { kind: 'boolean', text: String(value) };
    default:
      return { kind: 'number', text: jsonText(value) };
  }
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
