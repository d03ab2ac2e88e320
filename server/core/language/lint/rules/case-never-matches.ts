import { replaceFix } from '../../diagnostics/diagnostic.ts';
import type { Expression, StringLiteral } from '../../syntax/ast.ts';
import { unwrap } from '../facts.ts';
import { defineRule, type RuleContext } from '../rule.ts';

export const caseNeverMatches = defineRule({
  id: 'case-never-matches',
  title: 'Literal has letters that the other side cannot have',
  why: 'The result of LOWER has no capitals and that of UPPER no small letters, so a literal with them is never found.',
  whatToDo: 'Write the literal in the case that the function gives.',
  bad: "{ source { CloudTrailRawEvents } filter { lower(EVENT_NAME) = 'DeleteBucket' } return { EVENT } }",
  good: "{ source { CloudTrailRawEvents } filter { lower(EVENT_NAME) = 'deletebucket' } return { EVENT } }",
  severity: 'warning',
  visit: {
    binary(node, context) {
      if (node.operator !== '=' && node.operator !== '<>') return;
      compare(context, node.left, node.right);
      compare(context, node.right, node.left);
    },
    inList(node, context) {
      for (const item of node.items) compare(context, node.operand, item);
    },
    like(node, context) {
      if (node.operator !== 'like') return;
      for (const pattern of node.patterns) compare(context, node.operand, pattern);
    },
    call(node, context) {
      const name = node.name.name.toLowerCase();
      const [text, part] = node.args;
      if (text === undefined || part === undefined) return;
      if (name === 'contains' || name === 'starts_with' || name === 'ends_with') compare(context, text, part);
      else if (name === 'char_index') compare(context, part, text);
    },
  },
});

function compare(context: RuleContext, value: Expression, other: Expression): void {
  const call = unwrap(value);
  const literal = unwrap(other);
  if (call.kind !== 'call' || literal.kind !== 'string') return;
  const name = call.name.name.toLowerCase();
  if (name !== 'lower' && name !== 'upper') return;
  const fitting = name === 'lower' ? literal.value.toLowerCase() : literal.value.toUpperCase();
  if (fitting === literal.value) return;
  const wanted = recased(context.text, literal, name);
  context.report({
    range: literal.range,
    message: `${name.toUpperCase()} gives ${name === 'lower' ? 'small letters' : 'capitals'} only, so this text is never found. Write ${wanted ?? `'${fitting}'`}.`,
    fixes: wanted === undefined ? [] : [replaceFix(`Change to ${wanted}`, literal.range, wanted, false)],
  });
}

/** The literal as written, in the other case; undefined where an escape would be changed with it. */
function recased(text: string, literal: StringLiteral, to: 'lower' | 'upper'): string | undefined {
  const written = text.slice(literal.range.start, literal.range.end);
  if (written.includes('\\')) return undefined;
  const open = written.search(/['"]/) + 1;
  const inner = written.slice(open);
  return written.slice(0, open) + (to === 'lower' ? inner.toLowerCase() : inner.toUpperCase());
}
