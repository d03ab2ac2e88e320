import type { TextRange } from '../../../text/range.ts';
import { meaningOf } from '../../syntax/print-ast.ts';
import { removeFix } from '../expressions.ts';
import { unwrap } from '../facts.ts';
import { defineRule } from '../rule.ts';

export const unreachableCaseBranch = defineRule({
  id: 'unreachable-case-branch',
  title: 'Branch of `case` is never reached',
  why: 'The first branch whose condition is true counts. A branch behind `when true`, or with the condition of an earlier one, is never taken.',
  whatToDo: 'Remove the branch or correct its condition.',
  bad: "{ source { CloudTrailRawEvents } return { case when ERROR_CODE is null then 'ok' when ERROR_CODE is null then 'none' else 'failed' end as STATE } }",
  good: "{ source { CloudTrailRawEvents } return { case when ERROR_CODE is null then 'ok' else 'failed' end as STATE } }",
  severity: 'warning',
  visit: {
    case(node, context) {
      const seen = new Map<string, TextRange>();
      let closedBy: TextRange | undefined;
      /** From the end of the branch before the one numbered `i`, which is never the first. */
      const behind = (i: number, end: number): TextRange | undefined => {
        const before = node.branches[i - 1];
        return before && { start: before.range.end, end };
      };
      for (const [i, branch] of node.branches.entries()) {
        const when = unwrap(branch.when);
        if (closedBy !== undefined) {
          context.report({
            range: branch.range,
            message: 'This branch is never reached: a condition before it is always true.',
            tags: ['unnecessary'],
            related: [{ range: closedBy, message: 'always true' }],
            fixes: removeFix('Remove the branch', behind(i, branch.range.end), context.parsed.comments),
          });
          return;
        }
        if (node.subject === undefined && when.kind === 'boolean' && when.value) closedBy = branch.when.range;
        if (when.kind === 'missing') continue;
        const key = meaningOf(when);
        const earlier = seen.get(key);
        if (earlier !== undefined) {
          context.report({
            range: branch.when.range,
            message: 'This branch is never reached: an earlier one has the same condition.',
            related: [{ range: earlier, message: 'the same condition' }],
            fixes: removeFix('Remove the branch', behind(i, branch.range.end), context.parsed.comments),
          });
        } else {
          seen.set(key, branch.when.range);
        }
      }
      if (closedBy !== undefined && node.otherwise !== undefined) {
        context.report({
          range: node.otherwise.range,
          message: "'else' is never reached: a condition before it is always true.",
          tags: ['unnecessary'],
          related: [{ range: closedBy, message: 'always true' }],
          fixes: removeFix(
            "Remove 'else'",
            behind(node.branches.length, node.otherwise.range.end),
            context.parsed.comments,
          ),
        });
      }
    },
  },
});
