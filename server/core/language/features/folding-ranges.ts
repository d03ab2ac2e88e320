import { createLineIndex } from '../../text/line-index.ts';
import { type TextRange, textRange } from '../../text/range.ts';
import type { AnalyzedText } from './analyzed-text.ts';
import { outlineOf } from './token-outline.ts';

export interface FoldingRange {
  /** From the line that stays visible to the last hidden line. */
  readonly range: TextRange;
  readonly kind: 'block' | 'comment';
}

/** Brackets over several lines, block comments, and runs of line comments. */
export function foldingRanges(query: AnalyzedText): readonly FoldingRange[] {
  const lines = createLineIndex(query.text);
  const lineOf = (offset: number): number => lines.positionAt(offset).line;
  const { tokens, closes } = outlineOf(query.parsed);
  const folds: FoldingRange[] = [];
  for (const [open, close] of closes) {
    const first = tokens[open];
    const last = tokens[close];
    if (first === undefined || last === undefined) continue;
    const lastLine = lineOf(last.start);
    if (lastLine - lineOf(first.start) < 2) continue;
    // The line of the closing bracket stays visible.
    folds.push({ range: textRange(first.start, Math.max(first.end, lines.lineStart(lastLine) - 1)), kind: 'block' });
  }
  let run: { start: number; end: number } | undefined;
  const endRun = (): void => {
    if (run !== undefined && lineOf(run.end) > lineOf(run.start))
      folds.push({ range: textRange(run.start, run.end), kind: 'comment' });
    run = undefined;
  };
  for (const { range, style } of query.parsed.comments) {
    if (style === '/*') {
      endRun();
      if (lineOf(range.end) > lineOf(range.start)) folds.push({ range, kind: 'comment' });
    } else if (run !== undefined && lineOf(range.start) === lineOf(run.end) + 1) {
      run.end = range.end;
    } else {
      endRun();
      run = { start: range.start, end: range.end };
    }
  }
  endRun();
  return folds.sort((a, b) => a.range.start - b.range.start || b.range.end - a.range.end);
}
