import { defineFunction } from '../function-definition.ts';
import { oneTimestamp } from '../time-parameters.ts';

export const monthPart = defineFunction({
  name: 'month_part',
  category: 'time',
  summary: 'The month of a timestamp (UTC), 1 to 12.',
  parameters: oneTimestamp,
  returns: 'number',
  nulls: 'Null when an argument is null.',
  examples: [{ expression: "month_part('2024-11-03T14:25:36Z'::timestamp)", value: 11 }],
  evaluate: ([timestamp]) => new Date(timestamp as number).getUTCMonth() + 1,
});
