import { type TextRange, textRange, touches } from '../../text/range.ts';
import type { FunctionDefinition } from '../catalog/function-definition.ts';
import type { DatasourceSymbol } from '../semantics/semantic-model.ts';
import type { ColumnReference, Node, PathExpression } from '../syntax/ast.ts';
import { nodePathAt } from '../syntax/walk.ts';
import { dataTypeOf } from '../types/types.ts';
import type { AnalyzedText } from './analyzed-text.ts';
import { columnMarkdown, datasourceMarkdown } from './catalog-text.ts';
import { functionMarkdown } from './function-text.ts';
import { placeBehindColon, propertiesAt } from './json-places.ts';
import { keywordHelp } from './keyword-help.ts';
import { codeBlock, escapeMarkdown, inlineCode } from './markdown.ts';
import { outlineOf, tokenIndexAt } from './token-outline.ts';

export interface Hover {
  readonly range: TextRange;
  /** Markdown with all data escaped. Show it untrusted and without HTML. */
  readonly markdown: string;
}

export interface HoverOptions {
  readonly functions: ReadonlyMap<string, FunctionDefinition>;
  /** How old the catalog is, in words, e.g. `Catalog of this account, read 3 hours ago`. */
  readonly catalogAge: string | undefined;
}

/** What there is to say about the thing at `offset`, or undefined. */
export function hover(query: AnalyzedText, offset: number, options: HoverOptions): Hover | undefined {
  const path = nodePathAt(query.model.file, offset);
  for (let i = path.length - 1; i >= 0; i--) {
    const node = path[i];
    if (node === undefined) continue;
    const found = hoverNode(query, node, path[i - 1], offset, options);
    if (found !== undefined) return found;
  }
  return hoverToken(query, offset, options);
}

function hoverNode(
  query: AnalyzedText,
  node: Node,
  parent: Node | undefined,
  offset: number,
  options: HoverOptions,
): Hover | undefined {
  switch (node.kind) {
    case 'identifier':
      if (parent?.kind === 'datasource') return hoverDatasource(query, parent.name.name, node.range, options);
      if (parent?.kind === 'column') return hoverColumn(query, parent, node.range, node === parent.qualifier, options);
      if (parent?.kind === 'returnStar') return hoverQualifier(query, node.name, node.range, options);
      if (parent?.kind === 'call' || parent?.kind === 'expansion') return hoverFunction(node.name, node.range, options);
      return undefined;
    case 'pathKey':
      return parent?.kind === 'path' ? hoverKey(query, parent, offset) : undefined;
    case 'string':
      if (parent?.kind === 'joinTarget' && parent.on === node)
        return hoverRelationship(query, parent.datasource.name.name, node.value, node.range);
      return undefined;
    default:
      return undefined;
  }
}

function hoverDatasource(
  query: AnalyzedText,
  name: string,
  range: TextRange,
  options: HoverOptions,
): Hover | undefined {
  const datasource = query.catalog?.datasources.get(name);
  return datasource && { range, markdown: datasourceMarkdown(datasource, options.catalogAge) };
}

function hoverQualifier(query: AnalyzedText, name: string, range: TextRange, options: HoverOptions): Hover | undefined {
  for (const scope of query.model.scopes.values()) {
    if (!(scope.body.range.start <= range.start && range.end <= scope.body.range.end)) continue;
    const source = scope.sources.find((s): s is DatasourceSymbol => s.kind === 'datasource' && s.name === name);
    if (source !== undefined) return hoverSource(source, range, options);
  }
  return undefined;
}

function hoverSource(source: DatasourceSymbol, range: TextRange, options: HoverOptions): Hover {
  const name = source.node.name.name;
  const alias = source.name === name ? '' : `**alias** ${inlineCode(source.name)} of ${inlineCode(name)}\n\n`;
  const body = source.datasource === undefined ? '' : datasourceMarkdown(source.datasource, options.catalogAge);
  return { range, markdown: (alias + body).trim() || inlineCode(name) };
}

function hoverColumn(
  query: AnalyzedText,
  reference: ColumnReference,
  range: TextRange,
  isQualifier: boolean,
  options: HoverOptions,
): Hover | undefined {
  const symbol = query.model.references.get(reference);
  if (symbol === undefined) return undefined;
  if (symbol.kind === 'expansionColumn') {
    const argument = symbol.source.node.argument.range;
    const text = query.text.slice(argument.start, argument.end);
    return {
      range,
      markdown: `**expanded column** ${inlineCode(symbol.source.name)} JSON\n\nOne row for each element of\n\n${codeBlock(text)}`,
    };
  }
  if (isQualifier) return hoverSource(symbol.source, range, options);
  const datasourceName = symbol.source.node.name.name;
  if (symbol.column === undefined) {
    const markdown = `**column** ${inlineCode(symbol.name)} of ${inlineCode(datasourceName)}\n\n*Columns of this datasource are not known yet.*`;
    return { range, markdown };
  }
  return { range, markdown: columnMarkdown(symbol.column, symbol.source.datasource, datasourceName) };
}

function hoverFunction(name: string, range: TextRange, options: HoverOptions): Hover | undefined {
  const definition = options.functions.get(name.toLowerCase());
  return definition && { range, markdown: functionMarkdown(definition) };
}

function hoverKey(query: AnalyzedText, path: PathExpression, offset: number): Hover | undefined {
  const key = path.keys.find((k) => touches(k.range, offset));
  if (key === undefined) return undefined;
  const keys = path.keys.slice(0, path.keys.indexOf(key) + 1);
  const names = keys.map((k) => k.name);
  const shown = names.length > 12 ? ['…', ...names.slice(-12)] : names;
  const label = `${query.text.slice(path.base.range.start, path.base.range.end)}:${shown.join('.')}`;
  const outline = outlineOf(query.parsed);
  const colon = tokenIndexAt(outline.tokens, path.base.range.end + 1);
  const place = placeBehindColon(outline, colon, colon + 1, query.catalog);
  const inner = place && { ...place, path: [...place.path, ...keys.slice(0, -1).map((k) => k.name)] };
  const property = inner && propertiesAt(inner, query.catalog).find((p) => p.name === key.name);
  const type = property === undefined ? 'JSON' : dataTypeOf(property.type);
  const description = property?.description === undefined ? '' : `\n\n${escapeMarkdown(property.description)}`;
  return { range: key.range, markdown: `**key** ${inlineCode(label)} ${type}${description}` };
}

function hoverRelationship(query: AnalyzedText, to: string, name: string, range: TextRange): Hover | undefined {
  for (const scope of query.model.scopes.values()) {
    for (const source of scope.sources) {
      if (source.kind !== 'datasource' || source.node.name.name !== to || source.relationship?.name !== name) continue;
      const { relationship } = source;
      const cardinality = relationship.cardinality === undefined ? '' : `, ${relationship.cardinality}`;
      const description =
        relationship.description === undefined ? '' : `\n\n${escapeMarkdown(relationship.description)}`;
      const markdown = `**relationship** ${inlineCode(name)}: ${inlineCode(relationship.from)} → ${inlineCode(relationship.to)}${cardinality}${description}`;
      return { range, markdown };
    }
  }
  return undefined;
}

/** Keywords, and names the tree lost around an error. */
function hoverToken(query: AnalyzedText, offset: number, options: HoverOptions): Hover | undefined {
  const { tokens } = outlineOf(query.parsed);
  const at = tokenIndexAt(tokens, offset);
  const token = tokens[at]?.end === offset && tokens[at + 1]?.start === offset ? tokens[at + 1] : tokens[at];
  if (token === undefined || token.start > offset) return undefined;
  const range = textRange(token.start, token.end);
  const help = keywordHelp.get(token.lower);
  if (help !== undefined)
    return { range, markdown: `**keyword** ${inlineCode(token.lower)}\n\n${escapeMarkdown(help)}` };
  return hoverDatasource(query, token.text, range, options);
}
