import { kindSet } from './resilient-parser.ts';
import type { TokenKind } from './tokens.ts';

// Sets of kinds that more than one layer of the grammar asks for.

export const blockWords = ['source', 'filter', 'return'] as const;
export type BlockWord = (typeof blockWords)[number];

const stringKinds: readonly TokenKind[] = ['legacy-string', 's-string', 'double-quoted'];
export const stringSet = kindSet(stringKinds);
export const literalSet = kindSet([...stringKinds, 'number', 'true', 'false', 'null']);

const operandKinds: readonly TokenKind[] = [
  'identifier',
  'reserved',
  'number',
  ...stringKinds,
  'true',
  'false',
  'null',
  '(',
  'case',
];
/** What a single operand can begin with, prefix operators aside. */
export const operandStart = kindSet(operandKinds);

const operatorWordKinds: readonly TokenKind[] = ['like', 'ilike', 'rlike', 'in', 'between'];
/** Operators that can have `not` in front, and that people write as functions. */
export const operatorWords = kindSet(operatorWordKinds);

/** What an expression can begin with. */
export const expressionStart: readonly TokenKind[] = [...operandKinds, '-', 'not', ...operatorWordKinds];
export const expressionStartSet = kindSet(expressionStart);

/** What an entry of a source block can begin with. */
export const sourceItemStart: readonly TokenKind[] = ['identifier', 'reserved', '(', ...stringKinds];
export const sourceItemSet = kindSet(sourceItemStart);

/** Words of SQL that stand for blocks. */
export const sqlBlocks: ReadonlyMap<string, BlockWord> = new Map([
  ['from', 'source'],
  ['where', 'filter'],
  ['having', 'filter'],
  ['select', 'return'],
]);
/** Words that begin clauses of SQL for which LQL has nothing. */
export const sqlClauses: ReadonlySet<string> = new Set(['limit', 'order', 'group', 'offset', 'having']);
