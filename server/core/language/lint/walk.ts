import { assertNever } from '../../assert-never.ts';
import type { DatasourceItem, Node, QueryFile } from '../syntax/ast.ts';

/**
 * Visits every node of a tree before its children, in the order of the text. A loop with a stack of its own: trees of operators can be
 * as deep as their text is long.
 */
export function walk(file: QueryFile, enter: (node: Node, parent: Node | undefined) => void): void {
  const nodes: Node[] = [file];
  const parents: (Node | undefined)[] = [undefined];
  const children: Node[] = [];
  for (let node = nodes.pop(); node !== undefined; node = nodes.pop()) {
    enter(node, parents.pop());
    children.length = 0;
    pushChildren(node, children);
    for (let i = children.length - 1; i >= 0; i--) {
      const child = children[i];
      if (child === undefined) continue;
      nodes.push(child);
      parents.push(node);
    }
  }
}

/** Appends the children of a node in the order of the text. */
function pushChildren(node: Node, into: Node[]): void {
  switch (node.kind) {
    case 'file':
      add(into, node.query);
      return;
    case 'query':
      add(into, node.name);
      into.push(node.body);
      return;
    case 'union':
      into.push(...node.bodies);
      return;
    case 'body':
      add(into, node.source);
      add(into, node.filter);
      add(into, node.return);
      return;
    case 'sourceBlock':
    case 'returnBlock':
    case 'tuple':
      for (const item of node.items) into.push(item);
      return;
    case 'filterBlock':
      into.push(node.condition);
      return;
    case 'datasource':
      pushDatasource(node, into);
      return;
    case 'join':
      for (const target of node.targets) into.push(target);
      return;
    case 'joinTarget':
      into.push(node.datasource);
      add(into, node.on);
      add(into, node.onCondition);
      return;
    case 'expansion':
      into.push(node.functionName, node.argument);
      add(into, node.tableAlias);
      add(into, node.columnAlias);
      return;
    case 'returnColumn':
      into.push(node.expression);
      add(into, node.alias);
      return;
    case 'returnStar':
      add(into, node.qualifier);
      return;
    case 'column':
      add(into, node.qualifier);
      into.push(node.name);
      return;
    case 'path':
      into.push(node.base);
      for (const key of node.keys) into.push(key);
      return;
    case 'cast':
      into.push(node.operand, node.typeName);
      return;
    case 'call':
      into.push(node.name);
      for (const argument of node.args) into.push(argument);
      return;
    case 'unary':
    case 'isNull':
      into.push(node.operand);
      return;
    case 'binary':
      into.push(node.left, node.right);
      return;
    case 'like':
      into.push(node.operand);
      for (const pattern of node.patterns) into.push(pattern);
      return;
    case 'inList':
      into.push(node.operand);
      for (const item of node.items) into.push(item);
      return;
    case 'inQuery':
      into.push(node.operand, node.body);
      return;
    case 'between':
      into.push(node.operand, node.low, node.high);
      return;
    case 'case':
      add(into, node.subject);
      for (const branch of node.branches) into.push(branch);
      add(into, node.otherwise);
      return;
    case 'caseBranch':
      into.push(node.when, node.then);
      return;
    case 'parenthesized':
      into.push(node.expression);
      return;
    case 'identifier':
    case 'pathKey':
    case 'string':
    case 'number':
    case 'boolean':
    case 'null':
    case 'missing':
      return;
    default:
      assertNever(node);
  }
}

function pushDatasource(node: DatasourceItem, into: Node[]): void {
  into.push(node.name);
  add(into, node.alias);
  for (const join of node.joins) into.push(join);
}

function add(into: Node[], node: Node | undefined): void {
  if (node !== undefined) into.push(node);
}
