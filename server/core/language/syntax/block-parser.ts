import type { ParserMethod } from 'chevrotain';
import type { TextRange } from '../../text/range.ts';
import type {
  BinaryExpression,
  Body,
  DatasourceItem,
  Expression,
  FilterBlock,
  ReturnBlock,
  ReturnItem,
  SourceBlock,
  SourceItem,
} from './ast.ts';
import { type BlockWord, blockWords, expressionStart, sourceItemStart, sqlBlocks, sqlClauses } from './kind-sets.ts';
import { missingAt, sqlClauseMessage } from './list-parser.ts';
import { insertion, kindSet, replacement } from './resilient-parser.ts';
import { SourceParser } from './source-parser.ts';

const inBody = kindSet([...blockWords, '}', 'end-of-text']);
const inSource = kindSet([...sourceItemStart, ',', '}', ...blockWords, 'end-of-text']);
const inFilter = kindSet([...expressionStart, ',', 'or', 'and', '}', ...blockWords, 'end-of-text']);
const inReturn = kindSet([...expressionStart, '*', ',', '}', ...blockWords, 'end-of-text']);

/** What a body has gathered so far. */
interface BodyParts {
  source: SourceBlock | undefined;
  filter: FilterBlock | undefined;
  return: ReturnBlock | undefined;
}

/** Arguments of the rules of blocks: whether the keyword is that of another language. */
const asWritten: { ARGS: [boolean] } = { ARGS: [false] };
const inOtherWords: { ARGS: [boolean] } = { ARGS: [true] };

/** The rules of a query's body and its three blocks. */
export abstract class BlockParser extends SourceParser {
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

  /** Reads blocks up to the end of the body. By hand, like all rules that queries inside queries pass through, for the sake of the stack. */
  private bodyBlocks(parts: BodyParts): void {
    if (this.RECORDING_PHASE) {
      this.MANY(() => {
        this.OR([
          { ALT: () => void this.SUBRULE(this.sourceBlock) },
          { ALT: () => void this.SUBRULE(this.filterBlock) },
          { ALT: () => void this.SUBRULE(this.returnBlock) },
        ]);
      });
      return;
    }
    for (;;) {
      if (!this.isIn(inBody)) this.syncBody(parts);
      if (this.at('source')) this.addSource(parts, this.SUBRULE1(this.sourceBlock, asWritten));
      else if (this.at('filter')) this.addFilter(parts, this.SUBRULE1(this.filterBlock, asWritten));
      else if (this.at('return')) this.addReturn(parts, this.SUBRULE1(this.returnBlock, asWritten));
      else return;
    }
  }

  private requireBlocks(parts: BodyParts, from: number, range: TextRange): void {
    if (this.RECORDING_PHASE || (parts.source !== undefined && parts.return !== undefined)) return;
    const place = this.placeHere();
    if (!this.isQuiet(range)) return;
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

  private addSource(parts: BodyParts, block: SourceBlock): void {
    if (this.RECORDING_PHASE) return;
    this.checkOrder(parts, 'source', block.keywordRange);
    const first = parts.source === undefined;
    parts.source = first ? block : joined(parts.source ?? block, block);
    const datasources = block.items.filter((item) => item.kind === 'datasource');
    const [only] = datasources;
    this.onlySource =
      first && datasources.length === 1 && only !== undefined && only.joins.length === 0
        ? (only.alias ?? only.name).name
        : undefined;
    this.dottedNames = dottedNamesOf(block, this.dottedNames);
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
    parts.return = parts.return === undefined ? block : joined(parts.return, block);
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
      if (block !== undefined && this.kindAt(index + 1) === '{') this.foreignBlock(parts, index, block, 'sql-block');
      else if (this.atMisspeltBlock(word))
        this.foreignBlock(parts, index, nearestBlock(word) ?? 'filter', 'unexpected-token');
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

  private atMisspeltBlock(word: string): boolean {
    const block = this.at('identifier') ? nearestBlock(word) : undefined;
    if (block === undefined) return false;
    return (
      this.peekKind(1) === '{' || (block === 'return' && this.nextWord(1) === 'distinct' && this.peekKind(2) === '{')
    );
  }

  /** A block whose keyword is that of SQL, or misspelt. */
  private foreignBlock(
    parts: BodyParts,
    index: number,
    block: BlockWord,
    code: 'sql-block' | 'unexpected-token',
  ): void {
    const range = this.rangeOf(index);
    this.report(
      code,
      range,
      `The ${block} block begins with '${block}', not with '${this.textOf(index)}'.`,
      replacement(`Change to '${block}'`, range, block, code === 'sql-block'),
    );
    if (block === 'source') this.addSource(parts, this.SUBRULE1(this.sourceBlock, inOtherWords));
    else if (block === 'filter') this.addFilter(parts, this.SUBRULE1(this.filterBlock, inOtherWords));
    else this.addReturn(parts, this.SUBRULE1(this.returnBlock, inOtherWords));
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

  /** The keyword of a block, or the word of another language in its place, which the caller has reported. */
  private blockKeyword(foreign: boolean, word: BlockWord): TextRange {
    return this.rangeOf(foreign ? this.advance() : this.take(0, word));
  }

  private openBlock(word: BlockWord): number {
    return this.expect(0, '{', () =>
      this.reportHere('missing-token', `Expected '{' after '${word}', but found ${this.found()}.`),
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

  protected readonly sourceBlock: ParserMethod<[boolean], SourceBlock> = this.RULE(
    'sourceBlock',
    (foreign = false): SourceBlock => {
      this.steps++;
      const from = this.index();
      const keywordRange = this.blockKeyword(foreign, 'source');
      const open = this.openBlock('source');
      const items: SourceItem[] = [];
      this.separated(inSource, 'a datasource', items, () => this.SUBRULE(this.sourceItem));
      if (items.length === 0) this.emptyBlock(keywordRange, 'source', 'Name the datasource that the query reads.');
      this.closeBlock(open, keywordRange, 'source');
      return { kind: 'sourceBlock', range: this.rangeFrom(from), keywordRange, items: items.slice() };
    },
  );

  protected readonly filterBlock: ParserMethod<[boolean], FilterBlock> = this.RULE(
    'filterBlock',
    (foreign = false): FilterBlock => {
      this.steps++;
      const from = this.index();
      const keywordRange = this.blockKeyword(foreign, 'filter');
      const open = this.openBlock('filter');
      let condition: Expression | undefined;
      let connective: { readonly operator: 'and' | 'or'; readonly range: TextRange } | undefined;
      if (this.RECORDING_PHASE) this.recordFilter();
      while (!this.RECORDING_PHASE) {
        if (!this.isIn(inFilter)) this.sync(inFilter, () => this.unexpectedInFilter(condition !== undefined));
        if (this.isExpressionStart()) {
          if (condition !== undefined && connective === undefined) this.missingConnective();
          const next = this.SUBRULE1(this.expression);
          condition = condition === undefined ? next : conjunction(condition, next, connective);
          connective = undefined;
        } else if (this.at(',')) this.commaInFilter();
        else if (this.at('and')) connective = this.strayConnective('and', condition !== undefined);
        else if (this.at('or')) connective = this.strayConnective('or', condition !== undefined);
        else break;
      }
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

  private recordFilter(): void {
    this.MANY(() => {
      this.OR([
        { ALT: () => void this.SUBRULE(this.expression) },
        ...([',', 'and', 'or'] as const).map((kind) => ({ ALT: () => void this.take(0, kind) })),
      ]);
    });
  }

  private missingConnective(): void {
    this.reportHere(
      'missing-connective',
      `Two conditions follow each other. Write 'and' or 'or' between ${this.previous()} and ${this.found()}.`,
      { fixes: insertion("Insert 'and'", this.here(), ' and', false) },
    );
  }

  private commaInFilter(): void {
    const index = this.index();
    this.reportHere('missing-connective', "Conditions are joined with 'and' or 'or', not with a comma.", {
      fixes: replacement("Change to 'and'", this.rangeOf(index), ' and', false),
    });
    this.advance();
    this.silenceHere();
  }

  /** `and` or `or` where an expression has ended already: behind dropped text, or at the beginning. */
  private strayConnective(operator: 'and' | 'or', hasLeft: boolean): { operator: 'and' | 'or'; range: TextRange } {
    if (!hasLeft) this.reportHere('missing-expression', `Expected a condition before '${operator}'.`);
    return { operator, range: this.rangeOf(this.advance()) };
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

  protected readonly returnBlock: ParserMethod<[boolean], ReturnBlock> = this.RULE(
    'returnBlock',
    (foreign = false): ReturnBlock => {
      this.steps++;
      const from = this.index();
      const keywordRange = this.blockKeyword(foreign, 'return');
      let distinctRange: TextRange | undefined;
      // Behind a word that is not return, the lexer takes distinct for a name.
      if (foreign && this.nextWord() === 'distinct') distinctRange = this.rangeOf(this.advance());
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
      const distinct = distinctRange !== undefined;
      // Copied to their exact length; a repeated block may still add to them, so they are never the shared empty list.
      return { kind: 'returnBlock', range, keywordRange, distinct, distinctRange, items: items.slice() };
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
    // Ranges that are the same are shared: trees of many queries are held in memory together.
    const range =
      alias === undefined && !this.RECORDING_PHASE ? this.rangeOver(from, expression.range) : this.rangeFrom(from);
    return { kind: 'returnColumn', range, expression, alias };
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

/** A block and one of the same kind behind it as one. The first is taken over: it belongs to nobody else yet, and blocks can be many. */
function joined<Block extends SourceBlock | ReturnBlock>(first: Block, second: Block): Block {
  const items = first.items as (SourceItem | ReturnItem)[];
  for (const item of second.items) items.push(item);
  return { ...first, range: spanned(first, second) };
}

/** Names with a dot among the datasources of a block, joined ones included, added to those known. */
function dottedNamesOf(source: SourceBlock, known: Set<string> | undefined): Set<string> | undefined {
  let names = known;
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

/** The block whose name is at most two slips of the finger away from a word. */
function nearestBlock(word: string): BlockWord | undefined {
  return blockWords.find((block) => Math.abs(block.length - word.length) <= 2 && slips(word, block) <= 2);
}

/** How many letters must be changed, added, left out or swapped with their neighbour to make one word of another. */
function slips(from: string, to: string): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: to.length + 1 }, (_, i) => i);
  for (let i = 1; i <= from.length; i++) {
    const row = [i];
    for (let j = 1; j <= to.length; j++) {
      const same = from[i - 1] === to[j - 1];
      let best = Math.min((previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (previous[j - 1] ?? 0) + (same ? 0 : 1));
      if (i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]) {
        best = Math.min(best, (beforePrevious[j - 2] ?? 0) + 1);
      }
      row.push(best);
    }
    beforePrevious = previous;
    previous = row;
  }
  return previous[to.length] ?? 0;
}
