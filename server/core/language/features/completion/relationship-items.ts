import type { Relationship } from '../../catalog/catalog.ts';
import type { AnalyzedText } from '../analyzed-text.ts';
import { escapeMarkdown } from '../markdown.ts';
import type { CompletionContext } from './completion-context.ts';
import type { CompletionItem } from './completion-item.ts';

/** Names of relationships after `on`, quoted where the cursor is not inside quotes already. */
export function relationshipItems(
  query: AnalyzedText,
  context: CompletionContext & { kind: 'relationship' },
): CompletionItem[] {
  if (context.from === undefined) return [];
  const all = query.catalog?.datasources.get(context.from)?.relationships ?? [];
  const inQuotes = /['"]/.test(query.text.charAt(context.range.start - 1));
  return all
    .filter((relationship) => context.to === undefined || relationship.to === context.to)
    .map((relationship, i) => relationshipItem(relationship, inQuotes, i));
}

function relationshipItem(relationship: Relationship, inQuotes: boolean, index: number): CompletionItem {
  const name = inQuotes ? relationship.name : `'${relationship.name}'`;
  return {
    label: name,
    kind: 'relationship',
    detail: relationshipDetail(relationship),
    ...(relationship.description === undefined
      ? {}
      : { documentation: () => escapeMarkdown(relationship.description ?? '') }),
    insertText: name,
    rank: 10 + index,
  };
}

/** `LW_A → LW_B (MANY)`. */
export function relationshipDetail(relationship: Relationship): string {
  const cardinality = relationship.cardinality === undefined ? '' : ` (${relationship.cardinality})`;
  return `${relationship.from} → ${relationship.to}${cardinality}`;
}
