import { RE2JS, RE2JSException } from 're2js';
import { anyMany, anyOne, type PatternPart, segmentsTest, type TextTest } from './segments.ts';

export type RegexResult =
  | { readonly kind: 'ok'; readonly test: TextTest }
  | { readonly kind: 'invalid'; readonly reason: string };

/**
 * Compiles an RLIKE pattern: a POSIX extended regular expression that must match the whole text; `.` stands for any character, line ends
 * included. Matching takes time linear in the text whatever the pattern. Patterns made of literals, `.`, `.*` and groups of literals, nearly all
 * in practice, run without a regex engine and many times as fast.
 */
export function compileRegex(pattern: string): RegexResult {
  let compiled: RE2JS | undefined;
  const general = (): TextTest => {
    const expression = compiled ?? RE2JS.compile(pattern, RE2JS.DOTALL);
    compiled = expression;
    return (text) => expression.testExact(text);
  };
  const alternatives = simpleAlternatives(pattern);
  if (alternatives !== undefined) {
    const tests = alternatives.map((parts) => segmentsTest(parts, general));
    const [only] = tests;
    return { kind: 'ok', test: only !== undefined && tests.length === 1 ? only : anyOf(tests) };
  }
  try {
    return { kind: 'ok', test: general() };
  } catch (error) {
    if (error instanceof RE2JSException || error instanceof RangeError)
      return { kind: 'invalid', reason: error.message };
    throw error;
  }
}

function anyOf(tests: readonly TextTest[]): TextTest {
  return (text) => {
    for (const test of tests) if (test(text)) return true;
    return false;
  };
}

const special = new Set('\\.+*?^$[](){}|');
const quantifiers = new Set('*+?{');

/** A pattern with groups stands for this many plain ones at most. */
const maxAlternatives = 32;

/** What one step of reading a simple pattern gives: the forms its next piece can take. */
type Piece = readonly PatternPart[];

/** The plain patterns a pattern stands for, or undefined when it says more than literals, wildcards and groups of literals do. */
function simpleAlternatives(pattern: string): readonly PatternPart[][] | undefined {
  const characters = Array.from(pattern);
  const reader = { characters, index: characters[0] === '^' ? 1 : 0, end: characters.length };
  if (reader.end > reader.index && characters.at(-1) === '$' && characters.at(-2) !== '\\') reader.end--;
  let alternatives: PatternPart[][] = [[]];
  while (reader.index < reader.end) {
    const piece = readPiece(reader);
    const next = reader.characters[reader.index];
    if (piece === undefined || (next !== undefined && quantifiers.has(next))) return undefined;
    if (alternatives.length * piece.length > maxAlternatives) return undefined;
    const [only] = piece;
    if (only !== undefined && piece.length === 1) for (const parts of alternatives) parts.push(only);
    else alternatives = alternatives.flatMap((parts) => piece.map((part): PatternPart[] => [...parts, part]));
  }
  return alternatives;
}

interface Reader {
  readonly characters: readonly string[];
  index: number;
  end: number;
}

function readPiece(reader: Reader): Piece | undefined {
  const character = reader.characters[reader.index];
  if (character === '.') {
    reader.index++;
    if (reader.characters[reader.index] !== '*') return [anyOne];
    reader.index++;
    return [anyMany];
  }
  if (character === '(') return readGroup(reader);
  const literal = readLiteral(reader);
  return literal === undefined ? undefined : [literal];
}

/** `(a|b)` with nothing but literals inside. */
function readGroup(reader: Reader): Piece | undefined {
  const options: string[] = [''];
  reader.index++;
  while (reader.index < reader.end) {
    const character = reader.characters[reader.index];
    if (character === ')') {
      reader.index++;
      return options;
    }
    if (character === '|') {
      reader.index++;
      options.push('');
      continue;
    }
    const literal = readLiteral(reader);
    const next = reader.characters[reader.index];
    if (literal === undefined || (next !== undefined && quantifiers.has(next))) return undefined;
    options.push(`${options.pop() ?? ''}${literal}`);
  }
  return undefined;
}

function readLiteral(reader: Reader): string | undefined {
  const character = reader.characters[reader.index];
  if (character === '\\') {
    const escaped = reader.characters[reader.index + 1];
    if (escaped === undefined || reader.index + 1 >= reader.end || !isEscapable(escaped)) return undefined;
    reader.index += 2;
    return escaped;
  }
  if (character === undefined || special.has(character)) return undefined;
  reader.index++;
  return character;
}

/** A backslash before punctuation makes it literal; before letters and digits it means something of the engine's. */
function isEscapable(character: string): boolean {
  return /^[!-/:-@[-`{-~]$/.test(character);
}
