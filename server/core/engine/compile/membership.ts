import type { InListExpression, InQueryExpression } from '../../language/syntax/ast.ts';
import type { LqlType } from '../../language/types/types.ts';
import { comparisonType, equality, hashKey } from '../../language/values/compare.ts';
import { type Converter, converter } from '../../language/values/convert.ts';
import type { Value } from '../../language/values/value.ts';
import { EngineFailure } from '../engine-failure.ts';
import { matchKey } from '../row-key.ts';
import {
  type CompileContext,
  type Compiled,
  constant,
  convert,
  derive,
  type Evaluator,
  isConstant,
  type Subquery,
} from './compiled.ts';

/** `x in (a, b)`: the comparisons x = a, x = b joined with OR. */
export function compileInList(node: InListExpression, context: CompileContext): Compiled {
  const operand = context.compile(node.operand);
  const items = node.items.map((item) => context.compile(item));
  const evaluate = items.every(isConstant)
    ? constantItems(operand, items, node.negated)
    : changingItems(operand, items, node.negated);
  return derive('boolean', [operand, ...items], evaluate);
}

/** Items of one comparison type share a hash set, so that a list of thousands costs one lookup. */
function constantItems(operand: Compiled, items: readonly Compiled[], negated: boolean): Evaluator {
  const keysByType = new Map<LqlType, Set<unknown>>();
  let hasNull = false;
  for (const item of items) {
    const type = comparisonType(operand.type, item.type);
    const value = type === undefined ? undefined : convert(item, type).evaluate();
    if (type === undefined || value === undefined) {
      hasNull = true;
      continue;
    }
    const keys = keysByType.get(type) ?? new Set();
    keysByType.set(type, keys.add(hashKey(type)(value)));
  }
  const groups = [...keysByType].map(([type, keys]) => ({
    keys,
    keyOf: hashKey(type),
    change: conversion(operand.type, type),
  }));
  const { evaluate } = operand;
  return (): Value => {
    const value = evaluate();
    if (value === undefined) return undefined;
    let unsure = hasNull;
    for (const { keys, keyOf, change } of groups) {
      const converted = change(value);
      if (converted === undefined) unsure = true;
      else if (keys.has(keyOf(converted))) return !negated;
    }
    return unsure ? undefined : negated;
  };
}

function changingItems(operand: Compiled, items: readonly Compiled[], negated: boolean): Evaluator {
  const comparisons = items.map((item) => {
    const type = comparisonType(operand.type, item.type);
    if (type === undefined) return (): Value => undefined;
    const { evaluate } = convert(item, type);
    const change = conversion(operand.type, type);
    const same = equality(type);
    return (value: Value): Value => {
      const left = change(value);
      const right = evaluate();
      return left === undefined || right === undefined ? undefined : same(left, right);
    };
  });
  const { evaluate } = operand;
  return (): Value => {
    const value = evaluate();
    if (value === undefined) return undefined;
    let unsure = false;
    for (const comparison of comparisons) {
      const result = comparison(value);
      if (result === true) return !negated;
      if (result === undefined) unsure = true;
    }
    return unsure ? undefined : negated;
  };
}

/**
 * `x in { … }` and `(x, y) in { … }`. Rows of the subquery that hold a null match nothing and make nothing uncertain, so that `not (x in {…})`
 * keeps the rows it is written for. A null on the left gives null, or false when the subquery has no other rows.
 */
export function compileInQuery(node: InQueryExpression, context: CompileContext): Compiled {
  const operand = node.operand.kind === 'parenthesized' ? node.operand.expression : node.operand;
  const operands = operand.kind === 'tuple' ? operand.items : [operand];
  const parts = operands.map((part) => context.compile(part));
  const subquery = context.subquery(node);
  if (subquery.types.length !== parts.length) {
    throw new EngineFailure(
      'unsupported',
      `The subquery returns ${subquery.types.length} columns, but ${parts.length} stand on the left of IN.`,
    );
  }
  const types = parts.map((part, index) => comparisonType(part.type, subquery.types[index] as LqlType));
  if (types.some((type) => type === undefined)) return constant('boolean', undefined);
  const comparable = types as readonly LqlType[];
  keySubquery(subquery, comparable);
  const changes = parts.map((part, index) => conversion(part.type, comparable[index] as LqlType));
  const keyOf = matchKey(comparable);
  const { keys } = subquery;
  const evaluators = parts.map((part) => part.evaluate);
  const values: Value[] = evaluators.map(() => undefined);
  return derive(
    'boolean',
    parts,
    (): Value => {
      if (!subquery.hasRows) return node.negated;
      for (let index = 0; index < evaluators.length; index++) {
        const value = (evaluators[index] as Evaluator)();
        if (value === undefined) return undefined;
        values[index] = (changes[index] as Converter)(value);
      }
      // A value that cannot be compared with the subquery's equals none of them; keys never hold undefined.
      return keys.has(keyOf(values)) !== node.negated;
    },
    { deferred: true },
  );
}

function keySubquery(subquery: Subquery, types: readonly LqlType[]): void {
  const changes = types.map((type, index) => conversion(subquery.types[index] as LqlType, type));
  const keyOf = matchKey(types);
  subquery.keyBy((row) => {
    const converted = row.map((value, index) =>
      value === undefined ? undefined : (changes[index] as Converter)(value),
    );
    return keyOf(converted);
  });
}

/** Values that cannot be converted have no partner, like null. */
function conversion(from: LqlType, to: LqlType): Converter {
  return converter(from, to) ?? (() => undefined);
}
