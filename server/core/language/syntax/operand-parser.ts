import type { ParserMethod } from 'chevrotain';
import type { TextRange } from '../../text/range.ts';
import type { CaseBranch, Expression, Identifier, NumberLiteral, PathKey, ReturnStar, StringLiteral } from './ast.ts';
import { operandStart, stringSet } from './kind-sets.ts';
import { ListParser, missingAt } from './list-parser.ts';
import { insertion, kindSet, replacement } from './resilient-parser.ts';
import { type StringForm, stringValue, writeDoubleQuoted } from './strings.ts';

const postfixStart = kindSet(['::', ':', '[']);

/** The rules of single operands: literals, columns, paths, calls, cases, and groups in parentheses. */
export abstract class OperandParser extends ListParser {
  /** Names of datasources that hold a dot, so that `A.B.COLUMN` can be told from a path with a dot for its colon. */
  protected dottedNames: Set<string> | undefined;

  /** One operand with what is written directly behind it: path and casts. */
  readonly operand: ParserMethod<[], Expression> = this.RULE('operand', (): Expression => {
    this.steps++;
    const from = this.index();
    let node = this.OR(this.operandAlternatives);
    if (!this.RECORDING_PHASE && !this.isIn(postfixStart)) return node;
    this.MANY(() => {
      node = this.OR1([
        { ALT: () => this.cast(node, from) },
        { ALT: () => this.path(node, from) },
        { ALT: () => this.arrayIndex(node) },
      ]);
    });
    return node;
  });

  private readonly operandAlternatives = [
    { ALT: (): Expression => this.SUBRULE(this.named) },
    { ALT: (): Expression => this.stringLiteral(this.take(0, 'legacy-string'), 'legacy') },
    { ALT: (): Expression => this.numberLiteral(this.take(0, 'number')) },
    { ALT: (): Expression => this.stringLiteral(this.take(0, 's-string'), 's-string') },
    { ALT: (): Expression => this.stringLiteral(this.take(0, 'double-quoted'), 'double-quoted') },
    { ALT: (): Expression => ({ kind: 'boolean', range: this.rangeOf(this.take(0, 'true')), value: true }) },
    { ALT: (): Expression => ({ kind: 'boolean', range: this.rangeOf(this.take(0, 'false')), value: false }) },
    { ALT: (): Expression => ({ kind: 'null', range: this.rangeOf(this.take(0, 'null')) }) },
    { ALT: (): Expression => this.SUBRULE(this.group) },
    { ALT: (): Expression => this.SUBRULE(this.caseExpression) },
    { ALT: (): Expression => this.SUBRULE(this.operatorCall) },
  ];

  protected stringLiteral(index: number, form: StringForm): StringLiteral {
    const range = this.rangeOf(index);
    const source = this.text.slice(range.start, range.end);
    const open = form === 's-string' ? 2 : 1;
    const terminated = source.length > open && source.endsWith(form === 'double-quoted' ? '"' : "'");
    return { kind: 'string', range, form, value: stringValue(source, form, terminated) };
  }

  private numberLiteral(index: number): NumberLiteral {
    const range = this.rangeOf(index);
    const text = this.text.slice(range.start, range.end);
    const value = Number(text);
    const exact = Number.isSafeInteger(value) || !/^[0-9]+$/.test(text);
    return { kind: 'number', range, text, value: exact ? value : BigInt(text) };
  }

  /** `( … )`: one expression, or a tuple. */
  private readonly group: ParserMethod<[], Expression> = this.RULE('group', (): Expression => {
    const { items, range, star, comma } = this.SUBRULE(this.list);
    if (this.RECORDING_PHASE) return missingAt(0);
    if (star)
      this.report(
        'star-argument',
        range,
        "'*' is no value: it is written behind a source in the return block only, as alias.*.",
      );
    const [first] = items;
    if (first === undefined) {
      if (!star)
        this.report('empty-block', range, 'Nothing stands between these parentheses. Write a value, or remove them.');
      return missingAt(range.end);
    }
    return items.length === 1 && !comma
      ? { kind: 'parenthesized', range, expression: first }
      : { kind: 'tuple', range, items };
  });

  /** A column, or the call of a function. */
  private readonly named: ParserMethod<[], Expression> = this.RULE('named', (): Expression => {
    this.steps++;
    const name = this.name(0);
    if (this.may('(')) {
      let call: Expression | undefined;
      this.OPTION(() => {
        const { items, range, star } = this.SUBRULE(this.list);
        if (this.RECORDING_PHASE) return;
        if (star) this.starArgument(name, range);
        call = {
          kind: 'call',
          range: { start: name.range.start, end: range.end },
          name,
          args: items,
          argsRange: range,
          starArgument: star,
        };
      });
      if (call !== undefined) return call;
    }
    if (this.may('.')) {
      let column: Expression | undefined;
      this.OPTION1(() => {
        column = this.qualified(name);
      });
      if (column !== undefined) return column;
    }
    if (this.isIn(stringSet) && !this.RECORDING_PHASE && name.name.toLowerCase() === 'interval')
      return this.interval(name);
    return { kind: 'column', range: name.range, qualifier: undefined, name };
  });

  /** The rest of `a.b`, with its first name read; also `a.b.c`, which is a slip for `a.b:c`. */
  private qualified(first: Identifier): Expression {
    this.dot(0);
    let qualifier = first;
    let name = this.nameBehindDot(1);
    if (!this.at('.') && !this.RECORDING_PHASE) {
      return { kind: 'column', range: { start: qualifier.range.start, end: name.range.end }, qualifier, name };
    }
    const joined: Identifier = {
      kind: 'identifier',
      range: { start: qualifier.range.start, end: name.range.end },
      name: `${qualifier.name}.${name.name}`,
    };
    if (this.dottedNames?.has(joined.name)) {
      this.skip();
      qualifier = joined;
      name = this.nameBehindDot(2);
      return { kind: 'column', range: { start: qualifier.range.start, end: name.range.end }, qualifier, name };
    }
    const base: Expression = {
      kind: 'column',
      range: { start: qualifier.range.start, end: name.range.end },
      qualifier,
      name,
    };
    const firstDot = this.index();
    const keys: PathKey[] = [];
    this.MANY(() => {
      this.dot(2);
      keys.push(this.SUBRULE(this.pathKey));
    });
    if (keys.length === 0) return base;
    const range = { start: base.range.start, end: this.here() };
    const between = { start: qualifier.range.end, end: name.range.start };
    this.report(
      'dot-for-colon',
      this.rangeOf(firstDot),
      `A path inside a JSON column begins with ':', not with '.': ${qualifier.name}.${name.name}:${keys[0]?.name ?? ''}.`,
      [
        {
          title: `Read '${name.name}' as a column of '${qualifier.name}': write ':' behind it`,
          edits: [{ range: this.rangeOf(firstDot), newText: ':' }],
          safe: false,
        },
        {
          title: `Read '${qualifier.name}' as the column: write ':' behind it`,
          edits: [{ range: between, newText: ':' }],
          safe: false,
        },
      ],
    );
    return { kind: 'path', range, base, keys };
  }

  /** Takes a dot and drops further ones behind it. */
  private dot(occurrence: number): void {
    this.take(occurrence, '.');
    if (!this.at('.') || this.RECORDING_PHASE) return;
    const from = this.index();
    while (this.at('.')) this.skip();
    this.report(
      'double-dot',
      this.rangeFrom(from - 1),
      'The names of a path are separated by one dot; there is no search through all levels. Write the whole path.',
      replacement('Write one dot', this.rangeFrom(from - 1), '.', true),
    );
  }

  private nameBehindDot(occurrence: number): Identifier {
    if (this.RECORDING_PHASE || this.at('identifier') || this.at('reserved')) return this.name(occurrence);
    if (this.isIn(stringSet)) {
      const index = this.index();
      const literal = this.stringLiteral(index, this.stringForm(index));
      this.report(
        'quoted-name',
        literal.range,
        `Columns are written without quotes. To read a key inside a JSON column write ':' in front of it.`,
        /^[A-Za-z_][A-Za-z0-9_]*$/.test(literal.value)
          ? replacement('Remove the quotes', literal.range, literal.value, false)
          : [],
      );
      this.skip();
      return { kind: 'identifier', range: literal.range, name: literal.value };
    }
    this.reportHere('missing-token', `Expected a column name after '.', but found ${this.found()}.`);
    const at = this.here();
    return { kind: 'identifier', range: { start: at, end: at }, name: '' };
  }

  protected stringForm(index: number): StringForm {
    const kind = this.kindAt(index);
    return kind === 's-string' || kind === 'double-quoted' ? kind : 'legacy';
  }

  /**
   * A name, which the caller has seen to stand here. Reserved words are taken for names: whether one can be a column is for the checks
   * that know columns.
   */
  protected name(occurrence: number): Identifier {
    if (this.RECORDING_PHASE) {
      this.or(10 + occurrence, [
        { ALT: () => this.take(occurrence, 'identifier') },
        { ALT: () => this.take(occurrence, 'reserved') },
      ]);
      return { kind: 'identifier', range: { start: 0, end: 0 }, name: '' };
    }
    if (this.at('identifier')) return this.identifierAt(this.take(occurrence, 'identifier'));
    this.skip();
    return this.identifierAt(this.currIdx);
  }

  protected reservedWord(index: number): void {
    const word = this.textOf(index);
    this.report(
      'reserved-word',
      this.rangeOf(index),
      `'${word}' is reserved and cannot be a name here. If it is a key inside a JSON column, write the column, ':' and the key in double quotes; else take another name.`,
    );
  }

  private starArgument(name: Identifier, range: TextRange): void {
    this.report(
      'star-argument',
      { start: name.range.start, end: range.end },
      name.name.toLowerCase() === 'count'
        ? 'LQL has no aggregation, so there is no count(*): return the rows, their number is shown with the result.'
        : `'*' cannot be an argument of ${name.name}.`,
    );
  }

  /** `interval '1 day'` of SQL. */
  private interval(name: Identifier): Expression {
    const index = this.index();
    const literal = this.stringLiteral(index, this.stringForm(index));
    this.skip();
    this.report(
      'foreign-operator',
      { start: name.range.start, end: literal.range.end },
      'LQL has no interval. Add to a timestamp with add_days(n, timestamp), add_hours(n, timestamp) and the like; n may be negative.',
    );
    return { kind: 'missing', range: { start: name.range.start, end: literal.range.end } };
  }

  private cast(operand: Expression, from: number): Expression {
    this.take(0, '::');
    let typeName: Identifier;
    if (this.RECORDING_PHASE || this.at('identifier') || this.at('reserved')) {
      const index = this.OR2([{ ALT: () => this.take(1, 'identifier') }, { ALT: () => this.take(1, 'reserved') }]);
      typeName = this.identifierAt(index);
    } else {
      this.reportHere(
        'missing-token',
        `Expected a type after '::', one of string, number, timestamp, json and boolean, but found ${this.found()}.`,
      );
      typeName = { kind: 'identifier', range: { start: this.here(), end: this.here() }, name: '' };
    }
    return { kind: 'cast', range: this.rangeFrom(from), operand, typeName };
  }

  private path(base: Expression, from: number): Expression {
    this.take(0, ':');
    const keys: PathKey[] = [this.SUBRULE1(this.pathKey)];
    this.MANY1(() => {
      this.dot(0);
      keys.push(this.SUBRULE2(this.pathKey));
    });
    return { kind: 'path', range: this.rangeFrom(from), base, keys };
  }

  /** One key of a path; a missing one is reported and has an empty name. Array indexes behind it are reported and dropped. */
  private readonly pathKey: ParserMethod<[], PathKey> = this.RULE('pathKey', (): PathKey => {
    this.steps++;
    const key = this.key();
    while (this.at('[') && !this.RECORDING_PHASE) this.dropIndex();
    return key;
  });

  private key(): PathKey {
    const index = this.index();
    if (this.may('identifier')) {
      this.OPTION(() => this.take(0, 'identifier'));
      if (!this.RECORDING_PHASE)
        return { kind: 'pathKey', range: this.rangeOf(index), name: this.textOf(index), quoted: false };
    }
    if (this.may('double-quoted')) {
      this.OPTION1(() => this.take(0, 'double-quoted'));
      if (!this.RECORDING_PHASE) {
        const { range, value } = this.stringLiteral(index, 'double-quoted');
        return { kind: 'pathKey', range, name: value, quoted: true };
      }
    }
    const kind = this.kindAt(index);
    const range = this.rangeOf(index);
    const text = this.textOf(index);
    if (kind === 'reserved') {
      this.skip();
      this.report(
        'reserved-word',
        range,
        `'${text}' is a reserved word: as a key of a path it is put in double quotes.`,
        replacement(`Change to "${text}"`, range, `"${text}"`, true),
      );
      return { kind: 'pathKey', range, name: text, quoted: false };
    }
    if (kind === 's-string' || kind === 'legacy-string') {
      const { value } = this.stringLiteral(index, this.stringForm(index));
      this.skip();
      this.report(
        'quoted-name',
        range,
        'Keys of a path are put in double quotes.',
        replacement('Write double quotes', range, writeDoubleQuoted(value), true),
      );
      return { kind: 'pathKey', range, name: value, quoted: true };
    }
    if (kind === 'number' || kind === '*') {
      this.skip();
      this.report(
        'array-index',
        range,
        `Paths cannot reach into arrays. Expand the array in the source block with array_to_rows(…) as (name).`,
      );
      return { kind: 'pathKey', range, name: text, quoted: false };
    }
    if (kind !== '[')
      this.reportHere('missing-token', `Expected a key after ${this.previous()}, but found ${this.found()}.`);
    const at = this.here();
    return { kind: 'pathKey', range: { start: at, end: at }, name: '', quoted: false };
  }

  /** `[…]` behind something that is not a path. */
  private arrayIndex(node: Expression): Expression {
    if (this.RECORDING_PHASE) {
      this.take(0, '[');
      return node;
    }
    this.dropIndex();
    // `RESOURCE_CONFIG:list[0].name`: what follows is dropped with the index, it belongs to the same mistake.
    while (this.at('.') || this.at('[')) {
      if (this.at('[')) this.dropIndex();
      else {
        this.skip();
        if (this.at('identifier') || this.at('reserved') || this.at('double-quoted')) this.skip();
      }
    }
    return node;
  }

  private dropIndex(): void {
    const open = this.index();
    this.skip();
    // An index is short; a bracket that is not closed soon is not one.
    for (let i = 0; i < 4 && !this.at(']') && this.kindAt(this.index()) !== undefined; i++) {
      const kind = this.kindAt(this.index());
      if (
        kind !== 'number' &&
        kind !== '*' &&
        kind !== '-' &&
        kind !== 'identifier' &&
        kind !== 'legacy-string' &&
        kind !== 'double-quoted'
      )
        break;
      this.skip();
    }
    if (this.at(']')) this.skip();
    const range = this.rangeFrom(open);
    const text = this.text.slice(range.start, range.end);
    this.report(
      'array-index',
      range,
      `Paths cannot reach into arrays, so '${text.length > 20 ? '[…]' : text}' does not exist. Expand the array in the source block with array_to_rows(…) as (name) and use the name.`,
    );
    this.silenceHere();
  }

  private readonly caseExpression: ParserMethod<[], Expression> = this.RULE('caseExpression', (): Expression => {
    this.steps++;
    const from = this.take(0, 'case');
    let subject: Expression | undefined;
    let otherwise: Expression | undefined;
    const branches: CaseBranch[] = [];
    if (this.RECORDING_PHASE || this.isExpressionStart()) {
      this.OPTION(() => {
        subject = this.SUBRULE(this.expression);
      });
    }
    this.MANY(() => {
      const start = this.take(0, 'when');
      const when = this.SUBRULE1(this.expression);
      this.expect(0, 'then', () =>
        this.reportHere('missing-token', `Expected 'then' after the condition of 'when', but found ${this.found()}.`),
      );
      const then = this.SUBRULE2(this.expression);
      branches.push({ kind: 'caseBranch', range: this.rangeFrom(start), when, then });
    });
    if (branches.length === 0) {
      this.reportHere('missing-token', `Expected 'when' in this case expression, but found ${this.found()}.`);
    }
    if (this.may('else')) {
      this.OPTION1(() => {
        this.take(0, 'else');
        otherwise = this.SUBRULE3(this.expression);
      });
    }
    this.expect(0, 'end', () =>
      this.reportHere('missing-token', `Expected 'end' to close this case expression, but found ${this.found()}.`, {
        fixes: insertion("Insert 'end'", this.here(), ' end', false),
        related: [{ range: this.rangeOf(from), message: "'case' begins here." }],
      }),
    );
    return { kind: 'case', range: this.rangeFrom(from), subject, branches, otherwise };
  });

  /** `like (x, 'p')`: an operator written as a function. Read as the operator. */
  private readonly operatorCall: ParserMethod<[], Expression> = this.RULE('operatorCall', (): Expression => {
    const index = this.OR(
      (['like', 'ilike', 'rlike', 'in', 'between'] as const).map((word) => ({ ALT: () => this.take(0, word) })),
    );
    const operatorRange = this.rangeOf(index);
    const word = this.textOf(index);
    if (!this.at('(') && !this.RECORDING_PHASE) {
      this.reportedOperatorWithoutLeft(operatorRange, word);
      return this.isIn(operandStart) ? this.SUBRULE(this.operand) : missingAt(this.here());
    }
    const { items, range: listRange } = this.SUBRULE(this.list);
    if (this.RECORDING_PHASE) return missingAt(0);
    const range = { start: operatorRange.start, end: listRange.end };
    const [operand = missingAt(listRange.end), ...rest] = items;
    const pieces = items.map((item) => this.text.slice(item.range.start, item.range.end));
    const kind = this.kindAt(index);
    const [low, high] = [pieces[1], pieces[2]];
    let rewritten: string | undefined;
    if (kind === 'between') rewritten = pieces.length === 3 ? `${pieces[0]} between ${low} and ${high}` : undefined;
    else if (kind === 'in')
      rewritten = pieces.length > 1 ? `${pieces[0]} in (${pieces.slice(1).join(', ')})` : undefined;
    else rewritten = pieces.length === 2 ? `${pieces[0]} ${word} ${low}` : undefined;
    this.report(
      'operator-as-function',
      operatorRange,
      `'${word}' is an operator, not a function: it stands between its operands${rewritten === undefined ? '' : `, ${rewritten.length > 60 ? `x ${word} …` : rewritten}`}.`,
      rewritten === undefined ? [] : replacement(`Write '${word}' between its operands`, range, rewritten, true),
    );
    if (kind === 'in') return { kind: 'inList', range, operatorRange, negated: false, operand, items: rest };
    if (kind === 'between') {
      const [lowNode = missingAt(range.end), highNode = missingAt(range.end)] = rest;
      return { kind: 'between', range, operatorRange, negated: false, operand, low: lowNode, high: highNode };
    }
    const operator = kind === 'ilike' || kind === 'rlike' ? kind : 'like';
    return { kind: 'like', range, operator, operatorRange, negated: false, any: false, operand, patterns: rest };
  });

  private reportedOperatorWithoutLeft(range: TextRange, word: string): void {
    this.report('missing-expression', range, `'${word}' needs a value on its left: x ${word} ….`);
    this.silenceHere();
  }

  /** `alias.*`, with the caller having seen that it stands here. */
  readonly returnStar: ParserMethod<[], ReturnStar> = this.RULE('returnStar', (): ReturnStar => {
    const from = this.index();
    this.take(0, 'identifier');
    this.MANY(() => {
      this.take(0, '.');
      this.OPTION(() => this.take(1, 'identifier'));
    });
    const last = this.currIdx - 1;
    this.take(0, '*');
    const range = this.rangeFrom(from);
    const name = { start: this.startOf(from), end: this.endOf(Math.max(from, last - 1)) };
    const qualifier: Identifier = { kind: 'identifier', range: name, name: this.text.slice(name.start, name.end) };
    return { kind: 'returnStar', range, qualifier };
  });
}
