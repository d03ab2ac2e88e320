import type {
  BetweenExpression,
  BinaryExpression,
  BinaryOperator,
  Expression,
  IsNullExpression,
  UnaryExpression,
} from '../../language/syntax/ast.ts';
import type { LqlType } from '../../language/types/types.ts';
import { comparator, comparisonType, equality } from '../../language/values/compare.ts';
import { and, not, or, type Truth } from '../../language/values/logic.ts';
import { add, divide, type LqlNumber, modulo, multiply, negate, subtract } from '../../language/values/numbers.ts';
import type { Value } from '../../language/values/value.ts';
import {
  type CompileContext,
  type Compiled,
  constant,
  convert,
  derive,
  type Evaluator,
  isConstant,
} from './compiled.ts';

export function compileUnary(node: UnaryExpression, context: CompileContext): Compiled {
  const operand = context.compile(node.operand);
  if (node.operator === 'not') {
    const condition = convert(operand, 'boolean');
    return derive('boolean', [condition], () => not(condition.evaluate() as Truth));
  }
  const number = convert(operand, 'number');
  return derive('number', [number], () => {
    const value = number.evaluate();
    return value === undefined ? undefined : negate(value as LqlNumber);
  });
}

export function compileBinary(node: BinaryExpression, context: CompileContext): Compiled {
  switch (node.operator) {
    case 'and':
    case 'or':
      return compileLogic(node, node.operator, context);
    case '=':
    case '<>':
    case '<':
    case '<=':
    case '>':
    case '>=':
      return compileComparison(node.operator, context.compile(node.left), context.compile(node.right));
    default:
      return compileChain(node, context);
  }
}

/** The operands of a run of one operator, from left to right. Long runs lean to the left, so they are unrolled rather than nested. */
function operandsOf(node: BinaryExpression, operator: BinaryOperator): Expression[] {
  const operands: Expression[] = [];
  let current: Expression = node;
  while (current.kind === 'binary' && current.operator === operator) {
    operands.push(current.right);
    current = current.left;
  }
  operands.push(current);
  return operands.reverse();
}

/** The conjuncts of a condition: each must be true. */
export function conjunctsOf(condition: Expression): Expression[] {
  const conjuncts: Expression[] = [];
  const pending: Expression[] = [condition];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (next.kind === 'parenthesized') pending.push(next.expression);
    else if (next.kind === 'binary' && next.operator === 'and') pending.push(next.right, next.left);
    else conjuncts.push(next);
  }
  return conjuncts;
}

function compileLogic(node: BinaryExpression, operator: 'and' | 'or', context: CompileContext): Compiled {
  const parts = operandsOf(node, operator).map((operand) => convert(context.compile(operand), 'boolean'));
  const join = operator === 'and' ? and : or;
  const decisive = operator === 'or';
  const evaluators = parts.map((part) => part.evaluate);
  return derive('boolean', parts, () => {
    let result: Truth = !decisive;
    for (const evaluate of evaluators) {
      result = join(result, evaluate() as Truth);
      if (result === decisive) return result;
    }
    return result;
  });
}

type ComparisonOperator = '=' | '<>' | '<' | '<=' | '>' | '>=';

const outcomes: Readonly<Record<ComparisonOperator, (order: number) => boolean>> = {
  '=': (order) => order === 0,
  '<>': (order) => order !== 0,
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
};

function compileComparison(operator: ComparisonOperator, left: Compiled, right: Compiled): Compiled {
  const type = comparisonType(left.type, right.type);
  if (type === undefined) return constant('boolean', undefined);
  const a = convert(left, type);
  const b = convert(right, type);
  if (operator === '=' || operator === '<>') {
    return derive('boolean', [a, b], equalityEvaluator(a, b, type, operator === '<>'));
  }
  const compare = comparator(type);
  const outcome = outcomes[operator];
  return derive(
    'boolean',
    [a, b],
    strict(a, b, (x, y) => {
      const order = compare(x, y);
      return order === undefined ? undefined : outcome(order);
    }),
  );
}

function equalityEvaluator(a: Compiled, b: Compiled, type: LqlType, negated: boolean): Evaluator {
  const same = equality(type);
  if (type === 'json' || type === 'number' || !isConstant(b)) return strict(a, b, (x, y) => same(x, y) !== negated);
  const expected = b.evaluate();
  if (expected === undefined) return () => undefined;
  const { evaluate } = a;
  return () => {
    const value = evaluate();
    return value === undefined ? undefined : (value === expected) !== negated;
  };
}

/** Null as soon as an operand is. */
function strict(a: Compiled, b: Compiled, apply: (x: Value, y: Value) => Value): Evaluator {
  const left = a.evaluate;
  const right = b.evaluate;
  return () => {
    const x = left();
    if (x === undefined) return undefined;
    const y = right();
    return y === undefined ? undefined : apply(x, y);
  };
}

type ChainOperator = '||' | '+' | '-' | '*' | '/' | '%';

const chainOperations: Readonly<Record<ChainOperator, (a: Value, b: Value) => Value>> = {
  '||': (a, b) => (a as string) + (b as string),
  '+': (a, b) => add(a as LqlNumber, b as LqlNumber),
  '-': (a, b) => subtract(a as LqlNumber, b as LqlNumber),
  '*': (a, b) => multiply(a as LqlNumber, b as LqlNumber),
  '/': (a, b) => divide(a as LqlNumber, b as LqlNumber),
  '%': (a, b) => modulo(a as LqlNumber, b as LqlNumber),
};

/** A run of arithmetic, or of concatenations, worked off from left to right in one loop. */
function compileChain(node: BinaryExpression, context: CompileContext): Compiled {
  const type = node.operator === '||' ? 'string' : 'number';
  const isLink = (operator: BinaryOperator): operator is ChainOperator =>
    type === 'string' ? operator === '||' : operator !== '||' && Object.hasOwn(chainOperations, operator);
  const links: { apply: (a: Value, b: Value) => Value; operand: Compiled }[] = [];
  let current: Expression = node;
  while (current.kind === 'binary' && isLink(current.operator)) {
    links.push({ apply: chainOperations[current.operator], operand: operandOf(context.compile(current.right), type) });
    current = current.left;
  }
  links.reverse();
  const first = operandOf(context.compile(current), type);
  return derive(type, [first, ...links.map((link) => link.operand)], () => {
    let result = first.evaluate();
    for (const { apply, operand } of links) {
      if (result === undefined) return undefined;
      const next = operand.evaluate();
      result = next === undefined ? undefined : apply(result, next);
    }
    return result;
  });
}

/** Concatenation alone makes text of booleans; no cast does. */
function operandOf(compiled: Compiled, type: 'string' | 'number'): Compiled {
  if (type === 'number' || compiled.type !== 'boolean') return convert(compiled, type);
  const { evaluate } = compiled;
  return derive('string', [compiled], () => {
    const value = evaluate();
    return value === undefined ? undefined : String(value);
  });
}

export function compileBetween(node: BetweenExpression, context: CompileContext): Compiled {
  const operand = context.compile(node.operand);
  const atLeast = compileComparison('>=', operand, context.compile(node.low));
  const atMost = compileComparison('<=', operand, context.compile(node.high));
  return derive('boolean', [atLeast, atMost], () => {
    const inside = and(atLeast.evaluate() as Truth, atMost.evaluate() as Truth);
    return node.negated ? not(inside) : inside;
  });
}

/** `is null` asks for SQL null; `is json null` for the JSON null, and is itself null when there is no value at all. */
export function compileIsNull(node: IsNullExpression, context: CompileContext): Compiled {
  const operand = context.compile(node.operand);
  const { evaluate } = operand;
  if (!node.json) return derive('boolean', [operand], () => (evaluate() === undefined) !== node.negated);
  return derive('boolean', [operand], () => {
    const value = evaluate();
    return value === undefined ? undefined : (value === null) !== node.negated;
  });
}
