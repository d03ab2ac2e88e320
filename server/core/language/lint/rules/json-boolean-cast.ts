import { replaceFix } from '../../diagnostics/diagnostic.ts';
import { unwrap } from '../facts.ts';
import { defineRule } from '../rule.ts';

export const jsonBooleanCast = defineRule({
  id: 'json-boolean-cast',
  title: 'JSON value is cast to Boolean',
  why: 'The reference lists this cast, but people report that the service refuses it. Comparing the JSON value with a text works in every account.',
  whatToDo: "Compare without a cast: `COLUMN:key = 'true'`.",
  bad: '{ source { SVC_CFG_AWS_EC2_VOLUMES } filter { RESOURCE_CONFIG:Encrypted::Boolean = false } return { ARN } }',
  good: "{ source { SVC_CFG_AWS_EC2_VOLUMES } filter { RESOURCE_CONFIG:Encrypted = 'false' } return { ARN } }",
  severity: 'info',
  visit: {
    cast(node, context, parent) {
      if (node.typeName.name.toLowerCase() !== 'boolean' || context.model.types.get(node.operand) !== 'json') return;
      const fixes = [];
      if (parent?.kind === 'binary' && (parent.operator === '=' || parent.operator === '<>') && parent.left === node) {
        const literal = unwrap(parent.right);
        if (literal.kind === 'boolean') {
          const { operand } = node;
          const written = context.text.slice(operand.range.start, operand.range.end);
          const wanted = `${written} ${parent.operator} '${literal.value}'`;
          fixes.push(replaceFix(`Change to ${wanted}`, parent.range, wanted, false));
        }
      }
      context.report({
        range: { start: node.operand.range.end, end: node.range.end },
        message:
          "That a JSON value can be cast to Boolean is documented, but reported to be refused by the service. Compare it with 'true' or 'false' as text instead.",
        fixes,
      });
    },
  },
});
