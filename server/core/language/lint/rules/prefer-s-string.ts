import { replaceFix } from '../../diagnostics/diagnostic.ts';
import { writeSString } from '../../syntax/strings.ts';
import { defineRule } from '../rule.ts';

export const preferSString = defineRule({
  id: 'prefer-s-string',
  title: 'String is not written as s-string',
  why: "The reference recommends s'…', the one form without escapes, and discourages the plain '…'. A team may want one form throughout.",
  whatToDo: "Write s'…'.",
  bad: "{ source { CloudTrailRawEvents } filter { EVENT_NAME = 'a' } return { EVENT } }",
  good: "{ source { CloudTrailRawEvents } filter { EVENT_NAME = s'a' } return { EVENT } }",
  severity: 'off',
  visit: {
    string(node, context, parent) {
      // Relationship names after `on` are shown in the plain form throughout.
      if (node.form !== 'legacy' || parent?.kind === 'joinTarget') return;
      const written = context.text.slice(node.range.start, node.range.end);
      const wanted = writeSString(node.value);
      context.report({
        range: node.range,
        message: "Write this string as s-string: s'…'.",
        fixes: [replaceFix('Change to an s-string', node.range, wanted, !written.includes('\\'))],
      });
    },
  },
});
