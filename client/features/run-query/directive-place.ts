/**
 * Where the value of the last `-- @range` of a line stands, as offsets in the line. In JSON, and wherever else a query is written on one
 * line with its breaks spelled out, the line goes on behind the value: what no time range can hold ends it.
 */
export function rangeValueIn(line: string): { readonly start: number; readonly end: number } | undefined {
  // A directive has a line of the query to itself: before it stands the line's beginning, a spelled-out break, or the quote that opens.
  const match = [...line.matchAll(/(?:^|["']|\\[nr])(?:[ \t]|\\t)*--[ \t]*@range[ \t]+([^"'\\]*)/gi)].at(-1);
  const value = match?.[1];
  if (match === undefined || value === undefined) return undefined;
  const start = match.index + match[0].length - value.length;
  return { start, end: start + value.trimEnd().length };
}
