import type { ParserMethod } from 'chevrotain';
import type { TextRange } from '../../text/range.ts';
import type { Expression } from './ast.ts';
import { blockWords, expressionStart, expressionStartSet } from './kind-sets.ts';
import { insertion, type KindSet, kindSet, ResilientParser, replacement } from './resilient-parser.ts';

/** What a list in parentheses holds. */
export interface ParenthesizedList {
  readonly items: readonly Expression[];
  readonly range: TextRange;
  /** Whether a `*` stood among the items. */
  readonly star: boolean;
  /** Whether there was a comma: then one item in parentheses is a tuple that lacks its second. */
  readonly comma: boolean;
}

/** Where a list in parentheses can go on or must stop. */
const inParentheses = kindSet([...expressionStart, ',', '*', ')', '}', ...blockWords, 'end-of-text']);

/** What an entry of a block can begin with, in any block. */
const entryStart = kindSet([...expressionStart, '*']);

/** Lists of all kinds: entries, commas, and what people get wrong about them. */
export abstract class ListParser extends ResilientParser {
  abstract readonly expression: ParserMethod<[], Expression>;

  /** A list in parentheses: arguments, values, patterns, or one expression. */
  readonly list: ParserMethod<[], ParenthesizedList> = this.RULE('list', (): ParenthesizedList => {
    this.steps++;
    const open = this.take(0, '(');
    const items: Expression[] = [];
    let star = false;
    let comma = -1;
    let separated = true;
    if (this.RECORDING_PHASE) {
      this.MANY(() => {
        this.OR([
          { ALT: () => void this.SUBRULE(this.expression) },
          { ALT: () => void this.take(0, ',') },
          { ALT: () => void this.take(0, '*') },
        ]);
      });
    }
    // Read by hand for the sake of the stack, as expressions are.
    while (!this.RECORDING_PHASE) {
      if (!this.isIn(inParentheses)) this.sync(inParentheses, () => this.unexpectedInList(items.length));
      if (this.isIn(expressionStartSet)) {
        if (!separated) this.missingComma();
        separated = false;
        items.push(this.SUBRULE(this.expression));
      } else if (this.at(',')) {
        if (separated) this.extraComma(this.index());
        comma = this.advance();
        separated = true;
      } else if (this.at('*')) {
        this.advance();
        star = true;
        separated = false;
      } else break;
    }
    if (separated && comma >= 0 && items.length > 0) this.trailingComma(comma);
    this.expect(0, ')', () => {
      // Where something in the list is broken, the bracket is missing because of it.
      if (this.isQuiet(this.rangeFrom(open))) this.unclosed(open, ')', 'parenthesis');
      else this.silenceHere();
    });
    return { items: exactly(items), range: this.rangeFrom(open), star, comma: comma >= 0 };
  });

  protected unexpectedInList(count: number): void {
    this.reportHere(
      'unexpected-token',
      count === 0
        ? `Expected a value after '(', but found ${this.found()}.`
        : `Expected ',' or ')' after ${this.previous()}, but found ${this.found()}.`,
    );
  }

  /** Reports a bracket that is never closed, showing where it was opened. */
  protected unclosed(open: number, close: ')' | '}', what: string): void {
    const range = this.rangeOf(open);
    this.reportHere('missing-token', `Expected '${close}' to close this ${what}, but found ${this.found()}.`, {
      fixes: insertion(`Insert '${close}'`, this.here(), close === '}' ? ' }' : ')', false),
      related: [{ range, message: `'${this.textOf(open)}' was opened here.` }],
    });
  }

  protected missingComma(): void {
    const at = this.here();
    this.reportHere('missing-comma', `A comma is missing between ${this.previous()} and ${this.found()}.`, {
      fixes: insertion("Insert ','", at, ',', false),
    });
  }

  protected extraComma(place: number): void {
    this.reportHere(
      'extra-comma',
      `Nothing stands between this comma and ${this.previous()}. Remove it, or add the missing entry.`,
      {
        fixes: replacement('Remove the comma', this.rangeOf(place), '', false),
      },
    );
  }

  protected trailingComma(comma: number): void {
    const range = this.rangeOf(comma);
    this.report(
      'trailing-comma',
      range,
      'No documented query has a comma behind the last entry; the service may reject it. Remove it.',
      replacement('Remove the comma', range, '', true),
    );
  }

  protected isExpressionStart(): boolean {
    return this.isIn(expressionStartSet);
  }

  /** Reads entries and commas up to the end of a block; reports commas that are missing or too many. Used once a rule. */
  protected separated<Item>(allowed: Uint8Array, what: string, items: Item[], item: () => Item): void {
    let comma = -1;
    let separated = true;
    this.MANY({
      GATE: () => this.isIn(allowed) || this.sync(allowed, () => this.unexpectedInBlock(items.length, what)),
      DEF: () =>
        this.OR([
          {
            ALT: () => {
              if (!separated && this.atForeignClause()) return this.foreignClause(allowed);
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

  /** Whether a clause of SQL begins here, behind an entry: `where`, `limit`, `order by` … */
  private atForeignClause(): boolean {
    const word = this.nextWord();
    if (this.at('reserved')) return word === 'where' || word === 'limit';
    return (word === 'order' || word === 'group') && this.nextWord(1) === 'by';
  }

  /** Reports a clause of SQL among the entries of a block and drops it. */
  private foreignClause(allowed: KindSet): void {
    const from = this.index();
    const word = this.nextWord();
    this.skip();
    while (!this.at(',') && !this.at('}') && (allowed[this.next()] !== 1 || this.isIn(entryStart))) this.skipGroup();
    const range = this.rangeFrom(from);
    if (word === 'where') {
      this.report(
        'sql-block',
        range,
        'Conditions stand in a block of their own, behind the source block: filter { … }.',
      );
    } else this.report('sql-clause', range, sqlClauseMessage(word), replacement('Remove it', range, '', false));
    this.silenceHere();
  }

  protected unexpectedInBlock(count: number, what: string): void {
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
}

/**
 * A list without room to grow. Lists that are pushed to keep room for many more entries; a tree is mostly short lists that live as long as
 * its document is open. Empty ones are shared.
 */
export function exactly<Item>(items: readonly Item[]): readonly Item[] {
  return items.length === 0 ? none : items.slice();
}

const none: readonly never[] = Object.freeze([]);

export function missingAt(offset: number): Expression {
  return { kind: 'missing', range: { start: offset, end: offset } };
}

/** Why LQL lacks a clause that SQL has. */
export function sqlClauseMessage(word: string): string {
  if (word === 'limit' || word === 'offset') {
    return `LQL has no '${word}': the number of rows is an option of the run, not of the query. Remove it.`;
  }
  if (word === 'order')
    return "LQL has no 'order by': rows come in no order and are sorted where they are shown. Remove it.";
  return `LQL has no '${word}${word === 'group' ? ' by' : ''}' and no aggregation. Remove it; return distinct removes duplicate rows.`;
}
