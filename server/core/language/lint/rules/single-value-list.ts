import { replaceFix } from '../../diagnostics/diagnostic.ts';
import { defineRule } from '../rule.ts';

export const singleValueList = defineRule({
  id: 'single-value-list',
  title: '`in` with a single value',
  why: 'A list of one value is a comparison, which is shorter to read.',
  whatToDo: 'Write `=` or `<>`.',
  bad: "{ source { CloudTrailRawEvents } filter { EVENT_NAME in ('a') } return { EVENT } }",
  good: "{ source { CloudTrailRawEvents } filter { EVENT_NAME = 'a' } return { EVENT } }",
  severity: 'hint',
  visit: {
    inList(node, context) {
      const only = node.items[0];
      if (only === undefined || only.kind === 'missing' || node.items.length !== 1) return;
      const operator = node.negated ? '<>' : '=';
      const value = context.text.slice(only.range.start, only.range.end);
      context.report({
        range: node.operatorRange,
        message: `A list of one value is a comparison: write ${operator} ${value}.`,
        fixes: [
          replaceFix(
            `Compare with '${operator}'`,
            { start: node.operatorRange.start, end: node.range.end },
            `${operator} ${value}`,
            true,
          ),
        ],
      });
    },
  },
});
