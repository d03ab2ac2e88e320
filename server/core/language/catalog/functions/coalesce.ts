import { defineFunction } from '../function-definition.ts';

export const coalesce = defineFunction({
  name: 'coalesce',
  category: 'conversion',
  summary: 'The first of its arguments that is not null.',
  parameters: [
    {
      name: 'value',
      type: 'any',
      description: 'A value.',
    },
    {
      name: 'others',
      type: 'any',
      optional: true,
      variadic: true,
      description: 'Values of the same type, taken in order when the ones before are null.',
    },
  ],
  returns: { sameAsParameter: 0 },
  nulls: 'Null when every argument is null. A JSON null is a value.',
  examples: [
    { expression: "coalesce(null, 'unknown')", value: 'unknown' },
    { expression: "coalesce('a', 'b')", value: 'a' },
    { expression: 'coalesce(null, null)', null: 'sql' },
  ],
  handlesNull: true,
  evaluate: (values) => values.find((value) => value !== undefined),
});
