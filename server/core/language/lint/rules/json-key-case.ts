import type { Column } from '../../catalog/catalog.ts';
import { keysAt, type ObservedKey } from '../../catalog/observed-keys.ts';
import { replaceFix } from '../../diagnostics/diagnostic.ts';
import { jsonPlaceOf } from '../../semantics/json-place.ts';
import { writeDoubleQuoted } from '../../syntax/strings.ts';
import { unwrap } from '../facts.ts';
import { defineRule } from '../rule.ts';

export const jsonKeyCase = defineRule({
  id: 'json-key-case',
  title: 'JSON key is known in another spelling',
  why: 'Keys of JSON values are case-sensitive. A key in the wrong case is simply missing, and the query returns nothing without an error.',
  whatToDo: 'Write the key as the schema or the rows spell it.',
  bad: '{ source { SVC_CFG_AWS_S3 } filter { RESOURCE_CONFIG:name is not null } return { ARN } }',
  good: '{ source { SVC_CFG_AWS_S3 } filter { RESOURCE_CONFIG:Name is not null } return { ARN } }',
  severity: 'warning',
  needsCatalog: true,
  visit: {
    path(node, context) {
      const { references, observedKeys } = context.model;
      const base = unwrap(node.base);
      const symbol = base.kind === 'column' ? references.get(base) : undefined;
      if (symbol === undefined) return;
      let listed: readonly Column[] = (symbol.kind === 'column' ? symbol.column?.properties : undefined) ?? [];
      const place = observedKeys === undefined ? undefined : jsonPlaceOf(base, references);
      let seen: readonly ObservedKey[] = place === undefined ? [] : keysAt(observedKeys, place);
      for (const key of node.keys) {
        const names = new Set([...listed, ...seen].map(({ name }) => name));
        const known = names.has(key.name) ? key.name : sameButCase(key.name, names);
        if (known === undefined) return;
        if (known !== key.name) {
          const wanted = key.quoted ? writeDoubleQuoted(known) : known;
          const source = seen.some(({ name }) => name === known) ? 'Rows have the key' : 'The key is known';
          context.report({
            range: key.range,
            message: `${source} as '${known}'; JSON keys are case-sensitive, so '${key.name}' would be missing in every row.`,
            fixes: [replaceFix(`Change to ${wanted}`, key.range, wanted, true)],
          });
        }
        listed = listed.find(({ name }) => name === known)?.properties ?? [];
        seen = seen.find(({ name }) => name === known)?.keys ?? [];
      }
    },
  },
});

/** The name that differs from `wanted` in case alone. */
function sameButCase(wanted: string, names: ReadonlySet<string>): string | undefined {
  const lower = wanted.toLowerCase();
  for (const name of names) if (name.toLowerCase() === lower) return name;
  return undefined;
}
