import type { TextRange } from '../../../text/range.ts';
import type { Expression } from '../../syntax/ast.ts';
import { meaningOf, sketchOf } from '../../syntax/print-ast.ts';
import { chainOf, isChainTop, rangeInChain, removeFix } from '../expressions.ts';
import { defineRule } from '../rule.ts';

export const duplicateCondition = defineRule({
  id: 'duplicate-condition',
  title: 'The same condition stands twice',
  why: 'The second one changes nothing; often another column or value was meant.',
  whatToDo: 'Remove or correct it.',
  bad: "{ source { CloudTrailRawEvents } filter { EVENT_NAME = 'a' or EVENT_NAME = 'a' } return { EVENT } }",
  good: "{ source { CloudTrailRawEvents } filter { EVENT_NAME = 'a' or ERROR_CODE = 'a' } return { EVENT } }",
  severity: 'warning',
  visit: {
    binary(node, context, parent) {
      if ((node.operator !== 'and' && node.operator !== 'or') || !isChainTop(node, parent)) return;
      const groups = new Map<string, { readonly first: Expression; meanings?: Map<string, TextRange> }>();
      for (const operand of chainOf(node)) {
        if (operand.kind === 'missing') continue;
        const sketch = sketchOf(operand);
        const group = groups.get(sketch);
        if (group === undefined) {
          groups.set(sketch, { first: operand });
          continue;
        }
        // Most conditions have no other like them: what they mean is written out only where one has.
        group.meanings ??= new Map([[meaningOf(group.first), group.first.range]]);
        const meaning = meaningOf(operand);
        const earlier = group.meanings.get(meaning);
        if (earlier === undefined) {
          group.meanings.set(meaning, operand.range);
          continue;
        }
        context.report({
          range: operand.range,
          message: `The same condition stands before this one in the same '${node.operator}': one of them is too much, or another column was meant.`,
          tags: ['unnecessary'],
          fixes: removeFix('Remove the second one', rangeInChain(node, operand), context.parsed.comments),
          related: [{ range: earlier, message: 'the same condition' }],
        });
      }
    },
  },
});
