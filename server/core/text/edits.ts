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
