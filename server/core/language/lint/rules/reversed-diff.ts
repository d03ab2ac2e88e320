import type { Expression } from '../../syntax/ast.ts';
import { literalOf } from '../expressions.ts';
import { unwrap } from '../facts.ts';
import { defineRule } from '../rule.ts';

export const reversedDiff = defineRule({
  id: 'reversed-diff',
  title: 'Arguments of a time difference are reversed',
  why: 'diff_…(from, to) is positive when `to` is the later one. From now back to a time in the past it is negative, so "more than n" is never true.',
  whatToDo: 'Put the earlier time first: `diff_days(EVENT_TIME, now)`.',
  bad: '{ source { CloudTrailRawEvents } filter { diff_days(current_timestamp_sec()::timestamp, EVENT_TIME) > 30 } return { EVENT } }',
  good: '{ source { CloudTrailRawEvents } filter { diff_days(EVENT_TIME, current_timestamp_sec()::timestamp) > 30 } return { EVENT } }',
  severity: 'warning',
  visit: {
    binary(node, context) {
      if (node.operator !== '>' && node.operator !== '>=') return;
      const call = unwrap(node.left);
      const bound = literalOf(node.right);
      if (call.kind !== 'call' || bound?.kind !== 'number' || bound.value < 0) return;
      if (!/^diff_(years|months|days|hours|minutes|seconds|millis)$/i.test(call.name.name)) return;
      const [from, to] = call.args;
      if (from === undefined || to === undefined || !isNow(from) || isNow(to) || literalOf(to) !== undefined) return;
      // Times that lie ahead (expiry dates) are counted from now on; their columns say so.
      const toText = context.text.slice(to.range.start, to.range.end);
      if (/expir|notafter|not_after|valid|until|end|due|next|renew/i.test(toText)) return;
      const fromText = context.text.slice(from.range.start, from.range.end);
      context.report({
        range: { start: from.range.start, end: to.range.end },
        message: `${call.name.name.toUpperCase()} counts from the first time to the second: from now back to the past it is negative, and never more than ${context.text.slice(node.right.range.start, node.right.range.end)}. Put the earlier time first.`,
        fixes: [
          {
            title: 'Swap the arguments',
            edits: [
              { range: from.range, newText: toText },
              { range: to.range, newText: fromText },
            ],
            safe: false,
          },
        ],
      });
    },
  },
});

/** `current_timestamp…()` under casts and conversions. */
function isNow(expression: Expression): boolean {
  let node = unwrap(expression);
  for (;;) {
    if (node.kind === 'cast') {
      node = unwrap(node.operand);
    } else if (node.kind === 'call') {
      const name = node.name.name.toLowerCase();
      if (name.startsWith('current_timestamp')) return true;
      const [only, more] = node.args;
      if (only === undefined || more !== undefined || !/^(sec|ms)_to_timestamp$/.test(name)) return false;
      node = unwrap(only);
    } else {
      return false;
    }
  }
}
