import { assertNever } from '../../assert-never.ts';
import { type TextRange, touches } from '../../text/range.ts';
import type { FilterBlock, Node, ReturnBlock, SourceBlock } from '../syntax/ast.ts';

/** The direct children of `node` in the order of the text. */
export function childrenOf(node: Node): readonly Node[] {
  switch (node.kind) {
    case 'file':
      return present(node.query);
    case 'query':
      return present(node.name, node.body);
    case 'union':
      return node.bodies;
    case 'body':
      return present<SourceBlock | FilterBlock | ReturnBlock>(node.source, node.filter, node.return);
    case 'sourceBlock':
    case 'returnBlock':
    case 'tuple':
      return node.items;
    case 'filterBlock':
      return [node.condition];
    case 'datasource':
      return present(node.name, node.alias, ...node.joins);
    case 'join':
      return node.targets;
    case 'joinTarget':
      return present<Node>(node.datasource, node.on, node.onCondition);
    case 'expansion':
      return present<Node>(node.functionName, node.argument, node.tableAlias, node.columnAlias);
    case 'returnColumn':
      return present<Node>(node.expression, node.alias);
    case 'returnStar':
      return present(node.qualifier);
    case 'column':
      return present(node.qualifier, node.name);
    case 'path':
      return [node.base, ...node.keys];
    case 'cast':
      return [node.operand, node.typeName];
    case 'call':
      return [node.name, ...node.args];
    case 'unary':
    case 'isNull':
      return [node.operand];
    case 'binary':
      return [node.left, node.right];
    case 'like':
      return [node.operand, ...node.patterns];
    case 'inList':
      return [node.operand, ...node.items];
    case 'inQuery':
      return [node.operand, node.body];
    case 'between':
      return [node.operand, node.low, node.high];
    case 'case':
      return present<Node>(node.subject, ...node.branches, node.otherwise);
    case 'caseBranch':
      return [node.when, node.then];
    case 'parenthesized':
      return [node.expression];
    case 'identifier':
    case 'string':
    case 'number':
    case 'boolean':
    case 'null':
    case 'pathKey':
    case 'missing':
      return [];
    default:
      return assertNever(node);
  }
}

function present<T extends Node>(...nodes: readonly (T | undefined)[]): T[] {
  return nodes.filter((node): node is T => node !== undefined);
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
