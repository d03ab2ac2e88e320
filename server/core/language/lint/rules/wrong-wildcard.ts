import { replaceFix } from '../../diagnostics/diagnostic.ts';
import { unwrap } from '../facts.ts';
import { defineRule } from '../rule.ts';

export const wrongWildcard = defineRule({
  id: 'wrong-wildcard',
  title: 'Wildcard of the other pattern operator',
  why: 'LIKE knows % and _ only; RLIKE takes regular expressions, in which % is a plain character. With the wildcards of the other one a pattern matches next to nothing.',
  whatToDo: "Use `like '%…%'` or `rlike '.*…*'`, not a mixture.",
  bad: "{ source { CloudTrailRawEvents } filter { EVENT_NAME like '.*Delete.*' } return { EVENT } }",
  good: "{ source { CloudTrailRawEvents } filter { EVENT_NAME rlike '.*Delete.*' } return { EVENT } }",
  severity: 'warning',
  visit: {
    like(node, context) {
      for (const pattern of node.patterns) {
        const literal = unwrap(pattern);
        if (literal.kind !== 'string') continue;
        const { value, range } = literal;
        if (node.operator === 'rlike') {
          if (!/^%|%$/.test(value)) continue;
          context.report({
            range,
            message: "In a regular expression '%' is a plain character. Write '.*' for any text, or use LIKE.",
            fixes: [
              replaceFix(
                "Change '%' to '.*'",
                range,
                context.text.slice(range.start, range.end).replaceAll('%', '.*'),
                false,
              ),
            ],
          });
        } else if (value.includes('.*') && !/[%]/.test(value)) {
          const operator = node.negated ? 'not rlike' : 'rlike';
          const fixes =
            node.operator === 'like' && !node.any
              ? [replaceFix(`Change to '${operator}'`, node.operatorRange, operator, false)]
              : [];
          context.report({
            range,
            message: `${node.operator.toUpperCase()} knows '%' and '_' only, so '.*' is plain text here. Write '%', or use RLIKE for a regular expression.`,
            fixes,
          });
        }
      }
    },
  },
});
