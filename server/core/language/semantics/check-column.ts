import { type Suggestions, suggestAmong } from '../catalog/lookup.ts';
import type { Fix } from '../diagnostics/diagnostic.ts';
import { messages } from '../diagnostics/messages.ts';
import type { ColumnReference, PathExpression } from '../syntax/ast.ts';
import { reservedWords } from '../syntax/tokens.ts';
import type { LqlType } from '../types/types.ts';
import { findLaterDeclaration } from './bind.ts';
import type { ExpressionCheck } from './check-expression.ts';
import { type OpenScope, renameFixes, report } from './context.ts';
import {
  columnOf,
  findAliasedSource,
  findSource,
  type Resolution,
  resolveIn,
  resolveUnqualified,
  typeOfSymbol,
} from './scope.ts';
import type { ColumnSymbol, DatasourceSymbol, SourceSymbol } from './semantic-model.ts';

/** Resolves a column reference and gives its type. `path` is the JSON path that reads from it, if one does. */
export function checkColumn(
  check: ExpressionCheck,
  reference: ColumnReference,
  path: PathExpression | undefined,
): LqlType {
  const resolution =
    reference.qualifier === undefined
      ? resolveUnqualified(check.scope, reference.name.name)
      : resolveQualified(check, reference, reference.qualifier.name);
  if (reservedNames.has(reference.name.name.toUpperCase()) && !isListed(resolution)) {
    reportReserved(check, reference, resolution);
    return 'unknown';
  }
  switch (resolution.kind) {
    case 'found':
      // An expansion is no column of a source that is listed later; what is bound cannot be wrong twice.
      if (reference.qualifier === undefined && path !== undefined && isUnsureSourceName(check, reference)) {
        reportPathOnSource(check, reference, path, false);
        return 'unknown';
      }
      check.context.references.set(reference, resolution.symbol);
      return typeOfSymbol(resolution.symbol);
    case 'open':
      if (path !== undefined && isUnsureSourceName(check, reference)) reportPathOnSource(check, reference, path, false);
      else reportLaterDeclaration(check, reference);
      return 'unknown';
    case 'ambiguous':
      reportAmbiguous(check, reference, resolution.candidates);
      return 'unknown';
    case 'missing':
      return reference.name.name === '' ? 'unknown' : checkMissing(check, reference, path);
  }
}

const reservedNames: ReadonlySet<string> = new Set(reservedWords);

/** Whether a name was found in a list of columns or among the expansions, not merely granted to a source of unknown columns. */
function isListed(resolution: Resolution): boolean {
  return (
    resolution.kind === 'ambiguous' ||
    (resolution.kind === 'found' &&
      (resolution.symbol.kind === 'expansionColumn' || resolution.symbol.column !== undefined))
  );
}

function reportReserved({ context, scope }: ExpressionCheck, reference: ColumnReference, resolution: Resolution): void {
  const { name, range } = reference.name;
  const json = scope.sources.some(
    (source) => source.kind === 'datasource' && columnOf(source, 'RESOURCE_CONFIG')?.type === 'json',
  );
  // A datasource whose columns are not known might have such a column after all.
  const severity = resolution.kind === 'missing' ? 'error' : 'warning';
  report(context, 'reserved-column-name', range, messages.reservedColumnName(name, json), { severity });
}

/** Whether a path reads from a source (`alias:COLUMN.key`), which has been reported where it was resolved. */
export function isSourceBeforeColon(scope: OpenScope, path: PathExpression): boolean {
  const { base } = path;
  return base.kind === 'column' && base.qualifier === undefined && findSource(scope, base.name.name) !== undefined;
}

/** A name before a colon that is a source, and of which no reliable list of columns says that it is a column. */
function isUnsureSourceName(check: ExpressionCheck, reference: ColumnReference): boolean {
  if (reference.qualifier !== undefined) return false;
  const { name } = reference.name;
  const source = findSource(check.scope, name);
  if (source?.kind !== 'datasource') return false;
  return !check.scope.sources.some((other) =>
    other.kind === 'expansion' ? other.name === name : columnOf(other, name) !== undefined,
  );
}

function resolveQualified(check: ExpressionCheck, reference: ColumnReference, qualifier: string): Resolution {
  const { context, scope } = check;
  if (qualifier === '') return { kind: 'open' };
  const source = findSource(scope, qualifier);
  if (source !== undefined) return resolveIn(source, reference.name.name);
  const aliased = findAliasedSource(scope, qualifier);
  const range = reference.qualifier?.range ?? reference.range;
  if (aliased !== undefined) {
    report(context, 'aliased-source-name', range, messages.aliasedSourceName(qualifier, aliased.name), {
      fixes: renameFixes(range, [aliased.name], true),
    });
    return resolveIn(aliased, reference.name.name);
  }
  return { kind: 'missing' };
}

function checkMissing(check: ExpressionCheck, reference: ColumnReference, path: PathExpression | undefined): LqlType {
  const { qualifier, name } = reference;
  const meant = resolveIgnoringCase(check, reference);
  if (meant !== undefined) {
    const spelled = meant.kind === 'column' ? meant.name : meant.source.name;
    // Identifiers are documented to be case-sensitive, yet the vendor's own early tests wrote columns in small letters and ran.
    report(check.context, 'unknown-column', name.range, messages.columnCase(name.name, spelled), {
      severity: 'warning',
      fixes: renameFixes(name.range, [spelled], true),
    });
    check.context.references.set(reference, meant);
    return typeOfSymbol(meant);
  }
  if (qualifier !== undefined && sourceByName(check.scope, qualifier.name) === undefined) {
    reportUnknownQualifier(check, reference);
  } else if (path !== undefined && qualifier === undefined && findSource(check.scope, name.name) !== undefined) {
    reportPathOnSource(check, reference, path, true);
  } else if (!reportLaterDeclaration(check, reference)) {
    reportUnknownColumn(check, reference);
  }
  return 'unknown';
}

/** The one column that is spelled like the reference but for the case of letters. */
function resolveIgnoringCase({ scope }: ExpressionCheck, reference: ColumnReference): ColumnSymbol | undefined {
  const { qualifier, name } = reference;
  const qualified = qualifier === undefined ? undefined : sourceByName(scope, qualifier.name);
  if (qualifier !== undefined && qualified === undefined) return undefined;
  const lower = name.name.toLowerCase();
  let meant: ColumnSymbol | undefined;
  for (const source of qualified === undefined ? scope.sources : [qualified]) {
    let symbol: ColumnSymbol | undefined;
    if (source.kind === 'expansion') {
      if (source.name.toLowerCase() === lower) symbol = { kind: 'expansionColumn', source };
    } else {
      const column = source.datasource?.columns?.find((candidate) => candidate.name.toLowerCase() === lower);
      if (column !== undefined) symbol = { kind: 'column', source, name: column.name, column };
    }
    if (symbol !== undefined && meant !== undefined) return undefined;
    meant ??= symbol;
  }
  return meant;
}

function reportUnknownQualifier(check: ExpressionCheck, reference: ColumnReference): void {
  const { context, scope } = check;
  const { qualifier, name } = reference;
  if (qualifier === undefined) return;
  const { range } = qualifier;
  if (reportLaterDeclaration(check, reference)) return;
  const asColumn = resolveUnqualified(scope, qualifier.name);
  const isColumn =
    asColumn.kind === 'found' && (asColumn.symbol.kind === 'expansionColumn' || asColumn.symbol.column !== undefined);
  if (isColumn) {
    // The dot between a column and its first key: the text from the qualifier's end to the key's start holds just the dot.
    const fix: Fix = {
      title: `Change to ${qualifier.name}:${name.name}`,
      edits: [{ range: { start: range.end, end: name.range.start }, newText: ':' }],
      safe: true,
    };
    report(context, 'dot-into-json', reference.range, messages.dotIntoJson(qualifier.name, name.name), {
      fixes: [fix],
    });
    return;
  }
  if (scope.incomplete) return;
  for (let outer = scope.parent; outer !== undefined; outer = outer.parent) {
    if (findSource(outer, qualifier.name) !== undefined) {
      report(context, 'outer-name-in-subquery', reference.range, messages.outerName(`${qualifier.name}.${name.name}`));
      return;
    }
  }
  const names = qualifiers(scope);
  const suggestions = suggestAmong(qualifier.name, names);
  report(context, 'unknown-qualifier', range, messages.unknownQualifier(qualifier.name, suggestions, names), {
    fixes: renameFixes(range, suggestions.names, suggestions.caseOnly),
  });
}

function reportUnknownColumn(check: ExpressionCheck, reference: ColumnReference): void {
  const { context, scope } = check;
  const { qualifier, name } = reference;
  const qualified = qualifier === undefined ? undefined : sourceByName(scope, qualifier.name);
  const owners = qualified === undefined ? scope.sources : [qualified];
  for (let outer = scope.parent; qualifier === undefined && outer !== undefined; outer = outer.parent) {
    const inOuter = resolveUnqualified(outer, name.name);
    if (
      inOuter.kind === 'found' &&
      (inOuter.symbol.kind === 'expansionColumn' || inOuter.symbol.column !== undefined)
    ) {
      report(context, 'outer-name-in-subquery', reference.range, messages.outerName(name.name));
      return;
    }
  }
  const candidates = new Set<string>();
  let jsonColumn: string | undefined;
  for (const owner of owners) {
    if (owner.kind === 'expansion') {
      if (owner.name !== '') candidates.add(owner.name);
      continue;
    }
    for (const column of owner.datasource?.columns ?? []) {
      candidates.add(column.name);
      if (column.name === 'RESOURCE_CONFIG' && column.type === 'json') {
        jsonColumn ??= owners.length === 1 && qualifier === undefined ? column.name : `${owner.name}.${column.name}`;
      }
    }
  }
  const suggestions: Suggestions = suggestAmong(name.name, candidates);
  const ownerNames = owners.map((owner) => (owner.kind === 'datasource' ? owner.node.name.name : owner.name));
  report(
    context,
    'unknown-column',
    name.range,
    messages.unknownColumn(name.name, ownerNames, suggestions, jsonColumn),
    { fixes: renameFixes(name.range, suggestions.names, suggestions.caseOnly) },
  );
}

function reportPathOnSource(
  { context }: ExpressionCheck,
  reference: ColumnReference,
  path: PathExpression,
  certain: boolean,
): void {
  const key = path.keys[0];
  if (key === undefined) return;
  const rest = path.keys[1];
  const edits = [{ range: { start: reference.range.end, end: key.range.start }, newText: '.' }];
  if (rest !== undefined) edits.push({ range: { start: key.range.end, end: rest.range.start }, newText: ':' });
  report(context, 'path-on-source', path.range, messages.pathOnSource(reference.name.name, key.name, certain), {
    fixes: key.quoted ? [] : [{ title: `Change to ${reference.name.name}.${key.name}`, edits, safe: certain }],
    ...(certain ? undefined : { severity: 'warning' as const }),
  });
}

function reportAmbiguous(
  { context }: ExpressionCheck,
  reference: ColumnReference,
  candidates: readonly DatasourceSymbol[],
): void {
  const { range, name } = reference.name;
  const owners = candidates.map((candidate) => candidate.name);
  const fixes = owners.map(
    (owner): Fix => ({
      title: `Change to ${owner}.${name}`,
      edits: [{ range: { start: range.start, end: range.start }, newText: `${owner}.` }],
      safe: false,
    }),
  );
  report(context, 'ambiguous-column', range, messages.ambiguousColumn(name, owners), { fixes });
}

/** Inside an expansion's argument: a name that only the rest of the source block declares. */
function reportLaterDeclaration({ context, scope }: ExpressionCheck, reference: ColumnReference): boolean {
  if (context.laterItems.length === 0) return false;
  const wanted = reference.qualifier ?? reference.name;
  const later = findLaterDeclaration(context.laterItems, wanted.name);
  const onlyLaterSources = !scope.sources.some((source) => source.kind === 'datasource');
  if (later === undefined && !(onlyLaterSources && reference.qualifier === undefined)) return false;
  report(context, 'name-declared-later', reference.range, messages.declaredLater(wanted.name));
  return true;
}

function sourceByName(scope: OpenScope, qualifier: string): SourceSymbol | undefined {
  return findSource(scope, qualifier) ?? findAliasedSource(scope, qualifier);
}

function qualifiers(scope: OpenScope): readonly string[] {
  const names: string[] = [];
  for (const source of scope.sources) {
    const name = source.kind === 'datasource' ? source.name : source.tableAlias;
    if (name !== undefined && name !== '') names.push(name);
  }
  return names;
}
