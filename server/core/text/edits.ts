import type { TextRange } from './range.ts';

/** Replace `range` of the old text by `newText`. */
export interface TextEdit {
  readonly range: TextRange;
  readonly newText: string;
}

/** Applies edits that do not overlap, in any order, all of them against the old text. Throws RangeError when they overlap. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  const sorted = [...edits].sort((a, b) => a.range.start - b.range.start || a.range.end - b.range.end);
  let result = '';
  let at = 0;
  for (const { range, newText } of sorted) {
    if (range.start < at) throw new RangeError('text edits overlap');
    result += text.slice(at, range.start) + newText;
    at = range.end;
  }
  return result + text.slice(at);
}

/** The one edit that turns one text into another, as short as its two ends allow; none when they are equal. Surrogate pairs stay whole. */
export function changedSpan(from: string, to: string): readonly TextEdit[] {
  if (from === to) return [];
  const shortest = Math.min(from.length, to.length);
  let start = 0;
  while (start < shortest && from.charCodeAt(start) === to.charCodeAt(start)) start++;
  if (start > 0 && isHighSurrogate(from.charCodeAt(start - 1))) start--;
  let tail = 0;
  while (tail < shortest - start && from.charCodeAt(from.length - 1 - tail) === to.charCodeAt(to.length - 1 - tail))
    tail++;
  if (tail > 0 && isLowSurrogate(from.charCodeAt(from.length - tail))) tail--;
  return [{ range: { start, end: from.length - tail }, newText: to.slice(start, to.length - tail) }];
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
