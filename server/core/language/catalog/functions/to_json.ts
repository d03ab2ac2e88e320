import { parseJson } from '../../values/json.ts';
import { defineFunction } from '../function-definition.ts';

export const toJson = defineFunction({
  name: 'to_json',
  category: 'json',
  summary: 'Parses a text as JSON. Paths can follow at once: `to_json(TEXT):key`.',
  parameters: [
    {
      name: 'text',
      type: 'string',
      acceptsJson: true,
      description: 'The JSON text.',
    },
  ],
  returns: 'json',
  nulls: 'Null when the argument is null or not valid JSON.',
  examples: [
    { expression: 'to_json(\'{"port": 22}\'):port', value: 22 },
    { expression: "to_json('[1, 2]')", value: [1, 2] },
    { expression: "to_json('{broken')", null: 'sql' },
  ],
  evaluate: ([text]) => parseJson(text as string),
});
