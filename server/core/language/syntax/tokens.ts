import type { TextRange } from '../../text/range.ts';

/**
 * The token table: the one place that says which tokens LQL has. The lexer, the grammar, the TextMate grammars and the language
 * configuration are derived from it.
 *
 * - `name`: identifiers
 * - `literal`: strings and numbers
 * - `constant`: words that stand for a value
 * - `block`: words that open a block, but only in front of `{`; elsewhere they are plain names
 * - `word`: words with a meaning in one place only (`distinct` behind `return`); elsewhere they are plain names
 * - `operator-word`, `clause-word`: words that are never names, unless a dot, a colon or `as` says so
 * - `operator`, `punctuation`: signs
 * - `habit`: signs of other languages, which are read so that they can be answered
 * - `reserved`: words that the language keeps for itself and that are always an error outside of quotes
 */
const definitions = [
  { kind: 'identifier', group: 'name' },
  { kind: 'number', group: 'literal' },
  { kind: 's-string', group: 'literal' },
  { kind: 'double-quoted', group: 'literal' },
  { kind: 'legacy-string', group: 'literal' },
  { kind: 'true', group: 'constant' },
  { kind: 'false', group: 'constant' },
  { kind: 'null', group: 'constant' },
  { kind: 'source', group: 'block' },
  { kind: 'filter', group: 'block' },
  { kind: 'return', group: 'block' },
  { kind: 'union', group: 'word' },
  { kind: 'all', group: 'word' },
  { kind: 'distinct', group: 'word' },
  { kind: 'any', group: 'word' },
  { kind: 'json', group: 'word' },
  { kind: 'with', group: 'clause-word' },
  { kind: 'on', group: 'clause-word' },
  { kind: 'as', group: 'clause-word' },
  { kind: 'case', group: 'clause-word' },
  { kind: 'when', group: 'clause-word' },
  { kind: 'then', group: 'clause-word' },
  { kind: 'else', group: 'clause-word' },
  { kind: 'end', group: 'clause-word' },
  { kind: 'and', group: 'operator-word' },
  { kind: 'or', group: 'operator-word' },
  { kind: 'not', group: 'operator-word' },
  { kind: 'in', group: 'operator-word' },
  { kind: 'is', group: 'operator-word' },
  { kind: 'like', group: 'operator-word' },
  { kind: 'ilike', group: 'operator-word' },
  { kind: 'rlike', group: 'operator-word' },
  { kind: 'between', group: 'operator-word' },
  { kind: 'reserved', group: 'reserved' },
  { kind: '{', group: 'punctuation' },
  { kind: '}', group: 'punctuation' },
  { kind: '(', group: 'punctuation' },
  { kind: ')', group: 'punctuation' },
  { kind: ',', group: 'punctuation' },
  { kind: '.', group: 'punctuation' },
  { kind: ':', group: 'punctuation' },
  { kind: '::', group: 'punctuation' },
  { kind: '=', group: 'operator' },
  { kind: '<>', group: 'operator' },
  { kind: '<', group: 'operator' },
  { kind: '<=', group: 'operator' },
  { kind: '>', group: 'operator' },
  { kind: '>=', group: 'operator' },
  { kind: '||', group: 'operator' },
  { kind: '+', group: 'operator' },
  { kind: '-', group: 'operator' },
  { kind: '*', group: 'operator' },
  { kind: '/', group: 'operator' },
  { kind: '%', group: 'operator' },
  { kind: '[', group: 'habit' },
  { kind: ']', group: 'habit' },
  { kind: ';', group: 'habit' },
] as const;

export type TokenKind = (typeof definitions)[number]['kind'];
export type TokenGroup = (typeof definitions)[number]['group'];

export interface TokenDefinition {
  /** What the token is called; for words and signs, their spelling. */
  readonly kind: TokenKind;
  readonly group: TokenGroup;
}

/** Every kind of token, in the order of their numbers. */
export const tokenTable: readonly TokenDefinition[] = definitions;

/** Words that cannot be used as names, and as path keys only in double quotes. Upper case, as the reference prints them. */
export const reservedWords: readonly string[] = [
  'EXPR',
  'JOIN',
  'LIMIT',
  'OUTER',
  'PARAMINFO',
  'PROPERTIES',
  'SELECT',
  'SQL',
  'TYPE',
  'VARIANT',
  'WHERE',
];

/** Names of the functions that stand in a source block and make rows from arrays. */
export const expansionFunctions: readonly string[] = ['array_to_rows', 'array_to_rows_non_empty'];

/** Types that can stand behind `::`. */
export const castTypes: readonly string[] = ['boolean', 'json', 'number', 'string', 'timestamp'];

/** How comments begin, and for block comments end. */
export const commentMarks = { line: ['--', '//'], block: ['/*', '*/'] } as const;

/** A token of the text; trivia (blanks and comments) are not tokens. Offsets are UTF-16, `end` exclusive. */
export interface Token extends TextRange {
  readonly kind: TokenKind;
}

export interface Comment {
  readonly range: TextRange;
  /** How it begins. */
  readonly style: '--' | '//' | '/*';
}

const numbers = new Map<TokenKind, number>(definitions.map((definition, index) => [definition.kind, index]));

/** The number of a kind: what the lexer stores instead of its name. */
export function kindNumber(kind: TokenKind): number {
  const number = numbers.get(kind);
  if (number === undefined) throw new RangeError(`no token kind ${kind}`);
  return number;
}

/** The kind behind a number that the lexer stored. */
export function kindOfNumber(number: number): TokenKind {
  const definition = definitions[number];
  if (definition === undefined) throw new RangeError(`no token kind number ${number}`);
  return definition.kind;
}

/** Kinds of the given groups. */
export function kindsOfGroups(...groups: readonly TokenGroup[]): readonly TokenKind[] {
  return definitions.filter((definition) => groups.includes(definition.group)).map((definition) => definition.kind);
}

/** Whether a kind is spelled with letters and could therefore be taken for a name. */
export function isWordKind(kind: TokenKind): boolean {
  return wordKinds.has(kind);
}

const wordKinds = new Set<TokenKind>(kindsOfGroups('constant', 'block', 'word', 'clause-word', 'operator-word'));

/** Words of the language with their kinds, lower case; reserved words are not among them. */
export const languageWords: readonly TokenKind[] = [...wordKinds];
