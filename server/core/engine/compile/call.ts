import type { FunctionDefinition, Parameter } from '../../language/catalog/function-definition.ts';
import { findFunction } from '../../language/catalog/functions/index.ts';
import type { CallExpression } from '../../language/syntax/ast.ts';
import type { LqlType } from '../../language/types/types.ts';
import type { Value } from '../../language/values/value.ts';
import { EngineFailure } from '../engine-failure.ts';
import { type CompileContext, type Compiled, convert, derive, type Evaluator, unify } from './compiled.ts';

export function compileCall(node: CallExpression, context: CompileContext): Compiled {
  const definition = context.model.calls.get(node) ?? findFunction(node.name.name);
  if (definition === undefined) {
    throw new EngineFailure('unsupported', `There is no function ${node.name.name.toUpperCase()}.`);
  }
  const name = definition.name.toUpperCase();
  if (definition.sourceOnly) {
    throw new EngineFailure('unsupported', `${name} stands only in the source block.`);
  }
  if (node.starArgument || !acceptsCount(definition, node.args.length)) {
    throw new EngineFailure('unsupported', `${name} takes ${parameterCount(definition)}, not ${node.args.length}.`);
  }
  const given = node.args.map((arg) => context.compile(arg));
  const { args, type } = convertArguments(definition, given);
  return derive(type, args, callEvaluator(definition, args, context.now), { cost: 5 });
}

function callEvaluator(definition: FunctionDefinition, args: readonly Compiled[], now: number): Evaluator {
  const { evaluate, handlesNull } = definition;
  const context = { now };
  const evaluators = args.map((arg) => arg.evaluate);
  // One array serves every row: a function does not keep its arguments, and no call site runs inside itself.
  const values: Value[] = new Array<Value>(evaluators.length).fill(undefined);
  if (handlesNull) {
    return () => {
      for (let index = 0; index < evaluators.length; index++) values[index] = (evaluators[index] as Evaluator)();
      return evaluate(values, context);
    };
  }
  return () => {
    for (let index = 0; index < evaluators.length; index++) {
      const value = (evaluators[index] as Evaluator)();
      if (value === undefined) return undefined;
      values[index] = value;
    }
    return evaluate(values, context);
  };
}

function convertArguments(
  definition: FunctionDefinition,
  given: readonly Compiled[],
): { args: readonly Compiled[]; type: LqlType } {
  const { returns } = definition;
  if (typeof returns !== 'string') {
    const type = unify(given.slice(returns.sameAsParameter));
    return { args: given.map((arg) => convert(arg, type)), type };
  }
  const args = given.map((arg, index) => {
    const parameter = parameterAt(definition, index);
    // A function that takes anything knows only JSON's kinds of values, and JSON has no timestamps: they arrive as text.
    const type = parameter.type === 'any' ? (arg.type === 'timestamp' ? 'string' : arg.type) : parameter.type;
    return convert(arg, type);
  });
  return { args, type: returns };
}

function parameterAt(definition: FunctionDefinition, index: number): Parameter {
  return definition.parameters[Math.min(index, definition.parameters.length - 1)] as Parameter;
}

function acceptsCount(definition: FunctionDefinition, count: number): boolean {
  const { parameters } = definition;
  const required = parameters.filter((parameter) => !parameter.optional).length;
  return count >= required && (count <= parameters.length || parameters.at(-1)?.variadic === true);
}

function parameterCount(definition: FunctionDefinition): string {
  const { parameters } = definition;
  const required = parameters.filter((parameter) => !parameter.optional).length;
  if (parameters.at(-1)?.variadic) return `at least ${required} arguments`;
  const most = parameters.length;
  return required === most ? `${most} ${most === 1 ? 'argument' : 'arguments'}` : `${required} to ${most} arguments`;
}
