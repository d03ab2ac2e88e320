import { replaceFix } from '../../diagnostics/diagnostic.ts';
import { writeSString } from '../../syntax/strings.ts';
import { defineRule } from '../rule.ts';

export const legacyStringEscape = defineRule({
  id: 'legacy-string-escape',
  title: 'Backslash in a plain single-quoted string',
  why: "How '…' treats a backslash is not documented: it may stand for itself or escape the next character. The s-string s'…' is documented to know no escapes at all.",
  whatToDo: 'Put an `s` in front of the quote.',
  bad: "{ source { CloudTrailRawEvents } filter { EVENT_SOURCE rlike '.*\\.amazonaws\\.com' } return { EVENT } }",
  good: "{ source { CloudTrailRawEvents } filter { EVENT_SOURCE rlike s'.*\\.amazonaws\\.com' } return { EVENT } }",
  severity: 'info',
  visit: {
    string(node, context) {
      if (node.form !== 'legacy') return;
      const { start, end } = node.range;
      const written = context.text.slice(start, end);
      if (!written.includes('\\')) return;
      const wanted = writeSString(node.value);
      context.report({
        range: node.range,
        message: `How a backslash is read in '…' is not documented. Write ${wanted.length <= 60 ? wanted : "s'…'"}, in which it stands for itself.`,
        fixes: [replaceFix('Change to an s-string', node.range, wanted, false)],
      });
    },
  },
});
