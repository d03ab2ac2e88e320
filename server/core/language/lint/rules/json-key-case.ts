import type { Column } from '../../catalog/catalog.ts';
import { replaceFix } from '../expressions.ts';
import { unwrap } from '../facts.ts';
import { defineRule } from '../rule.ts';

export const jsonKeyCase = defineRule({
  id: 'json-key-case',
  title: 'JSON key is known in another spelling',
  why: 'Keys of JSON values are case-sensitive. A key in the wrong case is simply missing, and the query returns nothing without an error.',
  whatToDo: 'Write the key as the schema or the data spell it.',
  bad: '{ source { SVC_CFG_AWS_S3 } filter { RESOURCE_CONFIG:name is not null } return { ARN } }',
  good: '{ source { SVC_CFG_AWS_S3 } filter { RESOURCE_CONFIG:Name is not null } return { ARN } }',
  severity: 'warning',
  needsCatalog: true,
  visit: {
    path(node, context) {
      const base = unwrap(node.base);
      if (base.kind !== 'column') return;
      const symbol = context.model.references.get(base);
      let known: readonly Column[] | undefined = symbol?.kind === 'column' ? symbol.column?.properties : undefined;
      for (const key of node.keys) {
        if (known === undefined || known.length === 0) return;
        const exact = known.find((property) => property.name === key.name);
        if (exact !== undefined) {
          known = exact.properties;
          continue;
        }
        const lower = key.name.toLowerCase();
        const other = known.find((property) => property.name.toLowerCase() === lower);
        if (other === undefined) return;
        const wanted = key.quoted ? `"${other.name}"` : other.name;
        context.report({
          range: key.range,
          message: `The key is known as '${other.name}'; JSON keys are case-sensitive, so '${key.name}' would be missing in every row.`,
          fixes: [replaceFix(`Change to ${wanted}`, key.range, wanted, true)],
        });
        known = other.properties;
      }
    },
  },
});
