import { replaceFix } from '../../diagnostics/diagnostic.ts';
import { unwrap } from '../facts.ts';
import { defineRule } from '../rule.ts';

export const likeWithoutWildcard = defineRule({
  id: 'like-without-wildcard',
  title: 'LIKE pattern without a wildcard',
  why: 'LIKE compares the whole text. Without % or _ it is the same as =, and a pattern that was meant to find a part finds nothing.',
  whatToDo: "Write `like '%text%'` to find a part, or `=` to compare the whole text.",
  bad: "{ source { CloudTrailRawEvents } filter { EVENT_NAME like 'Delete' } return { EVENT } }",
  good: "{ source { CloudTrailRawEvents } filter { EVENT_NAME like 'Delete%' } return { EVENT } }",
  severity: 'warning',
  visit: {
    like(node, context) {
      if (node.operator === 'rlike') return;
      const single = node.patterns.length === 1 && !node.any;
      for (const pattern of node.patterns) {
        const literal = unwrap(pattern);
        if (literal.kind !== 'string' || /[%_]/.test(literal.value)) continue;
        const written = context.text.slice(literal.range.start, literal.range.end);
        const open = written.search(/['"]/) + 1;
        const wanted = `${written.slice(0, open)}%${written.slice(open, -1)}%${written.slice(-1)}`;
        const fixes = [replaceFix(`Change to ${wanted}`, literal.range, wanted, false)];
        if (single && node.operator === 'like') {
          const sign = node.negated ? '<>' : '=';
          fixes.push(replaceFix(`Compare with '${sign}'`, node.operatorRange, sign, false));
        }
        context.report({
          range: literal.range,
          message: `${node.operator.toUpperCase()} compares the whole text, so this pattern without % finds only exactly '${literal.value}'. Write ${wanted} to find a part of the text, or compare with '='.`,
          fixes,
        });
      }
    },
  },
});
