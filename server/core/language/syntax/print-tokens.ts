import type { ParseResult } from './parse.ts';

/** Prints the tokens and comments of a text in their order, one a line with offsets and kind: for baselines and for `inspect`. */
export function printTokens(parsed: ParseResult): string {
  const lines = [
    ...parsed.tokens.map(({ kind, start, end }) => ({ start, end, what: kind as string })),
    ...parsed.comments.map(({ range, style }) => ({ start: range.start, end: range.end, what: `comment ${style}` })),
  ]
    .sort((a, b) => a.start - b.start)
    .map(({ start, end, what }) => `${start}..${end} ${what} ${JSON.stringify(parsed.text.slice(start, end))}`);
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`;
}
