import { replaceFix } from '../../diagnostics/diagnostic.ts';
import { defineRule } from '../rule.ts';

export const deprecatedFunction = defineRule({
  id: 'deprecated-function',
  title: 'Deprecated function',
  why: 'The service advises against this function and may remove it.',
  whatToDo: 'Use the replacement that the message names.',
  bad: '{ source { CloudTrailRawEvents } filter { diff_days(EVENT_TIME, current_timestamp()) < 3 } return { EVENT } }',
  good: '{ source { CloudTrailRawEvents } filter { diff_days(EVENT_TIME, sec_to_timestamp(current_timestamp_sec())) < 3 } return { EVENT } }',
  severity: 'warning',
  visit: {
    call(node, context) {
      const replacement = context.model.calls.get(node)?.deprecated;
      if (replacement === undefined) return;
      context.report({
        range: node.name.range,
        message: `${node.name.name.toUpperCase()} is deprecated. Write ${replacement}.`,
        tags: ['deprecated'],
        fixes: node.args.length === 0 ? [replaceFix(`Change to ${replacement}`, node.range, replacement, true)] : [],
      });
    },
  },
});
