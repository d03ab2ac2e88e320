import { isJsonArray } from '../../values/json.ts';
import { defineFunction } from '../function-definition.ts';

export const isArray = defineFunction({
  name: 'is_array',
  category: 'json',
  summary: 'Whether a value is a JSON array.',
  parameters: [
    {
      name: 'value',
      type: 'json',
      description: 'The JSON value to test.',
    },
  ],
  returns: 'boolean',
  nulls: 'Null when an argument is null. A JSON null gives false.',
  examples: [
    { expression: "is_array(to_json('[1]'))", value: true },
    { expression: "is_array(to_json('{}'))", value: false },
    { expression: 'is_array(null)', null: 'sql' },
  ],
  evaluate: ([value]) => isJsonArray(value),
});
