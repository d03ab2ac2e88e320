import type { SyntaxCode } from '../diagnostics/codes/syntax-codes.ts';
import { type Fix, replaceFix } from '../diagnostics/diagnostic.ts';
import { curlyQuotes, isStray } from './characters.ts';
import { kindNumber } from './tokens.ts';

/** Where a reader of signs puts what it finds. */
export interface TokenSink {
  push(number: number, start: number, end: number): void;
  report(code: SyntaxCode, start: number, end: number, message: string, fixes?: readonly Fix[]): void;
  /** Something unreadable was left out in front of the next token. */
  taint(): void;
}

/** Operators of other languages, with what they mean in LQL; longer ones first. */
const operators = [
  { written: '==', kind: '=', code: 'foreign-operator', message: "LQL compares with one '='." },
  { written: '=<', kind: '<=', code: 'foreign-operator', message: "'Less or equal' is '<='." },
  { written: '=>', kind: '>=', code: 'foreign-operator', message: "'Greater or equal' is '>='." },
  {
    written: '!=',
    kind: '<>',
    code: 'sql-not-equal',
    message: "'Not equal' is '<>' in LQL; '!=' is not documented.",
  },
  { written: '&&', kind: 'and', code: 'foreign-operator', message: "'And' is written 'and' in LQL." },
  { written: '!', kind: 'not', spelling: 'not ', code: 'foreign-operator', message: "Negation is 'not' in LQL." },
] as const;

const kind = {
  identifier: kindNumber('identifier'),
  doubleQuoted: kindNumber('double-quoted'),
  legacyString: kindNumber('legacy-string'),
};

/**
 * Reads a sign that LQL does not have: what it means in other languages is taken for said and answered with the spelling of LQL; what means
 * nothing is left out. Gives the offset behind it.
 */
export function readForeignSign(text: string, start: number, sink: TokenSink): number {
  const operator = operators.find(({ written }) => text.startsWith(written, start));
  if (operator !== undefined) {
    const end = start + operator.written.length;
    const spelling = 'spelling' in operator ? operator.spelling : operator.kind;
    sink.report(operator.code, start, end, operator.message, [
      replaceFix(`Change to '${operator.kind}'`, { start, end }, spelling, true),
    ]);
    sink.push(kindNumber(operator.kind), start, end);
    return end;
  }
  const end = text.charCodeAt(start) === 96 ? quotedName(text, start, sink) : curlyString(text, start, sink);
  return end ?? stray(text, start, sink);
}

/** A name in backticks, as in other SQL dialects. */
function quotedName(text: string, start: number, sink: TokenSink): number | undefined {
  const match = /^`([A-Za-z_][A-Za-z0-9_]*)`/.exec(text.slice(start, start + 200));
  const name = match?.[1];
  if (name === undefined) return undefined;
  const end = start + name.length + 2;
  sink.report('quoted-name', start, end, `Names are written without quotes: ${name}.`, [
    replaceFix('Remove the quotes', { start, end }, name, true),
  ]);
  sink.push(kind.identifier, start, end);
  return end;
}

/** A text in typographic quotes, as word processors and chats write them. */
function curlyString(text: string, start: number, sink: TokenSink): number | undefined {
  const straight = curlyQuotes.get(text.charCodeAt(start));
  if (straight === undefined) return undefined;
  let close = start + 1;
  while (close < text.length && !curlyQuotes.has(text.charCodeAt(close)) && text.charCodeAt(close) !== 10) close++;
  if (!curlyQuotes.has(text.charCodeAt(close))) return undefined;
  const body = text.slice(start + 1, close);
  const end = close + 1;
  const newText = straight + body + straight;
  sink.report(
    'unexpected-character',
    start,
    end,
    'Typographic quotes do not make a text: write straight quotes.',
    body.includes(straight) ? [] : [replaceFix('Write straight quotes', { start, end }, newText, true)],
  );
  sink.push(straight === '"' ? kind.doubleQuoted : kind.legacyString, start, end);
  return end;
}

/** Reports a run of characters that nothing begins with, once, and leaves it out. */
function stray(text: string, start: number, sink: TokenSink): number {
  let end = start;
  while (end < text.length && isStray(text.charCodeAt(end))) end++;
  if (end === start) end = start + 1;
  const what = text.slice(start, Math.min(end, start + 20));
  const code = text.charCodeAt(start);
  sink.report(
    'unexpected-character',
    start,
    end,
    end - start > 20
      ? `These characters do not belong to LQL: '${what}…'. Remove them, or put the text in quotes.`
      : `'${what}' does not belong to LQL. Remove it, or put the text in quotes.`,
    // What came in by copying can simply go; a sign that somebody typed stood for something.
    code > 127 || code < 32 ? [replaceFix('Remove', { start, end }, '', false)] : [],
  );
  sink.taint();
  return end;
}
