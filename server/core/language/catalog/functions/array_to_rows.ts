import { defineFunction } from '../function-definition.ts';

export const arrayToRows = defineFunction({
  name: 'array_to_rows',
  category: 'json',
  summary:
    'Source item: one row for each element of a JSON array. A row whose array is null or empty stays, with null in the new column.',
  parameters: [
    {
      name: 'array',
      type: 'json',
      description: 'The array to expand: a JSON column, a path, or another expansion.',
    },
  ],
  returns: 'json',
  nulls:
    'A null array, a JSON null, an empty array and a value that is no array keep their row; the new column is null.',
  examples: [],
  rowExamples: [
    { array: '["web", 443, {"a": 1}, null]', rows: ['web', 443, { a: 1 }, null] },
    { array: undefined, rows: [undefined] },
    { array: 'null', rows: [undefined] },
    { array: '[]', rows: [undefined] },
    { array: '{"no": "array"}', rows: [undefined] },
  ],
  sourceOnly: true,
  evaluate: ([array]) => array,
});
