import type { ParserMethod } from 'chevrotain';
import type { TextRange } from '../../text/range.ts';
import type { Body, Expression, Identifier, Query, QueryFile, ReturnItem, SourceItem } from './ast.ts';
import { BlockParser } from './block-parser.ts';
import { exactly } from './list-parser.ts';
import { kindSet, replacement, tokenTypes } from './resilient-parser.ts';
import { statementWords } from './source-parser.ts';

const queryStart = kindSet(['{', 'union', 'source', 'filter', 'return', 'end-of-text']);
const blockStart = kindSet(['source', 'filter', 'return']);
const inUnion = kindSet(['{', ',', '}', 'source', 'filter', 'return', 'end-of-text']);
const inSelect = kindSet(['}', ';', 'end-of-text']);

/** The grammar of LQL: what a file holds. */
export class QueryParser extends BlockParser {
  constructor(options: { readonly validate: boolean }) {
    // One token of lookahead decides everywhere; where two are needed a rule looks at them itself, which spares the analysis of pairs.
    super(tokenTypes, { recoveryEnabled: false, maxLookahead: 1, skipValidations: !options.validate });
    this.performSelfAnalysis();
  }

  readonly file: ParserMethod<[], QueryFile> = this.RULE('file', (): QueryFile => {
    this.steps++;
    let query: Query | undefined;
    if (this.RECORDING_PHASE) this.recordFile();
    else {
      query = this.query();
      query = this.rest(query);
    }
    return { kind: 'file', range: { start: 0, end: this.text.length }, query };
  });

  /** What a file can hold, for Chevrotain's eyes: the choice itself needs to look further ahead than one token. */
  private recordFile(): void {
    this.OPTION(() => this.SUBRULE(this.union));
    this.OPTION1(() => {
      this.MANY(() => this.take(0, 'identifier'));
      this.SUBRULE(this.body);
    });
    this.OPTION2(() => this.SUBRULE(this.bareBody));
    this.OPTION3(() => this.SUBRULE(this.selectStatement));
    this.OPTION4(() => this.SUBRULE(this.firstGeneration));
  }

  private query(): Query | undefined {
    while (this.at(';')) this.semicolon();
    const from = this.index();
    const kind = this.kindAt(from);
    if (kind === undefined) return undefined;
    if (kind === 'union') return this.SUBRULE(this.union);
    if (kind === '{') {
      return this.startsStatement(from + 1)
        ? this.braceStatement(from)
        : this.plain(undefined, this.SUBRULE(this.body));
    }
    if (this.isIn(blockStart)) return this.withoutBraces();
    if (this.startsStatement(from)) return this.plain(undefined, this.SUBRULE(this.selectStatement));
    const second = this.kindAt(from + 1);
    if (this.startsNamed(from)) {
      const name = this.queryName();
      return this.at('{') ? this.plain(name, this.SUBRULE1(this.body)) : this.withoutBraces(name);
    }
    if (kind === 'identifier' && second === '(' && this.isFirstGeneration(from)) {
      return this.plain(undefined, this.SUBRULE(this.firstGeneration));
    }
    this.reportHere(
      'not-a-query',
      `A query begins with '{ source { … }', with a name and '{', or with 'union'; found ${this.found()}.`,
    );
    while (!this.isIn(queryStart)) this.skip();
    this.silenceHere();
    if (this.at('union')) return this.SUBRULE1(this.union);
    if (this.at('{')) return this.plain(undefined, this.subrule(2, this.body));
    return this.isIn(blockStart) ? this.plain(undefined, this.SUBRULE2(this.bareBody, { ARGS: [false] })) : undefined;
  }

  /** Whether a name stands here with a query behind it; it may have hyphens or quotes, which names have not. */
  private startsNamed(index: number): boolean {
    const kind = this.kindAt(index);
    let at = index + 1;
    if (kind === 'identifier')
      while (this.kindAt(at) === '-' && this.kindAt(at + 1) === 'identifier' && at < index + 40) at += 2;
    else if (kind !== 'reserved' && kind !== 'double-quoted' && kind !== 'legacy-string') return false;
    return this.kindAt(at) === '{' || this.kindAt(at) === 'source';
  }

  private queryName(): Identifier {
    const index = this.advance();
    const kind = this.kindAt(index);
    if (kind === 'identifier') return this.hyphenated(index);
    if (kind === 'reserved') {
      this.reservedWord(index);
      return this.identifierAt(index);
    }
    const { range, value } = this.stringLiteral(index);
    this.report(
      'quoted-name',
      range,
      'The name of a query is written without quotes.',
      /^[A-Za-z]\w*$/.test(value) ? replacement('Remove the quotes', range, value, true) : [],
    );
    return { kind: 'identifier', range, name: value };
  }

  private plain(name: Identifier | undefined, body: Body): Query {
    const range = { start: name?.range.start ?? body.range.start, end: body.range.end };
    return { kind: 'query', range, name, body };
  }

  /** Blocks without the braces around them. */
  private withoutBraces(name?: Identifier): Query {
    const start = this.startOf(this.index());
    const word = this.rangeOf(this.index());
    const body = this.SUBRULE1(this.bareBody, { ARGS: [false] });
    const closed = this.at('}');
    const end = this.here();
    if (closed) this.skip();
    if (!this.isQuiet(body.range)) return this.plain(name, body);
    this.report(
      'query-without-braces',
      word,
      "The blocks of a query stand inside one pair of braces: '{ source { … } … return { … } }'.",
      [
        {
          title: closed ? "Insert '{'" : 'Put the query in braces',
          edits: [
            { range: { start, end: start }, newText: '{ ' },
            ...(closed ? [] : [{ range: { start: end, end }, newText: ' }' }]),
          ],
          safe: true,
        },
      ],
    );
    return this.plain(name, body);
  }

  /** What stands behind the query. */
  private rest(query: Query | undefined): Query | undefined {
    let result = query;
    while (this.kindAt(this.index()) !== undefined) {
      if (this.at(';')) this.semicolon();
      else if (this.at('union') && result !== undefined) result = this.unionBetween(result);
      else if (['limit', 'order', 'group', 'having', 'offset'].includes(this.nextWord())) {
        this.sqlClause(kindSet(['{', '}', ';', 'union', 'end-of-text']));
      } else {
        const from = this.index();
        const brace = this.at('}');
        const reported = this.reportHere(
          brace ? 'unexpected-token' : 'text-after-query',
          brace
            ? "This '}' closes nothing: the query has ended before it."
            : `The query ends before ${this.found()}. One text holds one query: remove the rest, or move it to a file of its own.`,
          brace ? { fixes: replacement("Remove '}'", this.rangeOf(from), '', false) } : {},
        );
        while (this.kindAt(this.index()) !== undefined) this.skip();
        if (reported) this.silenceHere();
      }
    }
    return result;
  }

  private semicolon(): void {
    const range = this.rangeOf(this.index());
    this.reportHere('stray-semicolon', 'LQL has no semicolon: a query ends with its closing brace.', {
      fixes: replacement("Remove ';'", range, '', true),
    });
    this.skip();
  }

  /** `union { {…}, {…} }` */
  private readonly union: ParserMethod<[], Query> = this.RULE('union', (): Query => {
    this.steps++;
    const from = this.take(0, 'union');
    const unionRange = this.rangeOf(from);
    let all = false;
    if (this.may('all')) {
      this.OPTION(() => {
        this.take(0, 'all');
        all = true;
      });
    }
    const bodies: Body[] = [];
    const open = this.expect(0, '{', () =>
      this.reportHere('missing-token', `Expected '{' after 'union', but found ${this.found()}.`),
    );
    let separated = true;
    let bare = -1;
    this.MANY({
      GATE: () =>
        this.sync(inUnion, () =>
          this.reportHere(
            'unexpected-token',
            `Expected a query in braces after ${this.previous()}, but found ${this.found()}.`,
          ),
        ) && !this.at('}'),
      DEF: () =>
        this.OR([
          {
            ALT: () => {
              if (!separated) this.missingComma();
              separated = false;
              bodies.push(this.SUBRULE(this.body));
            },
          },
          {
            ALT: () => {
              const place = this.index();
              if (separated && !this.RECORDING_PHASE) this.extraComma(place);
              this.take(0, ',');
              separated = true;
            },
          },
          {
            ALT: () => {
              // The guide's own example lacks this brace.
              if (bare < 0 && this.claim()) bare = this.index();
              separated = false;
              bodies.push(this.SUBRULE(this.bareBody, { ARGS: [true] }));
            },
          },
        ]),
    });
    if (bodies.length === 0 && this.claim()) {
      this.report(
        'empty-block',
        unionRange,
        'This union is empty. Write the queries that it joins: union { { … }, { … } }.',
      );
    }
    const end = this.here();
    const closed = !this.RECORDING_PHASE && this.at('}');
    if (closed || this.RECORDING_PHASE) this.take(1, '}');
    if (bare >= 0) this.bareInUnion(bare, closed ? undefined : end);
    else if (!closed && open >= 0) this.unclosed(open, '}', 'union');
    return { kind: 'union', range: this.rangeFrom(from), unionRange, all, bodies: exactly(bodies) };
  });

  /** A query of a union without its opening brace, as in the guide's own example; its closing one may have been taken for the union's. */
  private bareInUnion(index: number, end: number | undefined): void {
    const range = this.rangeOf(index);
    const edits = [{ range: { start: range.start, end: range.start }, newText: '{ ' }];
    if (end !== undefined) edits.push({ range: { start: end, end }, newText: ' }' });
    this.report(
      'missing-token',
      range,
      `Expected '{' in front of '${this.textOf(index)}': each query of a union has its own braces.`,
      [{ title: "Insert '{'", edits, safe: true }],
    );
  }

  /** `{…} union {…}`, the form of SQL. */
  private unionBetween(first: Query): Query {
    const bodies = first.kind === 'union' ? [...first.bodies] : [first.body];
    const unionRange = this.rangeOf(this.index());
    let all = first.kind === 'union' && first.all;
    const places: TextRange[] = [];
    while (this.at('union')) {
      const start = this.index();
      this.skip();
      if (this.at('all')) {
        this.skip();
        all = true;
      }
      places.push(this.rangeFrom(start));
      if (!this.at('{')) break;
      bodies.push(this.subrule(3, this.body));
    }
    const range = { start: first.range.start, end: this.here() };
    const fixable = first.kind === 'query' && first.name === undefined && bodies.length === places.length + 1;
    this.report('union-form', unionRange, "'union' stands in front of its queries: union { { … }, { … } }.", [
      ...(fixable
        ? [
            {
              title: "Write 'union' in front",
              edits: [
                { range: { start: range.start, end: range.start }, newText: all ? 'union all { ' : 'union { ' },
                ...places.map((place) => ({ range: place, newText: ',' })),
                { range: { start: range.end, end: range.end }, newText: ' }' },
              ],
              safe: true,
            },
          ]
        : []),
    ]);
    return { kind: 'union', range, unionRange, all, bodies };
  }

  private startsStatement(index: number): boolean {
    return (
      this.kindAt(index) === 'reserved' &&
      this.textOf(index).toLowerCase() === 'select' &&
      this.kindAt(index + 1) !== '{'
    );
  }

  /** `{ select … from … }` */
  private braceStatement(from: number): Query {
    this.skip();
    const body = this.SUBRULE1(this.selectStatement, { ARGS: [this.startOf(from)] });
    if (this.at('}')) this.skip();
    return this.plain(undefined, { ...body, range: this.rangeFrom(from) });
  }

  /** `select … from … where …`: read as the query that is meant, and answered with it. */
  private readonly selectStatement: ParserMethod<[number?], Body> = this.RULE(
    'selectStatement',
    (start?: number): Body => {
      this.steps++;
      const from = this.index();
      this.take(0, 'reserved');
      const keywordRange = this.rangeFrom(from);
      const distinctHere = !this.RECORDING_PHASE && this.nextWord() === 'distinct';
      if (distinctHere) this.skip();
      const items: ReturnItem[] = [];
      const sources: SourceItem[] = [];
      let condition: Expression | undefined;
      let whereRange = keywordRange;
      let limited = false;
      if (this.RECORDING_PHASE) {
        this.SUBRULE(this.returnItem);
        this.SUBRULE(this.expression);
        return { kind: 'body', range: keywordRange, source: undefined, filter: undefined, return: undefined };
      }
      // Mistakes inside the statement count for less than that it is one: they are not reported.
      const known = this.problems.length;
      this.inStatement = true;
      const columnsFrom = this.index();
      while (!this.isIn(inSelect) && !statementWords.has(this.nextWord())) {
        if (this.at(',')) this.skip();
        else if (this.isExpressionStart() || this.at('*')) items.push(this.SUBRULE1(this.returnItem));
        else this.skip();
      }
      const columns = this.textFrom(columnsFrom);
      let tables = '';
      let where = '';
      while (!this.isIn(inSelect)) {
        const word = this.nextWord();
        const clauseFrom = this.index() + 1;
        this.skip();
        if (word === 'from') {
          while (!this.isIn(inSelect) && !statementWords.has(this.nextWord())) {
            const item = this.at('identifier') ? this.tableOfStatement() : undefined;
            if (item === undefined) this.skip();
            else sources.push(item);
          }
          tables = this.textFrom(clauseFrom);
        } else if (word === 'where') {
          whereRange = this.rangeOf(clauseFrom - 1);
          if (this.isExpressionStart()) condition = this.SUBRULE1(this.expression);
          where = this.textFrom(clauseFrom);
        } else if (word !== 'having') limited = true;
        while (!this.isIn(inSelect) && !statementWords.has(this.nextWord())) this.skip();
      }
      this.inStatement = false;
      this.problems.length = known;
      const range = { start: start ?? keywordRange.start, end: this.at('}') ? this.endOf(this.index()) : this.here() };
      const usable =
        sources.length === 1 &&
        items.length > 0 &&
        !items.some((item) => item.kind === 'returnStar' && item.qualifier === undefined);
      const rewritten = `{ source { ${tables} }${condition === undefined ? '' : ` filter { ${where} }`} return ${distinctHere ? 'distinct ' : ''}{ ${columns} } }`;
      this.report(
        'sql-statement',
        keywordRange,
        `LQL has no select: it names the datasource in source, conditions in filter and columns in return${usable && !/[\r\n]/.test(rewritten) && rewritten.length < 120 ? `: ${rewritten}` : '.'}`,
        usable
          ? replacement(
              limited ? 'Write it in LQL, without limit and order' : 'Write it in LQL',
              range,
              rewritten,
              false,
            )
          : [],
      );
      this.silenceHere();
      return {
        kind: 'body',
        range: this.rangeFrom(from),
        source:
          sources.length === 0 ? undefined : { kind: 'sourceBlock', range: keywordRange, keywordRange, items: sources },
        filter:
          condition === undefined
            ? undefined
            : { kind: 'filterBlock', range: condition.range, keywordRange: whereRange, condition },
        return: {
          kind: 'returnBlock',
          range: keywordRange,
          keywordRange,
          distinct: distinctHere,
          distinctRange: undefined,
          items,
        },
      };
    },
  );

  private tableOfStatement(): SourceItem {
    const from = this.index();
    this.skip();
    const name = this.identifierAt(from);
    if (this.at('as')) this.skip();
    let alias: Identifier | undefined;
    if (this.at('identifier') && !statementWords.has(this.nextWord())) {
      alias = this.identifierAt(this.index());
      this.skip();
    }
    return { kind: 'datasource', range: this.rangeFrom(from), name, alias, joins: [] };
  }

  private textFrom(index: number): string {
    const { start, end } = this.rangeFrom(index);
    return this.text.slice(start, end);
  }

  /** Whether `Name(` goes on as `Name(Source alias) { …`. */
  private isFirstGeneration(index: number): boolean {
    for (let i = index + 2; i < index + 12; i++) {
      const kind = this.kindAt(i);
      if (kind === ')') return this.kindAt(i + 1) === '{';
      if (kind !== 'identifier' && kind !== ',') return false;
    }
    return false;
  }

  /** `Name(Source alias) { SELECT … }`, the form of 2020. */
  private readonly firstGeneration: ParserMethod<[], Body> = this.RULE('firstGeneration', (): Body => {
    this.steps++;
    const name = this.identifierAt(this.take(0, 'identifier'));
    this.take(0, '(');
    const sources: SourceItem[] = [];
    const tablesFrom = this.index();
    while (this.at('identifier') && !this.RECORDING_PHASE) {
      sources.push(this.tableOfStatement());
      if (this.at(',')) this.skip();
    }
    const tables = this.RECORDING_PHASE ? '' : this.textFrom(tablesFrom);
    this.take(0, ')');
    const open = this.take(0, '{');
    if (this.RECORDING_PHASE) {
      this.SUBRULE(this.selectStatement);
      this.take(0, '}');
      return { kind: 'body', range: name.range, source: undefined, filter: undefined, return: undefined };
    }
    const known = this.problems.length;
    let body: Body;
    let columns = '';
    if (this.startsStatement(open + 1)) {
      body = this.SUBRULE1(this.selectStatement);
      const first = body.return?.items[0];
      const last = body.return?.items.at(-1);
      if (first !== undefined && last !== undefined) columns = this.text.slice(first.range.start, last.range.end);
    } else body = this.SUBRULE(this.bareBody, { ARGS: [false] });
    this.problems.length = known;
    this.silenceHere();
    this.expect(0, '}', () => this.unclosed(open, '}', 'query'));
    const filter = body.filter?.condition.range;
    const where = filter === undefined ? '' : ` filter { ${this.text.slice(filter.start, filter.end)} }`;
    const range = { start: name.range.start, end: this.here() };
    const rewritten = `{ source { ${tables} }${where} return { ${columns} } }`;
    this.report(
      'first-generation-query',
      name.range,
      'This form of 2020, Name(Source) { SELECT … }, is no longer read by the service. Queries have three blocks: source, filter and return.',
      columns === '' ? [] : replacement('Write it in the current form', range, rewritten, false),
    );
    const keywordRange = name.range;
    return {
      ...body,
      range,
      source: { kind: 'sourceBlock', range: keywordRange, keywordRange, items: sources },
    };
  });
}
