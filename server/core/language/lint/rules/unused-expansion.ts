import type { TextRange } from '../../../text/range.ts';
import type { SourceItem } from '../../syntax/ast.ts';
import { removeFix } from '../expressions.ts';
import { defineRule } from '../rule.ts';

export const unusedExpansion = defineRule({
  id: 'unused-expansion',
  title: 'Array expansion is never used',
  why: 'The expansion multiplies every row by the length of the array, and nothing reads its elements.',
  whatToDo:
    'Use its column in the filter or the return block, or remove it. To keep only rows with an element, test the array itself.',
  bad: '{ source { CloudTrailRawEvents e, array_to_rows(e.EVENT:resources) as (r) } return distinct { e.EVENT } }',
  good: '{ source { CloudTrailRawEvents e, array_to_rows(e.EVENT:resources) as (r) } filter { r:ARN is not null } return distinct { e.EVENT } }',
  severity: 'warning',
  needsWholeQuery: true,
  visit: {
    body(node, context) {
      const scope = context.model.scopes.get(node);
      if (scope === undefined) return;
      const items = node.source?.items ?? [];
      for (const source of scope.sources) {
        if (source.kind !== 'expansion' || source.name === '') continue;
        const use = context.facts.useOf(source);
        if (use.references.length > 0 || use.qualified > 0) continue;
        // A non-empty expansion filters: it drops rows without the array, which may be all it is there for.
        const purpose = source.node.nonEmpty
          ? ' It only drops rows without the array: value_exists(…) does that without multiplying.'
          : '';
        context.report({
          range: source.nameRange,
          message: `'${source.name}' is never used, but the expansion multiplies every row by the length of its array.${purpose}`,
          tags: ['unnecessary'],
          fixes: removeFix('Remove the expansion', rangeOfItem(items, source.node), context.parsed.comments),
        });
      }
    },
  },
});

/** An item of a source block with the comma in front of it. */
function rangeOfItem(items: readonly SourceItem[], item: SourceItem): TextRange | undefined {
  const before = items[items.indexOf(item) - 1];
  return before && { start: before.range.end, end: item.range.end };
}
