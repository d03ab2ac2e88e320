import { replaceFix } from '../../diagnostics/diagnostic.ts';
import { defineRule } from '../rule.ts';

export const queryIdInText = defineRule({
  id: 'query-id-in-text',
  title: 'Query id in front of the query text',
  why: 'The form `Name { source … }` is the old one. Today the id travels beside the text; when both are there and differ, it is not documented which one counts.',
  whatToDo: 'Remove the name from the text and keep it as queryId.',
  bad: 'My_Query { source { CloudTrailRawEvents } return { EVENT } }',
  good: '{ source { CloudTrailRawEvents } return { EVENT } }',
  severity: 'info',
  visit: {
    query(node, context) {
      const { name } = node;
      if (name === undefined) return;
      const same = context.queryId === undefined || context.queryId === name.name;
      context.report({
        range: name.range,
        message: same
          ? `The id '${name.name}' stands in front of the text, which is the old form. Keep it beside the text as queryId.`
          : `The text is called '${name.name}', its queryId is '${context.queryId}': which one counts is not documented. Remove the name from the text.`,
        tags: ['deprecated'],
        fixes: [
          replaceFix(
            'Remove the id from the text',
            { start: name.range.start, end: node.body.range.start },
            '',
            same && context.queryId !== undefined,
          ),
        ],
      });
    },
  },
});
