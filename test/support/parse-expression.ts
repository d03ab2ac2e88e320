import type { Diagnostic } from '../../server/core/language/diagnostics/diagnostic.ts';
import type { Expression } from '../../server/core/language/syntax/ast.ts';
import { parse } from '../../server/core/language/syntax/parse.ts';
import type { TextRange } from '../../server/core/text/range.ts';

const before = '{ source { ONE_ROW } return { ';

export interface ParsedExpression {
  readonly expression: Expression;
  readonly diagnostics: readonly Diagnostic[];
  /** The part of the text that is the expression; what is left is its alias. */
  readonly range: TextRange;
}

/** Reads one expression as a query returns it. Offsets of what lies inside it are the query's; `range` is the text's own. */
export function parseExpression(text: string): ParsedExpression {
  // The line break keeps a trailing comment from swallowing what follows.
  const { file, diagnostics } = parse(`${before}${text}\n} }`);
  const item = file.query?.kind === 'query' ? file.query.body.return?.items[0] : undefined;
  if (item?.kind !== 'returnColumn') throw new Error(`'${text}' is no expression.`);
  const { start, end } = item.expression.range;
  return {
    expression: item.expression,
    diagnostics,
    range: { start: start - before.length, end: end - before.length },
  };
}
