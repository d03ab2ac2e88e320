import type { TextRange } from '../../text/range.ts';
import type { BinaryExpression, BinaryOperator, Expression } from './ast.ts';

/**
 * Puts operands and operators together by precedence, for one expression. The grammar reads an expression as a flat sequence and hands
 * each part over in the order of the text; no rule of its own is entered a level of precedence, which is what makes parsing fast.
 */
export interface ExpressionBuilder {
  readonly operands: Expression[];
  readonly operators: Operator[];
  /** The places of `between` that never got their `and`. */
  readonly incomplete: TextRange[];
}

const precedence = {
  or: 1,
  and: 2,
  not: 3,
  comparison: 4,
  concatenation: 5,
  additive: 6,
  multiplicative: 7,
  negation: 8,
} as const;

const precedenceOf: Readonly<Record<BinaryOperator, number>> = {
  or: precedence.or,
  and: precedence.and,
  '=': precedence.comparison,
  '<>': precedence.comparison,
  '<': precedence.comparison,
  '<=': precedence.comparison,
  '>': precedence.comparison,
  '>=': precedence.comparison,
  '||': precedence.concatenation,
  '+': precedence.additive,
  '-': precedence.additive,
  '*': precedence.multiplicative,
  '/': precedence.multiplicative,
  '%': precedence.multiplicative,
};

type Operator =
  | {
      readonly kind: 'binary';
      readonly operator: BinaryOperator;
      readonly precedence: number;
      readonly ranges: TextRange[];
    }
  | { readonly kind: 'prefix'; readonly operator: '-' | 'not'; readonly precedence: number; readonly range: TextRange }
  | {
      readonly kind: 'like';
      readonly operator: 'like' | 'ilike' | 'rlike';
      readonly negated: boolean;
      readonly precedence: number;
      readonly range: TextRange;
    }
  | {
      readonly kind: 'between';
      readonly negated: boolean;
      readonly precedence: number;
      readonly range: TextRange;
      /** True until its `and` has been read. */
      waiting: boolean;
    };

export function createExpressionBuilder(): ExpressionBuilder {
  return { operands: [], operators: [], incomplete: [] };
}

/** How many operands a chain of the same operator has before it is built as a balanced tree. */
const longestChain = 32;

export function pushPrefix(builder: ExpressionBuilder, operator: '-' | 'not', range: TextRange): void {
  const level = operator === '-' ? precedence.negation : precedence.not;
  builder.operators.push({ kind: 'prefix', operator, precedence: level, range });
}

/** Adds a binary operator. An `and` that belongs to a `between` is taken by it. */
export function pushBinary(builder: ExpressionBuilder, operator: BinaryOperator, range: TextRange): void {
  const level = precedenceOf[operator];
  if (operator === 'and' && takeBetween(builder)) return;
  reduceAbove(builder, level);
  const top = builder.operators[builder.operators.length - 1];
  if (
    top?.kind === 'binary' &&
    top.operator === operator &&
    (operator === 'and' || operator === 'or' || operator === '||')
  ) {
    top.ranges.push(range);
    return;
  }
  if (top !== undefined && top.precedence === level && isComplete(top)) reduceTop(builder);
  builder.operators.push({ kind: 'binary', operator, precedence: level, ranges: [range] });
}

export function pushLike(
  builder: ExpressionBuilder,
  operator: 'like' | 'ilike' | 'rlike',
  negated: boolean,
  range: TextRange,
): void {
  reduceFrom(builder, precedence.comparison);
  builder.operators.push({ kind: 'like', operator, negated, precedence: precedence.comparison, range });
}

export function pushBetween(builder: ExpressionBuilder, negated: boolean, range: TextRange): void {
  reduceFrom(builder, precedence.comparison);
  builder.operators.push({ kind: 'between', negated, precedence: precedence.comparison, range, waiting: true });
}

/** Takes the finished left side of a comparison, for operators that have no expression on their right. */
export function takeComparisonOperand(builder: ExpressionBuilder): Expression {
  reduceFrom(builder, precedence.comparison);
  return popOperand(builder);
}

/** Gives the whole expression. */
export function finishExpression(builder: ExpressionBuilder): Expression {
  for (let top = builder.operators.at(-1); top !== undefined; top = builder.operators.at(-1)) {
    if (!isComplete(top)) completeBetween(builder, top);
    reduceTop(builder);
  }
  return popOperand(builder);
}

function isComplete(operator: Operator): boolean {
  return !(operator.kind === 'between' && operator.waiting);
}

function takeBetween(builder: ExpressionBuilder): boolean {
  reduceAbove(builder, precedence.comparison);
  // What is left above a waiting between binds weaker than it could, or as strong: `x between a = b and c`.
  let depth = builder.operators.length - 1;
  while (depth >= 0) {
    const operator = builder.operators[depth];
    if (operator === undefined || operator.precedence < precedence.comparison) return false;
    if (operator.kind === 'between' && operator.waiting) break;
    depth--;
  }
  if (depth < 0) return false;
  while (builder.operators.length - 1 > depth) reduceTop(builder);
  const between = builder.operators[depth];
  if (between?.kind === 'between') between.waiting = false;
  return true;
}

function reduceAbove(builder: ExpressionBuilder, level: number): void {
  for (
    let top = builder.operators.at(-1);
    top !== undefined && top.precedence > level;
    top = builder.operators.at(-1)
  ) {
    if (!isComplete(top)) {
      if (level >= precedence.comparison) return;
      // `x between a or b`: the bound will never come, the or ends it.
      completeBetween(builder, top);
    }
    reduceTop(builder);
  }
}

function reduceFrom(builder: ExpressionBuilder, level: number): void {
  for (
    let top = builder.operators.at(-1);
    top !== undefined && top.precedence >= level;
    top = builder.operators.at(-1)
  ) {
    if (!isComplete(top)) return;
    reduceTop(builder);
  }
}

/** Gives a `between` without `and` a missing upper bound right behind its lower one. */
function completeBetween(builder: ExpressionBuilder, between: Operator): void {
  if (between.kind !== 'between') return;
  between.waiting = false;
  builder.incomplete.push(between.range);
  const end = builder.operands.at(-1)?.range.end ?? between.range.end;
  builder.operands.push({ kind: 'missing', range: { start: end, end } });
}

function popOperand(builder: ExpressionBuilder): Expression {
  return builder.operands.pop() ?? { kind: 'missing', range: { start: 0, end: 0 } };
}

function reduceTop(builder: ExpressionBuilder): void {
  const operator = builder.operators.pop();
  if (operator === undefined) return;
  if (operator.kind === 'prefix') {
    const operand = popOperand(builder);
    builder.operands.push({
      kind: 'unary',
      range: { start: operator.range.start, end: operand.range.end },
      operator: operator.operator,
      operatorRange: operator.range,
      operand,
    });
    return;
  }
  if (operator.kind === 'binary') {
    const { operands } = builder;
    const first = operands.length - operator.ranges.length - 1;
    const chain = operands.splice(Math.max(0, first));
    builder.operands.push(buildChain(operator.operator, chain, operator.ranges));
    return;
  }
  if (operator.kind === 'like') {
    const pattern = popOperand(builder);
    const operand = popOperand(builder);
    builder.operands.push({
      kind: 'like',
      range: { start: operand.range.start, end: pattern.range.end },
      operator: operator.operator,
      operatorRange: operator.range,
      negated: operator.negated,
      any: false,
      operand,
      patterns: [pattern],
    });
    return;
  }
  const high = popOperand(builder);
  const low = popOperand(builder);
  const operand = popOperand(builder);
  builder.operands.push({
    kind: 'between',
    range: { start: operand.range.start, end: high.range.end },
    operatorRange: operator.range,
    negated: operator.negated,
    operand,
    low,
    high,
  });
}

/**
 * Builds `a op b op c …`. Short chains lean to the left as written; long ones of operators for which grouping makes no difference are
 * balanced, so that ten thousand conditions joined by `or` give a tree that every walker can walk.
 */
function buildChain(
  operator: BinaryOperator,
  operands: readonly Expression[],
  ranges: readonly TextRange[],
): Expression {
  const build = (from: number, to: number): Expression => {
    if (to - from === 1) return operands[from] ?? { kind: 'missing', range: { start: 0, end: 0 } };
    const split = to - from <= longestChain ? to - 1 : (from + to) >> 1;
    return binary(operator, build(from, split), ranges[split - 1], build(split, to));
  };
  return build(0, operands.length);
}

function binary(
  operator: BinaryOperator,
  left: Expression,
  operatorRange: TextRange | undefined,
  right: Expression,
): BinaryExpression {
  return {
    kind: 'binary',
    range: { start: left.range.start, end: right.range.end },
    operator,
    operatorRange: operatorRange ?? { start: left.range.end, end: left.range.end },
    left,
    right,
  };
}
