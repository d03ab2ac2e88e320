import type { Node } from './ast.ts';
import { childrenOf } from './walk.ts';

/**
 * A text that two nodes share exactly when they say the same: blanks, comments, the form of strings and the case of function names do not
 * count, the case of columns and keys does. Much cheaper than printing; for comparing expressions.
 */
export function meaningOf(node: Node): string {
  if (node.kind === 'identifier') return node.name;
  let text = `${node.kind} ${detailsOf(node)}(`;
  for (const child of childrenOf(node)) {
    const isFunction = node.kind === 'call' && child === node.name;
    text += `${isFunction ? node.name.name.toLowerCase() : meaningOf(child)},`;
  }
  return `${text})`;
}

/** A short text that nodes of the same meaning share, and most others do not: tells cheaply what need not be compared. */
export function sketchOf(node: Node): string {
  switch (node.kind) {
    case 'column':
      return node.name.name;
    case 'path':
      return node.keys.at(-1)?.name ?? '';
    case 'call':
      return `${node.name.name.toLowerCase()} ${node.args.length}`;
    case 'binary':
      return `${node.operator} ${node.left.kind === 'binary' ? '' : sketchOf(node.left)}`;
    case 'like':
    case 'inList':
    case 'between':
    case 'isNull':
      return `${node.kind} ${node.operand.kind === 'binary' ? '' : sketchOf(node.operand)}`;
    default:
      return node.kind;
  }
}

/** What a node says besides its children. */
export function detailsOf(node: Node): string {
  switch (node.kind) {
    case 'identifier':
      return node.name;
    case 'string':
      return JSON.stringify(node.value);
    case 'number':
      return node.text;
    case 'boolean':
      return String(node.value);
    case 'pathKey':
      return JSON.stringify(node.name);
    case 'union':
      return node.all ? 'all' : '';
    case 'returnBlock':
      return node.distinct ? 'distinct' : '';
    case 'join':
      return node.parenthesized ? 'group' : '';
    case 'expansion':
      return [node.nonEmpty ? 'non-empty' : '', node.tableAlias === undefined ? '' : 'table-and-column']
        .join(' ')
        .trim();
    case 'returnColumn':
      return node.alias === undefined ? '' : 'alias';
    case 'unary':
      return node.operator;
    case 'binary':
      return node.operator;
    case 'like':
      return `${node.negated ? 'not ' : ''}${node.operator}${node.any ? ' any' : ''}`;
    case 'inList':
    case 'inQuery':
    case 'between':
      return node.negated ? 'not' : '';
    case 'isNull':
      return `${node.negated ? 'not ' : ''}${node.json ? 'json ' : ''}null`;
    case 'case':
      return [node.subject === undefined ? '' : 'subject', node.otherwise === undefined ? '' : 'else'].join(' ').trim();
    case 'call':
      return node.starArgument ? '*' : '';
    default:
      return '';
  }
}
