import { replaceFix } from '../../diagnostics/diagnostic.ts';
import type { Expression } from '../../syntax/ast.ts';
import { unwrap } from '../facts.ts';
import { defineRule } from '../rule.ts';

export const rlikeWithoutWildcard = defineRule({
  id: 'rlike-without-wildcard',
  title: 'RLIKE pattern without a wildcard',
  why: 'RLIKE must match the whole text, unlike the regular expressions of most other tools. A pattern of plain characters, with or without ^ and $, matches exactly that one text and usually nothing.',
  whatToDo: "Write '.*' where anything may stand: `rlike '.*text.*'`, or `rlike 'text.*'` for a beginning.",
  bad: "{ source { CloudTrailRawEvents } filter { EVENT_NAME rlike '^Delete' } return { EVENT } }",
  good: "{ source { CloudTrailRawEvents } filter { EVENT_NAME rlike 'Delete.*' } return { EVENT } }",
  severity: 'warning',
  visit: {
    like(node, context) {
      if (node.operator !== 'rlike') return;
      for (const pattern of node.patterns) check(pattern);

      function check(pattern: Expression): void {
        const literal = unwrap(pattern);
        if (literal.kind !== 'string' || literal.value === '') return;
        const anchoredStart = literal.value.startsWith('^');
        const anchoredEnd = literal.value.endsWith('$') && !literal.value.endsWith('\\$');
        const core = literal.value.slice(anchoredStart ? 1 : 0, anchoredEnd ? -1 : undefined);
        // Escaped signs are plain characters; any other sign of the pattern language can match more than one text.
        if (core === '' || /[.*+?[\]()|{}^$]/.test(core.replaceAll(/\\[^a-zA-Z0-9]/g, ''))) return;
        const written = context.text.slice(literal.range.start, literal.range.end);
        const open =
          written.indexOf(written.startsWith('s') || written.startsWith('S') ? "'" : (written[0] ?? "'")) + 1;
        const inner = written.slice(open, -1);
        const bare = inner.slice(anchoredStart ? 1 : 0, anchoredEnd ? -1 : undefined);
        const opening = anchoredStart ? '' : '.*';
        const closing = anchoredEnd ? '' : '.*';
        const wanted =
          anchoredStart && anchoredEnd
            ? undefined
            : `${written.slice(0, open)}${opening}${bare}${closing}${written.slice(-1)}`;
        context.report({
          range: literal.range,
          message: `RLIKE matches the whole text, so this pattern matches '${core}' alone. ${wanted === undefined ? "Use '=' to compare with one text." : `Write ${wanted} to allow other text around it.`}`,
          fixes: wanted === undefined ? [] : [replaceFix(`Change to ${wanted}`, literal.range, wanted, false)],
        });
      }
    },
  },
});
