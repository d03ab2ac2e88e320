import type { Catalog, Datasource, Relationship } from '../../catalog/catalog.ts';
import type { AnalyzedText } from '../analyzed-text.ts';
import { datasourceMarkdown } from '../catalog-text.ts';
import type { CompletionContext } from './completion-context.ts';
import type { CompletionItem, CompletionOptions } from './completion-item.ts';
import { functionItem } from './function-items.ts';
import { relationshipDetail } from './relationship-items.ts';

/** From this many datasources on, families (`LW_CFG_AWS_…`) are offered on top of the names. */
const familiesFrom = 100;

/** Datasources for a `source` block; behind `with`, those related to the left side first and, where any are known, alone. */
export function datasourceItems(
  query: AnalyzedText,
  context: CompletionContext & { kind: 'datasource' },
  options: CompletionOptions,
): CompletionItem[] {
  const catalog = query.catalog;
  const items: CompletionItem[] = [];
  if (context.relatedTo === undefined) {
    for (const definition of options.functions.values()) {
      if (definition.sourceOnly === true && (context.body?.sources.length ?? 0) > 0)
        items.push({ ...functionItem(definition, options.snippets, false), rank: 5 });
    }
  }
  if (catalog === undefined) return items;
  const related = context.relatedTo === undefined ? undefined : catalog.datasources.get(context.relatedTo);
  if (related !== undefined && related.relationships.length > 0) {
    for (const relationship of related.relationships) {
      const target = catalog.datasources.get(relationship.to);
      items.push(relatedItem(relationship, target, options.snippets));
    }
    return items;
  }
  for (const item of allDatasourceItems(catalog)) {
    if (item.label !== context.relatedTo) items.push(item);
  }
  if (catalog.datasources.size >= familiesFrom) items.push(...familyItems(catalog, context.prefix));
  return items;
}

const itemsOfCatalogs = new WeakMap<Catalog, readonly CompletionItem[]>();

/** An item for every datasource, sorted by name. A catalog never changes, so its items are made once. */
function allDatasourceItems(catalog: Catalog): readonly CompletionItem[] {
  let items = itemsOfCatalogs.get(catalog);
  if (items === undefined) {
    const datasources = [...catalog.datasources.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
    items = datasources.map((datasource) => datasourceItem(datasource, 20));
    itemsOfCatalogs.set(catalog, items);
  }
  return items;
}

function datasourceItem(datasource: Datasource, rank: number): CompletionItem {
  return {
    label: datasource.name,
    kind: 'datasource',
    ...(datasource.description === undefined ? {} : { detail: datasource.description }),
    documentation: () => datasourceMarkdown(datasource),
    insertText: datasource.name,
    rank,
  };
}

function relatedItem(relationship: Relationship, target: Datasource | undefined, snippets: boolean): CompletionItem {
  const isDefault = relationship.name === '(default)';
  const base = target === undefined ? undefined : datasourceItem(target, 10);
  return {
    label: isDefault ? relationship.to : `${relationship.to} on '${relationship.name}'`,
    kind: 'datasource',
    detail: relationship.description ?? relationshipDetail(relationship),
    ...(base?.documentation === undefined ? {} : { documentation: base.documentation }),
    insertText: isDefault || !snippets ? relationship.to : `${relationship.to} on '${relationship.name}'`,
    rank: isDefault ? 10 : 11,
  };
}

/** Prefixes that end in `_` right behind what is typed and hold several datasources: `LW_` → `LW_CFG_`, `LW_HE_`, … */
function familyItems(catalog: Catalog, prefix: string): CompletionItem[] {
  const wanted = prefix.toLowerCase();
  const counts = new Map<string, number>();
  for (const { label } of allDatasourceItems(catalog)) {
    const end = label.indexOf('_', wanted.length) + 1;
    if (end === 0 || end === label.length || label.slice(0, wanted.length).toLowerCase() !== wanted) continue;
    const family = label.slice(0, end);
    counts.set(family, (counts.get(family) ?? 0) + 1);
  }
  // A family of all that match says nothing; the ones below it do.
  const [only] = counts.keys();
  if (counts.size === 1 && only !== undefined && only.length > prefix.length) return familyItems(catalog, only);
  const items: CompletionItem[] = [];
  for (const [family, count] of counts) {
    if (count < 3 || family === prefix) continue;
    items.push({
      label: family,
      kind: 'family',
      detail: `${count} datasources`,
      insertText: family,
      rank: 15,
      retrigger: true,
    });
  }
  return items;
}
