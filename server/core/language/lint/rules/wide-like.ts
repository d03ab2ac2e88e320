import type { Expression } from '../../syntax/ast.ts';
import { unwrap } from '../facts.ts';
import { defineRule, type RuleContext } from '../rule.ts';

export const wideLike = defineRule({
  id: 'wide-like',
  title: 'Text search over a whole JSON value',
  why: "`like '%…%'` over a whole event or configuration turns each value into text and reads it from end to end. It is slow, and it also finds the word in places that are not meant, such as a key or a comment.",
  whatToDo: 'Search the key that holds the value: `EVENT:requestParameters.bucketName`.',
  bad: "{ source { CloudTrailRawEvents } filter { EVENT like '%AdministratorAccess%' } return { EVENT } }",
  good: "{ source { CloudTrailRawEvents } filter { EVENT:requestParameters.policyArn like '%AdministratorAccess%' } return { EVENT } }",
  severity: 'info',
  needsCatalog: true,
  visit: {
    like(node, context) {
      const wide = node.operator === 'rlike' ? /^\.\*.*\.\*$/s : /^%.*%$/s;
      const isWide = node.patterns.some((pattern) => {
        const literal = unwrap(pattern);
        return literal.kind === 'string' && wide.test(literal.value);
      });
      if (isWide) report(context, node.operand);
    },
    call(node, context) {
      const text = node.args[0];
      if (text !== undefined && node.name.name.toLowerCase() === 'contains') report(context, text);
    },
  },
});

function report(context: RuleContext, operand: Expression): void {
  let column = unwrap(operand);
  while (column.kind === 'call') {
    const inner = column.args[0];
    if (inner === undefined || !/^(lower|upper)$/i.test(column.name.name)) return;
    column = unwrap(inner);
  }
  // Who writes `COLUMN::String` has seen that the whole value becomes text.
  if (column.kind !== 'column' || context.model.types.get(column) !== 'json') return;
  // An expansion's element is as narrow as the author made it.
  if (context.model.references.get(column)?.kind !== 'column') return;
  context.report({
    range: operand.range,
    message: `The whole JSON value '${column.name.name}' is searched as text, in every row: slow, and it finds the word anywhere. Search the key that holds it, e.g. ${column.name.name}:key.`,
  });
}
