import { isJsonArray } from '../../values/json.ts';
import { defineFunction } from '../function-definition.ts';

export const arraySize = defineFunction({
  name: 'array_size',
  category: 'json',
  summary: 'The number of elements of a JSON array.',
  parameters: [
    {
      name: 'array',
      type: 'json',
      description: 'The JSON array to count.',
    },
  ],
  returns: 'number',
  nulls: 'Null when the argument is null or not an array.',
  examples: [
    { expression: 'array_size(to_json(\'["a", "b"]\'))', value: 2 },
    { expression: "array_size(to_json('[]'))", value: 0 },
    { expression: 'array_size(to_json(\'{"a": 1}\'))', null: 'sql' },
  ],
  evaluate: ([array]) => (isJsonArray(array) ? array.length : undefined),
});
