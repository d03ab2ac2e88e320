import { contains } from '../../text/range.ts';
import type { FunctionDefinition, Parameter } from '../catalog/function-definition.ts';
import { findFunction, functions } from '../catalog/functions/index.ts';
import { nearestNames } from '../catalog/nearest.ts';
import type { Fix } from '../diagnostics/diagnostic.ts';
import { messages } from '../diagnostics/messages.ts';
import type { CallExpression, Expression } from '../syntax/ast.ts';
import { canCast, commonType, isOpen } from '../types/conversions.ts';
import type { LqlType } from '../types/types.ts';
import { castFix, checkExpression, type ExpressionCheck } from './check-expression.ts';
import { renameFixes, report, sourceText } from './context.ts';
import { foreignFunctions } from './foreign-functions.ts';

/** Checks a call against the function's definition and gives its result type. */
export function checkCall(check: ExpressionCheck, call: CallExpression): LqlType {
  const { context } = check;
  const types = call.args.map((argument) => checkExpression(check, argument));
  const { name } = call.name;
  if (name === '') return 'unknown';
  const definition = findFunction(name);
  if (definition === undefined) {
    reportUnknownFunction(check, call);
    return 'unknown';
  }
  context.calls.set(call, definition);
  if (definition.sourceOnly === true) {
    report(context, 'expansion-in-expression', call.range, messages.expansionInExpression(name));
    return 'unknown';
  }
  if (!checkArgumentCount(check, call, definition)) return resultType(definition, []);
  call.args.forEach((argument, i) => {
    const parameter = definition.parameters[Math.min(i, definition.parameters.length - 1)];
    const type = types[i];
    if (parameter !== undefined && type !== undefined) checkArgument(check, definition, parameter, argument, type);
  });
  if (typeof definition.returns === 'object') checkSameTypes(check, definition, call, types);
  return resultType(definition, types);
}

function checkArgumentCount(
  { context }: ExpressionCheck,
  call: CallExpression,
  definition: FunctionDefinition,
): boolean {
  let least = 0;
  for (const parameter of definition.parameters) if (parameter.optional !== true) least++;
  const most =
    definition.parameters.at(-1)?.variadic === true ? Number.POSITIVE_INFINITY : definition.parameters.length;
  const given = call.args.length;
  // `f(a, )` is a syntax error that has been reported: what is missing cannot be counted.
  if (call.args.some((argument) => argument.kind === 'missing')) return false;
  if (context.syntaxFindings.some((finding) => contains(call.argsRange, finding))) return false;
  if (given >= least && given <= most && !call.starArgument) return true;
  const surplus = given > most ? call.args[most] : undefined;
  const last = call.args.at(-1);
  const range =
    surplus !== undefined && last !== undefined ? { start: surplus.range.start, end: last.range.end } : call.range;
  report(context, 'argument-count', range, messages.argumentCount(definition, given, least, most));
  return false;
}

function checkArgument(
  { context }: ExpressionCheck,
  definition: FunctionDefinition,
  parameter: Parameter,
  argument: Expression,
  type: LqlType,
): void {
  const expected = parameter.type;
  if (argument.kind === 'tuple' || expected === 'any' || expected === type || isOpen(expected) || isOpen(type)) return;
  if (type === 'json' && parameter.acceptsJson === true) return;
  const castable = expected !== 'null' && expected !== 'unknown' && expected !== 'json' && canCast(type, expected);
  // Numbers become times in two ways (seconds, milliseconds): only the author knows which one is meant.
  const fixes = castable && !(type === 'number' && expected === 'timestamp') ? [castFix(argument, expected)] : [];
  report(context, 'argument-type', argument.range, messages.argumentType(definition, parameter.name, expected, type), {
    fixes,
  });
}

/** Arguments of a function that gives back one of them (`coalesce`) must be of one type. */
function checkSameTypes(
  { context }: ExpressionCheck,
  definition: FunctionDefinition,
  call: CallExpression,
  types: readonly LqlType[],
): void {
  let common: LqlType = 'null';
  for (const [i, type] of types.entries()) {
    const next = commonType(common, type);
    const argument = call.args[i];
    if (next === undefined && argument !== undefined) {
      report(context, 'argument-type', argument.range, messages.argumentsDiffer(definition, common, type));
      return;
    }
    common = next ?? common;
  }
}

function resultType(definition: FunctionDefinition, types: readonly LqlType[]): LqlType {
  if (typeof definition.returns === 'string') return definition.returns;
  let common: LqlType | undefined = 'null';
  for (let i = definition.returns.sameAsParameter; i < types.length && common !== undefined; i++) {
    common = commonType(common, types[i] ?? 'unknown');
  }
  return types.length === 0 ? 'unknown' : (common ?? 'unknown');
}

function reportUnknownFunction({ context }: ExpressionCheck, call: CallExpression): void {
  const { name, range } = call.name;
  const foreign = foreignFunctions.get(name.toLowerCase());
  if (foreign === undefined) {
    const names = nearestNames(name, functions.keys());
    report(context, 'unknown-function', range, messages.unknownFunction(name, names), {
      fixes: renameFixes(range, names, false),
    });
    return;
  }
  const args = call.args.map((argument) => {
    const written = sourceText(context, argument);
    return foreign.infix === true && !isTight(argument) ? `(${written})` : written;
  });
  const bare = call.starArgument ? undefined : foreign.rewrite?.(args);
  // A cast or path behind the call would bind to the last operand alone.
  const followed = foreign.infix === true && /^\s*:/.test(context.text.slice(call.range.end, call.range.end + 20));
  const rewritten = bare !== undefined && followed ? `(${bare})` : bare;
  const fixes: Fix[] =
    rewritten === undefined
      ? []
      : [
          {
            title: `Change to ${shorten(rewritten)}`,
            edits: [{ range: call.range, newText: rewritten }],
            safe: foreign.isExact === true,
          },
        ];
  report(context, 'unknown-function', range, messages.foreignFunction(name, foreign.advice), { fixes });
}

/** Whether an operator beside the expression cannot tear it apart. */
function isTight(expression: Expression): boolean {
  switch (expression.kind) {
    case 'binary':
    case 'unary':
    case 'like':
    case 'inList':
    case 'inQuery':
    case 'between':
    case 'isNull':
      return false;
    default:
      return true;
  }
}

function shorten(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length <= 60 ? line : `${line.slice(0, 57)}…`;
}
