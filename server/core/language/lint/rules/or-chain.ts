import { replaceFix } from '../../diagnostics/diagnostic.ts';
import { meaningOf } from '../../syntax/print-ast.ts';
import { chainOf, isChainTop } from '../expressions.ts';
import { unwrap } from '../facts.ts';
import { defineRule } from '../rule.ts';

export const orChain = defineRule({
  id: 'or-chain',
  title: 'One value is compared with several literals through `or`',
  why: 'A list says the same in one line, and a forgotten pair of parentheses cannot change its meaning.',
  whatToDo: "Write `X in ('a', 'b', 'c')`.",
  bad: "{ source { CloudTrailRawEvents } filter { EVENT_NAME = 'a' or EVENT_NAME = 'b' or EVENT_NAME = 'c' } return { EVENT } }",
  good: "{ source { CloudTrailRawEvents } filter { EVENT_NAME in ('a', 'b', 'c') } return { EVENT } }",
  severity: 'hint',
  options: {
    atLeast: {
      type: 'number',
      default: 3,
      minimum: 2,
      description: 'Number of comparisons from which on to suggest a list.',
    },
  },
  visit: {
    binary(node, context, parent) {
      if (node.operator !== 'or' || !isChainTop(node, parent)) return;
      const operands = chainOf(node);
      if (operands.length < context.options.atLeast) return;
      const values: string[] = [];
      let target: string | undefined;
      let written = '';
      let kind: string | undefined;
      for (const operand of operands) {
        const inner = unwrap(operand);
        if (inner.kind !== 'binary' || inner.operator !== '=') return;
        const literal = unwrap(inner.right);
        if (literal.kind !== 'string' && literal.kind !== 'number') return;
        const key = meaningOf(inner.left);
        // The list takes one type only.
        if ((target !== undefined && target !== key) || (kind !== undefined && kind !== literal.kind)) return;
        target = key;
        kind = literal.kind;
        written = context.text.slice(inner.left.range.start, inner.left.range.end);
        values.push(context.text.slice(literal.range.start, literal.range.end));
      }
      context.report({
        range: node.range,
        message: `One value is compared with ${values.length} literals: ${written} in (…) says the same.`,
        fixes: [replaceFix("Change to 'in (…)'", node.range, `${written} in (${values.join(', ')})`, true)],
      });
    },
  },
});
