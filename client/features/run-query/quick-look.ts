import type { Body, DatasourceItem, SourceItem } from '../../../server/core/language/syntax/ast.ts';
import { parse } from '../../../server/core/language/syntax/parse.ts';

/** How far a quick look goes: what the source gives, or what the filter leaves of it. */
export type QuickLook = 'source' | 'filter';

/** A source of a query whose columns are wanted: `alias` is how the query refers to it. */
export interface LookedAt {
  readonly datasource: string;
  readonly alias: string | undefined;
}

/**
 * The query that shows what another one's source gives, or what its filter leaves, with all columns of its first
 * datasource and what its expansions add. Undefined when the text has no source to look at.
 */
export async function quickLookQuery(
  queryText: string,
  look: QuickLook,
  columnsOf: (datasource: string) => Promise<readonly string[] | undefined>,
): Promise<string | undefined> {
  const { file } = parse(queryText);
  const { query } = file;
  const body = query?.kind === 'union' ? query.bodies[0] : query?.body;
  const root = body && rootOf(body);
  if (!body?.source || !root) return undefined;
  const columns = await columnsOf(root.datasource);
  if (!columns || columns.length === 0) return undefined;
  const prefix = root.alias === undefined ? '' : `${root.alias}.`;
  const shown = [...columns.map((column) => `${prefix}${column}`), ...expansions(body.source.items)];
  const blocks = [textOf(queryText, body.source.range)];
  if (look === 'filter' && body.filter) blocks.push(textOf(queryText, body.filter.range));
  blocks.push(`return { ${shown.join(', ')} }`);
  return `{ ${blocks.join('\n')} }`;
}

function rootOf({ source }: Body): LookedAt | undefined {
  const root = source?.items.find((item): item is DatasourceItem => item.kind === 'datasource');
  if (!root) return undefined;
  // With joins the bare name of a column may be ambiguous: then the datasource's own name stands in front.
  const alias = root.alias?.name ?? (root.joins.length > 0 ? root.name.name : undefined);
  return { datasource: root.name.name, alias };
}

function expansions(items: readonly SourceItem[]): readonly string[] {
  return items.flatMap((item) => {
    if (item.kind !== 'expansion') return [];
    const column = item.columnAlias?.name;
    const table = item.tableAlias?.name;
    if (column === undefined) return table === undefined ? [] : [table];
    return [table === undefined ? column : `${table}.${column}`];
  });
}

function textOf(text: string, { start, end }: { readonly start: number; readonly end: number }): string {
  return text.slice(start, end);
}
