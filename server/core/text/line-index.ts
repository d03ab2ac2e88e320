/** A zero-based line and UTF-16 character, as the Language Server Protocol counts them. */
export interface LineColumn {
  readonly line: number;
  readonly character: number;
}

/** Converts between offsets and lines of one text. Line ends are `\n`, `\r\n` and lone `\r`, as in the protocol. */
export interface LineIndex {
  readonly lineCount: number;
  /** Line and character of `offset`, clamped into the text. Costs a binary search. */
  positionAt(offset: number): LineColumn;
  /** Offset of a position; a character behind the end of its line is clamped to the line's end. */
  offsetAt(position: LineColumn): number;
  /** Offset of the first character of `line`. */
  lineStart(line: number): number;
}

export function createLineIndex(text: string): LineIndex {
  const starts: number[] = [0];
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 13 && text.charCodeAt(i + 1) === 10) i++;
    else if (code !== 10 && code !== 13) continue;
    starts.push(i + 1);
  }
  const lineStart = (line: number): number => starts[Math.max(0, Math.min(line, starts.length - 1))] ?? 0;
  const lineEnd = (line: number): number => {
    let end = line + 1 < starts.length ? lineStart(line + 1) : text.length;
    while (end > lineStart(line) && (text.charCodeAt(end - 1) === 10 || text.charCodeAt(end - 1) === 13)) end--;
    return end;
  };
  return {
    lineCount: starts.length,
    lineStart,
    positionAt(offset) {
      const clamped = Math.max(0, Math.min(offset, text.length));
      let low = 0;
      let high = starts.length - 1;
      while (low < high) {
        const middle = (low + high + 1) >> 1;
        if (lineStart(middle) <= clamped) low = middle;
        else high = middle - 1;
      }
      return { line: low, character: clamped - lineStart(low) };
    },
    offsetAt({ line, character }) {
      if (line < 0) return 0;
      if (line >= starts.length) return text.length;
      return Math.min(lineStart(line) + Math.max(0, character), lineEnd(line));
    },
  };
}
