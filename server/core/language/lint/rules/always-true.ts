import { meaningOf } from '../../syntax/print-ast.ts';
import { chainOf, isChainTop, literalOf, sameLiteral } from '../expressions.ts';
import { unwrap } from '../facts.ts';
import { defineRule } from '../rule.ts';

export const alwaysTrue = defineRule({
  id: 'always-true',
  title: 'Condition is always true',
  why: 'The condition filters nothing: it compares a value with itself or excludes two values with `or`, of which one always differs.',
  whatToDo: 'Use `and` between exclusions (or `not in`), or remove the condition.',
  bad: "{ source { CloudTrailRawEvents } filter { EVENT_NAME <> 'a' or EVENT_NAME <> 'b' } return { EVENT } }",
  good: "{ source { CloudTrailRawEvents } filter { EVENT_NAME not in ('a', 'b') } return { EVENT } }",
  severity: 'warning',
  visit: {
    filterBlock(node, context) {
      const condition = unwrap(node.condition);
      if (condition.kind !== 'boolean' || !condition.value) return;
      context.report({ range: condition.range, message: 'This filter keeps every row. Leave the filter block out.' });
    },
    binary(node, context, parent) {
      if (node.operator === 'or') {
        if (!isChainTop(node, parent)) return;
        const excluded = new Map<string, { readonly value: string; readonly range: { start: number; end: number } }>();
        for (const operand of chainOf(node)) {
          const inner = unwrap(operand);
          if (inner.kind !== 'binary' || inner.operator !== '<>') continue;
          const literal = literalOf(inner.right);
          if (literal === undefined || literal.kind === 'null') continue;
          const key = meaningOf(inner.left);
          const earlier = excluded.get(key);
          const value = String(literal.value);
          if (earlier !== undefined && earlier.value !== value) {
            context.report({
              range: node.range,
              message: "Every value differs from one of the two, so this is always true. Use 'and', or 'not in (…)'.",
              related: [{ range: earlier.range, message: 'together with this condition' }],
            });
            return;
          }
          excluded.set(key, { value, range: operand.range });
        }
        return;
      }
      if (node.operator !== '=' && node.operator !== '<>') return;
      const left = literalOf(node.left);
      const right = literalOf(node.right);
      if (left !== undefined && right !== undefined) {
        const same = sameLiteral(left, right);
        if ((node.operator === '=' && same === true) || (node.operator === '<>' && same === false)) {
          context.report({
            range: node.range,
            message: 'Two literals are compared, and the comparison is always true.',
          });
        }
      } else if (left === undefined && node.operator === '=' && right === undefined) {
        if (meaningOf(node.left) !== meaningOf(node.right)) return;
        context.report({
          range: node.range,
          message:
            "A value is compared with itself, which is true unless it is null. Write 'is not null' if that is meant.",
        });
      }
    },
  },
});
