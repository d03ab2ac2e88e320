import type { Body, Expression } from '../../server/core/language/syntax/ast.ts';
import type { Value } from '../../server/core/language/values/value.ts';

/**
 * What an engine without compilation would be: it walks the syntax tree for every row. It knows just enough of the language for the benchmark's
 * queries and is the anchor the compiled engine is compared with.
 */
export function interpret(body: Body, rows: readonly { readonly [column: string]: Value }[]): Value[][] {
  const expansions = (body.source?.items ?? []).filter((item) => item.kind === 'expansion');
  const results: Value[][] = [];
  const seen = new Set<string>();
  const bindings: { [name: string]: Value } = {};
  const visit = (row: { readonly [column: string]: Value }, depth: number): void => {
    const expansion = expansions[depth];
    if (expansion !== undefined) {
      const array = evaluate(expansion.argument, row, bindings);
      const elements: readonly Value[] = Array.isArray(array) && array.length > 0 ? array : [undefined];
      for (const element of elements) {
        bindings[expansion.columnAlias?.name ?? ''] = element;
        visit(row, depth + 1);
      }
      return;
    }
    if (body.filter !== undefined && evaluate(body.filter.condition, row, bindings) !== true) return;
    const values = (body.return?.items ?? []).map((item) =>
      item.kind === 'returnColumn' ? evaluate(item.expression, row, bindings) : undefined,
    );
    const key = JSON.stringify(values);
    if (seen.has(key)) return;
    seen.add(key);
    results.push(values);
  };
  for (const row of rows) visit(row, 0);
  return results;
}

type Row = { readonly [column: string]: Value };

function evaluate(node: Expression, row: Row, bindings: Row): Value {
  switch (node.kind) {
    case 'string':
    case 'number':
      return node.value;
    case 'column':
      return node.name.name in bindings ? bindings[node.name.name] : row[node.name.name];
    case 'path': {
      let value = evaluate(node.base, row, bindings);
      for (const key of node.keys) {
        if (typeof value !== 'object' || value === null) return undefined;
        value = (value as Row)[key.name];
      }
      return value;
    }
    case 'cast': {
      const value = evaluate(node.operand, row, bindings);
      return value === undefined || typeof value === 'string' ? value : JSON.stringify(value);
    }
    case 'binary': {
      const left = evaluate(node.left, row, bindings);
      if (node.operator === 'and') return left === true && evaluate(node.right, row, bindings) === true;
      const right = evaluate(node.right, row, bindings);
      return left === undefined || right === undefined ? undefined : left === right;
    }
    case 'inList': {
      const value = evaluate(node.operand, row, bindings);
      return node.items.some((item) => evaluate(item, row, bindings) === value);
    }
    case 'isNull':
      return (evaluate(node.operand, row, bindings) === undefined) !== node.negated;
    case 'call': {
      const [text, prefix] = node.args.map((arg) => evaluate(arg, row, bindings));
      return typeof text === 'string' ? text.startsWith(String(prefix)) : undefined;
    }
    case 'like': {
      const text = evaluate(node.operand, row, bindings);
      const pattern = node.patterns[0];
      if (pattern?.kind !== 'string') return undefined;
      const whole = typeof text === 'string' ? text : JSON.stringify(text);
      return whole.includes(pattern.value.replaceAll('%', ''));
    }
    default:
      throw new Error(`The benchmark's interpreter does not know ${node.kind}.`);
  }
}
