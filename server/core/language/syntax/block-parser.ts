import type { ParserMethod } from 'chevrotain';
import type { TextRange } from '../../text/range.ts';
import type {
  BinaryExpression,
  Body,
  DatasourceItem,
  ExpansionItem,
  Expression,
  FilterBlock,
  Identifier,
  JoinClause,
  JoinTarget,
  ReturnBlock,
  ReturnItem,
  SourceBlock,
  SourceItem,
  StringLiteral,
} from './ast.ts';
import { ExpressionParser, expressionStart, missingAt } from './expression-parser.ts';
import { insertion, kindSet, replacement } from './resilient-parser.ts';
import { expansionFunctions, type TokenKind } from './tokens.ts';

const blockWords = ['source', 'filter', 'return'] as const;
type BlockWord = (typeof blockWords)[number];

const strings: readonly TokenKind[] = ['legacy-string', 's-string', 'double-quoted'];
const stringSet = kindSet(strings);
const inBody = kindSet([...blockWords, '}', 'end-of-text']);
const sourceItemStart: readonly TokenKind[] = ['identifier', 'reserved', '(', ...strings];
const inSource = kindSet([...sourceItemStart, ',', '}', ...blockWords, 'end-of-text']);
const inJoinGroup = kindSet([...sourceItemStart, ',', ')', '}', ...blockWords, 'end-of-text']);
const inFilter = kindSet([...expressionStart, ',', 'or', 'and', '}', ...blockWords, 'end-of-text']);
const inReturn = kindSet([...expressionStart, '*', ',', '}', ...blockWords, 'end-of-text']);
const sourceItemSet = kindSet(sourceItemStart);

/** What a body has gathered so far. */
interface BodyParts {
  source: SourceBlock | undefined;
  filter: FilterBlock | undefined;
  return: ReturnBlock | undefined;
}

/** Words of SQL that stand for blocks. */
const sqlBlocks: ReadonlyMap<string, BlockWord> = new Map([
  ['from', 'source'],
  ['where', 'filter'],
  ['having', 'filter'],
  ['select', 'return'],
]);
const sqlClauses = new Set(['limit', 'order', 'group', 'offset', 'having']);
const joinWords = new Set(['left', 'right', 'inner', 'full', 'cross', 'outer', 'join']);

/** The rules of a query's body and its three blocks. */
export abstract class BlockParser extends ExpressionParser {
  /** The only datasource of the innermost body, by alias or name; undefined when it has several. */
  private onlySource: string | undefined;

  /** `{ source {…} filter {…} return {…} }` */
  readonly body: ParserMethod<[], Body> = this.RULE('body', (): Body => {
    this.steps++;
    const open = this.take(0, '{');
    return this.bodyContent(open, true);
  });

  /** A body whose opening brace is missing; the caller has reported that. */
  protected readonly bareBody: ParserMethod<[boolean], Body> = this.RULE(
    'bareBody',
    (closed = true): Body => this.bodyContent(this.index(), closed),
  );

  private bodyContent(from: number, closed: boolean): Body {
    const outerSource = this.onlySource;
    const outerDotted = this.dottedNames;
    this.onlySource = undefined;
    this.dottedNames = undefined;
    const parts: BodyParts = { source: undefined, filter: undefined, return: undefined };
    this.bodyBlocks(parts);
    if (closed) {
      this.closeBody(from);
      // A brace too many ends the body early; what follows still belongs to it.
      while (!this.RECORDING_PHASE && parts.return === undefined && (this.at('filter') || this.at('return'))) {
        const brace = this.rangeOf(this.currIdx);
        this.report(
          'unexpected-token',
          brace,
          `This '}' ends the query before its ${this.nextWord()} block. Remove it.`,
          replacement("Remove '}'", brace, '', false),
        );
        this.bodyBlocks(parts);
        this.closeBody(from);
      }
    }
    this.onlySource = outerSource;
    this.dottedNames = outerDotted;
    const range = this.rangeFrom(from);
    this.requireBlocks(parts, from, range);
    return { kind: 'body', range, ...parts };
  }

  private closeBody(from: number): void {
    this.expect(1, '}', () => this.unclosed(from, '}', 'query'));
  }

  private bodyBlocks(parts: BodyParts): void {
    this.MANY({
      GATE: () => this.syncBody(parts),
      DEF: () =>
        this.OR([
          { ALT: () => this.addSource(parts, this.SUBRULE(this.sourceBlock, { ARGS: ['source'] })) },
          { ALT: () => this.addFilter(parts, this.SUBRULE(this.filterBlock, { ARGS: ['filter'] })) },
          { ALT: () => this.addReturn(parts, this.SUBRULE(this.returnBlock, { ARGS: ['return'] })) },
        ]),
    });
  }

  private requireBlocks(parts: BodyParts, from: number, range: TextRange): void {
    if (this.RECORDING_PHASE || (parts.source !== undefined && parts.return !== undefined)) return;
    const place = this.placeHere();
    if (!this.claimUnlessReportedIn(range)) return;
    const lacking = [
      ...(parts.source === undefined ? ['source'] : []),
      ...(parts.return === undefined ? ['return'] : []),
    ];
    const what = lacking.length === 2 ? 'source and no return block' : `${lacking[0]} block`;
    const at = parts.source === undefined ? this.rangeOf(from) : (parts.filter ?? parts.source)?.keywordRange;
    this.report(
      'missing-block',
      at ?? place,
      lacking.includes('source')
        ? `This query has no ${what}. Name the datasource it reads: source { … }${lacking.length === 2 ? ', and the columns it gives: return { … }' : ''}.`
        : 'This query has no return block. Name the columns it gives: return { … }.',
    );
  }

  /** Whether no problem is known inside the body yet: what it lacks may well be what is broken. */
  private claimUnlessReportedIn(range: TextRange): boolean {
    return !this.problems.some(
      (problem) =>
        problem.severity === 'error' && problem.range.start >= range.start && problem.range.start <= range.end,
    );
  }

  private addSource(parts: BodyParts, block: SourceBlock): void {
    if (this.RECORDING_PHASE) return;
    this.checkOrder(parts, 'source', block.keywordRange);
    parts.source =
      parts.source === undefined
        ? block
        : { ...parts.source, range: spanned(parts.source, block), items: [...parts.source.items, ...block.items] };
    const datasources = parts.source.items.filter((item) => item.kind === 'datasource');
    const [only] = datasources;
    this.onlySource =
      datasources.length === 1 && only !== undefined && only.joins.length === 0
        ? (only.alias ?? only.name).name
        : undefined;
    this.dottedNames = dottedNamesOf(parts.source);
  }

  private addFilter(parts: BodyParts, block: FilterBlock): void {
    if (this.RECORDING_PHASE) return;
    this.checkOrder(parts, 'filter', block.keywordRange);
    const earlier = parts.filter;
    parts.filter =
      earlier === undefined
        ? block
        : { ...earlier, range: spanned(earlier, block), condition: conjunction(earlier.condition, block.condition) };
  }

  private addReturn(parts: BodyParts, block: ReturnBlock): void {
    if (this.RECORDING_PHASE) return;
    this.checkOrder(parts, 'return', block.keywordRange);
    parts.return =
      parts.return === undefined
        ? block
        : { ...parts.return, range: spanned(parts.return, block), items: [...parts.return.items, ...block.items] };
  }

  private checkOrder(parts: BodyParts, word: BlockWord, range: TextRange): void {
    if (parts[word] !== undefined) {
      this.report(
        'block-order',
        range,
        `This query has a ${word} block already. Merge the two, or close the query before with '}'.`,
        [],
        [{ range: parts[word].keywordRange, message: `The first ${word} block.` }],
      );
      return;
    }
    const later = blockWords.slice(blockWords.indexOf(word) + 1).find((other) => parts[other] !== undefined);
    if (later !== undefined) {
      this.report('block-order', range, `The ${word} block stands before the ${later} block: source, filter, return.`);
    }
  }

  /** Goes to the next block or the end of the body, answering what belongs to SQL on the way. */
  private syncBody(parts: BodyParts): boolean {
    while (!this.isIn(inBody)) {
      const index = this.index();
      const word = this.nextWord();
      const block = sqlBlocks.get(word);
      if (block !== undefined && this.kindAt(index + 1) === '{') this.sqlBlock(parts, index, block);
      else if (sqlClauses.has(word)) this.sqlClause(inBody);
      else if (this.at(',') || this.at(';')) {
        const code = this.at(',') ? 'unexpected-token' : 'stray-semicolon';
        const range = this.rangeOf(index);
        this.reportHere(code, 'Blocks follow each other without a sign between them.', {
          fixes: replacement(`Remove '${this.textOf(index)}'`, range, '', true),
        });
        this.skip();
        this.silenceHere();
      } else {
        this.sync(inBody, () =>
          this.reportHere(
            'unexpected-token',
            `Expected a ${parts.source === undefined ? 'source' : parts.return === undefined ? (parts.filter === undefined ? 'filter or return' : 'return') : "'}' or a"} block after ${this.previous()}, but found ${this.found()}.`,
          ),
        );
      }
    }
    return true;
  }

  private sqlBlock(parts: BodyParts, index: number, block: BlockWord): void {
    const range = this.rangeOf(index);
    this.report(
      'sql-block',
      range,
      `The ${block} block begins with '${block}', not with '${this.textOf(index)}'.`,
      replacement(`Change to '${block}'`, range, block, true),
    );
    if (block === 'source') this.addSource(parts, this.SUBRULE1(this.sourceBlock, { ARGS: [undefined] }));
    else if (block === 'filter') this.addFilter(parts, this.SUBRULE1(this.filterBlock, { ARGS: [undefined] }));
    else this.addReturn(parts, this.SUBRULE1(this.returnBlock, { ARGS: [undefined] }));
  }

  /** `limit 10`, `order by …`, `group by …`: reported and dropped. */
  protected sqlClause(upTo: Uint8Array): void {
    const from = this.index();
    const word = this.textOf(from).toLowerCase();
    this.skip();
    while (upTo[this.next()] !== 1 && !this.at(';') && !sqlClauses.has(this.nextWord())) this.skip();
    const range = this.rangeFrom(from);
    this.report('sql-clause', range, sqlClauseMessage(word), replacement('Remove it', range, '', false));
    this.silenceHere();
  }

  /** The keyword of a block; its brace is read by `openBlock`. Undefined `word` stands for a word of another language. */
  private blockKeyword(word: BlockWord | undefined, expected: BlockWord): TextRange {
    if (word === undefined) {
      this.skip();
      return this.rangeOf(this.currIdx);
    }
    return this.rangeOf(this.take(0, expected));
  }

  private openBlock(word: BlockWord): number {
    return this.expect(0, '{', () =>
      this.reportHere('missing-token', `Expected '{' after '${word}', but found ${this.found()}.`, {
        fixes: insertion("Insert '{'", this.here(), ' {', false),
      }),
    );
  }

  private closeBlock(open: number, keyword: TextRange, word: BlockWord): void {
    if (open < 0 && !this.RECORDING_PHASE) {
      // The opening brace was missing: a closing one is the block's only when something of the query follows it.
      const after = this.kindAt(this.index() + 1);
      if (this.at('}') && (after === '}' || after === 'filter' || after === 'return')) this.skip();
      return;
    }
    this.expect(0, '}', () =>
      this.reportHere('missing-token', `Expected '}' to close this ${word} block, but found ${this.found()}.`, {
        fixes: insertion("Insert '}'", this.here(), ' }', false),
        related: [{ range: keyword, message: `The ${word} block begins here.` }],
      }),
    );
  }

  private emptyBlock(keyword: TextRange, word: BlockWord, what: string): void {
    if (!this.claim()) return;
    this.report('empty-block', keyword, `This ${word} block is empty. ${what}`);
  }

  protected readonly sourceBlock: ParserMethod<['source' | undefined], SourceBlock> = this.RULE(
    'sourceBlock',
    (word: 'source' | undefined = 'source'): SourceBlock => {
      this.steps++;
      const from = this.index();
      const keywordRange = this.blockKeyword(word, 'source');
      const open = this.openBlock('source');
      const items: SourceItem[] = [];
      this.separated(inSource, 'a datasource', items, () => this.SUBRULE(this.sourceItem));
      if (items.length === 0) this.emptyBlock(keywordRange, 'source', 'Name the datasource that the query reads.');
      this.closeBlock(open, keywordRange, 'source');
      return { kind: 'sourceBlock', range: this.rangeFrom(from), keywordRange, items };
    },
  );

  /** Reads entries and commas up to the end of a block; reports commas that are missing or too many. Used once a rule. */
  private separated<Item>(allowed: Uint8Array, what: string, items: Item[], item: () => Item): void {
    let comma = -1;
    let separated = true;
    this.MANY({
      GATE: () => this.sync(allowed, () => this.unexpectedInBlock(items.length, what)),
      DEF: () =>
        this.OR([
          {
            ALT: () => {
              if (!separated) this.missingComma();
              separated = false;
              items.push(item());
            },
          },
          {
            ALT: () => {
              const place = this.index();
              if (separated && !this.RECORDING_PHASE) this.extraComma(place);
              comma = this.take(0, ',');
              separated = true;
            },
          },
        ]),
    });
    if (separated && comma >= 0 && items.length > 0) this.trailingComma(comma);
  }

  private unexpectedInBlock(count: number, what: string): void {
    if (this.at(';')) {
      const range = this.rangeOf(this.index());
      this.reportHere('stray-semicolon', 'LQL has no semicolon.', {
        fixes: replacement("Remove ';'", range, '', true),
      });
      return;
    }
    const missing = count === 0 || this.kindAt(this.currIdx) === ',';
    this.reportHere(
      'unexpected-token',
      missing
        ? `Expected ${what} after ${this.previous()}, but found ${this.found()}.`
        : `Expected ',' or '}' after ${this.previous()}, but found ${this.found()}.`,
    );
  }

  private readonly sourceItem: ParserMethod<[], SourceItem> = this.RULE('sourceItem', (): SourceItem => {
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
    return { kind: 'datasource', range: this.rangeFrom(from), name, alias, joins };
  });

  /** What can also begin an entry of a source block, so that it can be answered: a parenthesis or a name in quotes. */
  private recordSlips(): void {
    this.OR8(
      (['(', 'legacy-string', 's-string', 'double-quoted'] as const).map((kind) => ({ ALT: () => this.take(8, kind) })),
    );
  }

  /** `(A with B) with C`, which the service rejects: read as `A with B with C`. */
  private groupOnTheLeft(): SourceItem {
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

  private joinClauses(joins: JoinClause[]): void {
    if (!this.RECORDING_PHASE && !this.atJoin()) return;
    this.MANY({
      GATE: () => this.atJoin(),
      DEF: () => {
        joins.push(this.SUBRULE(this.joinClause));
      },
    });
  }

  /** Whether a join begins here, be it in the words of SQL. */
  private atJoin(): boolean {
    if (this.at('with')) return true;
    return this.at('reserved') && joinWords.has(this.nextWord());
  }

  /** The name of a datasource. A few names have a dot; a name in quotes is reported and taken. */
  private datasourceName(): Identifier {
    const from = this.index();
    if (this.isIn(stringSet) && !this.RECORDING_PHASE) {
      const literal = this.stringLiteral(from, this.stringForm(from));
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
    const name = this.name(0);
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
  private alias(): Identifier | undefined {
    if (this.may('as')) {
      let alias: Identifier | undefined;
      this.OPTION1(() => {
        this.take(0, 'as');
        alias = this.aliasName();
      });
      if (!this.RECORDING_PHASE) return alias;
    }
    if (!this.may('identifier')) return this.reservedAlias();
    // `A left join B`: the word belongs to the join.
    if (!this.RECORDING_PHASE && joinWords.has(this.nextWord()) && joinWords.has(this.nextWord(1))) {
      this.skip();
      return undefined;
    }
    return this.OPTION2(() => this.identifierAt(this.take(2, 'identifier')));
  }

  private reservedAlias(): Identifier | undefined {
    if (!this.at('reserved') || this.atJoin() || sqlClauses.has(this.nextWord()) || sqlBlocks.has(this.nextWord())) {
      return undefined;
    }
    const index = this.index();
    this.skip();
    this.reservedWord(index);
    return this.identifierAt(index);
  }

  /** The name behind `as`. */
  private aliasName(): Identifier | undefined {
    if (this.may('identifier')) return this.identifierAt(this.take(3, 'identifier'));
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
      const { range, value } = this.stringLiteral(index, this.stringForm(index));
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

  private readonly joinClause: ParserMethod<[], JoinClause> = this.RULE('joinClause', (): JoinClause => {
    this.steps++;
    const from = this.index();
    if (this.may('with')) this.OPTION(() => this.take(0, 'with'));
    if (this.RECORDING_PHASE) this.OPTION1(() => this.take(0, 'reserved'));
    else if (this.index() === from) this.sqlJoin(from);
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
    return { kind: 'join', range: this.rangeFrom(from), withRange, targets, parenthesized };
  });

  /** `with (B, C) on '…'`: the name counts for every datasource of the group that has none of its own. */
  private onBehindGroup(targets: JoinTarget[]): void {
    const on = this.SUBRULE(this.onClause);
    for (const [i, target] of targets.entries()) {
      if (target.on === undefined && target.onCondition === undefined) targets[i] = { ...target, ...on };
    }
  }

  private sqlJoin(from: number): void {
    while (this.at('reserved') && joinWords.has(this.nextWord())) this.skip();
    const start = joinWords.has(this.textOf(from - 1).toLowerCase()) ? from - 1 : from;
    const range = this.rangeFrom(start);
    this.report(
      'sql-join',
      range,
      "Datasources are joined with 'with', along relationships that the service defines, and without a condition.",
      replacement("Change to 'with'", range, 'with', false),
    );
  }

  private readonly joinTarget: ParserMethod<[], JoinTarget> = this.RULE('joinTarget', (): JoinTarget => {
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
    const datasource: DatasourceItem = { kind: 'datasource', range: { start, end }, name, alias, joins };
    return { kind: 'joinTarget', range: this.rangeFrom(from), datasource, ...on };
  });

  private readonly onClause: ParserMethod<[], OnClause> = this.RULE('onClause', (): OnClause => {
    const from = this.take(0, 'on');
    if (this.RECORDING_PHASE || this.isIn(stringSet)) {
      const index = this.OR([
        { ALT: () => this.take(0, 'legacy-string') },
        { ALT: () => this.take(0, 's-string') },
        { ALT: () => this.take(0, 'double-quoted') },
      ]);
      return { on: this.stringLiteral(index, this.stringForm(index)), onCondition: undefined };
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
  private readonly expansion: ParserMethod<[Identifier, number], ExpansionItem> = this.RULE(
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
      if (columnAlias === undefined && !this.RECORDING_PHASE) {
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
        argument: items?.[0] ?? missingAt(this.here()),
        tableAlias,
        columnAlias,
      };
    },
  );

  private columnAlias(): Identifier | undefined {
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

  private aliasNameInParentheses(): Identifier | undefined {
    const index = this.index();
    if (this.at('reserved')) {
      this.skip();
      this.reservedWord(index);
      return this.identifierAt(index);
    }
    this.reportHere('missing-token', `Expected the name of the column after '(', but found ${this.found()}.`);
    return undefined;
  }

  private checkExpansion(name: Identifier, items: readonly Expression[], range: TextRange, star: boolean): void {
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

  protected readonly filterBlock: ParserMethod<['filter' | undefined], FilterBlock> = this.RULE(
    'filterBlock',
    (word: 'filter' | undefined = 'filter'): FilterBlock => {
      this.steps++;
      const from = this.index();
      const keywordRange = this.blockKeyword(word, 'filter');
      const open = this.openBlock('filter');
      let condition: Expression | undefined;
      let connective: { readonly operator: 'and' | 'or'; readonly range: TextRange } | undefined;
      this.MANY({
        GATE: () => this.sync(inFilter, () => this.unexpectedInFilter(condition !== undefined)),
        DEF: () =>
          this.OR([
            {
              ALT: () => {
                if (condition !== undefined && connective === undefined) this.missingConnective();
                const next = this.SUBRULE(this.expression);
                if (this.RECORDING_PHASE) return;
                condition = condition === undefined ? next : conjunction(condition, next, connective);
                connective = undefined;
              },
            },
            { ALT: () => this.commaInFilter() },
            {
              ALT: () => {
                connective = this.strayConnective('and', condition !== undefined);
              },
            },
            {
              ALT: () => {
                connective = this.strayConnective('or', condition !== undefined);
              },
            },
          ]),
      });
      if (condition === undefined) {
        this.emptyBlock(keywordRange, 'filter', 'Write a condition, or leave the block out to keep every row.');
      } else if (connective !== undefined) {
        this.reportHere(
          'missing-expression',
          `Expected a condition after '${connective.operator}', but found ${this.found()}.`,
        );
      }
      const at = this.here();
      this.closeBlock(open, keywordRange, 'filter');
      return { kind: 'filterBlock', range: this.rangeFrom(from), keywordRange, condition: condition ?? missingAt(at) };
    },
  );

  private missingConnective(): void {
    this.reportHere(
      'missing-connective',
      `Two conditions follow each other. Write 'and' or 'or' between ${this.previous()} and ${this.found()}.`,
      { fixes: insertion("Insert 'and'", this.here(), ' and', false) },
    );
  }

  private commaInFilter(): void {
    const index = this.index();
    if (!this.RECORDING_PHASE) {
      this.reportHere('missing-connective', "Conditions are joined with 'and' or 'or', not with a comma.", {
        fixes: replacement("Change to 'and'", this.rangeOf(index), ' and', false),
      });
    }
    this.take(0, ',');
    this.silenceHere();
  }

  /** `and` or `or` where an expression has ended already: behind dropped text, or at the beginning. */
  private strayConnective(operator: 'and' | 'or', hasLeft: boolean): { operator: 'and' | 'or'; range: TextRange } {
    if (!hasLeft) this.reportHere('missing-expression', `Expected a condition before '${operator}'.`);
    const index = this.take(0, operator);
    return { operator, range: this.rangeOf(index) };
  }

  private unexpectedInFilter(hasCondition: boolean): void {
    if (this.at(';')) {
      const range = this.rangeOf(this.index());
      this.reportHere('stray-semicolon', 'LQL has no semicolon.', {
        fixes: replacement("Remove ';'", range, '', true),
      });
      return;
    }
    const closing = this.at(')');
    this.reportHere(
      'unexpected-token',
      closing
        ? "This ')' closes nothing: no '(' is open here."
        : hasCondition
          ? `Expected 'and', 'or' or '}' after ${this.previous()}, but found ${this.found()}.`
          : `Expected a filter condition after ${this.previous()}, but found ${this.found()}.`,
      closing ? { fixes: replacement("Remove ')'", this.rangeOf(this.index()), '', false) } : {},
    );
  }

  protected readonly returnBlock: ParserMethod<['return' | undefined], ReturnBlock> = this.RULE(
    'returnBlock',
    (word: 'return' | undefined = 'return'): ReturnBlock => {
      this.steps++;
      const from = this.index();
      const keywordRange = this.blockKeyword(word, 'return');
      let distinctRange: TextRange | undefined;
      if (this.may('distinct')) {
        this.OPTION(() => {
          distinctRange = this.rangeOf(this.take(0, 'distinct'));
        });
      }
      const open = this.openBlock('return');
      const items: ReturnItem[] = [];
      this.separated(inReturn, 'a column', items, () => this.SUBRULE(this.returnItem));
      if (items.length === 0) this.emptyBlock(keywordRange, 'return', 'Name the columns that the query gives.');
      this.closeBlock(open, keywordRange, 'return');
      const range = this.rangeFrom(from);
      return { kind: 'returnBlock', range, keywordRange, distinct: distinctRange !== undefined, distinctRange, items };
    },
  );

  protected readonly returnItem: ParserMethod<[], ReturnItem> = this.RULE('returnItem', (): ReturnItem => {
    this.steps++;
    const from = this.index();
    if (this.may('*')) {
      this.OPTION(() => this.bareStar());
      if (!this.RECORDING_PHASE) return { kind: 'returnStar', range: this.rangeFrom(from), qualifier: undefined };
    }
    if (this.RECORDING_PHASE || this.atQualifiedStar(from)) {
      const star = this.OPTION3(() => this.SUBRULE(this.returnStar));
      if (star !== undefined && !this.RECORDING_PHASE) return star;
    }
    const expression = this.SUBRULE(this.expression);
    const alias = this.alias();
    return { kind: 'returnColumn', range: this.rangeFrom(from), expression, alias };
  });

  private bareStar(): void {
    const range = this.rangeOf(this.take(0, '*'));
    this.report(
      'bare-star',
      range,
      "'*' needs the source in front: alias.* gives all columns of one source. Or name the columns.",
      this.onlySource === undefined
        ? []
        : replacement(`Change to '${this.onlySource}.*'`, range, `${this.onlySource}.*`, true),
    );
  }

  private atQualifiedStar(index: number): boolean {
    if (this.kindAt(index) !== 'identifier' || this.kindAt(index + 1) !== '.') return false;
    if (this.kindAt(index + 2) === '*') return true;
    return this.kindAt(index + 2) === 'identifier' && this.kindAt(index + 3) === '.' && this.kindAt(index + 4) === '*';
  }
}

interface OnClause {
  readonly on: StringLiteral | undefined;
  readonly onCondition: Expression | undefined;
}

const noName: Identifier = { kind: 'identifier', range: { start: 0, end: 0 }, name: '' };
const expansionHabits = new Set(['flatten', 'unnest', 'explode', 'lateral', 'table', 'json_each', 'array_to_row']);

function sqlClauseMessage(word: string): string {
  if (word === 'limit' || word === 'offset') {
    return `LQL has no '${word}': the number of rows is an option of the run, not of the query. Remove it.`;
  }
  if (word === 'order')
    return "LQL has no 'order by': rows come in no order and are sorted where they are shown. Remove it.";
  return `LQL has no '${word}${word === 'group' ? ' by' : ''}' and no aggregation. Remove it; return distinct removes duplicate rows.`;
}

function spanned(first: { readonly range: TextRange }, second: { readonly range: TextRange }): TextRange {
  return { start: Math.min(first.range.start, second.range.start), end: Math.max(first.range.end, second.range.end) };
}

function conjunction(
  left: Expression,
  right: Expression,
  connective?: { readonly operator: 'and' | 'or'; readonly range: TextRange },
): BinaryExpression {
  return {
    kind: 'binary',
    range: spanned(left, right),
    operator: connective?.operator ?? 'and',
    operatorRange: connective?.range ?? { start: left.range.end, end: left.range.end },
    left,
    right,
  };
}

function asDatasource(item: SourceItem): DatasourceItem {
  if (item.kind === 'datasource') return item;
  return { kind: 'datasource', range: item.range, name: item.functionName, alias: item.columnAlias, joins: [] };
}

/** Names with a dot among the datasources of a block, joined ones included. */
function dottedNamesOf(source: SourceBlock): Set<string> | undefined {
  let names: Set<string> | undefined;
  const open: DatasourceItem[] = source.items.filter((item) => item.kind === 'datasource');
  for (let item = open.pop(); item !== undefined; item = open.pop()) {
    if (item.name.name.includes('.')) {
      names ??= new Set();
      names.add(item.name.name);
    }
    for (const join of item.joins) for (const target of join.targets) open.push(target.datasource);
  }
  return names;
}
