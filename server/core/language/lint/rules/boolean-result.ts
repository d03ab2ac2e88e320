import { replaceFix } from '../../diagnostics/diagnostic.ts';
import { defineRule } from '../rule.ts';

export const booleanResult = defineRule({
  id: 'boolean-result',
  title: 'A Boolean is returned',
  why: 'Boolean is no type of a column. Whether the service can return one is not documented; the reference turns it into a text with `case`.',
  whatToDo: "Write `case when … then 'true' else 'false' end`.",
  bad: '{ source { CloudTrailRawEvents } return { ERROR_CODE is null as SUCCEEDED } }',
  good: "{ source { CloudTrailRawEvents } return { case when ERROR_CODE is null then 'true' else 'false' end as SUCCEEDED } }",
  severity: 'info',
  visit: {
    returnBlock(node, context, parent) {
      // A subquery's columns are compared, not returned.
      if (parent?.kind !== 'body' || context.model.scopes.get(parent)?.parent !== undefined) return;
      for (const item of node.items) {
        if (item.kind !== 'returnColumn' || context.model.types.get(item.expression) !== 'boolean') continue;
        const { start, end } = item.expression.range;
        const text = context.text.slice(start, end);
        context.report({
          range: item.expression.range,
          message:
            "Whether a Boolean can be returned is not documented. Turn it into a text: case when … then 'true' else 'false' end.",
          fixes: [
            replaceFix(
              "Turn into 'true' and 'false'",
              item.expression.range,
              `case when ${text} then 'true' else 'false' end`,
              false,
            ),
          ],
        });
      }
    },
  },
});
