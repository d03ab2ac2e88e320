import { replaceFix } from '../../diagnostics/diagnostic.ts';
import { unwrap } from '../facts.ts';
import { defineRule } from '../rule.ts';

export const doubleNegation = defineRule({
  id: 'double-negation',
  title: 'Double negation',
  why: 'Two negations cancel each other out, for null as well.',
  whatToDo: 'Remove both.',
  bad: "{ source { CloudTrailRawEvents } filter { not not contains(EVENT_NAME, 'a') } return { EVENT } }",
  good: "{ source { CloudTrailRawEvents } filter { contains(EVENT_NAME, 'a') } return { EVENT } }",
  severity: 'info',
  visit: {
    unary(node, context, parent) {
      const inner = unwrap(node.operand);
      if (node.operator !== 'not' || inner.kind !== 'unary' || inner.operator !== 'not') return;
      if (parent?.kind === 'unary' && parent.operator === 'not') return;
      const { start, end } = inner.operand.range;
      context.report({
        range: { start: node.operatorRange.start, end: inner.operatorRange.end },
        message: "'not not' cancels out. Remove both.",
        fixes: [replaceFix('Remove both negations', node.range, context.text.slice(start, end), true)],
      });
    },
  },
});
