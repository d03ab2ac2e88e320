import { createToken, EmbeddedActionsParser, type IToken, Lexer, type TokenType } from 'chevrotain';
import type { TextRange } from '../../text/range.ts';
import { type SyntaxCode, syntaxCodes } from '../diagnostics/codes/syntax-codes.ts';
import { type Diagnostic, type Fix, maxDiagnostics, type Severity } from '../diagnostics/diagnostic.ts';
import type { Identifier } from './ast.ts';
import type { Lexed } from './lexer.ts';
import { kindNumber, type TokenKind, tokenTable } from './tokens.ts';

/** The token types of the grammar, by kind. */
export const tokenTypes = Object.fromEntries(
  tokenTable.map(({ kind }) => [kind, createToken({ name: typeName(kind), pattern: Lexer.NA })]),
) as Readonly<Record<TokenKind, TokenType>>;

function typeName(kind: TokenKind): string {
  return /^[a-z]/.test(kind)
    ? `Token_${kind.replaceAll('-', '_')}`
    : `Token_${[...kind].map((char) => char.charCodeAt(0)).join('_')}`;
}

/**
 * What the parser sees of a token: one shared object a kind. Offsets are looked up by index in the packed lists of the lexer, so parsing
 * makes no token objects.
 */
const sharedTokens: readonly IToken[] = tokenTable.map(({ kind }) => {
  const tokenType = tokenTypes[kind];
  return { image: '', startOffset: -1, endOffset: -1, tokenTypeIdx: tokenType.tokenTypeIdx ?? -1, tokenType };
});

/** Stands for the end of the text where the number of a kind is asked for. */
const endOfText: number = tokenTable.length;
/** Names by number. Comparing what this gives is the fastest way to ask for a kind by name. */
const kindNames: readonly TokenKind[] = tokenTable.map(({ kind }) => kind);

/** Longer texts rarely recur, and looking for them costs more. */
const longestHeldOnce = 60;

/** A set of token kinds, asked by number. */
export type KindSet = Uint8Array;

export function kindSet(kinds: readonly (TokenKind | 'end-of-text')[]): KindSet {
  const set = new Uint8Array(tokenTable.length + 1);
  for (const kind of kinds) {
    if (kind === 'end-of-text') set[endOfText] = 1;
    else set[tokenTable.findIndex((definition) => definition.kind === kind)] = 1;
  }
  return set;
}

/**
 * A Chevrotain parser that never fails. Chevrotain's own recovery guesses from follow sets, costs a walk over the grammar at every error
 * and reports one mistake many times; here every rule says itself where it can go on, in three ways:
 *
 * - `expect` takes a token, or reports that it is missing and goes on as if it stood there;
 * - `sync` drops tokens that cannot stand here, reported once, up to one that can;
 * - rules give nodes of kind `missing` where an expression should be.
 *
 * At one place only one problem is reported.
 */
export abstract class ResilientParser extends EmbeddedActionsParser {
  /** Index of the token consumed last; Chevrotain's own counter. */
  declare protected currIdx: number;
  protected text = '';
  private starts: Int32Array = new Int32Array(0);
  private ends: Int32Array = new Int32Array(0);
  private kinds: Uint8Array = new Uint8Array(0);
  private count = 0;
  private tainted: ReadonlySet<number> = new Set();
  private truncated = false;
  private reportedAt = -1;
  private closings: Int32Array | undefined;
  private readonly names = new Map<string, string>();
  problems: Diagnostic[] = [];
  /** Work done: tokens taken and dropped, rules entered. Grows linearly with the text. */
  steps = 0;

  /** Sets the text to parse. */
  begin(text: string, lexed: Lexed): void {
    const count = lexed.tooDeepAt < 0 ? lexed.count : lexed.tooDeepAt;
    const tokens: IToken[] = new Array(count);
    for (let i = 0; i < count; i++) {
      const token = sharedTokens[lexed.kinds[i] ?? 0];
      if (token !== undefined) tokens[i] = token;
    }
    this.input = tokens;
    this.text = text;
    this.starts = lexed.starts;
    this.ends = lexed.ends;
    this.kinds = lexed.kinds;
    this.count = count;
    this.tainted = lexed.tainted;
    this.truncated = lexed.tooDeepAt >= 0;
    this.reportedAt = -1;
    this.closings = undefined;
    this.problems = [];
    this.steps = 0;
  }

  /** Lets go of the text, so that an idle parser holds no memory. */
  release(): void {
    this.input = [];
    this.text = '';
    this.names.clear();
    this.starts = this.ends = new Int32Array(0);
    this.kinds = new Uint8Array(0);
    this.closings = undefined;
    this.problems = [];
    this.tainted = new Set();
  }

  /** Number of the kind of the next token, or `endOfText`. */
  protected next(): number {
    const index = this.currIdx + 1;
    return index < this.count ? (this.kinds[index] ?? endOfText) : endOfText;
  }

  /** Number of the kind of the token `ahead` behind the next one. */
  protected peek(ahead: number): number {
    const index = this.currIdx + 1 + ahead;
    return index < this.count ? (this.kinds[index] ?? endOfText) : endOfText;
  }

  protected at(kind: TokenKind): boolean {
    return kindNames[this.next()] === kind;
  }

  /** Whether an optional part can begin here; true while Chevrotain records the grammar, so that it sees every part. */
  protected may(kind: TokenKind): boolean {
    return kindNames[this.next()] === kind || this.RECORDING_PHASE;
  }

  protected isIn(set: KindSet): boolean {
    return set[this.next()] === 1;
  }

  /** Index of the next token. */
  protected index(): number {
    return this.currIdx + 1;
  }

  protected startOf(index: number): number {
    return index < this.count ? (this.starts[index] ?? 0) : this.text.length;
  }

  protected endOf(index: number): number {
    return index < 0 ? 0 : (this.ends[Math.min(index, this.count - 1)] ?? 0);
  }

  protected kindAt(index: number): TokenKind | undefined {
    return index >= 0 && index < this.count ? kindNames[this.kinds[index] ?? endOfText] : undefined;
  }

  /** Kind of the token `ahead` behind the next one. */
  protected peekKind(ahead: number): TokenKind | undefined {
    return this.kindAt(this.index() + ahead);
  }

  protected textOf(index: number): string {
    return index >= 0 && index < this.count ? this.text.slice(this.starts[index], this.ends[index]) : '';
  }

  /** Text of the next token in lower case; empty at the end. */
  protected nextWord(ahead = 0): string {
    return this.textOf(this.index() + ahead).toLowerCase();
  }

  /** End of the token consumed last: where a construct that stops here ends. */
  protected here(): number {
    return this.endOf(this.currIdx);
  }

  /** From the start of token `from` to the end of the token consumed last. */
  protected rangeFrom(from: number): TextRange {
    const start = this.startOf(from);
    return { start, end: Math.max(start, this.here()) };
  }

  /** The same as `rangeFrom`, given as the range of a part where that covers it. */
  protected rangeOver(from: number, part: TextRange): TextRange {
    const range = this.rangeFrom(from);
    return range.start === part.start && range.end === part.end ? part : range;
  }

  /** From the start of one token to the end of another. */
  protected rangeFromTo(from: number, to: number): TextRange {
    return { start: this.startOf(from), end: this.endOf(to) };
  }

  protected rangeOf(index: number): TextRange {
    return { start: this.startOf(index), end: this.endOf(index) };
  }

  protected identifierAt(index: number): Identifier {
    return { kind: 'identifier', range: this.rangeOf(index), name: this.nameOf(index) };
  }

  /** Text of a token that is a name. Names recur, so each is held once a text, which also makes looking them up cheaper. */
  protected nameOf(index: number): string {
    return this.once(this.textOf(index));
  }

  /** The same text, held once: names and short values recur. */
  protected once(text: string): string {
    if (text.length > longestHeldOnce) return text;
    const known = this.names.get(text);
    if (known !== undefined) return known;
    this.names.set(text, text);
    return text;
  }

  /** Reports a problem at a range of the text. */
  protected report(
    code: SyntaxCode,
    range: TextRange,
    message: string,
    fixes: readonly Fix[] = [],
    related?: Diagnostic['related'],
  ): void {
    if (this.RECORDING_PHASE || this.problems.length >= maxDiagnostics) return;
    const severity: Severity = syntaxCodes[code].severity;
    this.problems.push({ code, severity, range, message, fixes, ...(related === undefined ? {} : { related }) });
  }

  /** Reports a problem at the next token, unless that place has been reported already. Tells whether it did. */
  protected reportHere(
    code: SyntaxCode,
    message: string,
    options: {
      readonly range?: TextRange;
      readonly fixes?: readonly Fix[];
      readonly related?: Diagnostic['related'];
    } = {},
  ): boolean {
    if (this.RECORDING_PHASE || !this.claim()) return false;
    this.report(code, options.range ?? this.placeHere(), message, options.fixes ?? [], options.related);
    return true;
  }

  /** Whether no error is known inside a range yet: what is lacking there may well be what is broken. */
  protected isQuiet(range: TextRange): boolean {
    return !this.problems.some(
      ({ severity, range: { start } }) => severity === 'error' && start >= range.start && start <= range.end,
    );
  }

  /** Claims the place in front of the next token for one problem. False when a problem is known there. */
  protected claim(): boolean {
    const place = this.index();
    if (this.reportedAt === place) return false;
    this.reportedAt = place;
    // Unreadable characters here, or the end of what was read, are reported already; what is missing is missing because of them.
    return !this.tainted.has(place) && !(this.truncated && place >= this.count);
  }

  /**
   * Where to show that something is wrong in front of the next token: the token itself when it stands on the line, else the end of what
   * is there, because that is where a person goes on.
   */
  protected placeHere(): TextRange {
    const index = this.index();
    const previousEnd = this.here();
    if (index < this.count) {
      const start = this.startOf(index);
      if (index === 0 || !/[\r\n]/.test(this.text.slice(previousEnd, start))) return this.rangeOf(index);
    }
    if (this.currIdx < 0 || this.count === 0) return { start: 0, end: Math.min(1, this.text.length) };
    return { start: Math.max(this.startOf(Math.min(this.currIdx, this.count - 1)), previousEnd - 1), end: previousEnd };
  }

  /** The next token in words, for messages. */
  protected found(): string {
    const index = this.index();
    if (index >= this.count) return 'the end of the text';
    return quoted(shortened(this.textOf(index)));
  }

  /** The token consumed last in words, for messages. */
  protected previous(): string {
    return this.currIdx < 0 ? 'the beginning' : quoted(shortened(this.textOf(Math.min(this.currIdx, this.count - 1))));
  }

  /**
   * Takes a token whose kind the caller, or Chevrotain's lookahead, has seen to stand here; gives its index. Chevrotain needs to be told of
   * it while it records the grammar only.
   */
  protected take(occurrence: number, kind: TokenKind): number {
    if (!this.RECORDING_PHASE) return this.advance();
    this.consume(occurrence, tokenTypes[kind]);
    return this.currIdx;
  }

  /** Takes the next token, whose kind the caller has looked at; gives its index. */
  protected advance(): number {
    this.SKIP_TOKEN();
    this.steps++;
    return this.currIdx;
  }

  /** Takes a token, or calls `missing` and goes on as if it stood there, giving -1. */
  protected expect(occurrence: number, kind: TokenKind, missing: () => void): number {
    if (this.may(kind)) return this.take(occurrence, kind);
    missing();
    return -1;
  }

  /** Drops the next token. */
  protected skip(): void {
    this.SKIP_TOKEN();
    this.steps++;
  }

  /**
   * Drops tokens up to one of `allowed`, which must hold the end of the text. `describe` reports the first of them. Bracketed groups that
   * end before the construct does are dropped whole. Always gives true, so that it can stand in a GATE in front of a repetition.
   */
  protected sync(allowed: KindSet, describe: () => void): boolean {
    if (allowed[this.next()] === 1) return true;
    describe();
    while (allowed[this.next()] !== 1) this.skipGroup();
    // What follows the dropped text is likely to suffer from the same mistake.
    this.reportedAt = this.index();
    return true;
  }

  /** Drops the next token; a bracket together with what it encloses, when it is closed. */
  protected skipGroup(): void {
    const close = this.closingBracket(this.index());
    do this.skip();
    while (this.currIdx < close);
  }

  /** Index of the bracket that closes the one at `index`; -1 when there is none. Brackets are paired once a text, when first asked for. */
  protected closingBracket(index: number): number {
    if (this.closings === undefined) {
      this.closings = new Int32Array(this.count).fill(-1);
      const open: number[] = [];
      for (let i = 0; i < this.count; i++) {
        this.steps++;
        const closes = closingKinds.get(this.kinds[i] ?? endOfText);
        if (openingKinds.has(this.kinds[i] ?? endOfText)) open.push(i);
        else if (closes !== undefined && this.kinds[open[open.length - 1] ?? this.count] === closes) {
          this.closings[open.pop() ?? 0] = i;
        }
      }
    }
    return this.closings[index] ?? -1;
  }

  /** Marks the place in front of the next token as reported. */
  protected silenceHere(): void {
    this.reportedAt = this.index();
  }
}

const openingKinds: ReadonlySet<number> = new Set([kindNumber('{'), kindNumber('('), kindNumber('[')]);
/** Closing brackets, each with the one it closes. */
const closingKinds: ReadonlyMap<number, number> = new Map([
  [kindNumber('}'), kindNumber('{')],
  [kindNumber(')'), kindNumber('(')],
  [kindNumber(']'), kindNumber('[')],
]);

/** Puts a token in quotes for a message; strings have their own. */
function quoted(text: string): string {
  return /^(?:s?'|")/.test(text) ? text : `'${text}'`;
}

function shortened(text: string): string {
  const line = text.split(/[\r\n]/, 1)[0] ?? '';
  return line.length > 30 || line.length < text.length ? `${line.slice(0, 28)}…` : line;
}

/** A fix that replaces one range. */
export function replacement(title: string, range: TextRange, newText: string, safe: boolean): readonly Fix[] {
  return [{ title, edits: [{ range, newText }], safe }];
}

/** A fix that inserts a text at an offset. */
export function insertion(title: string, offset: number, newText: string, safe: boolean): readonly Fix[] {
  return [{ title, edits: [{ range: { start: offset, end: offset }, newText }], safe }];
}
