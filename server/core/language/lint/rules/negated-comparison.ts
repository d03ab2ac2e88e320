import { replaceFix } from '../../diagnostics/diagnostic.ts';
import { unwrap } from '../facts.ts';
import { defineRule } from '../rule.ts';

const opposites: Readonly<Record<string, string>> = {
  '=': '<>',
  '<>': '=',
  '<': '>=',
  '<=': '>',
  '>': '<=',
  '>=': '<',
};

export const negatedComparison = defineRule({
  id: 'negated-comparison',
  title: '`not` in front of a comparison',
  why: 'The language has an operator for the opposite, which is easier to read. Null is treated alike in both forms.',
  whatToDo: 'Write the opposite operator: `<>`, `not in`, `not like`, `is not null`.',
  bad: "{ source { CloudTrailRawEvents } filter { not (EVENT_NAME = 'a') } return { EVENT } }",
  good: "{ source { CloudTrailRawEvents } filter { EVENT_NAME <> 'a' } return { EVENT } }",
  severity: 'hint',
  visit: {
    unary(node, context) {
      if (node.operator !== 'not') return;
      const inner = unwrap(node.operand);
      let range = { start: 0, end: 0 };
      let opposite: string | undefined;
      switch (inner.kind) {
        case 'binary':
          opposite = opposites[inner.operator];
          range = inner.operatorRange;
          break;
        case 'like':
        case 'inList':
          if (inner.negated) return;
          range = { start: inner.operatorRange.start, end: inner.operatorRange.start };
          opposite = 'not ';
          break;
        case 'isNull': {
          // `is json null` is null for a missing key, and so is its negation in either form; only the plain one is this simple.
          if (inner.negated || inner.json) return;
          range = inner.operatorRange;
          opposite = 'is not null';
          break;
        }
        default:
          return;
      }
      if (opposite === undefined) return;
      const { start, end } = inner.range;
      const text = context.text.slice(start, range.start) + opposite + context.text.slice(range.end, end);
      context.report({
        range: node.operatorRange,
        message: "'not' in front of a comparison: the opposite operator says the same.",
        fixes: [replaceFix('Use the opposite operator', node.range, text, true)],
      });
    },
  },
});
