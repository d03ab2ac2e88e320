import type { ParseResult, Token, TokenKind } from '../../server/core/language/syntax/parse.ts';

/** One slip that a person makes, at the `pick`th place where it can be made; undefined where the text has no such place. */
export interface Mistake {
  readonly name: string;
  apply(parsed: ParseResult, pick: number): string | undefined;
}

type Place = (tokens: readonly Token[], index: number) => boolean;

const operators = new Set<TokenKind>(['=', '<>', '<', '<=', '>', '>=', '+', '*', '/', '%', '||', 'and', 'or']);
const operands = new Set<TokenKind>(['number', 'legacy-string', 's-string', 'double-quoted', 'true', 'false', 'null']);

/** Replaces the token at a place by another text. */
function replacing(name: string, place: Place, newText: (written: string) => string): Mistake {
  return {
    name,
    apply({ text, tokens }, pick) {
      const places = tokens.flatMap((_, index) => (place(tokens, index) ? [index] : []));
      const token = tokens[places[pick % Math.max(1, places.length)] ?? -1];
      if (token === undefined) return undefined;
      return text.slice(0, token.start) + newText(text.slice(token.start, token.end)) + text.slice(token.end);
    },
  };
}

const isKind =
  (...kinds: readonly TokenKind[]): Place =>
  (tokens, index) =>
    kinds.includes(tokens[index]?.kind ?? 'reserved');

/** A literal that is the whole right side of an operator. */
const rightSide: Place = (tokens, index) => {
  const before = tokens[index - 1]?.kind;
  const after = tokens[index + 1]?.kind;
  return (
    operands.has(tokens[index]?.kind ?? 'identifier') &&
    before !== undefined &&
    operators.has(before) &&
    after !== ':' &&
    after !== '::' &&
    after !== '(' &&
    after !== '.' &&
    after !== '-' &&
    after !== 'not' &&
    after !== 'identifier'
  );
};

export const mistakes: readonly Mistake[] = [
  replacing('two equals signs', isKind('='), () => '=='),
  replacing('an ampersand pair for and', isKind('and'), () => '&&'),
  replacing('a comma too many', isKind(','), () => ',,'),
  replacing(
    'a semicolon at the end',
    (tokens, index) => index === tokens.length - 1,
    (written) => `${written};`,
  ),
  replacing('a character without a meaning', isKind('{', ',', '=', 'and', 'or'), (written) => `${written} ? `),
  replacing(
    'a closing parenthesis too many',
    (tokens, index) => tokens[index]?.kind === ')' && tokens[index + 1]?.kind === '}',
    (written) => `${written})`,
  ),
  replacing(
    'a closing brace too many at the end',
    (tokens, index) => index === tokens.length - 1,
    (written) => `${written} }`,
  ),
  replacing(
    'no closing brace at the end',
    (tokens, index) => index === tokens.length - 1,
    () => '',
  ),
  replacing('a misspelt source', isKind('source'), () => 'sorce'),
  replacing(
    'a misspelt return',
    (tokens, index) => tokens[index]?.kind === 'return' && tokens[index + 1]?.kind === '{',
    () => 'retrun',
  ),
  replacing('where for filter', isKind('filter'), () => 'where'),
  replacing('no right side', rightSide, () => ''),
  replacing(
    'a key that is reserved',
    (tokens, index) => tokens[index]?.kind === 'double-quoted' && tokens[index - 1]?.kind === ':',
    () => 'type',
  ),
  replacing(
    'an index into an array',
    (tokens, index) => tokens[index]?.kind === 'identifier' && tokens[index - 1]?.kind === ':',
    (written) => `${written}[0]`,
  ),
  replacing(
    'two dots',
    (tokens, index) => tokens[index]?.kind === '.' && tokens[index - 2]?.kind === ':',
    () => '..',
  ),
  replacing('a letter of another alphabet', isKind('identifier'), (written) => `${written}ä`),
  replacing(
    'backticks around a name',
    (tokens, index) => tokens[index]?.kind === 'identifier' && tokens[index - 1]?.kind === '.',
    (written) => `\`${written}\``,
  ),
  replacing('no end of a case', isKind('end'), () => ''),
  replacing('no then in a case', isKind('then'), () => ' '),
  replacing(
    'is with a value',
    (tokens, index) => tokens[index]?.kind === 'null' && tokens[index - 1]?.kind === 'is',
    () => "'x'",
  ),
];
