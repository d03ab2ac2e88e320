import type { LikeExpression } from '../../language/syntax/ast.ts';
import type { Value } from '../../language/values/value.ts';
import { EngineFailure } from '../engine-failure.ts';
import { compileLike } from '../patterns/like.ts';
import { compileRegex } from '../patterns/regex.ts';
import type { TextTest } from '../patterns/segments.ts';
import {
  type CompileContext,
  type Compiled,
  convert,
  derive,
  type Evaluator,
  isConstant,
  readsDocuments,
} from './compiled.ts';

/** LIKE, ILIKE and RLIKE, plain and ANY. A null pattern or operand makes that comparison null; ANY joins its comparisons with OR. */
export function compileLikeExpression(node: LikeExpression, context: CompileContext): Compiled {
  const operand = convert(context.compile(node.operand), 'string');
  const patterns = node.patterns.map((pattern) => convert(context.compile(pattern), 'string'));
  if (patterns.length === 0) throw new EngineFailure('incomplete-query', 'LIKE needs a pattern.');
  const testOf = patternCompiler(node.operator);
  const evaluate = patterns.every(isConstant)
    ? constantPatterns(operand.evaluate, patterns, testOf, node.negated)
    : changingPatterns(operand.evaluate, patterns, testOf, node.negated);
  const cost = (node.operator === 'rlike' ? 80 : 4) * (readsDocuments(operand) ? 10 : 1) * patterns.length;
  return derive('boolean', [operand, ...patterns], evaluate, { cost });
}

function constantPatterns(
  operand: Evaluator,
  patterns: readonly Compiled[],
  testOf: (pattern: string) => TextTest,
  negated: boolean,
): Evaluator {
  const tests: TextTest[] = [];
  let hasNull = false;
  for (const pattern of patterns) {
    const text = pattern.evaluate();
    if (typeof text === 'string') tests.push(testOf(text));
    else hasNull = true;
  }
  const miss = hasNull ? undefined : negated;
  const hit = !negated;
  const [only] = tests;
  if (only !== undefined && tests.length === 1) {
    return () => {
      const text = operand();
      return text === undefined ? undefined : only(text as string) ? hit : miss;
    };
  }
  return () => {
    const text = operand();
    if (text === undefined) return undefined;
    for (const test of tests) if (test(text as string)) return hit;
    return miss;
  };
}

function changingPatterns(
  operand: Evaluator,
  patterns: readonly Compiled[],
  testOf: (pattern: string) => TextTest,
  negated: boolean,
): Evaluator {
  const evaluators = patterns.map((pattern) => pattern.evaluate);
  return (): Value => {
    const text = operand();
    if (text === undefined) return undefined;
    let miss: boolean | undefined = negated;
    for (const evaluate of evaluators) {
      const pattern = evaluate();
      if (typeof pattern !== 'string') miss = undefined;
      else if (testOf(pattern)(text as string)) return !negated;
    }
    return miss;
  };
}

/** Patterns compiled last, for patterns that come from rows. */
const maxCompiledPatterns = 1000;

function patternCompiler(operator: LikeExpression['operator']): (pattern: string) => TextTest {
  const compiled = new Map<string, TextTest>();
  return (pattern) => {
    const known = compiled.get(pattern);
    if (known !== undefined) return known;
    if (compiled.size >= maxCompiledPatterns) compiled.clear();
    const test = operator === 'rlike' ? regexTest(pattern) : compileLike(pattern, operator === 'ilike');
    compiled.set(pattern, test);
    return test;
  };
}

function regexTest(pattern: string): TextTest {
  const result = compileRegex(pattern);
  if (result.kind === 'ok') return result.test;
  throw new EngineFailure(
    'invalid-pattern',
    `The RLIKE pattern '${pattern.length > 100 ? `${pattern.slice(0, 100)}…` : pattern}' is not a regular expression: ${result.reason}.`,
  );
}
