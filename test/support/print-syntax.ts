import type { Node } from '../../server/core/language/syntax/ast.ts';
import type { ParseResult } from '../../server/core/language/syntax/parse.ts';
import { detailsOf } from '../../server/core/language/syntax/print-ast.ts';
import { childrenOf } from '../../server/core/language/syntax/walk.ts';

/** What a printed tree shows besides its structure. */
export interface PrintOptions {
  /** Print the offsets of every node. Two texts that mean the same differ in nothing else. */
  readonly ranges: boolean;
}

/**
 * Prints a tree as text, one node a line, children indented by two blanks: for baselines, and for comparing what two texts
 * mean. Uses no recursion of its own, so any depth will do.
 */
export function printTree(root: Node, options: PrintOptions): string {
  const lines: string[] = [];
  const open: { readonly node: Node; readonly depth: number }[] = [{ node: root, depth: 0 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node, depth } = next;
    const range = options.ranges ? ` ${node.range.start}..${node.range.end}` : '';
    const details = detailsOf(node);
    lines.push(`${'  '.repeat(depth)}${node.kind}${details === '' ? '' : ` ${details}`}${range}`);
    const children = childrenOf(node);
    for (let i = children.length - 1; i >= 0; i--) {
      const child = children[i];
      if (child !== undefined) open.push({ node: child, depth: depth + 1 });
    }
  }
  return `${lines.join('\n')}\n`;
}

/** Prints the tokens and comments of a text in their order, one a line with offsets and kind: for baselines. */
export function printTokens(parsed: ParseResult): string {
  const lines = [
    ...parsed.tokens.map(({ kind, start, end }) => ({ start, end, what: kind as string })),
    ...parsed.comments.map(({ range, style }) => ({ start: range.start, end: range.end, what: `comment ${style}` })),
  ]
    .sort((a, b) => a.start - b.start)
    .map(({ start, end, what }) => `${start}..${end} ${what} ${JSON.stringify(parsed.text.slice(start, end))}`);
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`;
}
