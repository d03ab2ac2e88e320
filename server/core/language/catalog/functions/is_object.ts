import { isJsonObject } from '../../values/json.ts';
import { defineFunction } from '../function-definition.ts';

export const isObject = defineFunction({
  name: 'is_object',
  category: 'json',
  summary: 'Whether a value is a JSON object.',
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
    { expression: 'is_object(to_json(\'{"a": 1}\'))', value: true },
    { expression: "is_object(to_json('[1]'))", value: false },
  ],
  evaluate: ([value]) => isJsonObject(value),
});
