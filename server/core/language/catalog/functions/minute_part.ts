import { defineFunction } from '../function-definition.ts';
import { oneTimestamp } from '../time-parameters.ts';

export const minutePart = defineFunction({
  name: 'minute_part',
  category: 'time',
  summary: 'The minute of a timestamp, 0 to 59.',
  parameters: oneTimestamp,
  returns: 'number',
  nulls: 'Null when an argument is null.',
  examples: [{ expression: "minute_part('2024-11-03T14:25:36Z'::timestamp)", value: 25 }],
  evaluate: ([timestamp]) => new Date(timestamp as number).getUTCMinutes(),
});
