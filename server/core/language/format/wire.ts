import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { type ParseResult, parse } from '../syntax/parse.ts';
import { stringValue, writeSString } from '../syntax/strings.ts';
import type { TokenKind } from '../syntax/tokens.ts';

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
    const written = writeToken(text.slice(start, end), kind);
    // A gap of any kind becomes one blank: it separated the tokens before and so does the blank. Where there was none, none is needed,
    // unless a word touches a string: whether its quote closes or opens one would then depend on the rest of the line, which is another now.
    const touching = previousEnd === start && !isAmbiguous(result.charAt(result.length - 1), written);
    if (previousEnd >= 0 && !touching) result += ' ';
    result += written;
    previousEnd = end;
  }
  return { kind: 'ok', text: result };
}

const lineBreak = /[\n\r\v\f\u0085\u2028\u2029]/;

/** Whether a word and a string would touch. */
function isAmbiguous(before: string, written: string): boolean {
  if (before === "'") return /^[\w%$^@\\.~#?]/.test(written);
  if (before === '"') return /^[\w%$^@\\~#?]/.test(written);
  return /\w/.test(before) && /^(?:[sS]?'|")/.test(written);
}

/** Writes a token so that it means the same on whatever line it stands. */
function writeToken(source: string, kind: TokenKind): string {
  const form = kind === 'legacy-string' ? 'legacy' : kind;
  if (form !== 'legacy' && form !== 's-string' && form !== 'double-quoted') return source;
  // Strings over several lines have one form with an escape for line ends.
  if (lineBreak.test(source)) {
    return escapeBreaks(form === 'double-quoted' ? source : JSON.stringify(stringValue(source, form)));
  }
  // 'C:\' ends where its line does; with more text behind it, its quote would be an escaped one.
  if (form === 'legacy' && source.endsWith("\\'")) return writeSString(stringValue(source, form));
  return source;
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
