import { assertNever } from '../../assert-never.ts';
import type { CaseExpression, CastExpression, Expression, PathExpression } from '../../language/syntax/ast.ts';
import { castTypeFromName } from '../../language/types/conversions.ts';
import { comparisonType, equality } from '../../language/values/compare.ts';
import type { Value } from '../../language/values/value.ts';
import { EngineFailure } from '../engine-failure.ts';
import { compileCall } from './call.ts';
import { type CompileContext, type Compiled, constant, convert, derive, type Evaluator, unify } from './compiled.ts';
import { compileLikeExpression } from './matching.ts';
import { compileInList, compileInQuery } from './membership.ts';
import { compileBetween, compileBinary, compileIsNull, compileUnary } from './operators.ts';
import { pathEvaluator } from './path.ts';

/** Compiles one node. Its children go through `context.compile`, which bounds the depth. */
export function compileExpression(node: Expression, context: CompileContext): Compiled {
  switch (node.kind) {
    case 'string':
      return constant('string', node.value);
    case 'number':
      return constant('number', node.value);
    case 'boolean':
      return constant('boolean', node.value);
    case 'null':
      return constant('null', undefined);
    case 'column':
      return context.column(node);
    case 'path':
      return compilePath(node, context);
    case 'cast':
      return compileCast(node, context);
    case 'call':
      return compileCall(node, context);
    case 'unary':
      return compileUnary(node, context);
    case 'binary':
      return compileBinary(node, context);
    case 'like':
      return compileLikeExpression(node, context);
    case 'inList':
      return compileInList(node, context);
    case 'inQuery':
      return compileInQuery(node, context);
    case 'between':
      return compileBetween(node, context);
    case 'isNull':
      return compileIsNull(node, context);
    case 'case':
      return compileCase(node, context);
    case 'parenthesized':
      return context.compile(node.expression);
    case 'tuple':
      throw new EngineFailure('unsupported', 'Several values in parentheses stand only on the left of IN { … }.');
    case 'missing':
      throw new EngineFailure('incomplete-query', 'The query is incomplete: an expression is missing.');
    default:
      return assertNever(node);
  }
}

function compilePath(node: PathExpression, context: CompileContext): Compiled {
  const base = convert(context.compile(node.base), 'json');
  const keys = node.keys.map((key) => key.name);
  const path = derive('json', [base], pathEvaluator(base.evaluate, keys));
  const [read] = base.reads;
  // Only where the base is the column itself does the path say all that is read of it.
  return read !== undefined && node.base.kind === 'column' ? { ...path, reads: [context.readPath(read, keys)] } : path;
}

function compileCast(node: CastExpression, context: CompileContext): Compiled {
  const type = castTypeFromName(node.typeName.name);
  if (type === undefined) throw new EngineFailure('unsupported', `There is no type ${node.typeName.name}.`);
  return convert(context.compile(node.operand), type);
}

function compileCase(node: CaseExpression, context: CompileContext): Compiled {
  const subject = node.subject === undefined ? undefined : context.compile(node.subject);
  const branches = node.branches.map((branch) => ({
    when: context.compile(branch.when),
    result: context.compile(branch.then),
  }));
  const otherwise = node.otherwise === undefined ? constant('null', undefined) : context.compile(node.otherwise);
  if (branches.length === 0) throw new EngineFailure('incomplete-query', 'A CASE needs at least one WHEN … THEN.');
  const type = unify([...branches.map((branch) => branch.result), otherwise]);
  const conditions = branches.map((branch) =>
    subject === undefined ? convert(branch.when, 'boolean') : equals(subject, branch.when),
  );
  const results = branches.map((branch) => convert(branch.result, type));
  const fallback = convert(otherwise, type);
  const tests = conditions.map((condition) => condition.evaluate);
  const values = results.map((result) => result.evaluate);
  return derive(type, [...conditions, ...results, fallback], () => {
    for (let index = 0; index < tests.length; index++) {
      if ((tests[index] as Evaluator)() === true) return (values[index] as Evaluator)();
    }
    return fallback.evaluate();
  });
}

function equals(left: Compiled, right: Compiled): Compiled {
  const type = comparisonType(left.type, right.type);
  if (type === undefined) return constant('boolean', undefined);
  const a = convert(left, type);
  const b = convert(right, type);
  const same = equality(type);
  return derive('boolean', [a, b], (): Value => {
    const x = a.evaluate();
    if (x === undefined) return undefined;
    const y = b.evaluate();
    return y === undefined ? undefined : same(x, y);
  });
}
