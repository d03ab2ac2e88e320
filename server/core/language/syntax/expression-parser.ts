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
import { operandStart, operatorWords } from './kind-sets.ts';
import { missingAt, type ParenthesizedList } from './list-parser.ts';
import { OperandParser } from './operand-parser.ts';
import { kindSet, replacement } from './resilient-parser.ts';

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

const infixStart = kindSet([...binaryOperators, 'not', 'like', 'ilike', 'rlike', 'in', 'between', 'is']);

/** The rules of expressions. Queries inside expressions belong to the rules of blocks. */
export abstract class ExpressionParser extends OperandParser {
  private builder: ExpressionBuilder = createExpressionBuilder();

  abstract readonly body: ParserMethod<[], Body>;

  readonly expression: ParserMethod<[], Expression> = this.RULE('expression', (): Expression => {
    this.steps++;
    const outer = this.builder;
    // Most expressions are one operand: those need no builder.
    if (!this.RECORDING_PHASE && this.isIn(operandStart)) {
      const only = this.SUBRULE(this.operand);
      if (!this.isIn(infixStart)) return only;
      this.builder = createExpressionBuilder();
      this.builder.operands.push(only);
    } else {
      this.builder = createExpressionBuilder();
      this.prefixedOperand(1);
    }
    this.MANY(this.infix);
    const { builder } = this;
    this.builder = outer;
    if (this.RECORDING_PHASE) return missingAt(0);
    const result = finishExpression(builder);
    for (const range of builder.incomplete) {
      this.report('missing-token', range, "'between' takes two values: x between low and high. The 'and' is missing.");
    }
    return result;
  });

  /** `not`, `-` and the operand they stand before. Given a number for the productions, since a rule has it twice. */
  private prefixedOperand(occurrence: 1 | 2): void {
    if (this.RECORDING_PHASE || this.at('-') || this.at('not')) {
      this.many(occurrence, () => {
        this.or(occurrence, [
          { ALT: () => this.prefix(occurrence, '-') },
          { ALT: () => this.prefix(occurrence, 'not') },
        ]);
      });
    }
    if (this.RECORDING_PHASE || this.isIn(operandStart) || this.isIn(operatorWords)) {
      const operand = this.subrule(occurrence, this.operand);
      if (!this.RECORDING_PHASE) this.builder.operands.push(operand);
    } else this.builder.operands.push(this.missingOperand());
  }

  private prefix(occurrence: number, operator: '-' | 'not'): void {
    const index = this.take(occurrence, operator);
    if (!this.RECORDING_PHASE) pushPrefix(this.builder, operator, this.rangeOf(index));
  }

  private readonly infix = (): void => {
    const wantsOperand = this.OR(this.infixAlternatives);
    if (this.RECORDING_PHASE) this.OPTION(() => this.prefixedOperand(2));
    else if (wantsOperand) this.prefixedOperand(2);
  };

  /** Each tells whether an operand follows. */
  private readonly infixAlternatives = [
    ...binaryOperators.map((operator) => ({
      ALT: (): boolean => {
        const index = this.take(0, operator);
        if (!this.RECORDING_PHASE) pushBinary(this.builder, operator, this.rangeOf(index));
        return true;
      },
    })),
    { ALT: (): boolean => this.SUBRULE(this.comparisonTail) },
  ];

  /** `[not] like …`, `[not] in …`, `[not] between …`, `is [not] [json] null`. Tells whether an operand follows. */
  private readonly comparisonTail: ParserMethod<[], boolean> = this.RULE('comparisonTail', (): boolean => {
    this.steps++;
    const from = this.index();
    return this.OR([{ ALT: () => this.negatableTail(from) }, { ALT: () => this.isTail(from) }]);
  });

  private negatableTail(from: number): boolean {
    const negated = this.may('not') && this.OPTION(() => this.take(0, 'not')) !== undefined;
    if (negated && !this.RECORDING_PHASE && !this.isIn(operatorWords)) {
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
    return this.OR1([
      { ALT: () => this.likeTail('like', negated, from) },
      { ALT: () => this.likeTail('ilike', negated, from) },
      { ALT: () => this.likeTail('rlike', negated, from) },
      { ALT: () => this.inTail(negated, from) },
      {
        ALT: () => {
          this.take(0, 'between');
          if (!this.RECORDING_PHASE) pushBetween(this.builder, negated, this.rangeFrom(from));
          return true;
        },
      },
    ]);
  }

  private likeTail(operator: 'like' | 'ilike' | 'rlike', negated: boolean, from: number): boolean {
    this.take(0, operator);
    if (!this.may('any')) {
      pushLike(this.builder, operator, negated, this.rangeFrom(from));
      return true;
    }
    this.SUBRULE(this.likeAny, { ARGS: [operator, negated, from], LABEL: operator });
    return false;
  }

  private readonly likeAny: ParserMethod<['like' | 'ilike' | 'rlike', boolean, number], void> = this.RULE(
    'likeAny',
    (operator: 'like' | 'ilike' | 'rlike' = 'like', negated = false, from = 0): void => {
      this.take(0, 'any');
      const operatorRange = this.rangeFrom(from);
      const list = this.listOrMissing('a list of patterns');
      if (this.RECORDING_PHASE) return;
      const operand = takeComparisonOperand(this.builder);
      const range = { start: operand.range.start, end: list.range.end };
      const patterns = list.items;
      this.builder.operands.push({
        kind: 'like',
        range,
        operator,
        operatorRange,
        negated,
        any: true,
        operand,
        patterns,
      });
    },
  );

  private inTail(negated: boolean, from: number): boolean {
    this.take(0, 'in');
    this.SUBRULE(this.inOperand, { ARGS: [negated, from] });
    return false;
  }

  private readonly inOperand: ParserMethod<[boolean, number], void> = this.RULE(
    'inOperand',
    (negated = false, from = 0): void => {
      const operatorRange = this.rangeFrom(from);
      let body: Body | undefined;
      if (this.may('{')) {
        this.OPTION(() => {
          body = this.SUBRULE(this.body);
        });
      } else if (this.at('(') && this.kindAt(this.index() + 1) === '{') body = this.parenthesizedQuery();
      if (body !== undefined && !this.RECORDING_PHASE) {
        const operand = takeComparisonOperand(this.builder);
        const range = { start: operand.range.start, end: this.here() };
        this.builder.operands.push({ kind: 'inQuery', range, operatorRange, negated, operand, body });
        return;
      }
      const list = this.listOrMissing('a list of values or a query in braces');
      if (this.RECORDING_PHASE) return;
      const operand = takeComparisonOperand(this.builder);
      const range = { start: operand.range.start, end: list.range.end };
      this.builder.operands.push({ kind: 'inList', range, operatorRange, negated, operand, items: list.items });
    },
  );

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
    this.take(0, 'is');
    const negated = this.may('not') && this.OPTION1(() => this.take(1, 'not')) !== undefined;
    const json = this.may('json') && this.OPTION2(() => this.take(0, 'json')) !== undefined;
    if (!this.RECORDING_PHASE && !this.at('null')) {
      const range = this.rangeFrom(from);
      const spelling = negated ? '<>' : '=';
      if (this.isIn(operandStart) && !json) {
        // `x is 'a'`: read as the comparison that is meant.
        if (this.claim())
          this.report(
            'foreign-operator',
            range,
            `'is' is followed by null or json null only. To compare with a value write '${spelling}'.`,
            replacement(`Change to '${spelling}'`, range, spelling, true),
          );
        pushBinary(this.builder, spelling, range);
        return true;
      }
      this.reportHere(
        'missing-token',
        `After 'is' comes null, not null, json null or not json null, but found ${this.found()}.`,
      );
    } else this.take(0, 'null');
    if (this.RECORDING_PHASE) return false;
    const operatorRange = this.rangeFrom(from);
    const operand = takeComparisonOperand(this.builder);
    const range = { start: operand.range.start, end: operatorRange.end };
    this.builder.operands.push({ kind: 'isNull', range, operatorRange, negated, json, operand });
    return false;
  }

  private listOrMissing(what: string): ParenthesizedList {
    if (this.may('(')) return this.SUBRULE(this.list);
    this.reportHere(
      'missing-token',
      `Expected ${what} in parentheses after ${this.previous()}, but found ${this.found()}.`,
    );
    // `in 'a'`: one value without parentheses is read as a list of one.
    const from = this.index();
    const items = this.isIn(operandStart) ? [this.subrule(9, this.operand)] : [];
    const range = items.length > 0 ? this.rangeFrom(from) : { start: this.here(), end: this.here() };
    return { items, range, star: false, comma: false };
  }

  /** Reports that an operand is missing and stands in for it. */
  protected missingOperand(): Expression {
    const previous = this.kindAt(this.currIdx);
    const logical = previous === 'and' || previous === 'or' || previous === 'not';
    const what = logical ? 'condition' : 'value';
    this.reportHere('missing-expression', `Expected a ${what} after ${this.previous()}, but found ${this.found()}.`);
    return missingAt(this.here());
  }
}
