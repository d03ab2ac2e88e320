import { applyEdits, type TextEdit } from '../../text/edits.ts';
import { type TextRange, touches } from '../../text/range.ts';
import { type ParseResult, parse } from '../syntax/parse.ts';
import { isWordKind } from '../syntax/tokens.ts';
import { layOut } from './layout.ts';
import { printGaps } from './print-layout.ts';

export interface FormatOptions {
  /** Blanks a level, or `tab`. */
  readonly indent: number | 'tab';
  /** How the words of the language are written; names and functions keep their case. */
  readonly keywordCase: 'lower' | 'upper' | 'keep';
  /** Columns that a line should not exceed. */
  readonly lineWidth: number;
}

const defaultFormatOptions: FormatOptions = { indent: 2, keywordCase: 'lower', lineWidth: 100 };

export interface Formatted {
  readonly text: string;
  /** What changes, against the text given; empty when it is well formatted, or has errors. */
  readonly edits: readonly TextEdit[];
}

/**
 * Lays a query out in the one canonical style. Changes blanks, line breaks and the case of keywords, nothing else: every token and comment
 * stays, in its order. Formatting twice gives what formatting once gave. A text with syntax errors is left alone.
 *
 * The text keeps its kind of line end, and ends with one when it did before.
 */
export function format(text: string, options: Partial<FormatOptions> = {}): Formatted {
  return formatParsed(parse(text), options);
}

/** The same, for a text that has been parsed. */
export function formatParsed(parsed: ParseResult, options: Partial<FormatOptions> = {}): Formatted {
  const edits = formatEdits(parsed, options);
  return { text: edits.length === 0 ? parsed.text : applyEdits(parsed.text, edits), edits };
}

/** Formats the lines that `range` touches, and nothing outside of them. */
export function formatRange(text: string, range: TextRange, options: Partial<FormatOptions> = {}): Formatted {
  const edits = formatEdits(parse(text), options).filter(
    (edit) => touches(range, edit.range.start) || touches(range, edit.range.end) || touches(edit.range, range.start),
  );
  return { text: edits.length === 0 ? text : applyEdits(text, edits), edits };
}

function formatEdits(parsed: ParseResult, options: Partial<FormatOptions>): readonly TextEdit[] {
  const { indent, keywordCase, lineWidth } = { ...defaultFormatOptions, ...options };
  const { text, tokens, comments } = parsed;
  if (parsed.diagnostics.some((diagnostic) => diagnostic.severity === 'error')) return [];
  if (tokens.length === 0) return [];
  const edits: TextEdit[] = [];
  const settings = {
    indent: indent === 'tab' ? '\t' : ' '.repeat(Math.max(0, Math.min(16, indent))),
    lineWidth,
    lineEnd: lineEndOf(text),
  };
  for (const { start, end, text: newText } of printGaps(
    text,
    tokens,
    comments,
    layOut(parsed.file, tokens),
    settings,
  )) {
    if (text.slice(start, end) !== newText) edits.push({ range: { start, end }, newText });
  }
  if (keywordCase !== 'keep') {
    for (const { kind, start, end } of tokens) {
      if (!isWordKind(kind)) continue;
      const word = text.slice(start, end);
      const newText = keywordCase === 'lower' ? word.toLowerCase() : word.toUpperCase();
      if (word !== newText) edits.push({ range: { start, end }, newText });
    }
  }
  return edits.sort((a, b) => a.range.start - b.range.start || a.range.end - b.range.end);
}

/** The line end that the text uses first; mixed texts become uniform between tokens. */
function lineEndOf(text: string): string {
  return /\r\n|\n|\r/.exec(text)?.[0] ?? '\n';
}
