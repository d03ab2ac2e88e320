import type { Column } from '../catalog/catalog.ts';
import { findColumn } from '../catalog/lookup.ts';
import type { LqlType } from '../types/types.ts';
import type { OpenScope } from './context.ts';
import type { ColumnSymbol, DatasourceSymbol, ExpansionSymbol, Scope, SourceSymbol } from './semantic-model.ts';

export type Resolution =
  | { readonly kind: 'found'; readonly symbol: ColumnSymbol }
  /** It may belong to a source whose columns are not known: nothing can be said. */
  | { readonly kind: 'open' }
  | { readonly kind: 'ambiguous'; readonly candidates: readonly DatasourceSymbol[] }
  | { readonly kind: 'missing' };

const open: Resolution = { kind: 'open' };
const missing: Resolution = { kind: 'missing' };

/** Whether the list of this source's columns can be relied on: only what the datasource list itself carried is. */
export function hasReliableColumns(source: DatasourceSymbol): boolean {
  return source.datasource?.columns !== undefined && source.datasource.columnsFrom !== 'schema';
}

export function columnOf(source: DatasourceSymbol, name: string): Column | undefined {
  return source.datasource === undefined ? undefined : findColumn(source.datasource, name);
}

/** A name without qualifier: an expansion's column, else the column of the one source that has it. */
export function resolveUnqualified(scope: OpenScope, name: string): Resolution {
  let expansion: ExpansionSymbol | undefined;
  let reliable: DatasourceSymbol | undefined;
  let others: DatasourceSymbol[] | undefined;
  let likely: DatasourceSymbol | undefined;
  let unknownSource: DatasourceSymbol | undefined;
  let unknownCount = 0;
  for (const source of scope.sources) {
    if (source.kind === 'expansion') {
      if (source.name === name) expansion = source;
      continue;
    }
    const column = columnOf(source, name);
    if (hasReliableColumns(source)) {
      if (column === undefined) continue;
      if (reliable === undefined) reliable = source;
      else if (others === undefined) others = [reliable, source];
      else others.push(source);
    } else if (column !== undefined) {
      likely ??= source;
    } else {
      unknownSource ??= source;
      unknownCount++;
    }
  }
  if (expansion !== undefined) return { kind: 'found', symbol: { kind: 'expansionColumn', source: expansion } };
  if (others !== undefined) return { kind: 'ambiguous', candidates: others };
  const owner = reliable ?? likely;
  if (owner !== undefined) return found(owner, name);
  if (unknownCount === 1 && unknownSource !== undefined && !scope.incomplete) return found(unknownSource, name);
  return unknownCount > 0 || scope.incomplete ? open : missing;
}

/** A name behind a known source and a dot. */
export function resolveIn(source: SourceSymbol, name: string): Resolution {
  if (source.kind === 'expansion') {
    return source.name === name ? { kind: 'found', symbol: { kind: 'expansionColumn', source } } : missing;
  }
  return hasReliableColumns(source) && columnOf(source, name) === undefined ? missing : found(source, name);
}

function found(source: DatasourceSymbol, name: string): Resolution {
  return { kind: 'found', symbol: { kind: 'column', source, name, column: columnOf(source, name) } };
}

/** The source that `qualifier.` names: an alias, a datasource without alias, or the table alias of an expansion. */
export function findSource(scope: Scope, qualifier: string): SourceSymbol | undefined {
  for (const source of scope.sources) {
    if ((source.kind === 'datasource' ? source.name : source.tableAlias) === qualifier) return source;
  }
  return undefined;
}

/** The source of this datasource name that goes by an alias. */
export function findAliasedSource(scope: Scope, datasourceName: string): DatasourceSymbol | undefined {
  for (const source of scope.sources) {
    if (source.kind === 'datasource' && source.node.name.name === datasourceName) return source;
  }
  return undefined;
}

/** Types from schema endpoints are our own mapping: good for completion, not for a judgement. */
export function typeOfSymbol(symbol: ColumnSymbol): LqlType {
  if (symbol.kind === 'expansionColumn') return 'json';
  return symbol.column === undefined || symbol.source.datasource?.columnsFrom === 'schema'
    ? 'unknown'
    : symbol.column.type;
}
