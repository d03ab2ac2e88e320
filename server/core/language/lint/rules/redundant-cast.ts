import { replaceFix } from '../../diagnostics/diagnostic.ts';
import { castTypeFromName } from '../../types/conversions.ts';
import { dataTypeOf } from '../../types/types.ts';
import { defineRule } from '../rule.ts';

export const redundantCast = defineRule({
  id: 'redundant-cast',
  title: 'Cast to the type that the value has',
  why: 'The cast changes nothing and only makes the query longer.',
  whatToDo: 'Remove it.',
  bad: "{ source { CloudTrailRawEvents } filter { EVENT_NAME::string = 'a' } return { EVENT } }",
  good: "{ source { CloudTrailRawEvents } filter { EVENT_NAME = 'a' } return { EVENT } }",
  severity: 'info',
  visit: {
    cast(node, context) {
      const to = castTypeFromName(node.typeName.name);
      if (to === undefined || context.model.types.get(node.operand) !== to) return;
      const range = { start: node.operand.range.end, end: node.range.end };
      context.report({
        range,
        message: `This is a ${dataTypeOf(to)} already: the cast changes nothing.`,
        tags: ['unnecessary'],
        fixes: [replaceFix('Remove the cast', range, '', true)],
      });
    },
  },
});
