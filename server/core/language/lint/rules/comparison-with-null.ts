import { replaceFix } from '../../diagnostics/diagnostic.ts';
import { unwrap } from '../facts.ts';
import { defineRule } from '../rule.ts';

export const comparisonWithNull = defineRule({
  id: 'comparison-with-null',
  title: 'Comparison with null',
  why: 'Comparing anything with null gives null, never true: the condition keeps no row, whatever the data.',
  whatToDo: 'Ask `is null` or `is not null`.',
  bad: '{ source { CloudTrailRawEvents } filter { ERROR_CODE = null } return { EVENT } }',
  good: '{ source { CloudTrailRawEvents } filter { ERROR_CODE is null } return { EVENT } }',
  severity: 'warning',
  visit: {
    binary(node, context) {
      const { operator } = node;
      if (
        operator !== '=' &&
        operator !== '<>' &&
        operator !== '<' &&
        operator !== '<=' &&
        operator !== '>' &&
        operator !== '>='
      )
        return;
      const nullOnRight = unwrap(node.right).kind === 'null';
      if (!nullOnRight && unwrap(node.left).kind !== 'null') return;
      const operand = nullOnRight ? node.left : node.right;
      const asks = operator === '<>' ? 'is not null' : 'is null';
      const written = context.text.slice(operand.range.start, operand.range.end);
      context.report({
        range: node.range,
        message: `A comparison with null is never true. Write '${asks}'.`,
        fixes:
          operator === '=' || operator === '<>'
            ? [replaceFix(`Change to '${asks}'`, node.range, `${written} ${asks}`, true)]
            : [],
      });
    },
  },
});
