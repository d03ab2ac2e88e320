import type { TextRange } from '../../text/range.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import type { MissingExpression, Node } from './ast.ts';
import { childrenOf } from './walk.ts';

/**
 * How deep a tree may be. Chains such as `a + a + …` or `x::t::t::…` need no brackets to make a tree as deep as they are long, and
 * everything that reads trees walks them by recursion.
 */
export const maxDepth = 1500;

/** Below this many tokens no tree can be too deep: every level needs one. */
const safeTokens = maxDepth - 20;

/** Cuts what lies deeper than `maxDepth` off a tree, and reports it. Costs nothing for texts of ordinary size. */
export function limitDepth<Root extends Node>(
  root: Root,
  tokenCount: number,
): { readonly node: Root; readonly diagnostics: readonly Diagnostic[] } {
  if (tokenCount < safeTokens) return { node: root, diagnostics: [] };
  const deep: Node[] = [];
  const open: { readonly node: Node; readonly depth: number }[] = [{ node: root, depth: 0 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node, depth } = next;
    if (depth === maxDepth) {
      if (childrenOf(node).length > 0) deep.push(node);
      continue;
    }
    for (const child of childrenOf(node)) open.push({ node: child, depth: depth + 1 });
  }
  if (deep.length === 0) return { node: root, diagnostics: [] };
  for (const node of deep) cut(node);
  const first = deep.reduce((a, b) => (a.range.start < b.range.start ? a : b));
  return { node: root, diagnostics: [tooDeep(first.range)] };
}

/**
 * Makes a node an expression without content. The tree has not been given away yet, so it is changed in place: building the levels above
 * anew would need the very recursion that is to be spared. Nodes that are not expressions are cut at their expressions further down.
 */
function cut(node: Node): void {
  const target = node as unknown as Record<string, unknown>;
  const { range } = node;
  for (const key of Object.keys(target)) delete target[key];
  Object.assign(target, { kind: 'missing', range } satisfies MissingExpression);
}

function tooDeep(range: TextRange): Diagnostic {
  return {
    code: 'nested-too-deeply',
    severity: 'error',
    range: { start: range.start, end: Math.min(range.end, range.start + 40) },
    message: `This expression has more than ${maxDepth} steps inside each other; what lies deeper is not read. Split it up.`,
    fixes: [],
  };
}
