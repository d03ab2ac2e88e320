import { defineFunction } from '../function-definition.ts';
import { oneTimestamp } from '../time-parameters.ts';

export const yearPart = defineFunction({
  name: 'year_part',
  category: 'time',
  summary: 'The year of a timestamp (UTC).',
  parameters: oneTimestamp,
  returns: 'number',
  nulls: 'Null when an argument is null.',
  examples: [{ expression: "year_part('2024-11-03T14:25:36Z'::timestamp)", value: 2024 }],
  evaluate: ([timestamp]) => new Date(timestamp as number).getUTCFullYear(),
});
