import type { TextRange } from '../../text/range.ts';
import type { Body, DatasourceItem, SourceItem } from '../syntax/ast.ts';
import type { AnalyzedText } from './analyzed-text.ts';

export interface DocumentSymbol {
  readonly name: string;
  readonly detail: string;
  readonly kind: 'query' | 'block' | 'datasource' | 'expansion' | 'column';
  readonly range: TextRange;
  /** The name itself, inside `range`. */
  readonly selection: TextRange;
  readonly children: readonly DocumentSymbol[];
}

/** The outline of a query: its blocks, what it reads, what it returns. */
export function documentSymbols(query: AnalyzedText): readonly DocumentSymbol[] {
  const root = query.model.file.query;
  if (root === undefined) return [];
  if (root.kind === 'query') {
    const blocks = bodySymbols(query, root.body);
    if (root.name === undefined) return blocks;
    return [
      {
        name: root.name.name,
        detail: 'query',
        kind: 'query',
        range: root.range,
        selection: root.name.range,
        children: blocks,
      },
    ];
  }
  return root.bodies.map((body, i) => ({
    name: `query ${i + 1}`,
    detail: root.all ? 'union all' : 'union',
    kind: 'query' as const,
    range: body.range,
    selection: body.source?.keywordRange ?? body.range,
    children: bodySymbols(query, body),
  }));
}

function bodySymbols(query: AnalyzedText, body: Body): DocumentSymbol[] {
  const symbols: DocumentSymbol[] = [];
  if (body.source !== undefined)
    symbols.push({
      name: 'source',
      detail: '',
      kind: 'block',
      range: body.source.range,
      selection: body.source.keywordRange,
      children: body.source.items.flatMap((item) => sourceSymbols(query, item)),
    });
  if (body.filter !== undefined)
    symbols.push({
      name: 'filter',
      detail: '',
      kind: 'block',
      range: body.filter.range,
      selection: body.filter.keywordRange,
      children: [],
    });
  if (body.return !== undefined)
    symbols.push({
      name: body.return.distinct ? 'return distinct' : 'return',
      detail: '',
      kind: 'block',
      range: body.return.range,
      selection: body.return.keywordRange,
      children: returnSymbols(query, body),
    });
  return symbols;
}

function sourceSymbols(query: AnalyzedText, item: SourceItem): DocumentSymbol[] {
  if (item.kind === 'datasource') return datasourceSymbols(item);
  const alias = item.columnAlias;
  const detail = query.text.slice(item.functionName.range.start, item.argument.range.end);
  return [
    {
      name: alias?.name || item.functionName.name || 'expansion',
      detail,
      kind: 'expansion',
      range: item.range,
      selection: alias?.range ?? item.functionName.range,
      children: [],
    },
  ];
}

function datasourceSymbols(item: DatasourceItem): DocumentSymbol[] {
  const joined = item.joins.flatMap((join) => join.targets.flatMap((target) => datasourceSymbols(target.datasource)));
  return [
    {
      name: item.name.name || '(missing)',
      detail: item.alias?.name ?? '',
      kind: 'datasource',
      range: item.range,
      selection: item.name.range,
      children: joined,
    },
  ];
}

function returnSymbols(query: AnalyzedText, body: Body): DocumentSymbol[] {
  return (body.return?.items ?? []).map((item) => {
    const text = query.text.slice(item.range.start, item.range.end);
    if (item.kind === 'returnStar')
      return { name: text || '*', detail: '', kind: 'column', range: item.range, selection: item.range, children: [] };
    const expression = query.text.slice(item.expression.range.start, item.expression.range.end);
    const type = query.model.types.get(item.expression);
    return {
      name: item.alias?.name || oneLine(expression) || '(missing)',
      detail: type === undefined || type === 'unknown' ? '' : type,
      kind: 'column' as const,
      range: item.range,
      selection: item.alias?.range ?? item.expression.range,
      children: [],
    };
  });
}

function oneLine(text: string): string {
  const flat = text.replace(/\s+/g, ' ');
  return flat.length > 60 ? `${flat.slice(0, 59)}…` : flat;
}
