import { RE2JS } from 're2js';
import { anyMany, anyOne, type PatternPart, segmentsTest, type TextTest } from './segments.ts';

/**
 * Compiles a LIKE pattern: `%` stands for any number of characters, `_` for one, all else for itself (there is no escape character).
 * The whole text must match. With `ignoreCase` (ILIKE) both are compared in lower case.
 */
export function compileLike(pattern: string, ignoreCase: boolean): TextTest {
  const parts = likeParts(ignoreCase ? pattern.toLowerCase() : pattern);
  const test = segmentsTest(parts, () => compileGeneral(parts));
  return ignoreCase ? (text) => test(text.toLowerCase()) : test;
}

function likeParts(pattern: string): PatternPart[] {
  const parts: PatternPart[] = [];
  let literal = '';
  for (const character of pattern) {
    if (character !== '%' && character !== '_') {
      literal += character;
      continue;
    }
    if (literal !== '') parts.push(literal);
    literal = '';
    parts.push(character === '%' ? anyMany : anyOne);
  }
  if (literal !== '') parts.push(literal);
  return parts;
}

function compileGeneral(parts: readonly PatternPart[]): TextTest {
  const source = parts.map((part) => (part === anyMany ? '.*' : part === anyOne ? '.' : RE2JS.quote(part as string)));
  const expression = RE2JS.compile(source.join(''), RE2JS.DOTALL);
  return (text) => expression.testExact(text);
}
