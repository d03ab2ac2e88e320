import type { FunctionDefinition } from '../../catalog/function-definition.ts';
import type { AnalyzedText } from '../analyzed-text.ts';
import { functionMarkdown, signatureLabel } from '../function-text.ts';
import { outlineOf, tokenIndexAt } from '../token-outline.ts';
import type { CompletionContext } from './completion-context.ts';
import { type CompletionItem, type CompletionOptions, escapeSnippet } from './completion-item.ts';

export function functionItems(
  query: AnalyzedText,
  context: CompletionContext & { kind: 'operand' },
  options: CompletionOptions,
): CompletionItem[] {
  const { tokens } = outlineOf(query.parsed);
  const after = tokenIndexAt(tokens, context.range.end + 1);
  const followedByParen = tokens[after]?.text === '(';
  const items: CompletionItem[] = [];
  for (const definition of options.functions.values()) {
    if (definition.sourceOnly === true) continue;
    items.push(functionItem(definition, options.snippets, followedByParen));
  }
  return items;
}

/** A call of `definition`, its arguments as placeholders; only the name where the parenthesis stands already. */
export function functionItem(
  definition: FunctionDefinition,
  snippets: boolean,
  followedByParen: boolean,
): CompletionItem {
  const required = definition.parameters.filter((parameter) => parameter.optional !== true);
  const placeholders = required.map((parameter, i) => `\${${i + 1}:${escapeSnippet(parameter.name)}}`).join(', ');
  const plain = followedByParen || !snippets;
  return {
    label: definition.name,
    kind: 'function',
    signature: signatureLabel(definition).slice(definition.name.length),
    detail: definition.summary,
    documentation: () => functionMarkdown(definition),
    insertText: plain ? definition.name : `${definition.name}(${placeholders})`,
    ...(plain ? {} : { isSnippet: true }),
    ...(definition.deprecated === undefined ? {} : { deprecated: true }),
    rank: definition.deprecated === undefined ? 40 : 45,
  };
}
