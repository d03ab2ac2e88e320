import { defineFunction } from '../function-definition.ts';

export const arrayToRowsNonEmpty = defineFunction({
  name: 'array_to_rows_non_empty',
  category: 'json',
  summary: 'Source item: one row for each element of a JSON array. A row whose array is null or empty is dropped.',
  parameters: [
    {
      name: 'array',
      type: 'json',
      description: 'The array to expand: a JSON column, a path, or another expansion.',
    },
  ],
  returns: 'json',
  nulls: 'A null array, a JSON null, an empty array and a value that is no array drop their row.',
  examples: [],
  rowExamples: [
    { array: '["web", 443, {"a": 1}, null]', rows: ['web', 443, { a: 1 }, null] },
    { array: undefined, rows: [] },
    { array: 'null', rows: [] },
    { array: '[]', rows: [] },
    { array: '{"no": "array"}', rows: [] },
  ],
  sourceOnly: true,
  evaluate: ([array]) => array,
});
