import { RE2JS, RE2JSException } from 're2js';
import { anyMany, anyOne, type PatternPart, segmentsTest, type TextTest } from './segments.ts';

export type RegexResult =
  | { readonly kind: 'ok'; readonly test: TextTest }
  | { readonly kind: 'invalid'; readonly reason: string };

/**
 * Compiles an RLIKE pattern: a POSIX extended regular expression that must match the whole text; `.` stands for any character, line ends
 * included. Matching takes time linear in the text whatever the pattern. Patterns made of literals, `.` and `.*` run without a regex engine.
 */
export function compileRegex(pattern: string): RegexResult {
  let compiled: RE2JS | undefined;
  const general = (): TextTest => {
    const expression = compiled ?? RE2JS.compile(pattern, RE2JS.DOTALL);
    compiled = expression;
    return (text) => expression.testExact(text);
  };
  const parts = simpleParts(pattern);
  if (parts !== undefined) return { kind: 'ok', test: segmentsTest(parts, general) };
  try {
    return { kind: 'ok', test: general() };
  } catch (error) {
    if (error instanceof RE2JSException || error instanceof RangeError)
      return { kind: 'invalid', reason: error.message };
    throw error;
  }
}

const special = new Set('\\.+*?^$[](){}|');
const quantifiers = new Set('*+?{');

/** The pattern as literals and wildcards, or undefined when it says more than that. */
function simpleParts(pattern: string): PatternPart[] | undefined {
  const parts: PatternPart[] = [];
  const characters = Array.from(pattern);
  let literal = '';
  const flush = (): void => {
    if (literal !== '') parts.push(literal);
    literal = '';
  };
  let index = 0;
  let end = characters.length;
  if (characters[0] === '^') index++;
  if (end > index && characters[end - 1] === '$' && characters[end - 2] !== '\\') end--;
  while (index < end) {
    const character = characters[index++] as string;
    let next = characters[index];
    if (character === '.') {
      flush();
      if (next === '*') {
        parts.push(anyMany);
        next = characters[++index];
      } else {
        parts.push(anyOne);
      }
      if (next !== undefined && quantifiers.has(next)) return undefined;
      continue;
    }
    if (character === '\\') {
      if (next === undefined || index >= end || !isEscapable(next)) return undefined;
      literal += next;
      next = characters[++index];
    } else if (special.has(character)) {
      return undefined;
    } else {
      literal += character;
    }
    if (next !== undefined && quantifiers.has(next)) return undefined;
  }
  flush();
  return parts;
}

/** A backslash before punctuation makes it literal; before letters and digits it means something of the engine's. */
function isEscapable(character: string): boolean {
  return /^[!-/:-@[-`{-~]$/.test(character);
}
