import { contains, type TextRange, touches } from '../../text/range.ts';
import type { Datasource, Relationship } from '../catalog/catalog.ts';
import {
  defaultRelationshipName,
  knowsRelationships,
  relationshipsBetween,
  suggestDatasources,
} from '../catalog/lookup.ts';
import { vendorPrefixOf, withVendorPrefix } from '../catalog/vendor-prefix.ts';
import type { Fix } from '../diagnostics/diagnostic.ts';
import { list, messages } from '../diagnostics/messages.ts';
import type { Body, DatasourceItem, ExpansionItem, JoinTarget, SourceItem } from '../syntax/ast.ts';
import { writeString } from '../syntax/strings.ts';
import { type AnalysisContext, type OpenScope, renameFixes, report } from './context.ts';
import { columnOf, findSource, hasReliableColumns } from './scope.ts';
import type { DatasourceSymbol, ExpansionSymbol } from './semantic-model.ts';

/**
 * Opens the scope of a body and declares its sources in the order of the text. An expansion's argument sees only what stands before
 * it, so `checkArgument` is called in between, with the scope as it is at that point.
 */
export function bindSources(
  context: AnalysisContext,
  body: Body,
  parent: OpenScope | undefined,
  checkArgument: (scope: OpenScope, item: ExpansionItem) => void,
): OpenScope {
  const items = body.source?.items ?? [];
  const scope: OpenScope = { body, parent, sources: [], incomplete: items.length === 0 };
  context.scopes.set(body, scope);
  if (body.source !== undefined && !scope.incomplete) {
    for (const range of context.syntaxErrors) {
      if (contains(body.source.range, range) || touches(body.source.range, range.start)) scope.incomplete = true;
    }
  }
  items.forEach((item, index) => {
    if (item.kind === 'datasource') {
      bindDatasource(context, scope, item, undefined, undefined);
    } else {
      const outerLaterItems = context.laterItems;
      context.laterItems = items.slice(index + 1);
      checkArgument(scope, item);
      context.laterItems = outerLaterItems;
      bindExpansion(context, scope, item);
    }
  });
  return scope;
}

/** The item behind `laterItems` that declares `name` as a source or an expansion column. */
export function findLaterDeclaration(items: readonly SourceItem[], name: string): SourceItem | undefined {
  return items.find((item) =>
    item.kind === 'datasource'
      ? declaredNames(item).includes(name)
      : item.columnAlias?.name === name || item.tableAlias?.name === name,
  );
}

function declaredNames(item: DatasourceItem): string[] {
  const names = [(item.alias ?? item.name).name];
  for (const join of item.joins) for (const target of join.targets) names.push(...declaredNames(target.datasource));
  return names;
}

function bindDatasource(
  context: AnalysisContext,
  scope: OpenScope,
  node: DatasourceItem,
  joinedFrom: DatasourceSymbol | undefined,
  joinTarget: JoinTarget | undefined,
): void {
  const named = node.alias ?? node.name;
  if (named.name === '') scope.incomplete = true;
  const datasource = lookUpDatasource(context, node);
  const relationship =
    joinedFrom === undefined || joinTarget === undefined
      ? undefined
      : findRelationship(context, joinedFrom, node, datasource, joinTarget);
  const symbol: DatasourceSymbol = {
    kind: 'datasource',
    name: named.name,
    nameRange: named.range,
    node,
    datasource,
    joinedFrom,
    joinTarget,
    relationship,
    many: (joinedFrom?.many ?? false) || relationship?.cardinality === 'MANY',
  };
  const namesake = named.name === '' ? undefined : findSource(scope, named.name);
  if (namesake !== undefined) {
    report(context, 'duplicate-source-name', named.range, messages.duplicateSourceName(named.name), {
      related: [{ range: namesake.nameRange, message: `'${named.name}' is declared here first` }],
    });
  }
  scope.sources.push(symbol);
  for (const join of node.joins) {
    for (const target of join.targets) bindDatasource(context, scope, target.datasource, symbol, target);
  }
}

function lookUpDatasource(context: AnalysisContext, node: DatasourceItem): Datasource | undefined {
  const { name, range } = node.name;
  if (name === '') return undefined;
  context.datasourceNames.add(name);
  const { catalog } = context;
  if (catalog === undefined) return undefined;
  const datasource = catalog.datasources.get(name);
  if (datasource !== undefined) {
    if (datasource.columns === undefined) context.missingSchemas.add(name);
    return datasource;
  }
  const prefix = vendorPrefixOf(name, catalog.vendorPrefix);
  if (prefix !== undefined && prefix !== catalog.vendorPrefix) {
    context.foreignNames.add(name);
    context.firstForeignRange ??= range;
    return undefined;
  }
  const suggestions = suggestDatasources(catalog, name);
  const fixes = renameFixes(range, suggestions.names, suggestions.caseOnly);
  if (catalog.origin === 'sample') {
    report(context, 'datasource-not-in-sample', range, messages.datasourceNotInSample(name, suggestions.names), {
      fixes,
    });
  } else {
    report(context, 'unknown-datasource', range, messages.unknownDatasource(name, suggestions), { fixes });
  }
  return undefined;
}

/** One hint for all names of a file that carry another vendor prefix, where the first of them stands. */
export function reportForeignNames(context: AnalysisContext): void {
  const { catalog, firstForeignRange, foreignNames } = context;
  if (catalog === undefined || firstForeignRange === undefined) return;
  const names = [...foreignNames];
  const prefix = vendorPrefixOf(names[0] ?? '', catalog.vendorPrefix) ?? '';
  const fixes: Fix[] = [];
  const edits: { range: TextRange; newText: string }[] = [];
  let allKnown = true;
  for (const scope of context.scopes.values()) {
    for (const source of scope.sources) {
      if (source.kind !== 'datasource' || !foreignNames.has(source.node.name.name)) continue;
      const newName = withVendorPrefix(source.node.name.name, prefix, catalog.vendorPrefix);
      if (!catalog.datasources.has(newName)) allKnown = false;
      edits.push({ range: source.node.name.range, newText: newName });
    }
  }
  if (allKnown) fixes.push({ title: `Change the prefix '${prefix}' to '${catalog.vendorPrefix}'`, edits, safe: false });
  report(context, 'other-vendor-prefix', firstForeignRange, messages.otherVendorPrefix(names, prefix, catalog), {
    fixes,
  });
}

function findRelationship(
  context: AnalysisContext,
  left: DatasourceSymbol,
  node: DatasourceItem,
  right: Datasource | undefined,
  target: JoinTarget,
): Relationship | undefined {
  const { catalog } = context;
  if (left.datasource === undefined) return undefined;
  const candidates = relationshipsBetween(left.datasource, node.name.name);
  const name = target.on?.value ?? defaultRelationshipName;
  const relationship = candidates.find((candidate) => candidate.name === name);
  if (relationship !== undefined) return relationship;
  if (catalog === undefined || right === undefined || !knowsRelationships(catalog)) return undefined;
  if (candidates.length > 0) {
    const names = candidates.map((candidate) => candidate.name);
    const fixes = names.map((candidate): Fix => {
      const literal = writeString(candidate);
      return target.on === undefined
        ? {
            title: `Join on ${literal}`,
            edits: [{ range: { start: target.range.end, end: target.range.end }, newText: ` on ${literal}` }],
            safe: false,
          }
        : { title: `Change to ${literal}`, edits: [{ range: target.on.range, newText: literal }], safe: false };
    });
    const range = target.on?.range ?? node.name.range;
    report(
      context,
      'unknown-relationship-name',
      range,
      messages.unknownRelationshipName(left.datasource.name, node.name.name, target.on?.value, names),
      { fixes },
    );
    return undefined;
  }
  const targets = [...new Set(left.datasource.relationships.map((candidate) => candidate.to))];
  const reverse = relationshipsBetween(right, left.datasource.name).length > 0;
  report(
    context,
    'unknown-relationship',
    node.name.range,
    messages.unknownRelationship(left.datasource.name, node.name.name, targets, reverse),
  );
  return undefined;
}

function bindExpansion(context: AnalysisContext, scope: OpenScope, node: ExpansionItem): void {
  const alias = node.columnAlias;
  if (alias === undefined || alias.name === '') {
    scope.incomplete = true;
    if (alias === undefined) return;
  }
  const { name, range } = alias;
  const tableAlias = node.tableAlias;
  const symbol: ExpansionSymbol = { kind: 'expansion', name, tableAlias: tableAlias?.name, nameRange: range, node };
  if (tableAlias !== undefined && findSource(scope, tableAlias.name) !== undefined) {
    report(context, 'duplicate-source-name', tableAlias.range, messages.duplicateSourceName(tableAlias.name));
  }
  // With a table alias of its own, the column can be told apart from its namesakes.
  if (tableAlias === undefined && name !== '') {
    const owners: string[] = [];
    let isReported = false;
    for (const source of scope.sources) {
      if (source.kind === 'expansion') {
        if (!isReported && source.name === name && source.tableAlias === undefined) {
          // One message a name: the first namesake tells enough, and a thousand of them would be a million messages.
          isReported = true;
          report(context, 'duplicate-expansion-name', range, messages.duplicateExpansionName(name), {
            related: [{ range: source.nameRange, message: `'${name}' is declared here first` }],
          });
        }
      } else if (hasReliableColumns(source) && columnOf(source, name) !== undefined) {
        owners.push(source.name);
      }
    }
    if (owners.length > 0) {
      report(context, 'duplicate-expansion-name', range, messages.expansionHidesColumn(name, list(owners)), {
        severity: 'warning',
      });
    }
  }
  scope.sources.push(symbol);
}
