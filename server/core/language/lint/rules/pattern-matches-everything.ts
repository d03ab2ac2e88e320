import { replaceFix } from '../../diagnostics/diagnostic.ts';
import { unwrap } from '../facts.ts';
import { defineRule } from '../rule.ts';

export const patternMatchesEverything = defineRule({
  id: 'pattern-matches-everything',
  title: 'Pattern matches every text',
  why: 'A pattern of wildcards alone is true for every value that is not null; it hides what is really asked.',
  whatToDo: 'Ask `is not null`, or write what the text must contain.',
  bad: "{ source { CloudTrailRawEvents } filter { ERROR_CODE like '%' } return { EVENT } }",
  good: '{ source { CloudTrailRawEvents } filter { ERROR_CODE is not null } return { EVENT } }',
  severity: 'warning',
  visit: {
    like(node, context) {
      for (const pattern of node.patterns) {
        const literal = unwrap(pattern);
        if (literal.kind !== 'string') continue;
        const all = node.operator === 'rlike' ? /^\^?(\.\*)+\$?$/ : /^%+$/;
        if (!all.test(literal.value)) continue;
        const { operand } = node;
        const asks = node.negated ? 'is null' : 'is not null';
        context.report({
          range: literal.range,
          message: node.negated
            ? 'This pattern matches every text, so its negation is never true.'
            : "This pattern matches every text: the comparison only tells whether there is one. Write 'is not null'.",
          fixes:
            node.patterns.length === 1 && !node.negated
              ? [
                  replaceFix(
                    `Change to '${asks}'`,
                    { start: operand.range.end, end: node.range.end },
                    ` ${asks}`,
                    false,
                  ),
                ]
              : [],
        });
      }
    },
  },
});
