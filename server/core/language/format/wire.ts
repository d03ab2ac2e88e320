import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { type ParseResult, parse } from '../syntax/parse.ts';
import { stringValue } from '../syntax/strings.ts';

export type WireText =
  | { readonly kind: 'ok'; readonly text: string }
  /** The text has syntax errors, or holds no query. */
  | { readonly kind: 'refused'; readonly diagnostics: readonly Diagnostic[] };

/**
 * Writes a query on one line, as it is sent to the service: without comments and without the name of the old form, whose place the query
 * id takes. The meaning is the same, token by token; a string that runs over several lines is written with escapes. A text with syntax
 * errors is refused, because what it means is a guess.
 */
export function toWireText(text: string): WireText {
  return wireTextOf(parse(text));
}

/** The same, for a text that has been parsed. */
export function wireTextOf(parsed: ParseResult): WireText {
  const errors = parsed.diagnostics.filter((diagnostic) => diagnostic.severity === 'error');
  if (errors.length > 0) return { kind: 'refused', diagnostics: errors };
  const { query } = parsed.file;
  if (query === undefined) return { kind: 'refused', diagnostics: [nothingToSend(parsed.text)] };
  const { text, tokens } = parsed;
  const name = query.kind === 'query' ? query.name : undefined;
  let result = '';
  let previousEnd = -1;
  for (const { kind, start, end } of tokens) {
    if (name !== undefined && end <= name.range.end) continue;
    // A gap of any kind becomes one blank: it separated the tokens before and so does the blank. Where there was none, none is needed.
    if (previousEnd >= 0 && start > previousEnd) result += ' ';
    const source = text.slice(start, end);
    result += lineBreak.test(source) ? onOneLine(source, kind) : source;
    previousEnd = end;
  }
  return { kind: 'ok', text: result };
}

const lineBreak = /[\n\r\v\f\u0085\u2028\u2029]/;

/** Writes a string over several lines in the one form that has an escape for line ends. */
function onOneLine(source: string, kind: string): string {
  if (kind === 'double-quoted') return escapeBreaks(source);
  return escapeBreaks(JSON.stringify(stringValue(source, kind === 's-string' ? 's-string' : 'legacy')));
}

function escapeBreaks(source: string): string {
  return source.replace(
    /[\n\r\v\f\u0085\u2028\u2029]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function nothingToSend(text: string): Diagnostic {
  return {
    code: 'not-a-query',
    severity: 'error',
    range: { start: 0, end: Math.min(1, text.length) },
    message: 'There is no query in this text. Write one: { source { … } return { … } }.',
    fixes: [],
  };
}
