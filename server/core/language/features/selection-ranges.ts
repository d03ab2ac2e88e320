import { contains, type TextRange, textRange } from '../../text/range.ts';
import { nodePathAt } from '../syntax/walk.ts';
import type { AnalyzedText } from './analyzed-text.ts';
import { outlineOf, tokenIndexAt } from './token-outline.ts';

/** Ranges around `offset`, from the innermost to the whole text, each strictly larger than the one before. */
export function selectionRanges(query: AnalyzedText, offset: number): readonly TextRange[] {
  const { tokens } = outlineOf(query.parsed);
  const token = tokens[tokenIndexAt(tokens, offset)];
  const ranges: TextRange[] = [];
  const add = (range: TextRange): void => {
    const last = ranges.at(-1);
    if (last === undefined || (contains(range, last) && (range.start < last.start || range.end > last.end)))
      ranges.push(range);
  };
  if (token !== undefined && token.start <= offset) add(textRange(token.start, token.end));
  for (const node of [...nodePathAt(query.model.file, offset)].reverse()) {
    if (node.range.start <= offset && offset <= node.range.end) add(node.range);
  }
  add(textRange(0, query.text.length));
  return ranges;
}
