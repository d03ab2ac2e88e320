import { defineFunction } from '../function-definition.ts';

export const keyExists = defineFunction({
  name: 'key_exists',
  category: 'json',
  summary: 'Whether a JSON path leads to a key that exists, even one that maps to null.',
  parameters: [
    {
      name: 'path',
      type: 'json',
      description: 'A JSON path such as `EVENT:requestParameters.bucketName`, or a JSON column.',
    },
  ],
  returns: 'boolean',
  nulls: 'Never null: false when the key is missing, true when it maps to a JSON null.',
  examples: [
    { expression: 'key_exists(to_json(\'{"a": null}\'):a)', value: true },
    { expression: 'key_exists(to_json(\'{"a": null}\'):b)', value: false },
  ],
  handlesNull: true,
  evaluate: ([value]) => value !== undefined,
});
