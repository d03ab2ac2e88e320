import { rangesTouch, type TextRange } from '../../text/range.ts';
import { type Fix, replaceFix } from '../diagnostics/diagnostic.ts';
import type { BinaryExpression, Expression, LiteralExpression, Node } from '../syntax/ast.ts';
import { unwrap } from './facts.ts';

/** The literal an expression is, through parentheses. */
export function literalOf(expression: Expression): LiteralExpression | undefined {
  const node = unwrap(expression);
  return node.kind === 'string' || node.kind === 'number' || node.kind === 'boolean' || node.kind === 'null'
    ? node
    : undefined;
}

/** The operands of `a and b and c` (or of `or`), left to right, parentheses around the same operator looked through. */
export function chainOf(top: BinaryExpression): readonly Expression[] {
  const operands: Expression[] = [];
  const stack: Expression[] = [top];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    const inner = unwrap(node);
    if (inner.kind === 'binary' && inner.operator === top.operator) stack.push(inner.right, inner.left);
    else operands.push(node);
  }
  return operands;
}

/** Whether a node is the top of its chain: no `and` directly below another `and`. */
export function isChainTop(node: BinaryExpression, parent: Node | undefined): boolean {
  return !(parent?.kind === 'binary' && parent.operator === node.operator);
}

/** Whether a comparison with another literal can be decided: both are written in the same type. */
export function sameLiteral(a: LiteralExpression, b: LiteralExpression): boolean | undefined {
  if (a.kind === 'null' || b.kind === 'null') return undefined;
  if (a.kind !== b.kind) return undefined;
  return a.value === b.value;
}

/** What to take out so that `operand` is gone from the chain of `top`, the connective beside it included. */
export function rangeInChain(top: BinaryExpression, operand: Expression): TextRange | undefined {
  const stack: Expression[] = [top];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    const inner = unwrap(node);
    if (inner.kind !== 'binary' || inner.operator !== top.operator) continue;
    if (inner.right === operand) return { start: inner.left.range.end, end: operand.range.end };
    if (inner.left === operand) return { start: operand.range.start, end: inner.right.range.start };
    stack.push(inner.right, inner.left);
  }
  return undefined;
}

/** A fix that takes out `range`; none where a comment would go with it. */
export function removeFix(
  title: string,
  range: TextRange | undefined,
  comments: readonly { readonly range: TextRange }[],
): readonly Fix[] {
  if (range === undefined || comments.some((comment) => rangesTouch(comment.range, range))) return [];
  return [replaceFix(title, range, '', false)];
}
