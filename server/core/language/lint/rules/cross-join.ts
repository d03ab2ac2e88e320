import type { Datasource } from '../../catalog/catalog.ts';
import { defaultRelationshipName, relationshipsBetween } from '../../catalog/lookup.ts';
import { type Fix, replaceFix } from '../../diagnostics/diagnostic.ts';
import type { DatasourceItem, SourceItem } from '../../syntax/ast.ts';
import { defineRule } from '../rule.ts';

export const crossJoin = defineRule({
  id: 'cross-join',
  title: 'Two datasources separated by a comma',
  why: 'Behind the comma an array expansion is expected. Whether the service accepts a second datasource there is not documented; if it does, every row of the one meets every row of the other.',
  whatToDo: 'Join along a relationship with `with`, or compare through a subquery.',
  bad: '{ source { SVC_HE_PROCESSES p, SVC_HE_MACHINES m } filter { p.MID = m.MID } return { p.MID } }',
  good: '{ source { SVC_HE_PROCESSES p with SVC_HE_MACHINES m } filter { m.HOSTNAME is not null } return { p.MID } }',
  severity: 'warning',
  visit: {
    body(node, context) {
      const items = node.source?.items ?? [];
      const [first, ...others] = items.filter((item) => item.kind === 'datasource');
      if (first === undefined) return;
      const scope = context.model.scopes.get(node);
      const datasourceOf = (item: DatasourceItem): Datasource | undefined => {
        const source = scope?.sources.find((each) => each.kind === 'datasource' && each.node === item);
        return source?.kind === 'datasource' ? source.datasource : undefined;
      };
      for (const other of others) {
        if (other.name.name === '') continue;
        context.report({
          range: other.name.range,
          message: `A comma before '${other.name.name}' makes no join: each of its rows would meet each row of '${first.name.name}', if the service accepts it at all. Join along a relationship with 'with', or compare through 'in { subquery }'.`,
          fixes: joinFix(datasourceOf(first), items, first, other),
        });
      }
    },
  },
});

/** `A, B` as `A with B`, where the two stand side by side and the catalog knows how they join. */
function joinFix(
  datasource: Datasource | undefined,
  items: readonly SourceItem[],
  first: DatasourceItem,
  other: DatasourceItem,
): readonly Fix[] {
  if (datasource === undefined || items[items.indexOf(other) - 1] !== first) return [];
  const [relationship] = relationshipsBetween(datasource, other.name.name);
  if (relationship?.name !== defaultRelationshipName) return [];
  return [replaceFix("Join with 'with'", { start: first.range.end, end: other.range.start }, ' with ', false)];
}
