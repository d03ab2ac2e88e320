import { type TextRange, textRange } from '../../text/range.ts';
import type { AnalyzedText } from './analyzed-text.ts';
import { outlineOf, tokenIndexAt } from './token-outline.ts';

/** The block whose `}` ends right in front of `offset`, from its `{` on: what is formatted when a person closes it. */
export function closedBlock(query: AnalyzedText, offset: number): TextRange | undefined {
  const { tokens, closes } = outlineOf(query.parsed);
  const at = tokenIndexAt(tokens, offset);
  const close = tokens[at];
  if (close?.text !== '}' || close.end !== offset) return undefined;
  for (const [open, end] of closes) {
    const opening = tokens[open];
    if (end === at && opening?.text === '{') return textRange(opening.start, offset);
  }
  return undefined;
}
