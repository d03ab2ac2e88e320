import {
  type FilterExpression,
  filterExpressions,
  filterField,
  filterProblem,
  type SearchFilter,
} from '../core/resources/index.ts';

export type FilterResult =
  | { readonly kind: 'filter'; readonly filter: SearchFilter }
  /** `message` says what is wrong with the text and what to write instead. */
  | { readonly kind: 'invalid'; readonly message: string };

const listed: ReadonlySet<FilterExpression> = new Set(['in', 'not_in', 'between']);
const howToWrite = "Write for example 'status eq ACTIVE', 'size between 1,100' or 'tags.\"team:name\" in blue,red'.";

/**
 * Reads a filter as a person writes it: field, expression, operand. Parts of the field with a dot, colon or slash stand in double quotes; the
 * operands of `in`, `not_in` and `between` are separated by commas. Operands are sent as texts, as the service wants them.
 */
export function parseFilter(text: string): FilterResult {
  const match = /^\s*((?:"[^"]*"|[^\s"])+)\s+(\S+)\s*(.*?)\s*$/s.exec(text);
  if (!match) return invalid(`'${text}' is no filter: it needs a field, an expression and an operand.`);
  const [, fieldText = '', expressionText = '', operand = ''] = match;
  const parts = fieldParts(fieldText);
  if (!parts) return invalid(`'${fieldText}' is no name of a field.`);
  const expression = filterExpressions.find((candidate) => candidate === expressionText.toLowerCase());
  if (!expression || expression === 'expr') {
    const known = filterExpressions.filter((candidate) => candidate !== 'expr').join(', ');
    return invalid(`'${expressionText}' is no expression of a filter. There are: ${known}.`);
  }
  if (operand === '') return invalid(`The filter on '${fieldText}' compares with nothing.`);
  const field = filterField(parts);
  const filter: SearchFilter = listed.has(expression)
    ? { field, expression, values: operand.split(',').map((value) => value.trim()) }
    : { field, expression, value: operand };
  const problem = filterProblem(filter);
  return problem === undefined ? { kind: 'filter', filter } : { kind: 'invalid', message: problem };
}

function invalid(message: string): FilterResult {
  return { kind: 'invalid', message: `${message} ${howToWrite}` };
}

/** The parts of a dotted name, without their quotes; undefined where one is empty. */
function fieldParts(text: string): readonly string[] | undefined {
  const parts: string[] = [];
  let rest = text;
  for (;;) {
    const match = /^(?:"([^"]+)"|([^".]+))(\.?)/.exec(rest);
    if (!match) return undefined;
    parts.push(match[1] ?? match[2] ?? '');
    rest = rest.slice(match[0].length);
    if (rest === '') return match[3] === '' ? parts : undefined;
    if (match[3] === '') return undefined;
  }
}
