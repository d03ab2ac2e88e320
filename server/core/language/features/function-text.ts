import type { FunctionDefinition, Parameter, ParameterType } from '../catalog/function-definition.ts';
import { dataTypeOf, type LqlType } from '../types/types.ts';
import { codeBlock, escapeMarkdown } from './markdown.ts';

/** `substring(s, start [, length])` with types: what a person reads in completion, hover and signature help. */
export function signatureLabel(definition: FunctionDefinition): string {
  return `${definition.name}(${parameterLabels(definition).join('')}): ${returnLabel(definition)}`;
}

/** The pieces between the parentheses, one a parameter, separators and brackets of optional ones included. Joined they give the list. */
export function parameterLabels(definition: FunctionDefinition): string[] {
  return definition.parameters.map((parameter, i) => {
    const separator = i === 0 ? '' : ', ';
    return parameter.optional === true
      ? `[${separator}${parameterLabel(parameter)}]`
      : `${separator}${parameterLabel(parameter)}`;
  });
}

function parameterLabel(parameter: Parameter): string {
  return `${parameter.name}${parameter.variadic === true ? '…' : ''}: ${typeLabel(parameter.type)}`;
}

function returnLabel({ returns, parameters }: FunctionDefinition): string {
  if (typeof returns === 'string') return typeLabel(returns);
  const parameter = parameters[returns.sameAsParameter];
  return parameter === undefined ? 'any' : `type of ${parameter.name}`;
}

function typeLabel(type: ParameterType | LqlType): string {
  if (type === 'any' || type === 'unknown') return 'any';
  return dataTypeOf(type);
}

/** Documentation of a function as Markdown: signature, what it does, its arguments, nulls, examples. */
export function functionMarkdown(definition: FunctionDefinition): string {
  const parts = [codeBlock(signatureLabel(definition)), escapeMarkdown(definition.summary)];
  if (definition.deprecated !== undefined) parts.push(`**Deprecated.** ${escapeMarkdown(definition.deprecated)}`);
  const described = definition.parameters.map(
    (parameter) => `- ${escapeMarkdown(parameter.name)}: ${escapeMarkdown(parameter.description)}`,
  );
  if (described.length > 0) parts.push(described.join('\n'));
  parts.push(`*Null:* ${escapeMarkdown(definition.nulls)}`);
  const [example] = definition.examples;
  if (example !== undefined) {
    const value = example.null === 'sql' || example.value === undefined ? 'null' : valueText(example.value);
    parts.push(codeBlock(`${example.expression}  -- ${value}`));
  }
  return parts.join('\n\n');
}

function valueText(value: NonNullable<FunctionDefinition['examples'][number]['value']> | null): string {
  return JSON.stringify(value, (_key, inner: unknown) => (typeof inner === 'bigint' ? inner.toString() : inner));
}
