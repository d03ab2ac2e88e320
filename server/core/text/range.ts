/** A half-open interval of UTF-16 offsets into one text: `start` inclusive, `end` exclusive, `0 <= start <= end <= text.length`. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

export function textRange(start: number, end: number): TextRange {
  return { start, end };
}

/** Whether `offset` lies in `range`; both ends count, so a cursor just behind a name still touches it. */
export function touches(range: TextRange, offset: number): boolean {
  return range.start <= offset && offset <= range.end;
}

/** Whether `inner` lies wholly in `outer`. */
export function contains(outer: TextRange, inner: TextRange): boolean {
  return outer.start <= inner.start && inner.end <= outer.end;
}

/** The smallest range that covers both. */
export function cover(a: TextRange, b: TextRange): TextRange {
  return { start: Math.min(a.start, b.start), end: Math.max(a.end, b.end) };
}

/** Whether two ranges have a character or a border in common. */
export function rangesTouch(a: TextRange, b: TextRange): boolean {
  return a.start <= b.end && b.start <= a.end;
}
