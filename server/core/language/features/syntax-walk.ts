import { type TextRange, touches } from '../../text/range.ts';
import { pushChildren } from '../lint/walk.ts';
import type { Node } from '../syntax/ast.ts';

/** The direct children of `node` in the order of the text. */
export function childrenOf(node: Node): readonly Node[] {
  const children: Node[] = [];
  pushChildren(node, children);
  return children;
}

/** Calls `visit` for `root` and everything below it, parents first, in the order of the text. Uses no recursion: nesting costs no stack. */
export function walk(root: Node, visit: (node: Node) => void): void {
  const open: Node[] = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    visit(node);
    const children = childrenOf(node);
    for (let i = children.length - 1; i >= 0; i--) {
      const child = children[i];
      if (child !== undefined) open.push(child);
    }
  }
}

/** The nodes that hold `offset`, from the file inwards. A cursor right behind a node touches it; of two that touch, the later is taken. */
export function nodesAt(root: Node, offset: number): Node[] {
  const path: Node[] = [root];
  for (let node: Node | undefined = root; node !== undefined; ) {
    const next: Node | undefined = childrenOf(node).findLast((child) => touches(child.range, offset));
    if (next !== undefined) path.push(next);
    node = next;
  }
  return path;
}

/** Whether two ranges have a character or a border in common. */
export function rangesTouch(a: TextRange, b: TextRange): boolean {
  return a.start <= b.end && b.start <= a.end;
}
