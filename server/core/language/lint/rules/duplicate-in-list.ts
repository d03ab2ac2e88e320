import { meaningOf } from '../../syntax/print-ast.ts';
import { defineRule } from '../rule.ts';

export const duplicateInList = defineRule({
  id: 'duplicate-in-list',
  title: 'Value stands twice in the list',
  why: 'The second one changes nothing; often another value was meant.',
  whatToDo: 'Remove or correct it.',
  bad: "{ source { CloudTrailRawEvents } filter { EVENT_NAME in ('a', 'b', 'a') } return { EVENT } }",
  good: "{ source { CloudTrailRawEvents } filter { EVENT_NAME in ('a', 'b') } return { EVENT } }",
  severity: 'warning',
  visit: {
    inList(node, context) {
      const seen = new Set<string>();
      node.items.forEach((item, i) => {
        const value = item.kind === 'string' ? `text ${item.value}` : meaningOf(item);
        const before = node.items[i - 1];
        if (item.kind !== 'missing' && seen.has(value) && before !== undefined) {
          context.report({
            range: item.range,
            message: `${context.text.slice(item.range.start, item.range.end)} stands twice in this list.`,
            tags: ['unnecessary'],
            fixes: [
              {
                title: 'Remove the second one',
                edits: [{ range: { start: before.range.end, end: item.range.end }, newText: '' }],
                safe: true,
              },
            ],
          });
        }
        seen.add(value);
      });
    },
  },
});
