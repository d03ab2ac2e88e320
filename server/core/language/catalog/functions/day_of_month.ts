import { defineFunction } from '../function-definition.ts';
import { oneTimestamp } from '../time-parameters.ts';

export const dayOfMonth = defineFunction({
  name: 'day_of_month',
  category: 'time',
  summary: 'The day of the month of a timestamp (UTC), 1 to 31.',
  parameters: oneTimestamp,
  returns: 'number',
  nulls: 'Null when an argument is null.',
  examples: [{ expression: "day_of_month('2024-11-03T14:25:36Z'::timestamp)", value: 3 }],
  evaluate: ([timestamp]) => new Date(timestamp as number).getUTCDate(),
});
