import type { TextRange } from '../../text/range.ts';
import { rangesTouch } from '../../text/range.ts';
import type { FunctionDefinition } from '../catalog/function-definition.ts';
import { walk } from '../syntax/walk.ts';
import type { AnalyzedText } from './analyzed-text.ts';

export interface InlayHint {
  /** Offset the hint stands in front of. */
  readonly offset: number;
  readonly label: string;
}

/** Names of parameters in front of literal arguments of calls with several: `add_days(n: -7, …)` tells which argument is which. */
export function inlayHints(
  query: AnalyzedText,
  range: TextRange,
  functions: ReadonlyMap<string, FunctionDefinition>,
): readonly InlayHint[] {
  const hints: InlayHint[] = [];
  walk(query.model.file, (node) => {
    if (node.kind !== 'call' || node.args.length < 2 || !rangesTouch(node.range, range)) return;
    const parameters = functions.get(node.name.name.toLowerCase())?.parameters ?? [];
    node.args.forEach((argument, i) => {
      const parameter = parameters[i];
      if (parameter === undefined || parameter.variadic === true) return;
      const isLiteral =
        argument.kind === 'string' ||
        argument.kind === 'number' ||
        argument.kind === 'boolean' ||
        argument.kind === 'null' ||
        (argument.kind === 'unary' && argument.operand.kind === 'number');
      if (isLiteral) hints.push({ offset: argument.range.start, label: `${parameter.name}:` });
    });
  });
  return hints.sort((a, b) => a.offset - b.offset);
}
