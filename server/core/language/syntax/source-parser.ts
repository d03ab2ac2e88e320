import type { ParserMethod } from 'chevrotain';
import type { TextRange } from '../../text/range.ts';
import type {
  DatasourceItem,
  ExpansionItem,
  Expression,
  Identifier,
  JoinClause,
  JoinTarget,
  SourceItem,
  StringLiteral,
} from './ast.ts';
import { ExpressionParser } from './expression-parser.ts';
import { blockWords, sourceItemSet, sourceItemStart, sqlBlocks, sqlClauses, stringSet } from './kind-sets.ts';
import { exactly, missingAt } from './list-parser.ts';
import { insertion, kindSet, replacement } from './resilient-parser.ts';
import { expansionFunctions } from './tokens.ts';

const inJoinGroup = kindSet([...sourceItemStart, ',', ')', '}', ...blockWords, 'end-of-text']);
const joinWords = new Set(['left', 'right', 'inner', 'full', 'cross', 'outer', 'join']);
const expansionHabits = new Set(['flatten', 'unnest', 'explode', 'lateral', 'table', 'json_each', 'array_to_row']);
/** Words at which one clause of a SQL statement ends and the next begins. */
export const statementWords: ReadonlySet<string> = new Set([
  'from',
  'where',
  'limit',
  'order',
  'group',
  'having',
  'offset',
  'union',
]);
const noName: Identifier = { kind: 'identifier', range: { start: 0, end: 0 }, name: '' };

/** What stands behind `on`. */
interface OnClause {
  readonly on: StringLiteral | undefined;
  readonly onCondition: Expression | undefined;
}

/** The rules of what a source block holds: datasources with their joins, expansions, and the aliases of both. */
export abstract class SourceParser extends ExpressionParser {
  /** Whether a SQL statement is being read, whose clauses end what stands before them. */
  protected inStatement = false;

  protected readonly sourceItem: ParserMethod<[], SourceItem> = this.RULE('sourceItem', (): SourceItem => {
    this.steps++;
    const from = this.index();
    if (this.RECORDING_PHASE) this.OPTION8(() => this.recordSlips());
    if (this.at('(')) return this.groupOnTheLeft();
    const name = this.datasourceName();
    if (this.may('(')) {
      let expansion: ExpansionItem | undefined;
      this.OPTION(() => {
        expansion = this.SUBRULE(this.expansion, { ARGS: [name, from] });
      });
      if (expansion !== undefined && !this.RECORDING_PHASE) return expansion;
    }
    const alias = this.alias();
    const joins: JoinClause[] = [];
    this.joinClauses(joins);
    const range = alias === undefined && joins.length === 0 ? name.range : this.rangeFrom(from);
    return { kind: 'datasource', range, name, alias, joins: exactly(joins) };
  });

  /** What can also begin an entry of a source block, so that it can be answered: a parenthesis or a name in quotes. */
  protected recordSlips(): void {
    this.OR8(
      (['(', 'legacy-string', 's-string', 'double-quoted', 'reserved'] as const).map((kind) => ({
        ALT: () => this.take(8, kind),
      })),
    );
  }

  /** `(A with B) with C`, which the service rejects: read as `A with B with C`. */
  protected groupOnTheLeft(): SourceItem {
    const open = this.rangeOf(this.index());
    this.skip();
    if (!this.isIn(sourceItemSet)) {
      this.reportHere('unexpected-token', `Expected a datasource after '(', but found ${this.found()}.`);
      const name: Identifier = { kind: 'identifier', range: { start: this.here(), end: this.here() }, name: '' };
      return { kind: 'datasource', range: open, name, alias: undefined, joins: [] };
    }
    const item = this.SUBRULE1(this.sourceItem);
    let edits = [{ range: open, newText: '' }];
    if (this.at(')')) {
      edits = [...edits, { range: this.rangeOf(this.index()), newText: '' }];
      this.skip();
    }
    this.report(
      'join-group-left',
      open,
      "A datasource on the left side of 'with' stands without parentheses: a chain is read from right to left, and parentheses group on the right only.",
      edits.length === 2 ? [{ title: 'Remove the parentheses', edits, safe: false }] : [],
    );
    if (item.kind !== 'datasource') return item;
    const joins = [...item.joins];
    this.joinClauses(joins);
    return { ...item, range: { start: open.start, end: this.here() }, joins };
  }

  protected joinClauses(joins: JoinClause[]): void {
    if (!this.RECORDING_PHASE && !this.atJoin()) return;
    this.MANY({
      GATE: () => this.atJoin(),
      DEF: () => {
        joins.push(this.SUBRULE(this.joinClause));
      },
    });
  }

  /** Whether a join begins here, be it in the words of SQL. */
  protected atJoin(): boolean {
    if (this.at('with')) return true;
    return this.at('reserved') && joinWords.has(this.nextWord());
  }

  /** The name of a datasource. A few names have a dot; a name in quotes is reported and taken. */
  protected datasourceName(): Identifier {
    const from = this.index();
    if (this.isIn(stringSet) && !this.RECORDING_PHASE) {
      const literal = this.stringLiteral(from);
      this.skip();
      this.report(
        'quoted-name',
        literal.range,
        'Datasources are named without quotes.',
        /^[A-Za-z][A-Za-z0-9_.]*$/.test(literal.value)
          ? replacement('Remove the quotes', literal.range, literal.value, true)
          : [],
      );
      return { kind: 'identifier', range: literal.range, name: literal.value };
    }
    const name = this.RECORDING_PHASE ? this.identifierAt(this.take(0, 'identifier')) : this.name();
    if (!this.may('.')) return name;
    this.OPTION9(() => {
      this.take(0, '.');
      if (this.may('identifier')) this.take(1, 'identifier');
      else if (this.at('reserved')) this.skip();
      else this.reportHere('missing-token', `Expected the rest of the name after '.', but found ${this.found()}.`);
    });
    const range = this.rangeFrom(from);
    return { kind: 'identifier', range, name: this.text.slice(range.start, range.end).replace(/\s+/g, '') };
  }

  /** `as name`, or the name alone. */
  protected alias(): Identifier | undefined {
    if (this.may('as')) {
      let alias: Identifier | undefined;
      this.OPTION1(() => {
        this.take(0, 'as');
        alias = this.aliasName();
      });
      if (!this.RECORDING_PHASE) return alias;
    }
    if (!this.may('identifier')) return this.reservedAlias();
    if (!this.RECORDING_PHASE && this.endsEntry()) return undefined;
    // `A left join B`: the word belongs to the join.
    if (!this.RECORDING_PHASE && joinWords.has(this.nextWord()) && joinWords.has(this.nextWord(1))) {
      this.skip();
      return undefined;
    }
    return this.OPTION2(() => this.hyphenated(this.take(2, 'identifier')));
  }

  /** Whether the next word belongs to what follows an entry and is no alias: the next clause of a statement, or `order by`. */
  protected endsEntry(): boolean {
    const word = this.nextWord();
    if (this.inStatement) return statementWords.has(word);
    return (word === 'order' || word === 'group') && this.nextWord(1) === 'by';
  }

  /** A name that may have been written with hyphens: `my-name`. */
  protected hyphenated(index: number): Identifier {
    if (!this.at('-') || this.startOf(this.index()) !== this.endOf(index)) return this.identifierAt(index);
    while (this.at('-') && this.startOf(this.index()) === this.here()) {
      if (this.startOf(this.index() + 1) !== this.endOf(this.index())) break;
      this.advance();
      if (this.at('identifier') || this.at('number') || this.at('reserved')) this.advance();
    }
    const range = this.rangeFrom(index);
    const written = this.text.slice(range.start, range.end);
    const name = written.replaceAll('-', '_');
    this.report(
      'invalid-name',
      range,
      `'${written}' is not a name: names have letters, digits and underscores only.`,
      replacement(`Change to '${name}'`, range, name, false),
    );
    return { kind: 'identifier', range, name };
  }

  protected reservedAlias(): Identifier | undefined {
    if (!this.at('reserved') || this.atJoin() || sqlClauses.has(this.nextWord()) || sqlBlocks.has(this.nextWord())) {
      return undefined;
    }
    const index = this.index();
    this.skip();
    this.reservedWord(index);
    return this.identifierAt(index);
  }

  /** The name behind `as`. */
  protected aliasName(): Identifier | undefined {
    if (this.may('identifier')) return this.hyphenated(this.take(3, 'identifier'));
    const index = this.index();
    if (this.at('reserved')) {
      this.skip();
      this.report(
        'reserved-word',
        this.rangeOf(index),
        `'${this.textOf(index)}' is reserved and cannot be an alias. Take another name.`,
      );
      return this.identifierAt(index);
    }
    if (this.isIn(stringSet)) {
      const { range, value } = this.stringLiteral(index);
      this.skip();
      const plain = value
        .trim()
        .replace(/[^A-Za-z0-9_]+/g, '_')
        .replace(/^(?=[0-9_])/, 'c');
      this.report(
        'quoted-name',
        range,
        'An alias is a name without quotes: letters, digits and underscores.',
        plain === '' ? [] : replacement(`Change to ${plain}`, range, plain, plain === value),
      );
      return { kind: 'identifier', range, name: plain };
    }
    this.reportHere('missing-token', `Expected a name after 'as', but found ${this.found()}.`);
    return undefined;
  }

  protected readonly joinClause: ParserMethod<[], JoinClause> = this.RULE('joinClause', (): JoinClause => {
    this.steps++;
    const from = this.index();
    if (this.may('with')) this.OPTION(() => this.take(0, 'with'));
    const foreign = !this.RECORDING_PHASE && this.index() === from;
    const known = this.problems.length;
    if (this.RECORDING_PHASE) this.OPTION1(() => this.take(0, 'reserved'));
    else while (this.at('reserved') && joinWords.has(this.nextWord())) this.skip();
    const withRange = this.rangeFrom(from);
    const targets: JoinTarget[] = [];
    const parenthesized = this.may('(');
    if (parenthesized) {
      this.OPTION2(() => {
        const open = this.take(0, '(');
        this.separated(inJoinGroup, 'a datasource', targets, () => this.SUBRULE(this.joinTarget));
        if (targets.length === 0 && this.claim()) {
          this.report('empty-block', this.rangeFrom(open), "Expected a datasource after 'with ('.");
        }
        this.expect(0, ')', () => this.unclosed(open, ')', 'group of datasources'));
      });
    }
    if (!parenthesized || this.RECORDING_PHASE) {
      if (this.isIn(sourceItemSet) || this.RECORDING_PHASE) targets.push(this.SUBRULE1(this.joinTarget));
      else
        this.reportHere('missing-token', `Expected a datasource after ${this.previous()}, but found ${this.found()}.`);
    } else if (this.at('on')) this.onBehindGroup(targets);
    if (foreign) this.sqlJoin(from, withRange, known);
    return { kind: 'join', range: this.rangeFrom(from), withRange, targets: exactly(targets), parenthesized };
  });

  /** `with (B, C) on '…'`: the name counts for every datasource of the group that has none of its own. */
  protected onBehindGroup(targets: JoinTarget[]): void {
    const on = this.SUBRULE(this.onClause);
    for (const [i, target] of targets.entries()) {
      if (target.on === undefined && target.onCondition === undefined) targets[i] = { ...target, ...on };
    }
  }

  /** `join B on …`: one habit, answered once, its condition included. `known` counts the problems reported before it. */
  protected sqlJoin(from: number, withRange: TextRange, known: number): void {
    const start = joinWords.has(this.textOf(from - 1).toLowerCase()) ? this.startOf(from - 1) : withRange.start;
    const range = { start, end: withRange.end };
    const conditions = this.problems.splice(known).filter((problem) => {
      if (problem.code === 'join-condition') return true;
      this.problems.push(problem);
      return false;
    });
    const edits = [{ range, newText: 'with' }, ...conditions.flatMap((problem) => problem.fixes[0]?.edits ?? [])];
    this.report(
      'sql-join',
      range,
      "Datasources are joined with 'with', along relationships that the service defines, and without a condition.",
      [{ title: "Change to 'with'", edits, safe: false }],
    );
  }

  protected readonly joinTarget: ParserMethod<[], JoinTarget> = this.RULE('joinTarget', (): JoinTarget => {
    this.steps++;
    const from = this.index();
    if (this.RECORDING_PHASE) this.OPTION8(() => this.recordSlips());
    if (this.at('(')) {
      const datasource = asDatasource(this.groupOnTheLeft());
      return { kind: 'joinTarget', range: this.rangeFrom(from), datasource, on: undefined, onCondition: undefined };
    }
    const name = this.datasourceName();
    const alias = this.alias();
    let end = this.here();
    let on: OnClause = { on: undefined, onCondition: undefined };
    if (this.may('on')) {
      this.OPTION(() => {
        on = this.SUBRULE(this.onClause);
      });
    }
    const joins: JoinClause[] = [];
    this.joinClauses(joins);
    if (joins.length > 0) end = this.here();
    // `B with C on '1' on '2'`: the second name belongs to B.
    if (this.RECORDING_PHASE || (this.at('on') && on.on === undefined && on.onCondition === undefined)) {
      this.OPTION3(() => {
        on = this.SUBRULE1(this.onClause);
      });
    }
    const start = this.startOf(from);
    const datasource: DatasourceItem = {
      kind: 'datasource',
      range: { start, end },
      name,
      alias,
      joins: exactly(joins),
    };
    return { kind: 'joinTarget', range: this.rangeFrom(from), datasource, ...on };
  });

  protected readonly onClause: ParserMethod<[], OnClause> = this.RULE('onClause', (): OnClause => {
    const from = this.take(0, 'on');
    if (this.RECORDING_PHASE || this.isIn(stringSet)) {
      const index = this.OR([
        { ALT: () => this.take(0, 'legacy-string') },
        { ALT: () => this.take(0, 's-string') },
        { ALT: () => this.take(0, 'double-quoted') },
      ]);
      return { on: this.stringLiteral(index), onCondition: undefined };
    }
    if (!this.isExpressionStart()) {
      this.reportHere(
        'missing-token',
        `Expected the name of a relationship in quotes after 'on', as in on '(default)', but found ${this.found()}.`,
      );
      return { on: undefined, onCondition: undefined };
    }
    const onCondition = this.SUBRULE(this.expression);
    const range = this.rangeFrom(from);
    const inner = onCondition.kind === 'parenthesized' ? onCondition.expression : onCondition;
    const name = this.text.slice(onCondition.range.start, onCondition.range.end);
    this.report(
      'join-condition',
      range,
      "'on' takes the name of a relationship in quotes. A condition is not documented and reported to be rejected: the service knows the keys of its relationships itself.",
      inner.kind === 'column' && inner.qualifier === undefined
        ? replacement(`Change to '${name}'`, onCondition.range, `'${name}'`, false)
        : replacement('Remove the condition', { start: this.endOf(from - 1), end: range.end }, '', false),
    );
    return { on: undefined, onCondition };
  });

  /** `array_to_rows(x) as (c)` in all its spellings, the name having been read. */
  protected readonly expansion: ParserMethod<[Identifier, number], ExpansionItem> = this.RULE(
    'expansion',
    (functionName: Identifier = noName, from = 0): ExpansionItem => {
      this.steps++;
      const { items, range, star } = this.SUBRULE(this.list);
      let tableAlias: Identifier | undefined;
      let columnAlias: Identifier | undefined;
      if (!this.RECORDING_PHASE) this.checkExpansion(functionName, items, range, star);
      if (this.may('as')) this.OPTION(() => this.take(0, 'as'));
      if (this.may('identifier')) {
        this.OPTION1(() => {
          columnAlias = this.identifierAt(this.take(0, 'identifier'));
        });
      }
      if (this.may('(')) {
        this.OPTION2(() => {
          tableAlias = columnAlias;
          columnAlias = this.columnAlias();
        });
      }
      if (
        columnAlias === undefined &&
        !this.RECORDING_PHASE &&
        this.kindAt(this.currIdx) === ')' &&
        this.isQuiet(this.rangeFrom(from))
      ) {
        if (this.at('reserved') && !this.atJoin()) columnAlias = this.reservedAlias();
        else {
          this.reportHere(
            'missing-expansion-alias',
            `This expansion has no name: write as (name) behind it, and use its elements by that name.`,
            {
              range: functionName.range,
              fixes: insertion("Insert 'as (item)'", this.here(), ' as (item)', false),
            },
          );
        }
      }
      return {
        kind: 'expansion',
        range: this.rangeFrom(from),
        functionName,
        nonEmpty: functionName.name.toLowerCase() === expansionFunctions[1],
        argument: items?.[0] ?? missingAt(range?.end ?? 0),
        tableAlias,
        columnAlias,
      };
    },
  );

  protected columnAlias(): Identifier | undefined {
    const open = this.take(0, '(');
    let alias: Identifier | undefined;
    if (this.may('identifier')) alias = this.identifierAt(this.take(1, 'identifier'));
    else alias = this.aliasNameInParentheses();
    if (!this.RECORDING_PHASE && this.at(',')) {
      this.reportHere('unexpected-token', 'An expansion has one column: one name stands in its parentheses.');
      while (this.at(',') || this.at('identifier')) this.skip();
      this.silenceHere();
    }
    this.expect(0, ')', () => this.unclosed(open, ')', 'alias'));
    return alias;
  }

  protected aliasNameInParentheses(): Identifier | undefined {
    const index = this.index();
    if (this.at('reserved')) {
      this.skip();
      this.reservedWord(index);
      return this.identifierAt(index);
    }
    this.reportHere('missing-token', `Expected the name of the column after '(', but found ${this.found()}.`);
    return undefined;
  }

  protected checkExpansion(name: Identifier, items: readonly Expression[], range: TextRange, star: boolean): void {
    // A name that is none has been reported.
    if (!/^\w+$/.test(name.name)) return;
    if (!expansionFunctions.includes(name.name.toLowerCase())) {
      this.report(
        'unknown-expansion',
        name.range,
        `'${name.name}' cannot stand in a source block: rows are made from arrays by array_to_rows and array_to_rows_non_empty only.`,
        expansionHabits.has(name.name.toLowerCase())
          ? replacement("Change to 'array_to_rows'", name.range, 'array_to_rows', false)
          : [],
      );
    } else if (items.length !== 1 || star) {
      this.report(
        items.length === 0 ? 'empty-block' : 'unexpected-token',
        items[1]?.range ?? range,
        `${name.name} takes one array, as in ${name.name}(RESOURCE_CONFIG:Tags).`,
      );
    }
  }
}

function asDatasource(item: SourceItem): DatasourceItem {
  if (item.kind === 'datasource') return item;
  return { kind: 'datasource', range: item.range, name: item.functionName, alias: item.columnAlias, joins: [] };
}
