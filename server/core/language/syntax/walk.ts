import { assertNever } from '../../assert-never.ts';
import { touches } from '../../text/range.ts';
import type { Node } from './ast.ts';

/** The children of a node in the order of the text. */
export function childrenOf(node: Node): readonly Node[] {
  switch (node.kind) {
    case 'file':
      return present(node.query);
    case 'query':
      return present(node.name, node.body);
    case 'union':
      return node.bodies;
    case 'body':
      return inOrder(present(node.source, node.filter, node.return));
    case 'sourceBlock':
      return node.items;
    case 'filterBlock':
      return [node.condition];
    case 'returnBlock':
      return node.items;
    case 'datasource':
      return present(node.name, node.alias, ...node.joins);
    case 'join':
      return node.targets;
    case 'joinTarget':
      return inOrder(present(node.datasource, node.on, node.onCondition));
    case 'expansion':
      return present(node.functionName, node.argument, node.tableAlias, node.columnAlias);
    case 'returnColumn':
      return present(node.expression, node.alias);
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
    case 'isNull':
      return [node.operand];
    case 'case':
      return present(node.subject, ...node.branches, node.otherwise);
    case 'caseBranch':
      return [node.when, node.then];
    case 'tuple':
      return node.items;
    case 'parenthesized':
      return [node.expression];
    case 'identifier':
    case 'pathKey':
    case 'string':
    case 'number':
    case 'boolean':
    case 'null':
    case 'missing':
      return none;
    default:
      return assertNever(node);
  }
}

const none: readonly Node[] = [];

function present(...nodes: readonly (Node | undefined)[]): readonly Node[] {
  return nodes.filter((node) => node !== undefined);
}

/** Blocks of a broken query can stand in another order than the one they are kept in. */
function inOrder(nodes: readonly Node[]): readonly Node[] {
  return [...nodes].sort((a, b) => a.range.start - b.range.start);
}

/**
 * Visits a node and everything below it, parents first, in the order of the text. `enter` may give false to leave out what is below a
 * node. Uses no stack of its own calls, so depth does not matter.
 */
export function walk(root: Node, enter: (node: Node, parent: Node | undefined) => boolean | undefined): void {
  const open: { readonly node: Node; readonly parent: Node | undefined }[] = [{ node: root, parent: undefined }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node, parent } = next;
    if (enter(node, parent) === false) continue;
    const children = childrenOf(node);
    for (let i = children.length - 1; i >= 0; i--) {
      const child = children[i];
      if (child !== undefined) open.push({ node: child, parent: node });
    }
  }
}

/**
 * The nodes around an offset, from the file inwards. Both ends of a range count as inside, so that a cursor behind a name touches it; of
 * two nodes that meet at the offset the one that begins there wins, unless the other is a name or a literal.
 */
export function nodePathAt(root: Node, offset: number): readonly Node[] {
  const path: Node[] = [];
  let node: Node | undefined = touches(root.range, offset) ? root : undefined;
  while (node !== undefined) {
    path.push(node);
    const touching: readonly Node[] = childrenOf(node).filter((child) => touches(child.range, offset));
    node = touching.find((child) => child.range.start < offset && offset < child.range.end) ?? best(touching, offset);
  }
  return path;
}

function best(touching: readonly Node[], offset: number): Node | undefined {
  const beginning = touching.find((child) => child.range.start === offset && child.range.end > offset);
  const ending = touching.findLast((child) => child.range.end === offset);
  if (beginning === undefined) return ending ?? touching[0];
  return beginning;
}
