import { assertNever } from '../../assert-never.ts';
import { cover } from '../../text/range.ts';
import type { Fix } from '../diagnostics/diagnostic.ts';
import { messages } from '../diagnostics/messages.ts';
import type {
  BetweenExpression,
  BinaryExpression,
  CaseExpression,
  CastExpression,
  Expression,
  InListExpression,
  InQueryExpression,
  LikeExpression,
  PathExpression,
  TupleExpression,
  UnaryExpression,
} from '../syntax/ast.ts';
import { writeString } from '../syntax/strings.ts';
import {
  areComparable,
  canCast,
  castTypeFromForeignName,
  castTypeFromName,
  commonType,
  isOpen,
} from '../types/conversions.ts';
import { dataTypeOf, type LqlType } from '../types/types.ts';
import { checkCall } from './check-call.ts';
import { checkColumn, isSourceBeforeColon } from './check-column.ts';
import { checkComparable } from './check-comparison.ts';
import { type AnalysisContext, type OpenScope, report, sourceText } from './context.ts';
import type { ResultColumn } from './semantic-model.ts';

/** Checks a subquery and gives its result columns; injected by `check.ts`, which checks whole bodies. */
export type CheckSubquery = (
  context: AnalysisContext,
  query: InQueryExpression,
  scope: OpenScope,
) => readonly ResultColumn[];

/** What an expression is checked in. */
export interface ExpressionCheck {
  readonly context: AnalysisContext;
  readonly scope: OpenScope;
  readonly checkSubquery: CheckSubquery;
}

/**
 * Gives the type of an expression, notes it in the model and reports what is wrong with it. Operators lean to the left
 * (`a or b or c …` is a tree as deep as the text is long), so the left edge is walked in a loop and only the other operands,
 * whose nesting the parser bounds, are visited by recursion.
 */
export function checkExpression(check: ExpressionCheck, expression: Expression): LqlType {
  const edge: Expression[] = [];
  let node = expression;
  for (let next = leftOperand(node); next !== undefined; next = leftOperand(node)) {
    edge.push(node);
    node = next;
  }
  let type = checkLeaf(check, node, edge.at(-1));
  check.context.types.set(node, type);
  for (let outer = edge.pop(); outer !== undefined; outer = edge.pop()) {
    type = checkOuter(check, outer, type);
    check.context.types.set(outer, type);
  }
  return type;
}

/** Checks an expression whose value must be true or false. */
export function checkCondition(check: ExpressionCheck, expression: Expression): void {
  requireCondition(check, expression, checkExpression(check, expression));
}

function leftOperand(node: Expression): Expression | undefined {
  switch (node.kind) {
    case 'binary':
      return node.left;
    case 'like':
    case 'inList':
    case 'between':
    case 'isNull':
    case 'cast':
    case 'unary':
      return node.operand;
    case 'inQuery':
      return tupleOf(node.operand) === undefined ? node.operand : undefined;
    case 'path':
      return node.base;
    case 'parenthesized':
      return node.expression;
    default:
      return undefined;
  }
}

function checkLeaf(check: ExpressionCheck, node: Expression, outer: Expression | undefined): LqlType {
  switch (node.kind) {
    case 'string':
    case 'number':
    case 'boolean':
    case 'null':
      return node.kind;
    case 'missing':
      return 'unknown';
    case 'column':
      return checkColumn(check, node, outer?.kind === 'path' && outer.base === node ? outer : undefined);
    case 'call':
      return checkCall(check, node);
    case 'case':
      return checkCase(check, node);
    case 'tuple':
      report(check.context, 'misplaced-tuple', node.range, messages.misplacedTuple());
      for (const item of node.items) checkExpression(check, item);
      return 'unknown';
    case 'inQuery':
      return checkTupleInQuery(check, node);
    default:
      return 'unknown';
  }
}

/** Checks a node of the left edge, whose left operand has the type `left`. */
function checkOuter(check: ExpressionCheck, node: Expression, left: LqlType): LqlType {
  switch (node.kind) {
    case 'parenthesized':
      return left;
    case 'path':
      return checkPath(check, node, left);
    case 'cast':
      return checkCast(check, node, left);
    case 'unary':
      return checkUnary(check, node, left);
    case 'binary':
      return checkBinary(check, node, left);
    case 'like':
      return checkLike(check, node, left);
    case 'inList':
      return checkInList(check, node, left);
    case 'inQuery':
      return checkValueInQuery(check, node, left);
    case 'between':
      return checkBetween(check, node, left);
    case 'isNull':
      if (node.json && left !== 'json' && !isOpen(left)) {
        const { text } = check.context;
        const written = text.slice(node.operatorRange.start, node.operatorRange.end);
        const fix: Fix = {
          title: "Change to 'is null'",
          edits: [{ range: node.operatorRange, newText: written.replace(/\s*\bjson\b/i, '') }],
          safe: false,
        };
        report(check.context, 'json-null-on-non-json', node.operatorRange, messages.jsonNullOnNonJson(left), {
          fixes: [fix],
        });
      }
      return 'boolean';
    default:
      return 'unknown';
  }
}

function checkPath({ context, scope }: ExpressionCheck, node: PathExpression, base: LqlType): LqlType {
  if (base === 'json' || isOpen(base)) return isOpen(base) && isSourceBeforeColon(scope, node) ? 'unknown' : 'json';
  const fix: Fix = {
    title: 'Wrap in to_json(…)',
    edits: [
      { range: { start: node.base.range.start, end: node.base.range.start }, newText: 'to_json(' },
      { range: { start: node.base.range.end, end: node.base.range.end }, newText: ')' },
    ],
    safe: false,
  };
  report(context, 'path-on-non-json', node.range, messages.pathOnNonJson(base), {
    fixes: base === 'string' ? [fix] : [],
  });
  return 'unknown';
}

function checkCast({ context }: ExpressionCheck, node: CastExpression, from: LqlType): LqlType {
  const { name, range } = node.typeName;
  if (name === '') return 'unknown';
  const to = castTypeFromName(name);
  if (to === undefined) {
    const meant = castTypeFromForeignName(name);
    const fixes: Fix[] =
      meant === undefined
        ? []
        : [{ title: `Change to '${dataTypeOf(meant)}'`, edits: [{ range, newText: dataTypeOf(meant) }], safe: true }];
    report(context, 'unknown-type', range, messages.unknownType(name, meant && dataTypeOf(meant)), { fixes });
    return meant ?? 'unknown';
  }
  if (!canCast(from, to)) {
    const newText = castInstead(from, to, sourceText(context, node.operand));
    report(context, 'unsupported-cast', node.range, messages.unsupportedCast(from, to), {
      fixes:
        newText === undefined
          ? []
          : [{ title: `Change to ${newText}`, edits: [{ range: node.range, newText }], safe: false }],
    });
  }
  return to;
}

/** What stands for a cast that there is not, where it is known. */
function castInstead(from: LqlType, to: LqlType, operand: string): string | undefined {
  if (from === 'timestamp' && to === 'number') return `epoch_sec(${operand})`;
  if (from === 'boolean' && to === 'string') return `case when ${operand} then 'true' else 'false' end`;
  return undefined;
}

function checkUnary(check: ExpressionCheck, node: UnaryExpression, operand: LqlType): LqlType {
  if (node.operator === 'not') {
    requireCondition(check, node.operand, operand);
    return 'boolean';
  }
  requireNumber(check, node.operand, operand, '-');
  return 'number';
}

function checkBinary(check: ExpressionCheck, node: BinaryExpression, left: LqlType): LqlType {
  const right = checkExpression(check, node.right);
  switch (node.operator) {
    case 'and':
    case 'or':
      requireCondition(check, node.left, left);
      requireCondition(check, node.right, right);
      return 'boolean';
    case '=':
    case '<>':
    case '<':
    case '<=':
    case '>':
    case '>=':
      checkComparable(check.context, node.left, left, node.right, right, cover(node.left.range, node.right.range));
      return 'boolean';
    case '||':
      return 'string';
    case '+':
    case '-':
    case '*':
    case '/':
    case '%': {
      if (node.operator === '+' && left === 'string' && (right === 'string' || right === 'json')) {
        report(check.context, 'operand-type', node.operatorRange, messages.arithmetic('+', 'string'), {
          fixes: [
            { title: "Join the texts with '||'", edits: [{ range: node.operatorRange, newText: '||' }], safe: true },
          ],
        });
        return 'string';
      }
      const leftFits = requireNumber(check, node.left, left, node.operator);
      // One mistake, one message: `time - 5` is not reported at both of its ends.
      if (leftFits) requireNumber(check, node.right, right, node.operator);
      return 'number';
    }
    default:
      return assertNever(node.operator);
  }
}

function checkLike(check: ExpressionCheck, node: LikeExpression, operand: LqlType): LqlType {
  requireText(check, node, node.operand, operand);
  for (const pattern of node.patterns) requireText(check, node, pattern, checkExpression(check, pattern));
  return 'boolean';
}

function requireText({ context }: ExpressionCheck, node: LikeExpression, operand: Expression, type: LqlType): void {
  if (type === 'string' || type === 'json' || isOpen(type)) return;
  const fixes = canCast(type, 'string') ? [castFix(operand, 'string')] : [];
  report(context, 'operand-type', operand.range, messages.patternOperand(node.operator, type), { fixes });
}

function checkInList(check: ExpressionCheck, node: InListExpression, operand: LqlType): LqlType {
  const { context } = check;
  let listType: LqlType | undefined;
  let mixed = false;
  for (const item of node.items) {
    const type = checkExpression(check, item);
    if (item.kind === 'missing') continue;
    if (type === 'null' && isLiteral(item)) {
      report(context, 'in-list-null', item.range, messages.inListNull(), {
        fixes: nullOutsideOfList(context, node, item),
      });
    } else if (!isLiteral(item)) {
      report(context, 'in-list-not-literal', item.range, messages.inListNotLiteral());
    } else if (listType === undefined) {
      listType = type;
      checkComparable(context, node.operand, operand, item, type, item.range);
    } else if (type === listType) {
      if (!mixed) checkComparable(context, node.operand, operand, item, type, item.range);
    } else if (!mixed && !isOpen(type)) {
      mixed = true;
      report(context, 'in-list-mixed-types', item.range, messages.inListMixedTypes(listType, type), {
        fixes: literalOfType(item, listType),
      });
    }
  }
  return 'boolean';
}

/** `x in ('a', null)` as `(x in ('a') or x is null)`. */
function nullOutsideOfList(context: AnalysisContext, node: InListExpression, item: Expression): readonly Fix[] {
  const rest = node.items.filter((other) => other !== item).map((other) => sourceText(context, other));
  if (rest.length === 0) return [];
  const operand = sourceText(context, node.operand);
  const list = `${operand} ${node.negated ? 'not in' : 'in'} (${rest.join(', ')})`;
  const newText = node.negated ? `(${list} and ${operand} is not null)` : `(${list} or ${operand} is null)`;
  return [{ title: `Change to ${newText}`, edits: [{ range: node.range, newText }], safe: false }];
}

/** The same value written as a text or as a number. */
function literalOfType(item: Expression, type: LqlType): readonly Fix[] {
  let newText: string | undefined;
  if (item.kind === 'number' && type === 'string') newText = writeString(item.text);
  if (item.kind === 'string' && type === 'number' && /^-?\d{1,15}(?:\.\d{1,15})?$/.test(item.value))
    newText = item.value;
  return newText === undefined
    ? []
    : [{ title: `Change to ${newText}`, edits: [{ range: item.range, newText }], safe: false }];
}

/** A literal, negative numbers and literals cast to a type (the only way to write a time) included. */
function isLiteral(item: Expression): boolean {
  switch (item.kind) {
    case 'string':
    case 'number':
    case 'boolean':
    case 'null':
      return true;
    case 'unary':
      return item.operator === '-' && isLiteral(item.operand);
    case 'cast':
      return isLiteral(item.operand);
    case 'parenthesized':
      return isLiteral(item.expression);
    default:
      return false;
  }
}

function checkValueInQuery(check: ExpressionCheck, node: InQueryExpression, operand: LqlType): LqlType {
  const columns = check.checkSubquery(check.context, node, check.scope);
  compareWithSubquery(check, node, [node.operand], [operand], columns);
  return 'boolean';
}

function checkTupleInQuery(check: ExpressionCheck, node: InQueryExpression): LqlType {
  const tuple = tupleOf(node.operand);
  if (tuple === undefined) return 'boolean';
  const types = tuple.items.map((item) => checkExpression(check, item));
  const columns = check.checkSubquery(check.context, node, check.scope);
  compareWithSubquery(check, node, tuple.items, types, columns);
  return 'boolean';
}

function compareWithSubquery(
  check: ExpressionCheck,
  node: InQueryExpression,
  values: readonly Expression[],
  types: readonly LqlType[],
  columns: readonly ResultColumn[],
): void {
  const items = node.body.return?.items ?? [];
  // A star brings as many columns as its source has, which only a reliable catalog tells; a broken return block tells nothing.
  if (items.length === 0 || items.some((item) => item.kind === 'returnStar') || columns.length !== items.length) return;
  const { context } = check;
  if (columns.length !== values.length) {
    const range = node.body.return?.keywordRange ?? node.operatorRange;
    report(context, 'subquery-columns', range, messages.subqueryColumns(values.length, columns.length));
    return;
  }
  columns.forEach((column, i) => {
    const value = values[i];
    const type = types[i];
    if (value === undefined || type === undefined || areComparable(type, column.type)) return;
    report(context, 'type-mismatch', column.item.range, messages.typeMismatch(type, column.type), {
      related: [{ range: value.range, message: 'compared with this value' }],
    });
  });
}

/** The tuple an operand of `in` is, through any parentheses. */
function tupleOf(operand: Expression): TupleExpression | undefined {
  let node = operand;
  while (node.kind === 'parenthesized') node = node.expression;
  return node.kind === 'tuple' ? node : undefined;
}

function checkBetween(check: ExpressionCheck, node: BetweenExpression, operand: LqlType): LqlType {
  const low = checkExpression(check, node.low);
  const high = checkExpression(check, node.high);
  const { context } = check;
  if (operand === 'boolean') {
    report(context, 'operand-type', node.operand.range, messages.betweenOperand(operand));
    return 'boolean';
  }
  checkComparable(context, node.operand, operand, node.low, low, node.low.range);
  checkComparable(context, node.operand, operand, node.high, high, node.high.range);
  return 'boolean';
}

function checkCase(check: ExpressionCheck, node: CaseExpression): LqlType {
  const { context } = check;
  const subject = node.subject === undefined ? undefined : checkExpression(check, node.subject);
  let result: LqlType = 'null';
  let differs = false;
  const addResult = (expression: Expression): void => {
    const type = checkExpression(check, expression);
    const common = commonType(result, type);
    if (common !== undefined) {
      result = common;
    } else if (!differs) {
      differs = true;
      report(context, 'case-branch-types', expression.range, messages.caseBranchTypes(result, type));
    }
  };
  for (const branch of node.branches) {
    const when = checkExpression(check, branch.when);
    if (node.subject !== undefined && subject !== undefined) {
      checkComparable(context, node.subject, subject, branch.when, when, branch.when.range);
    } else {
      requireCondition(check, branch.when, when);
    }
    addResult(branch.then);
  }
  if (node.otherwise !== undefined) addResult(node.otherwise);
  return differs ? 'unknown' : result;
}

function requireCondition({ context }: ExpressionCheck, expression: Expression, type: LqlType): void {
  if (type === 'boolean' || type === 'json' || isOpen(type)) return;
  report(context, 'condition-type', expression.range, messages.condition(type));
}

function requireNumber({ context }: ExpressionCheck, expression: Expression, type: LqlType, operator: string): boolean {
  if (type === 'number' || type === 'json' || isOpen(type)) return true;
  const fixes = type === 'string' ? [castFix(expression, 'number')] : [];
  report(context, 'operand-type', expression.range, messages.arithmetic(operator, type), { fixes });
  return false;
}

/** Appends `::Type`, in parentheses where the cast would bind to a part of the expression alone. */
export function castFix(expression: Expression, type: LqlType): Fix {
  const { start, end } = expression.range;
  const name = dataTypeOf(type);
  const bindsTighter =
    expression.kind === 'column' ||
    expression.kind === 'path' ||
    expression.kind === 'cast' ||
    expression.kind === 'call' ||
    expression.kind === 'parenthesized' ||
    expression.kind === 'string' ||
    expression.kind === 'number' ||
    expression.kind === 'boolean';
  return {
    title: `Cast to ${name}`,
    edits: bindsTighter
      ? [{ range: { start: end, end }, newText: `::${name}` }]
      : [
          { range: { start, end: start }, newText: '(' },
          { range: { start: end, end }, newText: `)::${name}` },
        ],
    safe: false,
  };
}
