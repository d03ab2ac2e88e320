import type { Column, Datasource } from '../../catalog/catalog.ts';
import { dataTypeOf } from '../../types/types.ts';
import type { AnalyzedText } from '../analyzed-text.ts';
import { columnMarkdown } from '../catalog-text.ts';
import { datasourcesOf, expansionsOf } from '../json-places.ts';
import type { BodyOutline, OutlineDatasource } from '../token-outline.ts';
import type { CompletionContext } from './completion-context.ts';
import type { CompletionItem } from './completion-item.ts';

/** Columns of every source of `body`, expansion columns, and the aliases that qualify. A name that two sources have comes qualified. */
export function columnItems(
  query: AnalyzedText,
  body: BodyOutline | undefined,
  missing: Set<string>,
): CompletionItem[] {
  if (body === undefined) return [];
  const items: CompletionItem[] = [];
  const sources = datasourcesOf(body);
  const owners = new Map<string, number>();
  for (const source of sources) {
    for (const column of columnsOf(query, source) ?? []) owners.set(column.name, (owners.get(column.name) ?? 0) + 1);
  }
  for (const source of sources) {
    const qualifier = source.alias ?? source.datasource;
    const datasource = query.catalog?.datasources.get(source.datasource);
    if (source.alias !== undefined || sources.length > 1)
      items.push({ label: qualifier, kind: 'alias', detail: source.datasource, insertText: qualifier, rank: 25 });
    if (datasource === undefined) continue;
    if (datasource.columns === undefined) {
      missing.add(source.datasource);
      items.push(loadingItem(source.datasource));
      continue;
    }
    for (const column of datasource.columns) {
      const isAmbiguous = (owners.get(column.name) ?? 0) > 1;
      items.push(columnItem(column, datasource, isAmbiguous ? `${qualifier}.${column.name}` : column.name, 20));
    }
  }
  items.push(...expansionItems(body));
  return items;
}

/** What may follow `qualifier.`: the columns of that source, or the columns of an expansion with that table alias. */
export function qualifiedItems(
  query: AnalyzedText,
  context: CompletionContext & { kind: 'qualified' },
  missing: Set<string>,
): CompletionItem[] {
  const { body, qualifier } = context;
  if (body === undefined) return [];
  const items: CompletionItem[] = [];
  for (const expansion of expansionsOf(body)) {
    if (expansion.tableAlias === qualifier && expansion.columnAlias !== undefined)
      items.push(expansionItem(expansion.columnAlias));
  }
  const source =
    datasourcesOf(body).find((s) => s.alias === qualifier) ??
    datasourcesOf(body).find((s) => s.datasource === qualifier);
  const datasource = source && query.catalog?.datasources.get(source.datasource);
  if (source === undefined || datasource === undefined) return items;
  if (context.inReturnItem)
    items.push({ label: '*', kind: 'column', detail: 'all columns', insertText: '*', rank: 30 });
  if (datasource.columns === undefined) {
    missing.add(source.datasource);
    items.push(loadingItem(source.datasource));
    return items;
  }
  for (const column of datasource.columns) items.push(columnItem(column, datasource, column.name, 20));
  return items;
}

function columnsOf(query: AnalyzedText, source: OutlineDatasource): readonly Column[] | undefined {
  return query.catalog?.datasources.get(source.datasource)?.columns;
}

function columnItem(column: Column, datasource: Datasource, insertText: string, rank: number): CompletionItem {
  return {
    label: insertText,
    kind: 'column',
    detail: `${dataTypeOf(column.type)} · ${datasource.name}`,
    documentation: () => columnMarkdown(column, datasource, datasource.name),
    insertText,
    rank,
  };
}

function expansionItems(body: BodyOutline): CompletionItem[] {
  return expansionsOf(body).flatMap(({ columnAlias }) =>
    columnAlias === undefined ? [] : [expansionItem(columnAlias)],
  );
}

function expansionItem(name: string): CompletionItem {
  return { label: name, kind: 'column', detail: 'JSON · element of an expanded array', insertText: name, rank: 18 };
}

/** Says why columns are absent. It inserts nothing; the host fetches the schema and the next request has the columns. */
function loadingItem(datasource: string): CompletionItem {
  return {
    label: `Loading the columns of ${datasource}…`,
    kind: 'status',
    detail: 'The schema of this datasource is being fetched. Ask again in a moment.',
    insertText: '',
    rank: 90,
  };
}
