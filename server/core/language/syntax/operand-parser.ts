import type { ParserMethod } from 'chevrotain';
import type { TextRange } from '../../text/range.ts';
import type {
  CaseBranch,
  ColumnReference,
  Expression,
  Identifier,
  NumberLiteral,
  PathKey,
  ReturnStar,
  StringLiteral,
} from './ast.ts';
import { operandStart, stringSet } from './kind-sets.ts';
import { exactly, ListParser, missingAt, type ParenthesizedList } from './list-parser.ts';
import { insertion, kindSet, replacement } from './resilient-parser.ts';
import { type StringForm, stringValue, writeDoubleQuoted } from './strings.ts';
import type { TokenKind } from './tokens.ts';

const insideIndex = kindSet(['number', '*', '-', 'identifier', 'legacy-string', 'double-quoted']);
const postfixStart = kindSet(['::', ':', '[']);

/** The rules of single operands: literals, columns, paths, calls, cases, and groups in parentheses. */
export abstract class OperandParser extends ListParser {
  /** Names of datasources that hold a dot, so that `A.B.COLUMN` can be told from a path with a dot for its colon. */
  protected dottedNames: Set<string> | undefined;

  /** One operand with what is written directly behind it: path and casts. The caller has seen that one begins here. */
  protected operand(): Expression {
    this.steps++;
    const from = this.index();
    let node = this.primary(from);
    while (this.isIn(postfixStart)) {
      if (this.at('::')) node = this.cast(node, from);
      else if (this.at(':')) node = this.path(node, from);
      else this.arrayIndex();
    }
    return node;
  }

  private primary(index: number): Expression {
    const kind = this.kindAt(index);
    switch (kind) {
      case 'identifier':
      case 'reserved':
        return this.named();
      case 'legacy-string':
      case 's-string':
      case 'double-quoted':
        return this.stringLiteral(this.advance());
      case 'number':
        return this.numberLiteral(this.advance());
      case 'true':
      case 'false':
        return { kind: 'boolean', range: this.rangeOf(this.advance()), value: kind === 'true' };
      case 'null':
        return { kind: 'null', range: this.rangeOf(this.advance()) };
      case '(':
        return this.group(this.SUBRULE(this.list));
      case 'case':
        return this.SUBRULE(this.caseExpression);
      default:
        return this.operatorCall();
    }
  }

  protected stringLiteral(index: number): StringLiteral {
    const kind = this.kindAt(index);
    const form: StringForm = kind === 's-string' || kind === 'double-quoted' ? kind : 'legacy';
    const range = this.rangeOf(index);
    const source = this.text.slice(range.start, range.end);
    return { kind: 'string', range, form, value: this.once(stringValue(source, form)) };
  }

  private numberLiteral(index: number): NumberLiteral {
    const range = this.rangeOf(index);
    const text = this.once(this.text.slice(range.start, range.end));
    const value = Number(text);
    const exact = Number.isSafeInteger(value) || !/^[0-9]+$/.test(text);
    return { kind: 'number', range, text, value: exact ? value : BigInt(text) };
  }

  /** `( … )`: one expression, or a tuple. */
  private group({ items, range, star, comma }: ParenthesizedList): Expression {
    if (star)
      this.report(
        'star-argument',
        range,
        "'*' is no value: it is written behind a source in the return block only, as alias.*.",
      );
    const [first] = items;
    if (first === undefined) {
      if (!star && this.isQuiet(range))
        this.report('empty-block', range, 'Nothing stands between these parentheses. Write a value, or remove them.');
      return missingAt(range.end);
    }
    return items.length === 1 && !comma
      ? { kind: 'parenthesized', range, expression: first }
      : { kind: 'tuple', range, items };
  }

  /** A column, or the call of a function. */
  private named(): Expression {
    const name = this.name();
    if (this.at('(')) {
      const { items: args, range: argsRange, star: starArgument } = this.SUBRULE(this.list);
      if (starArgument) this.starArgument(name, argsRange);
      const range = { start: name.range.start, end: argsRange.end };
      return { kind: 'call', range, name, args, argsRange, starArgument };
    }
    if (this.at('.')) return this.qualified(name);
    if (this.isIn(stringSet) && name.name.toLowerCase() === 'interval') return this.interval(name);
    return { kind: 'column', range: name.range, qualifier: undefined, name };
  }

  /** The rest of `a.b`, with its first name read; also `a.b.c`, which is a slip for `a.b:c`. */
  private qualified(first: Identifier): Expression {
    this.dot();
    const column = this.column(first, this.nameBehindDot());
    if (!this.at('.')) return column;
    const joined = `${first.name}.${column.name.name}`;
    if (this.dottedNames?.has(joined)) {
      this.dot();
      return this.column({ kind: 'identifier', range: column.range, name: joined }, this.nameBehindDot());
    }
    const secondDot = this.rangeOf(this.index());
    const firstDot = { start: first.range.end, end: column.name.range.start };
    const keys: PathKey[] = [];
    while (this.at('.')) {
      this.dot();
      keys.push(this.pathKey());
    }
    this.report(
      'dot-for-colon',
      secondDot,
      `A path inside a JSON column begins with ':', not with '.': ${joined}:${keys[0]?.name ?? ''}.`,
      [
        ...replacement(
          `Read '${column.name.name}' as a column of '${first.name}': write ':' behind it`,
          secondDot,
          ':',
          false,
        ),
        ...replacement(`Read '${first.name}' as the column: write ':' behind it`, firstDot, ':', false),
      ],
    );
    return { kind: 'path', range: { start: first.range.start, end: this.here() }, base: column, keys: exactly(keys) };
  }

  private column(qualifier: Identifier, name: Identifier): ColumnReference {
    return { kind: 'column', range: { start: qualifier.range.start, end: name.range.end }, qualifier, name };
  }

  /** Takes a dot and drops further ones behind it. */
  private dot(): void {
    const from = this.advance();
    if (!this.at('.')) return;
    while (this.at('.')) this.skip();
    const range = this.rangeFrom(from);
    this.report(
      'double-dot',
      range,
      'The names of a path are separated by one dot; there is no search through all levels. Write the whole path.',
      replacement('Write one dot', range, '.', true),
    );
    this.silenceHere();
  }

  private nameBehindDot(): Identifier {
    if (this.at('identifier') || this.at('reserved')) return this.name();
    if (this.isIn(stringSet)) {
      const { range, value } = this.stringLiteral(this.advance());
      this.report(
        'quoted-name',
        range,
        "Columns are written without quotes. To read a key inside a JSON column write ':' in front of it.",
        /^[A-Za-z_][A-Za-z0-9_]*$/.test(value) ? replacement('Remove the quotes', range, value, false) : [],
      );
      return { kind: 'identifier', range, name: value };
    }
    this.reportHere('missing-token', `Expected a column name after '.', but found ${this.found()}.`);
    const at = this.here();
    return { kind: 'identifier', range: { start: at, end: at }, name: '' };
  }

  /**
   * A name, which the caller has seen to stand here. Reserved words are taken for names: whether one can be a column is for the checks
   * that know columns.
   */
  protected name(): Identifier {
    return this.identifierAt(this.advance());
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
    const literal = this.stringLiteral(this.advance());
    const range = { start: name.range.start, end: literal.range.end };
    this.report(
      'foreign-operator',
      range,
      'LQL has no interval. Add to a timestamp with add_days(n, timestamp), add_hours(n, timestamp) and the like; n may be negative.',
    );
    return { kind: 'missing', range };
  }

  private cast(operand: Expression, from: number): Expression {
    this.advance();
    if (this.at('identifier') || this.at('reserved')) {
      const range = this.rangeFromTo(from, this.index());
      const typeName = this.name();
      if (this.at('(') && this.peekKind(1) === 'number' && this.startOf(this.index()) === range.end) {
        const list = this.SUBRULE(this.list);
        this.report(
          'unexpected-token',
          list.range,
          'Types have no length and no precision in LQL.',
          replacement('Remove it', list.range, '', true),
        );
      }
      return { kind: 'cast', range, operand, typeName };
    }
    this.reportHere(
      'missing-token',
      `Expected a type after '::', one of string, number, timestamp, json and boolean, but found ${this.found()}.`,
    );
    const range = { start: this.here(), end: this.here() };
    return { kind: 'cast', range: this.rangeFrom(from), operand, typeName: { kind: 'identifier', range, name: '' } };
  }

  private path(base: Expression, from: number): Expression {
    this.advance();
    const first = this.pathKey();
    if (!this.at('.')) return { kind: 'path', range: this.rangeFrom(from), base, keys: [first] };
    const keys: PathKey[] = [first];
    while (this.at('.')) {
      this.dot();
      keys.push(this.pathKey());
    }
    return { kind: 'path', range: this.rangeFrom(from), base, keys: exactly(keys) };
  }

  /** One key of a path; a missing one is reported and has an empty name. Array indexes behind it are reported and dropped. */
  private pathKey(): PathKey {
    const key = this.key();
    while (this.at('[')) this.dropIndex();
    return key;
  }

  private key(): PathKey {
    const index = this.index();
    const kind = this.kindAt(index);
    const range = this.rangeOf(index);
    switch (kind) {
      case 'identifier':
        return { kind: 'pathKey', range, name: this.nameOf(this.advance()), quoted: false };
      case 'double-quoted':
        return { kind: 'pathKey', range, name: this.stringLiteral(this.advance()).value, quoted: true };
      case 'reserved': {
        const text = this.nameOf(this.advance());
        this.report(
          'reserved-word',
          range,
          `'${text}' is a reserved word: as a key of a path it is put in double quotes.`,
          replacement(`Change to "${text}"`, range, `"${text}"`, true),
        );
        return { kind: 'pathKey', range, name: text, quoted: false };
      }
      case 's-string':
      case 'legacy-string': {
        const { value } = this.stringLiteral(this.advance());
        this.report(
          'quoted-name',
          range,
          'Keys of a path are put in double quotes.',
          replacement('Write double quotes', range, writeDoubleQuoted(value), true),
        );
        return { kind: 'pathKey', range, name: value, quoted: true };
      }
      case 'number':
      case '*':
        this.advance();
        this.reportIndex(range);
        return { kind: 'pathKey', range, name: this.textOf(index), quoted: false };
      case '[':
        break;
      default:
        this.reportHere('missing-token', `Expected a key after ${this.previous()}, but found ${this.found()}.`);
    }
    const at = this.here();
    return { kind: 'pathKey', range: { start: at, end: at }, name: '', quoted: false };
  }

  /** `[…]` behind something that is not a path; what follows is dropped with it, as it belongs to the same mistake. */
  private arrayIndex(): void {
    this.dropIndex();
    while (this.at('.') || this.at('[')) {
      if (this.at('[')) this.dropIndex();
      else {
        this.skip();
        if (this.at('identifier') || this.at('reserved') || this.at('double-quoted')) this.skip();
      }
    }
  }

  private dropIndex(): void {
    const open = this.index();
    this.skip();
    // An index is short; a bracket that is not closed soon is not one.
    for (let i = 0; i < 4 && this.isIn(insideIndex); i++) this.skip();
    if (this.at(']')) this.skip();
    this.reportIndex(this.rangeFrom(open));
    this.silenceHere();
  }

  private reportIndex(range: TextRange): void {
    const text = range.end - range.start > 20 ? '[…]' : this.text.slice(range.start, range.end);
    this.report(
      'array-index',
      range,
      `Paths cannot reach into arrays, so '${text}' does not exist. Expand the array in the source block with array_to_rows(…) as (name) and use the name.`,
    );
  }

  protected readonly caseExpression: ParserMethod<[], Expression> = this.RULE('caseExpression', (): Expression => {
    this.steps++;
    const from = this.take(0, 'case');
    let subject: Expression | undefined;
    let otherwise: Expression | undefined;
    const branches: CaseBranch[] = [];
    if (this.RECORDING_PHASE) this.recordBranches();
    else if (this.isExpressionStart()) subject = this.SUBRULE1(this.expression);
    while (this.at('when')) {
      const start = this.advance();
      const when = this.SUBRULE2(this.expression);
      if (this.at('then')) this.advance();
      else {
        this.reportHere('missing-token', `Expected 'then' after the condition of 'when', but found ${this.found()}.`);
      }
      const then = this.SUBRULE3(this.expression);
      branches.push({ kind: 'caseBranch', range: this.rangeFrom(start), when, then });
    }
    if (branches.length === 0) {
      this.reportHere('missing-token', `Expected 'when' in this case expression, but found ${this.found()}.`);
    }
    if (this.at('else')) {
      this.advance();
      otherwise = this.SUBRULE4(this.expression);
    }
    this.expect(0, 'end', () =>
      this.reportHere('missing-token', `Expected 'end' to close this case expression, but found ${this.found()}.`, {
        fixes: insertion("Insert 'end'", this.here(), ' end', false),
        related: [{ range: this.rangeOf(from), message: "'case' begins here." }],
      }),
    );
    return { kind: 'case', range: this.rangeFrom(from), subject, branches: exactly(branches), otherwise };
  });

  private recordBranches(): void {
    this.MANY(() => {
      this.OR([
        { ALT: () => void this.SUBRULE(this.expression) },
        ...(['when', 'then', 'else'] as const).map((kind) => ({ ALT: () => void this.take(0, kind) })),
      ]);
    });
  }

  /** `like (x, 'p')`: an operator written as a function. Read as the operator. */
  private operatorCall(): Expression {
    const index = this.advance();
    const operatorRange = this.rangeOf(index);
    const kind = this.kindAt(index);
    const word = this.textOf(index);
    if (!this.at('(')) {
      this.report('missing-expression', operatorRange, `'${word}' needs a value on its left: x ${word} ….`);
      this.silenceHere();
      return this.isIn(operandStart) ? this.operand() : missingAt(this.here());
    }
    const { items, range: listRange } = this.SUBRULE(this.list);
    const range = { start: operatorRange.start, end: listRange.end };
    const [operand = missingAt(listRange.end), ...rest] = items;
    const rewritten = this.operatorBetween(kind, word, items);
    const example = rewritten === undefined || rewritten.length > 60 ? `x ${word} …` : rewritten;
    this.report(
      'operator-as-function',
      operatorRange,
      `'${word}' is an operator, not a function: it stands between its operands, ${example}.`,
      rewritten === undefined ? [] : replacement(`Write '${word}' between its operands`, range, rewritten, true),
    );
    if (kind === 'in') return { kind: 'inList', range, operatorRange, negated: false, operand, items: rest };
    if (kind === 'between') {
      const [low = missingAt(range.end), high = missingAt(range.end)] = rest;
      return { kind: 'between', range, operatorRange, negated: false, operand, low, high };
    }
    const operator = kind === 'ilike' || kind === 'rlike' ? kind : 'like';
    return { kind: 'like', range, operator, operatorRange, negated: false, any: false, operand, patterns: rest };
  }

  /** How a call of an operator is written; undefined when it has not the arguments that the operator needs. */
  private operatorBetween(kind: TokenKind | undefined, word: string, items: readonly Expression[]): string | undefined {
    const [first, ...rest] = items.map((item) => this.text.slice(item.range.start, item.range.end));
    if (rest.length === 0) return undefined;
    if (kind === 'between') return rest.length === 2 ? `${first} ${word} ${rest.join(' and ')}` : undefined;
    if (kind === 'in') return `${first} ${word} (${rest.join(', ')})`;
    return rest.length === 1 ? `${first} ${word} ${rest[0]}` : undefined;
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
