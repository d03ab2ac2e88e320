import type { TextRange } from '../../text/range.ts';
import type { Fix } from '../diagnostics/diagnostic.ts';
import { messages } from '../diagnostics/messages.ts';
import type { Expression, LiteralExpression } from '../syntax/ast.ts';
import { areComparable } from '../types/conversions.ts';
import type { LqlType } from '../types/types.ts';
import { type AnalysisContext, report, sourceText } from './context.ts';

const numeral = /^\s*[+-]?\d+(\.\d+)?\s*$/;
/** Dates and times as people and services write them; eight digits or more are epoch times. */
const timeText = /^\s*(\d{4}-\d{1,2}-\d{1,2}([T ].*)?|\d{8,})\s*$/;

/**
 * Reports a comparison of types that have nothing in common. A literal that could be written in the other side's type is a warning
 * with the rewriting as its fix, because the service may convert it though nothing documents that; everything else is an error.
 */
export function checkComparable(
  context: AnalysisContext,
  left: Expression,
  leftType: LqlType,
  right: Expression,
  rightType: LqlType,
  range: TextRange,
): void {
  if (areComparable(leftType, rightType)) return;
  for (const [operand, type, otherType] of [
    [right, rightType, leftType],
    [left, leftType, rightType],
  ] as const) {
    const literal = literalOf(operand);
    const rewritten = literal === undefined ? undefined : rewriteLiteral(context, operand, literal, otherType);
    if (rewritten === undefined) continue;
    const fix: Fix = {
      title: `Change to ${rewritten}`,
      edits: [{ range: operand.range, newText: rewritten }],
      safe: false,
    };
    report(context, 'literal-type', operand.range, messages.literalType(type, otherType, rewritten), { fixes: [fix] });
    return;
  }
  report(context, 'type-mismatch', range, messages.typeMismatch(leftType, rightType));
}

function literalOf(expression: Expression): LiteralExpression | undefined {
  let node = expression;
  while (node.kind === 'parenthesized' || (node.kind === 'unary' && node.operator === '-')) {
    node = node.kind === 'parenthesized' ? node.expression : node.operand;
  }
  return node.kind === 'string' || node.kind === 'number' || node.kind === 'boolean' ? node : undefined;
}

/** The literal as it would be written in the other type; undefined when it has no such form. */
function rewriteLiteral(
  context: AnalysisContext,
  operand: Expression,
  literal: LiteralExpression,
  type: LqlType,
): string | undefined {
  const written = sourceText(context, operand);
  if (literal.kind === 'string') {
    if (type === 'number' && numeral.test(literal.value)) return literal.value.trim();
    if (type === 'timestamp' && timeText.test(literal.value)) return `${written}::Timestamp`;
    if (type === 'boolean' && /^(true|false)$/i.test(literal.value)) return literal.value.toLowerCase();
  } else if (type === 'string') {
    if (literal.kind === 'number') return `'${written.replaceAll(/[\s()]/g, '')}'`;
    if (literal.kind === 'boolean') return `'${literal.value}'`;
  }
  return undefined;
}
