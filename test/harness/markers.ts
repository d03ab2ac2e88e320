/**
 * Marked texts: a fixture says in itself which places a test is about.
 *
 *     { source { Cloud$0Trail } filter { <|nope|> = 1 } }
 *
 * `$0` is the cursor (there may be several; the first is `cursor`). `<|…|>` is a range; ranges may nest.
 */
export interface MarkedText {
  /** The text without its markers. */
  readonly text: string;
  /** Offsets of every `$0`, in order. */
  readonly cursors: readonly number[];
  /** Ranges in the order in which they begin; an outer one before an inner one that begins at the same place. */
  readonly ranges: readonly MarkedRange[];
  /** The first `$0`. Throws when the text has none. */
  readonly cursor: number;
}

export interface MarkedRange {
  readonly start: number;
  readonly end: number;
}

/** Takes the markers out of a text. Throws on a range that is not closed or not opened. */
export function parseMarkers(marked: string): MarkedText {
  const cursors: number[] = [];
  const ranges: (MarkedRange & { readonly order: number })[] = [];
  const open: { start: number; order: number }[] = [];
  let text = '';
  let from = 0;
  let order = 0;
  for (const match of marked.matchAll(/\$0|<\||\|>/g)) {
    text += marked.slice(from, match.index);
    from = match.index + match[0].length;
    if (match[0] === '$0') cursors.push(text.length);
    else if (match[0] === '|>') {
      const opened = open.pop();
      if (!opened) throw new Error(`"|>" without "<|" at offset ${match.index} of the marked text`);
      ranges.push({ ...opened, end: text.length });
    } else open.push({ start: text.length, order: order++ });
  }
  if (open.length > 0) throw new Error('"<|" without "|>" in the marked text');
  text += marked.slice(from);
  ranges.sort((a, b) => a.order - b.order);
  return {
    text,
    cursors,
    ranges: ranges.map(({ order: _order, ...range }) => range),
    get cursor() {
      const [first] = cursors;
      if (first === undefined) throw new Error('the marked text has no cursor ($0)');
      return first;
    },
  };
}

/** The inverse for ranges: the text with `<|…|>` around them, to compare with what a test expects. They must nest. */
export function markRanges(text: string, ranges: readonly MarkedRange[]): string {
  const open: MarkedRange[] = [];
  let result = '';
  let from = 0;
  const emit = (offset: number, mark: string): void => {
    result += text.slice(from, offset) + mark;
    from = offset;
  };
  const closeUntil = (offset: number): void => {
    for (let top = open.at(-1); top && top.end <= offset; top = open.at(-1)) {
      open.pop();
      emit(top.end, '|>');
    }
  };
  for (const range of [...ranges].sort((a, b) => a.start - b.start || b.end - a.end)) {
    closeUntil(range.start);
    emit(range.start, '<|');
    open.push(range);
  }
  closeUntil(text.length);
  return result + text.slice(from);
}
