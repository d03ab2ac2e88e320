import type { SemanticModel } from '../../language/semantics/semantic-model.ts';
import type { ColumnReference, Expression, InQueryExpression } from '../../language/syntax/ast.ts';
import { commonType } from '../../language/types/conversions.ts';
import type { LqlType } from '../../language/types/types.ts';
import { converter } from '../../language/values/convert.ts';
import type { Value } from '../../language/values/value.ts';
import { EngineFailure } from '../engine-failure.ts';
import type { ColumnVector } from '../table.ts';

/** Computes a value for the current row of every source. SQL null is `undefined`. */
export type Evaluator = () => Value;

/** One thing an expression reads: a column of a source, what a path finds in it, or the element of an expansion (no vector). */
export interface Read {
  /** Position of the source among the sources of its body. */
  readonly level: number;
  readonly vector: ColumnVector | undefined;
  /** Set when nothing of the column but the value at these keys matters. */
  readonly path?: readonly string[];
}

/** An expression ready to run. */
export interface Compiled {
  readonly type: LqlType;
  readonly evaluate: Evaluator;
  /** Empty for an expression that no row changes. */
  readonly reads: readonly Read[];
  /** True when it waits for the result of a subquery, so that it must not be evaluated while compiling. */
  readonly deferred: boolean;
  /** About how long it takes, in simple operations. Work is counted with it, so that steps of costly queries are no longer than others. */
  readonly cost: number;
}

export interface CompileContext {
  readonly model: SemanticModel;
  /** Milliseconds since 1970 UTC, the same for every row. */
  readonly now: number;
  compile(expression: Expression): Compiled;
  column(reference: ColumnReference): Compiled;
  /** The one {@link Read} for a path into what another one reads, however often the query writes it. */
  readPath(read: Read, keys: readonly string[]): Read;
  subquery(expression: InQueryExpression): Subquery;
}

/** The rows of a subquery, available once the main rows are read. */
export interface Subquery {
  readonly types: readonly LqlType[];
  /** Called once while compiling: how to turn a row into the key it is looked up by; undefined leaves the row out. */
  keyBy(key: (row: readonly Value[]) => unknown): void;
  /** The keys; filled before the first row of the outer query. */
  readonly keys: ReadonlySet<unknown>;
  /** Whether there is any row without a null, be it one that equals nothing on the left. */
  readonly hasRows: boolean;
}

export function constant(type: LqlType, value: Value): Compiled {
  return { type, evaluate: () => value, reads: [], deferred: false, cost: 0 };
}

export function isConstant(compiled: Compiled): boolean {
  return compiled.reads.length === 0 && !compiled.deferred;
}

/** Puts an evaluator on top of others, evaluating it at once when nothing it depends on changes. `cost` is its own, without its parts. */
export function derive(
  type: LqlType,
  parts: readonly Compiled[],
  evaluate: Evaluator,
  { cost = 1, deferred = false }: { readonly cost?: number; readonly deferred?: boolean } = {},
): Compiled {
  if (!deferred && parts.every(isConstant)) return constant(type, evaluate());
  return {
    type,
    evaluate,
    reads: mergeReads(parts),
    deferred: deferred || parts.some((part) => part.deferred),
    cost: parts.reduce((sum, part) => sum + part.cost, cost),
  };
}

/** How many units of work evaluating these expressions counts for. */
export function workUnits(expressions: readonly Compiled[]): number {
  return Math.floor(expressions.reduce((sum, expression) => sum + expression.cost, 0) / 8);
}

function mergeReads(parts: readonly Compiled[]): readonly Read[] {
  const reads: Read[] = [];
  const seen = new Set<Read>();
  for (const part of parts) {
    for (const read of part.reads) {
      if (seen.has(read)) continue;
      seen.add(read);
      reads.push(read);
    }
  }
  return reads;
}

/** The expression converted to a type, where the language has such a conversion. */
export function convert(compiled: Compiled, to: LqlType): Compiled {
  const from = compiled.type;
  if (from === to || from === 'null') return { ...compiled, type: to };
  const change = converter(from, to);
  if (change === undefined) {
    throw new EngineFailure(
      'unsupported',
      `A ${from} cannot become a ${to}: the language has no such conversion.${conversionAdvice(from, to)}`,
    );
  }
  const { evaluate } = compiled;
  // Objects and arrays have to be written out to become text.
  const cost = to === 'string' && readsDocuments(compiled) ? 120 : 2;
  const convertValue = (): Value => {
    const value = evaluate();
    return value === undefined ? undefined : change(value);
  };
  return derive(to, [compiled], convertValue, { cost });
}

/** The one type of several branches. Branches without a common type are returned as JSON, which holds them all. */
export function unify(parts: readonly Compiled[]): LqlType {
  let type: LqlType = 'null';
  for (const part of parts) {
    const common = commonType(type, part.type);
    if (common === undefined) return 'json';
    type = common;
  }
  return type === 'unknown' ? 'json' : type;
}

/** Whether an expression reads whole JSON columns, whose values are large, rather than what paths find in them. */
export function readsDocuments(compiled: Compiled): boolean {
  return compiled.reads.some((read) => read.vector?.kind === 'values' && read.path === undefined);
}

function conversionAdvice(from: LqlType, to: LqlType): string {
  if (from === 'boolean' && to === 'string') return " Write CASE WHEN … THEN 'true' ELSE 'false' END.";
  if (from === 'timestamp' && to === 'number') return ' Use EPOCH_SEC or EPOCH_MS.';
  return '';
}
