import { assertNever } from '../../assert-never.ts';
import type {
  BinaryExpression,
  Body,
  CaseExpression,
  DatasourceItem,
  Expression,
  JoinClause,
  QueryFile,
  SourceItem,
} from '../syntax/ast.ts';
import type { Token } from '../syntax/tokens.ts';

/**
 * What may stand in front of a token: nothing, a blank, always a line break, or a break when the group around it does not fit on its line
 * (else a blank, or nothing).
 */
export type GapKind = 'none' | 'blank' | 'break' | 'soft' | 'soft-none';

export interface Gap {
  kind: GapKind;
  /** Levels of indentation when the token begins a line. */
  level: number;
  /** Whether one blank line of the source is kept here. */
  keepsBlankLine: boolean;
}

/** Tokens that stand on one line when they fit. `from` and `to` are token indexes, both inclusive. */
export interface Group {
  readonly from: number;
  readonly to: number;
}

/** The layout of a text: what may stand in front of each token, and which tokens belong on a line together. */
export interface Layout {
  readonly gaps: readonly Gap[];
  /** Outer groups before inner ones. */
  readonly groups: readonly Group[];
}

/** Decides the layout of a tree that has no syntax errors. */
export function layOut(file: QueryFile, tokens: readonly Token[]): Layout {
  const gaps: Gap[] = tokens.map((token, index) => ({
    kind: gapBetween(tokens[index - 1], token, tokens[index - 2]),
    level: 0,
    keepsBlankLine: false,
  }));
  const groups: Group[] = [];
  const indexAt = new Map(tokens.map((token, index) => [token.start, index]));

  const first = (node: { readonly range: { readonly start: number } }): number => indexAt.get(node.range.start) ?? 0;
  /** Index of the last token of a range. */
  const last = (node: { readonly range: { readonly end: number } }): number => {
    let low = 0;
    let high = tokens.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((tokens[middle]?.start ?? 0) < node.range.end) low = middle;
      else high = middle - 1;
    }
    return low;
  };
  const set = (index: number, kind: GapKind, level: number, keepsBlankLine = false): void => {
    const gap = gaps[index];
    if (gap !== undefined) Object.assign(gap, { kind, level, keepsBlankLine });
  };
  /** Gives every token of a stretch a level, for comments that force it onto a line of its own. */
  const fill = (from: number, to: number, level: number): void => {
    for (let i = from; i <= to; i++) {
      const gap = gaps[i];
      if (gap !== undefined) gap.level = level;
    }
  };
  const group = (from: number, to: number): void => {
    if (to > from) groups.push({ from, to });
  };
  /** First token of `kind` at or behind `index`. */
  const find = (kind: Token['kind'], index: number): number => {
    let at = index;
    while (at < tokens.length && tokens[at]?.kind !== kind) at++;
    return at;
  };

  const body = (node: Body, level: number, breaks: GapKind): void => {
    const open = first(node);
    const close = last(node);
    fill(open + 1, close - 1, level + 1);
    if (breaks === 'soft') group(open, close);
    for (const block of [node.source, node.filter, node.return]) {
      if (block === undefined) continue;
      const keyword = first(block);
      const blockOpen = find('{', keyword);
      const blockClose = last(block);
      set(keyword, breaks, level + 1, keyword !== open + 1);
      set(blockClose, breaks, level + 1);
      fill(blockOpen + 1, blockClose - 1, level + 2);
      if (block.kind === 'filterBlock') {
        set(blockOpen + 1, breaks, level + 2);
        condition(block.condition, level + 2, breaks);
        continue;
      }
      for (const [i, item] of block.items.entries()) {
        set(first(item), breaks, level + 2, i > 0);
        if (item.kind === 'returnColumn') expression(item.expression, level + 2);
        else if (item.kind !== 'returnStar') sourceItem(item, level + 2);
      }
    }
    set(close, breaks, level);
  };

  const sourceItem = (item: SourceItem, level: number): void => {
    if (item.kind === 'expansion') expression(item.argument, level);
    else if (item.joins.length > 0) {
      group(first(item), last(item));
      datasource(item, level);
    }
  };

  const datasource = (item: DatasourceItem, level: number): void => {
    for (const join of item.joins) {
      set(first({ range: join.withRange }), 'soft', level + 1);
      joinClause(join, level + 1);
    }
  };

  const joinClause = (join: JoinClause, level: number): void => {
    if (join.parenthesized) {
      const open = first({ range: join.withRange }) + 1;
      const lastTarget = join.targets.at(-1);
      const close = lastTarget === undefined ? open : find(')', last(lastTarget) + 1);
      group(open, close);
      for (const [i, target] of join.targets.entries()) {
        set(first(target), i === 0 ? 'soft-none' : 'soft', level + 1, i > 0);
        datasource(target.datasource, level + 1);
      }
      set(close, 'soft-none', level);
    } else for (const target of join.targets) datasource(target.datasource, level - 1);
    for (const { onCondition } of join.targets) if (onCondition !== undefined) expression(onCondition, level);
  };

  /** The condition of a filter block: its outermost alternatives or conjuncts stand on lines of their own. */
  const condition = (node: Expression, level: number, breaks: GapKind): void => {
    if (node.kind === 'binary' && isLogical(node)) chain(node, level, level, breaks);
    else expression(node, level);
  };

  const chain = (node: BinaryExpression, level: number, operatorLevel: number, breaks: GapKind): void => {
    const operands: Expression[] = [];
    const operators: number[] = [];
    const open: Expression[] = [node];
    // Chains lean to either side, so they are walked with a list of what is left to visit.
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (next.kind === 'binary' && next.operator === node.operator) {
        operators.push(first({ range: next.operatorRange }));
        open.push(next.right, next.left);
      } else operands.push(next);
    }
    for (const index of operators) set(index, breaks, operatorLevel, true);
    for (const operand of operands) {
      if (operand.kind === 'binary' && isLogical(operand)) {
        group(first(operand), last(operand));
        chain(operand, level, operatorLevel + 1, 'soft');
      } else expression(operand, level);
    }
  };

  /** Things in brackets: one line, or one entry a line. */
  const bracketed = (open: number, close: number, items: readonly Expression[], level: number): void => {
    fill(open + 1, close - 1, level + 1);
    group(open, close);
    for (const [i, item] of items.entries()) {
      set(first(item), i === 0 ? 'soft-none' : 'soft', level + 1, i > 0);
      condition(item, level + 1, 'soft');
    }
    if (items.length > 0) set(close, 'soft-none', level);
  };

  const expression = (node: Expression, level: number): void => {
    switch (node.kind) {
      case 'path':
        expression(node.base, level);
        return;
      case 'cast':
        expression(node.operand, level);
        return;
      case 'call':
        bracketed(first({ range: node.argsRange }), last(node), node.args, level);
        return;
      case 'tuple':
        bracketed(first(node), last(node), node.items, level);
        return;
      case 'parenthesized':
        bracketed(first(node), last(node), [node.expression], level);
        return;
      case 'unary': {
        if (node.operator === '-' && node.operand.kind !== 'unary') set(first(node.operand), 'none', level);
        expression(node.operand, level);
        return;
      }
      case 'binary':
        group(first(node), last(node));
        chain(node, level, level + 1, 'soft');
        return;
      case 'like':
        expression(node.operand, level);
        if (node.any) bracketed(find('(', last({ range: node.operatorRange })), last(node), node.patterns, level);
        else for (const pattern of node.patterns) expression(pattern, level);
        return;
      case 'inList':
        expression(node.operand, level);
        bracketed(find('(', last({ range: node.operatorRange })), last(node), node.items, level);
        return;
      case 'inQuery':
        expression(node.operand, level);
        body(node.body, level, 'soft');
        return;
      case 'between':
        expression(node.operand, level);
        expression(node.low, level);
        expression(node.high, level);
        return;
      case 'isNull':
        expression(node.operand, level);
        return;
      case 'case':
        caseExpression(node, level);
        return;
      case 'column':
      case 'string':
      case 'number':
      case 'boolean':
      case 'null':
      case 'missing':
        return;
      default:
        assertNever(node);
    }
  };

  const caseExpression = (node: CaseExpression, level: number): void => {
    const from = first(node);
    const to = last(node);
    fill(from + 1, to - 1, level + 1);
    group(from, to);
    if (node.subject !== undefined) expression(node.subject, level + 1);
    for (const branch of node.branches) {
      set(first(branch), 'soft', level + 1);
      expression(branch.when, level + 1);
      expression(branch.then, level + 1);
    }
    if (node.otherwise !== undefined) {
      set(first(node.otherwise) - 1, 'soft', level + 1);
      expression(node.otherwise, level + 1);
    }
    set(to, 'soft', level);
  };

  const { query } = file;
  if (query?.kind === 'query') body(query.body, 0, 'break');
  else if (query?.kind === 'union') {
    fill(first(query) + 1, last(query) - 1, 1);
    for (const [i, member] of query.bodies.entries()) {
      set(first(member), 'break', 1, i > 0);
      body(member, 1, 'break');
    }
    set(last(query), 'break', 0);
  }
  // Groups are found where they begin; those that begin together nest by their ends.
  groups.sort((a, b) => a.from - b.from || b.to - a.to);
  return { gaps, groups };
}

function isLogical(node: BinaryExpression): boolean {
  return node.operator === 'and' || node.operator === 'or';
}

/** What stands between two tokens when nothing else is known about them. */
function gapBetween(before: Token | undefined, token: Token, beforeBefore: Token | undefined): GapKind {
  if (before === undefined) return 'none';
  switch (token.kind) {
    case ',':
    case ')':
    case '.':
    case ':':
    case '::':
      return 'none';
    case '(':
      return before.kind === 'identifier' && beforeBefore?.kind !== 'as'
        ? 'none'
        : before.kind === '('
          ? 'none'
          : 'blank';
    case '*':
      return before.kind === '.' ? 'none' : 'blank';
    default:
      return before.kind === '(' || before.kind === '.' || before.kind === ':' || before.kind === '::'
        ? 'none'
        : 'blank';
  }
}
