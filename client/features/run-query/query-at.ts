/** First and last line of a query, counted from 0, both its own. */
export interface LineSpan {
  readonly first: number;
  readonly last: number;
}

/**
 * The index of the query that a line belongs to: the only one there is, the one it stands in, or the one it comments on, when nothing
 * but comments lies between. Undefined when several are there and none is meant: then the person must say which.
 */
export function belongsTo(
  line: number,
  spans: readonly LineSpan[],
  textOf: (line: number) => string,
): number | undefined {
  if (spans.length === 1) return 0;
  const inside = spans.flatMap(({ first, last }, index) => (first <= line && line <= last ? [index] : []));
  // Two queries may meet on one line: then the line alone does not tell.
  if (inside.length > 0) return inside.length === 1 ? inside[0] : undefined;
  const next = spans.findIndex(({ first }) => first > line);
  const first = spans[next]?.first;
  if (first === undefined) return undefined;
  // What introduces an embedded query stands right above it: `queryText: |`, a fence, a heredoc.
  if (first === line + 1) return next;
  for (let between = line; between < first; between++) if (!isComment(textOf(between))) return undefined;
  return next;
}

function isComment(text: string): boolean {
  return /^\s*(?:--|\/\/|#|\/\*|\*)/.test(text);
}
