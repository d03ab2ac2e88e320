import { dataTypeOf } from '../../types/types.ts';
import type { AnalyzedText } from '../analyzed-text.ts';
import { columnMarkdown } from '../catalog-text.ts';
import { datasourcesOf } from '../json-places.ts';
import { type BodyOutline, outlineOf } from '../token-outline.ts';
import type { CompletionItem } from './completion-item.ts';

/** Shorter words match too much: what is not joined yet is offered only to those who know what they want. */
const shortestWord = 2;

/**
 * Columns of datasources that the root is related to but not joined with, for the word `prefix`. Choosing one joins its datasource as
 * well. Offered only while the root has no join: behind one, a further `with` would read as a chain.
 */
export function relatedColumnItems(
  query: AnalyzedText,
  body: BodyOutline | undefined,
  prefix: string,
): readonly CompletionItem[] {
  if (body === undefined || prefix.length < shortestWord) return [];
  const sources = datasourcesOf(body);
  const [root] = sources;
  const relationships = root && query.catalog?.datasources.get(root.datasource)?.relationships;
  if (root === undefined || relationships === undefined) return [];
  const { tokens } = outlineOf(query.parsed);
  const last = root.aliasToken ?? root.token;
  const end = tokens[last]?.end;
  if (end === undefined || tokens[last + 1]?.lower === 'with') return [];

  const wanted = prefix.toLowerCase();
  const joined = new Set(sources.map(({ datasource }) => datasource));
  const items: CompletionItem[] = [];
  for (const { name, to, cardinality } of relationships) {
    const target = query.catalog?.datasources.get(to);
    if (target?.columns === undefined || joined.has(to)) continue;
    joined.add(to);
    const on = name === '(default)' ? '' : ` on '${name}'`;
    for (const column of target.columns) {
      if (!column.name.toLowerCase().startsWith(wanted)) continue;
      items.push({
        label: column.name,
        kind: 'column',
        signature: ` of ${to}`,
        detail: `${dataTypeOf(column.type)} · joins ${to}${cardinality === 'MANY' ? ', several rows each' : ''}`,
        documentation: () => columnMarkdown(column, target, to),
        insertText: `${to}.${column.name}`,
        additionalEdits: [{ range: { start: end, end }, newText: ` with ${to}${on}` }],
        rank: 60,
      });
    }
  }
  return items;
}
