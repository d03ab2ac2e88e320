import { type Diagnostic, maxDiagnostics } from '../diagnostics/diagnostic.ts';
import type { QueryFile } from './ast.ts';
import { type Lexed, lex, maxNesting, unpackTokens } from './lexer.ts';
import { limitDepth } from './limit-depth.ts';
import { QueryParser } from './query-parser.ts';
import type { Comment, Token } from './tokens.ts';
import { withTreeFixes } from './tree-fixes.ts';

export type { Comment, Token, TokenKind } from './tokens.ts';

/** What one text says. Every field is there for every text, however broken. */
export interface ParseResult {
  readonly text: string;
  readonly file: QueryFile;
  /** Tokens in the order of the text, without trivia. Made when first asked for, and kept from then on. */
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

interface Reading {
  readonly lexed: Lexed;
  readonly file: QueryFile;
  readonly diagnostics: readonly Diagnostic[];
  readonly steps: number;
}

/**
 * Runs the grammar over a text. The nesting that is read fits a fresh stack with room to spare; a caller that has used up most of the stack
 * itself gets the text read to a lesser depth, with the same diagnostic, instead of an exception.
 */
function read(text: string): Reading {
  for (let nesting = maxNesting; ; nesting = nesting >> 2) {
    const lexed = lex(text, nesting);
    const grammar = parser();
    try {
      grammar.begin(text, lexed);
      const file = grammar.file();
      const { problems, steps } = grammar;
      const limited = limitDepth(file, lexed.count);
      // Where reading stopped for depth, what the grammar missed behind that place is no news.
      const found = lexed.tooDeepAt < 0 ? problems : [];
      const diagnostics = ordered([...lexed.diagnostics, ...found, ...limited.diagnostics]);
      return { lexed, file: limited.node, diagnostics, steps: steps + lexed.count };
    } catch (error) {
      if (!(error instanceof RangeError) || nesting === 0) throw error;
    } finally {
      grammar.release();
    }
  }
}

/** Reads a query. Never throws: problems are diagnostics, and what is missing is missing from the tree. */
export function parse(text: string): ParseResult {
  const { lexed, file, diagnostics, steps } = read(text);
  return {
    text,
    file,
    get tokens() {
      return tokensOf(this);
    },
    comments: lexed.comments,
    diagnostics: diagnostics.length === 0 ? diagnostics : withTreeFixes(text, file, diagnostics),
    steps,
  };
}

const tokenCache = new WeakMap<ParseResult, readonly Token[]>();

/** The tokens of a result. They are read anew when first asked for: most results are never asked, and there are many. */
function tokensOf(parsed: ParseResult): readonly Token[] {
  let tokens = tokenCache.get(parsed);
  if (tokens === undefined) {
    tokens = unpackTokens(lex(parsed.text));
    tokenCache.set(parsed, tokens);
  }
  return tokens;
}

function ordered(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  if (diagnostics.length < 2) return diagnostics;
  return [...diagnostics]
    .sort((a, b) => a.range.start - b.range.start || a.range.end - b.range.end)
    .slice(0, maxDiagnostics);
}
