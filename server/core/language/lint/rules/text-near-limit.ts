import { defineRule } from '../rule.ts';

export const textNearLimit = defineRule({
  id: 'text-near-limit',
  title: 'Query text is near or over the length limit',
  why: 'The service takes query texts of at most 72,000 characters.',
  whatToDo:
    'Shorten the text: use patterns instead of long lists, or split the query. Comments are dropped before a query is sent.',
  bad: '/* a query of more than 68,000 characters */ { source { CloudTrailRawEvents } return { EVENT } }',
  good: '{ source { CloudTrailRawEvents } return { EVENT } }',
  severity: 'warning',
  options: {
    limit: {
      type: 'number',
      default: 72_000,
      minimum: 1,
      description: 'The longest text that the service accepts, in characters.',
    },
    near: {
      type: 'number',
      default: 68_000,
      minimum: 1,
      description: 'The length from which on to warn, in characters.',
    },
  },
  visit: {
    file(node, context) {
      const { limit, near } = context.options;
      if (context.text.length < near) return;
      let length = context.text.length;
      for (const comment of context.parsed.comments) length -= comment.range.end - comment.range.start;
      if (length < near) return;
      const count = grouped(length);
      const most = grouped(limit);
      const { start } = node.range;
      context.report({
        range: { start, end: Math.min(start + 1, context.text.length) },
        message:
          length > limit
            ? `The query is ${count} characters long without its comments, more than the ${most} that the service accepts. Shorten or split it.`
            : `The query is ${count} characters long without its comments; the service accepts at most ${most}.`,
      });
    },
  },
});

/** `72,000`, whatever the language of the machine. */
function grouped(count: number): string {
  return String(count).replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
}
