import type { Expression, LiteralExpression } from '../../syntax/ast.ts';
import { meaningOf } from '../../syntax/print-ast.ts';
import { chainOf, isChainTop, literalOf, sameLiteral } from '../expressions.ts';
import { unwrap } from '../facts.ts';
import { defineRule } from '../rule.ts';

interface Bound {
  readonly expression: Expression;
  readonly operator: '=' | '<' | '<=' | '>' | '>=';
  readonly literal: LiteralExpression;
}

export const neverTrue = defineRule({
  id: 'never-true',
  title: 'Condition is never true',
  why: 'The conditions contradict each other, so no row can pass and the query silently returns nothing.',
  whatToDo: 'Use `or`, or correct the value or the bound.',
  bad: "{ source { CloudTrailRawEvents } filter { EVENT_NAME = 'a' and EVENT_NAME = 'b' } return { EVENT } }",
  good: "{ source { CloudTrailRawEvents } filter { EVENT_NAME in ('a', 'b') } return { EVENT } }",
  severity: 'warning',
  visit: {
    binary(node, context, parent) {
      if (node.operator === 'and') {
        if (!isChainTop(node, parent)) return;
        const bounds = new Map<string, Bound[]>();
        for (const operand of chainOf(node)) {
          const bound = boundOf(operand);
          if (bound === undefined) continue;
          const { target } = bound;
          const key = meaningOf(target);
          const earlier = bounds.get(key) ?? [];
          const against = earlier.find((other) => contradict(other, bound));
          if (against !== undefined) {
            context.report({
              range: bound.expression.range,
              message: 'This contradicts a condition before it on the same value: together they are never true.',
              related: [{ range: against.expression.range, message: 'contradicts this condition' }],
            });
            return;
          }
          // Comparing each with all would cost the square of a long chain.
          if (earlier.length < 16) earlier.push(bound);
          bounds.set(key, earlier);
        }
        return;
      }
      const left = literalOf(node.left);
      const right = literalOf(node.right);
      if (left === undefined || right === undefined) return;
      const same = sameLiteral(left, right);
      if ((node.operator === '=' && same === false) || (node.operator === '<>' && same === true)) {
        context.report({ range: node.range, message: 'Two literals are compared, and the comparison is never true.' });
      }
    },
    between(node, context) {
      const low = literalOf(node.low);
      const high = literalOf(node.high);
      if (low === undefined || high === undefined || node.negated) return;
      if (low.kind === 'number' && high.kind === 'number' && low.value > high.value) {
        const lowText = context.text.slice(node.low.range.start, node.low.range.end);
        const highText = context.text.slice(node.high.range.start, node.high.range.end);
        context.report({
          range: { start: node.low.range.start, end: node.high.range.end },
          message: `'between' takes the smaller value first: nothing lies between ${lowText} and ${highText}.`,
          fixes: [
            {
              title: 'Swap the bounds',
              edits: [
                { range: node.low.range, newText: highText },
                { range: node.high.range, newText: lowText },
              ],
              safe: false,
            },
          ],
        });
      }
    },
  },
});

function boundOf(expression: Expression): (Bound & { readonly target: Expression }) | undefined {
  const node = unwrap(expression);
  if (node.kind !== 'binary') return undefined;
  const { operator } = node;
  if (operator !== '=' && operator !== '<' && operator !== '<=' && operator !== '>' && operator !== '>=')
    return undefined;
  const literal = literalOf(node.right);
  if (literal === undefined || literal.kind === 'null' || literalOf(node.left) !== undefined) return undefined;
  return { expression, operator, literal, target: unwrap(node.left) };
}

function contradict(a: Bound, b: Bound): boolean {
  if (a.operator === '=' && b.operator === '=') return sameLiteral(a.literal, b.literal) === false;
  if (a.literal.kind !== 'number' || b.literal.kind !== 'number') return false;
  return fixedOutside(a, b) || fixedOutside(b, a) || emptyRange(a, b) || emptyRange(b, a);
}

function lowerBound(bound: Bound): number | bigint | undefined {
  return bound.literal.kind === 'number' && (bound.operator === '>' || bound.operator === '>=')
    ? bound.literal.value
    : undefined;
}

function upperBound(bound: Bound): number | bigint | undefined {
  return bound.literal.kind === 'number' && (bound.operator === '<' || bound.operator === '<=')
    ? bound.literal.value
    : undefined;
}

/** `x = 3 and x > 5`. */
function fixedOutside(fixed: Bound, range: Bound): boolean {
  if (fixed.operator !== '=' || fixed.literal.kind !== 'number' || range.literal.kind !== 'number') return false;
  const value = fixed.literal.value;
  const edge = range.literal.value;
  switch (range.operator) {
    case '<':
      return !(value < edge);
    case '<=':
      return !(value <= edge);
    case '>':
      return !(value > edge);
    case '>=':
      return !(value >= edge);
    case '=':
      return value !== edge;
  }
}

/** `x > 5 and x < 3`. */
function emptyRange(low: Bound, high: Bound): boolean {
  const from = lowerBound(low);
  const to = upperBound(high);
  if (from === undefined || to === undefined) return false;
  return low.operator === '>=' && high.operator === '<=' ? from > to : from >= to;
}
