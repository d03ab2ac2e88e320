import type { TextRange } from '../../text/range.ts';

/**
 * The syntax tree of LQL. Every node carries the range of its own text (without surrounding trivia). Trees are plain, immutable data.
 * A broken text still gives a tree: what is missing is `undefined` or a node of kind `missing`, never an exception.
 */
export interface QueryFile {
  readonly kind: 'file';
  readonly range: TextRange;
  /** Undefined when the text holds nothing that looks like a query. */
  readonly query: Query | undefined;
}

export type Query = NamedOrPlainQuery | UnionQuery;

/** `{ source {…} filter {…} return {…} }`, optionally in the old form with a name in front. */
export interface NamedOrPlainQuery {
  readonly kind: 'query';
  readonly range: TextRange;
  /** The name of the deprecated form `Name { … }`. */
  readonly name: Identifier | undefined;
  readonly body: Body;
}

export interface UnionQuery {
  readonly kind: 'union';
  readonly range: TextRange;
  readonly unionRange: TextRange;
  readonly all: boolean;
  readonly bodies: readonly Body[];
}

export interface Body {
  readonly kind: 'body';
  readonly range: TextRange;
  readonly source: SourceBlock | undefined;
  readonly filter: FilterBlock | undefined;
  readonly return: ReturnBlock | undefined;
}

export interface SourceBlock {
  readonly kind: 'sourceBlock';
  readonly range: TextRange;
  readonly keywordRange: TextRange;
  readonly items: readonly SourceItem[];
}

export interface FilterBlock {
  readonly kind: 'filterBlock';
  readonly range: TextRange;
  readonly keywordRange: TextRange;
  readonly condition: Expression;
}

export interface ReturnBlock {
  readonly kind: 'returnBlock';
  readonly range: TextRange;
  readonly keywordRange: TextRange;
  readonly distinct: boolean;
  readonly distinctRange: TextRange | undefined;
  readonly items: readonly ReturnItem[];
}

export type SourceItem = DatasourceItem | ExpansionItem;

/** `NAME [as] alias with (…)`: a datasource and what it is joined with, read from right to left. */
export interface DatasourceItem {
  readonly kind: 'datasource';
  readonly range: TextRange;
  readonly name: Identifier;
  readonly alias: Identifier | undefined;
  readonly joins: readonly JoinClause[];
}

/** `with T`, `with T on '…'`, `with (T, U)`. Each target is a datasource that can be joined further. */
export interface JoinClause {
  readonly kind: 'join';
  readonly range: TextRange;
  readonly withRange: TextRange;
  readonly targets: readonly JoinTarget[];
  readonly parenthesized: boolean;
}

export interface JoinTarget {
  readonly kind: 'joinTarget';
  readonly range: TextRange;
  readonly datasource: DatasourceItem;
  /** Name of the relationship, as written after `on`. */
  readonly on: StringLiteral | undefined;
  /** The SQL habit `on (a.X = b.X)`: parsed so that it can be answered, never valid. */
  readonly onCondition: Expression | undefined;
}

/** `array_to_rows(expr) as table(column)` in all its spellings. */
export interface ExpansionItem {
  readonly kind: 'expansion';
  readonly range: TextRange;
  readonly functionName: Identifier;
  /** True for `array_to_rows_non_empty`: rows whose array is null are dropped. */
  readonly nonEmpty: boolean;
  readonly argument: Expression;
  readonly tableAlias: Identifier | undefined;
  readonly columnAlias: Identifier | undefined;
}

export type ReturnItem = ReturnColumn | ReturnStar;

export interface ReturnColumn {
  readonly kind: 'returnColumn';
  readonly range: TextRange;
  readonly expression: Expression;
  readonly alias: Identifier | undefined;
}

/** `alias.*`; `qualifier` is undefined for the SQL habit of a bare `*`. */
export interface ReturnStar {
  readonly kind: 'returnStar';
  readonly range: TextRange;
  readonly qualifier: Identifier | undefined;
}

export interface Identifier {
  readonly kind: 'identifier';
  readonly range: TextRange;
  readonly name: string;
}

export type Expression =
  | LiteralExpression
  | ColumnReference
  | PathExpression
  | CastExpression
  | CallExpression
  | UnaryExpression
  | BinaryExpression
  | LikeExpression
  | InListExpression
  | InQueryExpression
  | BetweenExpression
  | IsNullExpression
  | CaseExpression
  | TupleExpression
  | ParenthesizedExpression
  | MissingExpression;

export type LiteralExpression = StringLiteral | NumberLiteral | BooleanLiteral | NullLiteral;

export interface StringLiteral {
  readonly kind: 'string';
  readonly range: TextRange;
  /** How it is written: `s'…'`, `"…"`, or the legacy `'…'`. */
  readonly form: 's-string' | 'double-quoted' | 'legacy';
  /** The text it stands for, escapes resolved. */
  readonly value: string;
}

export interface NumberLiteral {
  readonly kind: 'number';
  readonly range: TextRange;
  /** As written; exact. Integers beyond 2^53 stay exact only here and in `value` as bigint. */
  readonly text: string;
  readonly value: number | bigint;
}

export interface BooleanLiteral {
  readonly kind: 'boolean';
  readonly range: TextRange;
  readonly value: boolean;
}

export interface NullLiteral {
  readonly kind: 'null';
  readonly range: TextRange;
}

/** `COLUMN` or `qualifier.COLUMN`. */
export interface ColumnReference {
  readonly kind: 'column';
  readonly range: TextRange;
  readonly qualifier: Identifier | undefined;
  readonly name: Identifier;
}

/** `base:key.key."odd key"`. */
export interface PathExpression {
  readonly kind: 'path';
  readonly range: TextRange;
  readonly base: Expression;
  readonly keys: readonly PathKey[];
}

export interface PathKey {
  readonly kind: 'pathKey';
  readonly range: TextRange;
  readonly name: string;
  readonly quoted: boolean;
}

export interface CastExpression {
  readonly kind: 'cast';
  readonly range: TextRange;
  readonly operand: Expression;
  /** The type as written; checking decides whether it is one. */
  readonly typeName: Identifier;
}

export interface CallExpression {
  readonly kind: 'call';
  readonly range: TextRange;
  readonly name: Identifier;
  readonly args: readonly Expression[];
  /** From `(` to `)` inclusive. */
  readonly argsRange: TextRange;
  /** The SQL habit `count(*)`. */
  readonly starArgument: boolean;
}

export interface UnaryExpression {
  readonly kind: 'unary';
  readonly range: TextRange;
  readonly operator: '-' | 'not';
  readonly operatorRange: TextRange;
  readonly operand: Expression;
}

export type BinaryOperator = 'or' | 'and' | '=' | '<>' | '<' | '<=' | '>' | '>=' | '||' | '+' | '-' | '*' | '/' | '%';

export interface BinaryExpression {
  readonly kind: 'binary';
  readonly range: TextRange;
  readonly operator: BinaryOperator;
  /** The operator as written; `!=` and `==` are read as `<>` and `=` and reported from here. */
  readonly operatorRange: TextRange;
  readonly left: Expression;
  readonly right: Expression;
}

/** `x [not] like p`, `x [not] rlike any (p, q)`. */
export interface LikeExpression {
  readonly kind: 'like';
  readonly range: TextRange;
  readonly operator: 'like' | 'ilike' | 'rlike';
  readonly operatorRange: TextRange;
  readonly negated: boolean;
  readonly any: boolean;
  readonly operand: Expression;
  /** One pattern, or several with `any`. */
  readonly patterns: readonly Expression[];
}

export interface InListExpression {
  readonly kind: 'inList';
  readonly range: TextRange;
  readonly operatorRange: TextRange;
  readonly negated: boolean;
  readonly operand: Expression;
  readonly items: readonly Expression[];
}

/** `x in { source {…} return {…} }`; the operand is a tuple for several columns. */
export interface InQueryExpression {
  readonly kind: 'inQuery';
  readonly range: TextRange;
  readonly operatorRange: TextRange;
  readonly negated: boolean;
  readonly operand: Expression;
  readonly body: Body;
}

export interface BetweenExpression {
  readonly kind: 'between';
  readonly range: TextRange;
  readonly operatorRange: TextRange;
  readonly negated: boolean;
  readonly operand: Expression;
  readonly low: Expression;
  readonly high: Expression;
}

export interface IsNullExpression {
  readonly kind: 'isNull';
  readonly range: TextRange;
  readonly operatorRange: TextRange;
  readonly negated: boolean;
  /** `is json null` instead of `is null`. */
  readonly json: boolean;
  readonly operand: Expression;
}

export interface CaseExpression {
  readonly kind: 'case';
  readonly range: TextRange;
  /** Set in the form `case x when 1 then …`. */
  readonly subject: Expression | undefined;
  readonly branches: readonly CaseBranch[];
  readonly otherwise: Expression | undefined;
}

export interface CaseBranch {
  readonly kind: 'caseBranch';
  readonly range: TextRange;
  readonly when: Expression;
  readonly then: Expression;
}

export interface TupleExpression {
  readonly kind: 'tuple';
  readonly range: TextRange;
  readonly items: readonly Expression[];
}

export interface ParenthesizedExpression {
  readonly kind: 'parenthesized';
  readonly range: TextRange;
  readonly expression: Expression;
}

/** Stands where an expression is expected and none is; an empty range between the tokens around it. */
export interface MissingExpression {
  readonly kind: 'missing';
  readonly range: TextRange;
}

export type Node =
  | QueryFile
  | Query
  | Body
  | SourceBlock
  | FilterBlock
  | ReturnBlock
  | SourceItem
  | JoinClause
  | JoinTarget
  | ReturnItem
  | Identifier
  | Expression
  | PathKey
  | CaseBranch;
