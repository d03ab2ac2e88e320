import { replaceFix } from '../../diagnostics/diagnostic.ts';
import { literalOf } from '../expressions.ts';
import { unwrap } from '../facts.ts';
import { defineRule } from '../rule.ts';

export const charIndexBase = defineRule({
  id: 'char-index-base',
  title: 'CHAR_INDEX is compared as if it counted from 0',
  why: 'CHAR_INDEX counts from 1 and gives 0 when nothing is found, so `>= 0` and `> -1` are always true and `= -1` never is.',
  whatToDo: 'Write `> 0` for "found" and `= 0` for "not found", or use CONTAINS.',
  bad: "{ source { CloudTrailRawEvents } filter { char_index('Delete', EVENT_NAME) >= 0 } return { EVENT } }",
  good: "{ source { CloudTrailRawEvents } filter { char_index('Delete', EVENT_NAME) > 0 } return { EVENT } }",
  severity: 'warning',
  visit: {
    binary(node, context) {
      const call = unwrap(node.left);
      if (call.kind !== 'call' || call.name.name.toLowerCase() !== 'char_index') return;
      const right = unwrap(node.right);
      const minusOne =
        right.kind === 'unary' && right.operator === '-' && String(numberOf(literalOf(right.operand))) === '1';
      const zero = String(numberOf(literalOf(node.right))) === '0';
      const found = (node.operator === '>=' && zero) || (minusOne && (node.operator === '>' || node.operator === '<>'));
      const missed = (node.operator === '<' && zero) || (minusOne && (node.operator === '=' || node.operator === '<='));
      if (!found && !missed) return;
      const wanted = found ? '> 0' : '= 0';
      context.report({
        range: { start: node.operatorRange.start, end: node.right.range.end },
        message: `CHAR_INDEX counts from 1 and gives 0 when nothing is found. Write ${wanted}.`,
        fixes: [
          replaceFix(
            `Change to '${wanted}'`,
            { start: node.operatorRange.start, end: node.right.range.end },
            wanted,
            false,
          ),
        ],
      });
    },
  },
});

function numberOf(literal: ReturnType<typeof literalOf>): number | bigint | undefined {
  return literal?.kind === 'number' ? literal.value : undefined;
}
