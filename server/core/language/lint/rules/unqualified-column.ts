import { insertFix } from '../../diagnostics/diagnostic.ts';
import { defineRule } from '../rule.ts';

export const unqualifiedColumn = defineRule({
  id: 'unqualified-column',
  title: 'Column without its source in a query with several',
  why: 'A reader cannot see where the column comes from, and the query breaks on the day the other datasource gets a column of the same name.',
  whatToDo: 'Write the alias before the column.',
  bad: '{ source { SVC_HE_PROCESSES p with SVC_HE_MACHINES m } return { CMDLINE, m.HOSTNAME } }',
  good: '{ source { SVC_HE_PROCESSES p with SVC_HE_MACHINES m } return { p.CMDLINE, m.HOSTNAME } }',
  severity: 'off',
  needsCatalog: true,
  visit: {
    body(node, context) {
      const scope = context.model.scopes.get(node);
      const datasources = scope?.sources.filter((source) => source.kind === 'datasource') ?? [];
      if (datasources.length < 2) return;
      for (const source of datasources) {
        if (datasources.some((other) => other !== source && other.name === source.name)) continue;
        // What is no name (its own problem) would be wrong a second time before the column.
        if (!/^[A-Za-z_]\w*$/.test(source.name)) continue;
        for (const reference of context.facts.useOf(source).references) {
          if (reference.qualifier !== undefined) continue;
          // A column that the catalog does not list may be another source's.
          const symbol = context.model.references.get(reference);
          if (symbol?.kind !== 'column' || symbol.column === undefined) continue;
          context.report({
            range: reference.range,
            message: `'${reference.name.name}' comes from '${source.name}': say so where several sources meet.`,
            fixes: [
              insertFix(
                `Change to ${source.name}.${reference.name.name}`,
                reference.range.start,
                `${source.name}.`,
                true,
              ),
            ],
          });
        }
      }
    },
  },
});
