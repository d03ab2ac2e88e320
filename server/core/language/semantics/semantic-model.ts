import type { TextRange } from '../../text/range.ts';
import type { Column, Datasource, Relationship } from '../catalog/catalog.ts';
import type { FunctionDefinition } from '../catalog/function-definition.ts';
import type { ObservedKeys } from '../catalog/observed-keys.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import type {
  Body,
  CallExpression,
  ColumnReference,
  DatasourceItem,
  ExpansionItem,
  Expression,
  JoinTarget,
  Query,
  QueryFile,
  ReturnItem,
} from '../syntax/ast.ts';
import type { LqlType } from '../types/types.ts';

/** What binding and checking learn about one query. The engine runs from this; features read it. */
export interface SemanticModel {
  readonly file: QueryFile;
  readonly query: Query | undefined;
  /** The scopes of every body, subqueries included, in source order. */
  readonly scopes: ReadonlyMap<Body, Scope>;
  /** What a column reference means; absent when it could not be resolved. */
  readonly references: ReadonlyMap<ColumnReference, ColumnSymbol>;
  /** Keys that rows were seen to have; undefined without a catalog. */
  readonly observedKeys: ObservedKeys | undefined;
  readonly calls: ReadonlyMap<CallExpression, FunctionDefinition>;
  readonly types: ReadonlyMap<Expression, LqlType>;
  /** Columns of the result, in order, as the service names them (upper-cased). Undefined names cannot occur. */
  readonly resultColumns: readonly ResultColumn[];
  /** Datasources the query names, resolved or not, each once. */
  readonly datasourceNames: readonly string[];
  /** Known datasources whose columns are not known yet: the host may fetch their schemas and ask again. */
  readonly missingSchemas: readonly string[];
  /** Binding and checking diagnostics only; syntax and lint come from their own stages. */
  readonly diagnostics: readonly Diagnostic[];
}

/** The names one body can use. */
export interface Scope {
  readonly body: Body;
  /** Sources in the order of the text; the first is the root. */
  readonly sources: readonly SourceSymbol[];
  /** The enclosing body's scope for a subquery. Names are never taken from it; features use it to explain. */
  readonly parent: Scope | undefined;
}

export type SourceSymbol = DatasourceSymbol | ExpansionSymbol;

export interface DatasourceSymbol {
  readonly kind: 'datasource';
  /** The alias, else the datasource's name: what qualifies its columns. */
  readonly name: string;
  readonly nameRange: TextRange;
  readonly node: DatasourceItem;
  /** Undefined when the catalog lacks it or there is no catalog. */
  readonly datasource: Datasource | undefined;
  /** The left side of its `with`, undefined for the root and for comma items. */
  readonly joinedFrom: DatasourceSymbol | undefined;
  readonly joinTarget: JoinTarget | undefined;
  /** The relationship it is joined along, when the catalog knows it. */
  readonly relationship: Relationship | undefined;
  /** True when the way from the root passes a MANY relationship. */
  readonly many: boolean;
}

export interface ExpansionSymbol {
  readonly kind: 'expansion';
  /** The column alias; expansions are used by it alone, or qualified by `tableAlias`. */
  readonly name: string;
  readonly tableAlias: string | undefined;
  readonly nameRange: TextRange;
  readonly node: ExpansionItem;
}

export type ColumnSymbol = SourceColumnSymbol | ExpansionColumnSymbol;

export interface SourceColumnSymbol {
  readonly kind: 'column';
  readonly source: DatasourceSymbol;
  readonly name: string;
  /** Undefined while the source's schema is unknown. */
  readonly column: Column | undefined;
}

export interface ExpansionColumnSymbol {
  readonly kind: 'expansionColumn';
  readonly source: ExpansionSymbol;
}

export interface ResultColumn {
  /** Upper-cased, as the service returns it. */
  readonly name: string;
  /** As written in the query. */
  readonly label: string;
  readonly type: LqlType;
  readonly item: ReturnItem;
  /** The expression behind it; undefined for a column that `alias.*` brought, then `symbol` is set. */
  readonly expression: Expression | undefined;
  readonly symbol: ColumnSymbol | undefined;
}
