import { replaceFix } from '../../diagnostics/diagnostic.ts';
import { unwrap } from '../facts.ts';
import { defineRule } from '../rule.ts';

export const wildcardInFunction = defineRule({
  id: 'wildcard-in-function',
  title: 'Wildcard in a function that knows none',
  why: 'CONTAINS, STARTS_WITH and ENDS_WITH search for the text as it stands: % and .* are plain characters there, so nothing is found.',
  whatToDo: 'Leave the wildcard out, or use LIKE.',
  bad: "{ source { CloudTrailRawEvents } filter { contains(EVENT_NAME, '%Delete%') } return { EVENT } }",
  good: "{ source { CloudTrailRawEvents } filter { contains(EVENT_NAME, 'Delete') } return { EVENT } }",
  severity: 'warning',
  visit: {
    call(node, context) {
      const name = node.name.name.toLowerCase();
      if (name !== 'contains' && name !== 'starts_with' && name !== 'ends_with') return;
      const second = node.args[1];
      const literal = second === undefined ? undefined : unwrap(second);
      if (literal?.kind !== 'string') return;
      const wildcard = /^(%|\.\*)|(%|\.\*)$/;
      if (!wildcard.test(literal.value)) return;
      const written = context.text.slice(literal.range.start, literal.range.end);
      const open = written.search(/['"]/) + 1;
      const inner = written
        .slice(open, -1)
        .replace(/^(?:%|\.\*)+/, '')
        .replace(/(?:%|\.\*)+$/, '');
      const wanted = written.slice(0, open) + inner + written.slice(-1);
      context.report({
        range: literal.range,
        message: `${name.toUpperCase()} has no wildcards: it looks for the text as it stands. Write ${wanted}.`,
        fixes: inner === '' ? [] : [replaceFix(`Change to ${wanted}`, literal.range, wanted, false)],
      });
    },
  },
});
