import type { ParserMethod } from 'chevrotain';
import type { BinaryOperator, Body, Expression } from './ast.ts';
import {
  createExpressionBuilder,
  type ExpressionBuilder,
  finishExpression,
  pushBetween,
  pushBinary,
  pushLike,
  pushPrefix,
  takeComparisonOperand,
} from './build-ast.ts';
import { expressionStart, literalSet, operandStart, operatorWords } from './kind-sets.ts';
import { missingAt, type ParenthesizedList } from './list-parser.ts';
import { OperandParser } from './operand-parser.ts';
import { kindSet, replacement } from './resilient-parser.ts';
import { kindNumber } from './tokens.ts';

const binaryOperators: readonly BinaryOperator[] = [
  'or',
  'and',
  '=',
  '<>',
  '<',
  '<=',
  '>',
  '>=',
  '||',
  '+',
  '-',
  '*',
  '/',
  '%',
];

const binaryOperatorOf = new Map(binaryOperators.map((operator) => [kindNumber(operator), operator]));

const infixStart = kindSet([...binaryOperators, 'not', 'like', 'ilike', 'rlike', 'in', 'between', 'is']);

/** The rules of expressions. Queries inside expressions belong to the rules of blocks. */
export abstract class ExpressionParser extends OperandParser {
  private builder: ExpressionBuilder = createExpressionBuilder();

  abstract readonly body: ParserMethod<[], Body>;

  /**
   * An expression, as a flat sequence of operands and operators. What to read next is decided by the next token's kind alone, here and in
   * the operands below, without Chevrotain's productions: at the depths that brackets reach, their frames would exhaust the stack, and
   * they are most of the time that parsing takes. `recordExpression` tells Chevrotain what is read.
   */
  readonly expression: ParserMethod<[], Expression> = this.RULE('expression', (): Expression => {
    if (this.RECORDING_PHASE) return this.recordExpression();
    this.steps++;
    // Most expressions are one operand: those need no builder.
    const only = this.isIn(operandStart) ? this.operand() : undefined;
    if (only !== undefined && !this.isIn(infixStart)) return only;
    const outer = this.builder;
    const builder = createExpressionBuilder();
    this.builder = builder;
    if (only === undefined) this.prefixedOperand();
    else builder.operands.push(only);
    while (this.isIn(infixStart)) if (this.infix()) this.prefixedOperand();
    this.builder = outer;
    const result = finishExpression(builder);
    for (const range of builder.incomplete) {
      // A broken bound may have taken the 'and' for its own.
      if (!this.isQuiet({ start: range.start, end: this.startOf(this.index()) })) continue;
      this.report('missing-token', range, "'between' takes two values: x between low and high. The 'and' is missing.");
    }
    return result;
  });

  private recordExpression(): Expression {
    this.OR([
      ...expressionStart
        .filter((kind) => kind !== '(' && kind !== 'case')
        .map((kind) => ({ ALT: () => void this.take(0, kind) })),
      { ALT: () => void this.SUBRULE(this.list) },
      { ALT: () => void this.SUBRULE(this.caseExpression) },
    ]);
    this.MANY(() => {
      this.OR1([
        ...(
          [
            '::',
            ':',
            '.',
            '[',
            'is',
            'not',
            'like',
            'ilike',
            'rlike',
            'in',
            'between',
            'any',
            'json',
            ...binaryOperators,
          ] as const
        ).map((kind) => ({ ALT: () => void this.take(1, kind) })),
        { ALT: () => void this.SUBRULE1(this.list) },
        { ALT: () => void this.SUBRULE1(this.body) },
      ]);
      this.OPTION(() => this.SUBRULE(this.expression));
    });
    return missingAt(0);
  }

  /** `not`, `-` and the operand they stand before. */
  private prefixedOperand(): void {
    for (let prefix = this.prefix(); prefix !== undefined; prefix = this.prefix()) {
      pushPrefix(this.builder, prefix, this.rangeOf(this.advance()));
    }
    const present = this.isIn(operandStart) || this.isIn(operatorWords);
    this.builder.operands.push(present ? this.operand() : this.missingOperand());
  }

  /** Reports that an operand is missing and stands in for it. */
  private missingOperand(): Expression {
    const previous = this.kindAt(this.currIdx);
    const bound = previous === 'and' && this.builder.operators.at(-1)?.kind === 'between';
    const logical = (previous === 'and' || previous === 'or' || previous === 'not') && !bound;
    const what = logical ? 'condition' : 'value';
    this.reportHere('missing-expression', `Expected a ${what} after ${this.previous()}, but found ${this.found()}.`);
    return missingAt(this.here());
  }

  private prefix(): '-' | 'not' | undefined {
    return this.at('-') ? '-' : this.at('not') ? 'not' : undefined;
  }

  /** Reads an operator, with its right side where that is no operand. Tells whether an operand follows. */
  private infix(): boolean {
    const operator = binaryOperatorOf.get(this.next());
    if (operator === undefined) return this.comparisonTail();
    pushBinary(this.builder, operator, this.rangeOf(this.advance()));
    return true;
  }

  /** `[not] like …`, `[not] in …`, `[not] between …`, `is [not] [json] null`. Tells whether an operand follows. */
  private comparisonTail(): boolean {
    this.steps++;
    const from = this.index();
    if (this.at('is')) return this.isTail(from);
    const negated = this.at('not');
    if (negated) this.advance();
    const word = this.kindAt(this.index());
    switch (word) {
      case 'like':
      case 'ilike':
      case 'rlike':
        this.advance();
        if (this.at('any')) return this.likeAny(word, negated, from);
        pushLike(this.builder, word, negated, this.rangeFrom(from));
        return true;
      case 'in':
        this.advance();
        this.inTail(negated, from);
        return false;
      case 'between':
        this.advance();
        pushBetween(this.builder, negated, this.rangeFrom(from));
        return true;
      default: {
        // `a not = b`, or two conditions without a connective: `a not b`. What follows is read as a condition of its own.
        this.reportHere(
          'missing-token',
          `After 'not' comes like, ilike, rlike, in or between here, but found ${this.found()}.`,
        );
        if (!this.isIn(operandStart)) return false;
        pushBinary(this.builder, 'and', { start: this.here(), end: this.here() });
        this.silenceHere();
        return true;
      }
    }
  }

  private likeAny(operator: 'like' | 'ilike' | 'rlike', negated: boolean, from: number): false {
    this.advance();
    const operatorRange = this.rangeFrom(from);
    const { items: patterns, range: listRange } = this.valueList(
      'any',
      "Patterns stand in parentheses: any ('%a%', '%b%')",
    );
    const operand = takeComparisonOperand(this.builder);
    const range = { start: operand.range.start, end: listRange.end };
    this.builder.operands.push({ kind: 'like', range, operator, operatorRange, negated, any: true, operand, patterns });
    return false;
  }

  private inTail(negated: boolean, from: number): void {
    const operatorRange = this.rangeFrom(from);
    if (this.at('{') || (this.at('(') && this.kindAt(this.index() + 1) === '{')) {
      const body = this.at('{') ? this.SUBRULE(this.body) : this.parenthesizedQuery();
      const operand = takeComparisonOperand(this.builder);
      const range = { start: operand.range.start, end: this.here() };
      this.builder.operands.push({ kind: 'inQuery', range, operatorRange, negated, operand, body });
      return;
    }
    const { items, range: listRange } = this.valueList('in', "Values stand in parentheses: in ('a', 'b')");
    const operand = takeComparisonOperand(this.builder);
    const range = { start: operand.range.start, end: listRange.end };
    this.builder.operands.push({ kind: 'inList', range, operatorRange, negated, operand, items });
  }

  /** `({ source … })` behind `in`: a query needs no parentheses, and has none in any published text. */
  private parenthesizedQuery(): Body {
    const open = this.rangeOf(this.index());
    this.skip();
    const body = this.SUBRULE1(this.body);
    const closed = this.at(')');
    if (closed) this.skip();
    const close = this.rangeOf(this.currIdx);
    const edits = [open, close].map((range) => ({ range, newText: '' }));
    this.report(
      'unexpected-token',
      open,
      "A query behind 'in' stands in its braces alone, without parentheses.",
      closed ? [{ title: 'Remove the parentheses', edits, safe: true }] : [],
    );
    return body;
  }

  private isTail(from: number): boolean {
    this.advance();
    const negated = this.at('not');
    if (negated) this.advance();
    const json = this.at('json');
    if (json) this.advance();
    if (this.at('null')) this.advance();
    else if (this.isIn(operandStart) && !json) {
      // `x is 'a'`: read as the comparison that is meant.
      const range = this.rangeFrom(from);
      const spelling = negated ? '<>' : '=';
      if (this.claim())
        this.report(
          'foreign-operator',
          range,
          `'is' is followed by null or json null only. To compare with a value write '${spelling}'.`,
          replacement(`Change to '${spelling}'`, range, spelling, true),
        );
      pushBinary(this.builder, spelling, range);
      return true;
    } else {
      this.reportHere(
        'missing-token',
        `After 'is' comes null, not null, json null or not json null, but found ${this.found()}.`,
      );
    }
    const operatorRange = this.rangeFrom(from);
    const operand = takeComparisonOperand(this.builder);
    const range = { start: operand.range.start, end: operatorRange.end };
    this.builder.operands.push({ kind: 'isNull', range, operatorRange, negated, json, operand });
    return false;
  }

  /** The list behind `in` or `any`. Values without parentheses are read as if they had them. */
  private valueList(word: 'in' | 'any', message: string): ParenthesizedList {
    if (this.at('(')) {
      const list = this.SUBRULE(this.list);
      if (list.items.length === 0 && this.isQuiet(list.range))
        this.report('empty-block', list.range, `The list behind '${word}' is empty. Name at least one value.`);
      return list;
    }
    const place = this.placeHere();
    const claimed = this.claim();
    const from = this.index();
    const items: Expression[] = [];
    if (this.isIn(operandStart)) items.push(this.operand());
    while (items.length > 0 && this.at(',') && literalSet[this.peek(1)] === 1) {
      this.advance();
      items.push(this.operand());
    }
    const range = items.length > 0 ? this.rangeFrom(from) : { start: this.here(), end: this.here() };
    if (claimed) {
      const fix = {
        title: 'Put the values in parentheses',
        edits: [{ range, newText: `(${this.text.slice(range.start, range.end)})` }],
        safe: true,
      };
      const query =
        word === 'in' && items.length === 0 ? ', or a query in braces: in { source { … } return { … } }' : '';
      this.report(
        items.length > 0 ? 'missing-token' : 'missing-expression',
        items.length > 0 ? range : place,
        `${message}${query}.`,
        items.length > 0 ? [fix] : [],
      );
    }
    return { items, range, star: false, comma: false };
  }
}
