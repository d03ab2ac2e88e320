import { defineFunction } from '../function-definition.ts';

export const valueExists = defineFunction({
  name: 'value_exists',
  category: 'json',
  summary: 'Whether a JSON path leads to a value other than null. Empty arrays, objects and texts are values.',
  parameters: [
    {
      name: 'path',
      type: 'json',
      description:
        'A JSON path such as `RESOURCE_CONFIG:KmsKeyId`, or a JSON column; the column of a join without a partner has no value.',
    },
  ],
  returns: 'boolean',
  nulls: 'Never null: false when the key is missing or maps to a JSON null.',
  examples: [
    { expression: 'value_exists(to_json(\'{"a": []}\'):a)', value: true },
    { expression: 'value_exists(to_json(\'{"a": null}\'):a)', value: false },
    { expression: "value_exists(to_json('{}'):a)", value: false },
  ],
  handlesNull: true,
  evaluate: ([value]) => value !== undefined && value !== null,
});
