import type { TextRange } from '../../text/range.ts';
import { type Diagnostic, maxDiagnostics } from '../diagnostics/diagnostic.ts';
import type { Expression, QueryFile } from './ast.ts';
import { type Lexed, lex, unpackTokens } from './lexer.ts';
import { limitDepth } from './limit-depth.ts';
import { QueryParser } from './query-parser.ts';
import type { Comment, Token } from './tokens.ts';

export type { Comment, Token, TokenKind } from './tokens.ts';

/** What one text says. Every field is there for every text, however broken. */
export interface ParseResult {
  readonly text: string;
  readonly file: QueryFile;
  /** Tokens in the order of the text, without trivia. Made when first asked for. */
  readonly tokens: readonly Token[];
  readonly comments: readonly Comment[];
  /** Syntax problems in the order of the text; at most `maxDiagnostics`. */
  readonly diagnostics: readonly Diagnostic[];
  /** Work the parser did, counted in tokens and rules; linear in the length of the text. */
  readonly steps: number;
}

let shared: QueryParser | undefined;

/** Made at the first parse: analysing the grammar costs more than parsing many queries. */
function parser(): QueryParser {
  shared ??= new QueryParser({ validate: false });
  return shared;
}

/** Reads a query. Never throws: problems are diagnostics, and what is missing is missing from the tree. */
export function parse(text: string): ParseResult {
  const lexed = lex(text);
  const grammar = parser();
  grammar.begin(text, lexed);
  const file = grammar.file();
  const { problems, steps } = grammar;
  grammar.release();
  const limited = limitDepth(file, lexed.count);
  return {
    text,
    file: limited.node,
    get tokens() {
      return tokensOf(this, lexed);
    },
    comments: lexed.comments,
    diagnostics: ordered([...lexed.diagnostics, ...problems, ...limited.diagnostics]),
    steps: steps + lexed.count,
  };
}

/** What one expression says, for texts that are no whole query. */
export interface ExpressionParseResult {
  readonly expression: Expression;
  readonly diagnostics: readonly Diagnostic[];
  /** The part of the text that was read; what is left is not an expression. */
  readonly range: TextRange;
}

/** Reads a single expression. Never throws. */
export function parseExpression(text: string): ExpressionParseResult {
  const lexed = lex(text);
  const grammar = parser();
  grammar.begin(text, lexed);
  const expression = grammar.expression();
  const { problems } = grammar;
  grammar.release();
  const limited = limitDepth(expression, lexed.count);
  return {
    expression: limited.node,
    diagnostics: ordered([...lexed.diagnostics, ...problems, ...limited.diagnostics]),
    range: expression.range,
  };
}

const tokenCache = new WeakMap<object, readonly Token[]>();

function tokensOf(owner: object, lexed: Lexed): readonly Token[] {
  let tokens = tokenCache.get(owner);
  if (tokens === undefined) {
    tokens = unpackTokens(lexed);
    tokenCache.set(owner, tokens);
  }
  return tokens;
}

function ordered(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  if (diagnostics.length < 2) return diagnostics;
  return [...diagnostics]
    .sort((a, b) => a.range.start - b.range.start || a.range.end - b.range.end)
    .slice(0, maxDiagnostics);
}
