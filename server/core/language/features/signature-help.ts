import type { FunctionDefinition } from '../catalog/function-definition.ts';
import type { AnalyzedText } from './analyzed-text.ts';
import { functionMarkdown, parameterLabels, signatureLabel } from './function-text.ts';
import { escapeMarkdown } from './markdown.ts';
import { type Frame, outlineOf, tokenIndexAt } from './token-outline.ts';

export interface SignatureHelp {
  readonly label: string;
  /** Markdown with all data escaped. */
  readonly documentation: string;
  /** Where each parameter stands in `label`: start and end offset. */
  readonly parameters: readonly { readonly label: readonly [number, number]; readonly documentation: string }[];
  /** Index into `parameters`; past the end when too many arguments are given. */
  readonly activeParameter: number;
}

/** The call whose parentheses hold `offset`, with the argument the cursor is in. */
export function signatureHelp(
  query: AnalyzedText,
  offset: number,
  functions: ReadonlyMap<string, FunctionDefinition>,
): SignatureHelp | undefined {
  const outline = outlineOf(query.parsed);
  const { tokens, frames } = outline;
  let at = tokenIndexAt(tokens, offset);
  while (at < tokens.length && (tokens[at]?.end ?? 0) <= offset) at++;
  let frame: Frame | undefined = frames[at];
  while (frame !== undefined && frame.kind === 'group') frame = frame.parent;
  if (frame?.kind !== 'call' || frame.callee === undefined) return undefined;
  const definition = functions.get(frame.callee);
  if (definition === undefined) return undefined;
  let commas = 0;
  for (let i = frame.open + 1; i < at; i++) {
    if (tokens[i]?.text === ',' && frames[i] === frame) commas++;
  }
  return describe(definition, commas);
}

function describe(definition: FunctionDefinition, argument: number): SignatureHelp {
  const pieces = parameterLabels(definition);
  let at = definition.name.length + 1;
  const parameters = pieces.map((piece, i) => {
    const lead = /^\[?(?:, )?/.exec(piece)?.[0].length ?? 0;
    const trail = piece.endsWith(']') ? 1 : 0;
    const label: [number, number] = [at + lead, at + piece.length - trail];
    at += piece.length;
    return { label, documentation: escapeMarkdown(definition.parameters[i]?.description ?? '') };
  });
  const last = definition.parameters.length - 1;
  const isVariadic = definition.parameters[last]?.variadic === true;
  return {
    label: signatureLabel(definition),
    documentation: functionMarkdown(definition),
    parameters,
    activeParameter: isVariadic ? Math.min(argument, last) : argument,
  };
}
