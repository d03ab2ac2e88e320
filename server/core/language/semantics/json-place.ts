import { arrayElement, type JsonPlace } from '../catalog/observed-keys.ts';
import type { ColumnReference, Expression } from '../syntax/ast.ts';
import type { ColumnSymbol, ResultColumn } from './semantic-model.ts';

type References = ReadonlyMap<ColumnReference, ColumnSymbol>;

/** The place in the data that an expression reads, through paths, casts and array expansions; undefined for what is computed. */
export function jsonPlaceOf(expression: Expression, references: References): JsonPlace | undefined {
  const path: string[] = [];
  let node = expression;
  // An expansion reads what stands before it in the source block, so this ends.
  for (;;) {
    if (node.kind === 'parenthesized') node = node.expression;
    else if (node.kind === 'cast') node = node.operand;
    else if (node.kind === 'path') {
      path.unshift(...node.keys.map(({ name }) => name));
      node = node.base;
    } else if (node.kind === 'column') {
      const symbol = references.get(node);
      if (symbol === undefined) return undefined;
      if (symbol.kind === 'column') {
        return { datasource: symbol.source.node.name.name, column: symbol.name, path };
      }
      path.unshift(arrayElement);
      node = symbol.source.node.argument;
    } else return undefined;
  }
}

/** The place that a result column shows. */
export function jsonPlaceOfResult(column: ResultColumn, references: References): JsonPlace | undefined {
  const { expression, symbol } = column;
  if (expression !== undefined) return jsonPlaceOf(expression, references);
  return symbol?.kind === 'column'
    ? { datasource: symbol.source.node.name.name, column: symbol.name, path: [] }
    : undefined;
}
