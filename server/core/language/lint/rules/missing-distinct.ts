import { contains } from '../../../text/range.ts';
import { insertFix } from '../../diagnostics/diagnostic.ts';
import { defineRule } from '../rule.ts';

export const missingDistinct = defineRule({
  id: 'missing-distinct',
  title: 'Rows are multiplied, and the result is not distinct',
  why: 'An array expansion gives a row for each element, a MANY relationship one for each partner. When none of that is returned, the same row comes back many times, and a policy is refused.',
  whatToDo: 'Write `return distinct`.',
  bad: '{ source { CloudTrailRawEvents e, array_to_rows(e.EVENT:resources) as (r) } filter { r:ARN is not null } return { e.EVENT } }',
  good: '{ source { CloudTrailRawEvents e, array_to_rows(e.EVENT:resources) as (r) } filter { r:ARN is not null } return distinct { e.EVENT } }',
  severity: 'warning',
  needsWholeQuery: true,
  visit: {
    body(node, context, parent) {
      const block = node.return;
      const scope = context.model.scopes.get(node);
      // Duplicates in a subquery after `in` change nothing.
      if (block === undefined || block.distinct || scope === undefined || parent?.kind === 'inQuery') return;
      if (context.facts.hasUnresolvedNames()) return;
      const multiplying = scope.sources.find((source) => {
        if (source.kind === 'datasource' && !source.many) return false;
        const use = context.facts.useOf(source);
        return use.stars === 0 && !use.references.some((reference) => contains(block.range, reference.range));
      });
      if (multiplying === undefined) return;
      const cause = multiplying.kind === 'expansion' ? 'expansion' : 'join';
      context.report({
        range: block.keywordRange,
        message: `The ${cause} '${multiplying.name}' multiplies rows, and nothing of it is returned: the same row comes back for each match. Write 'return distinct'.`,
        fixes: [insertFix("Add 'distinct'", block.keywordRange.end, ' distinct', true)],
        related: [{ range: multiplying.nameRange, message: 'multiplies the rows' }],
      });
    },
  },
});
