import { jsonToNumber, jsonToString } from '../../values/convert.ts';
import { isJsonArray, isNumber, jsonEquals } from '../../values/json.ts';
import type { Value } from '../../values/value.ts';
import { defineFunction } from '../function-definition.ts';

export const anyInArray = defineFunction({
  name: 'any_in_array',
  category: 'json',
  summary: 'Whether a JSON array holds at least one of the given values.',
  parameters: [
    {
      name: 'array',
      type: 'json',
      description: 'The JSON array to look in.',
    },
    {
      name: 'value',
      type: 'any',
      variadic: true,
      description:
        'A value to look for: a literal, a column, an expression or null. A text is compared with the text of each element, a number with its number.',
    },
  ],
  returns: 'boolean',
  nulls:
    'Never null: a first argument that is null or not an array gives false. A null among the values finds a JSON null in the array.',
  examples: [
    { expression: "any_in_array(to_json('[\"ssh\", \"http\"]'), 'http', 'https')", value: true },
    { expression: "any_in_array(to_json('[22, 443]'), 443)", value: true },
    { expression: "any_in_array(to_json('[22, 443]'), 80)", value: false },
    { expression: "any_in_array(to_json('{}'), 'http')", value: false },
    { expression: "any_in_array(to_json('[null]'), null)", value: true },
  ],
  handlesNull: true,
  evaluate: ([array, ...values]) =>
    isJsonArray(array) && array.some((element) => values.some((value) => matches(element, value))),
});

/** The same reading as `=` between JSON and another type: the element takes on the type of the value. */
function matches(element: Value, value: Value): boolean {
  if (value === undefined || value === null) return element === null;
  if (typeof value === 'string') return jsonToString(element) === value;
  const number = isNumber(value) ? jsonToNumber(element) : undefined;
  return number === undefined ? jsonEquals(element, value) : jsonEquals(number, value);
}
