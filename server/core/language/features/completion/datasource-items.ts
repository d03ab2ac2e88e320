import type { Datasource, Relationship } from '../../catalog/catalog.ts';
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
  for (const datasource of catalog.datasources.values()) {
    if (datasource.name !== context.relatedTo) items.push(datasourceItem(datasource, 20));
  }
  if (catalog.datasources.size >= familiesFrom) items.push(...familyItems(catalog.datasources.keys(), context.prefix));
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
function familyItems(names: Iterable<string>, prefix: string): CompletionItem[] {
  const counts = new Map<string, number>();
  const wanted = prefix.toUpperCase();
  const depth = wanted.split('_').length + 1;
  for (const name of names) {
    if (!name.toUpperCase().startsWith(wanted)) continue;
    const parts = name.split('_');
    if (parts.length <= depth) continue;
    const family = `${parts.slice(0, depth).join('_')}_`;
    counts.set(family, (counts.get(family) ?? 0) + 1);
  }
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
