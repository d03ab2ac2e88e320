import { defineFunction } from '../function-definition.ts';
import { oneTimestamp } from '../time-parameters.ts';

export const hourPart = defineFunction({
  name: 'hour_part',
  category: 'time',
  summary: 'The hour of a timestamp (UTC), 0 to 23.',
  parameters: oneTimestamp,
  returns: 'number',
  nulls: 'Null when an argument is null.',
  examples: [{ expression: "hour_part('2024-11-03T14:25:36Z'::timestamp)", value: 14 }],
  evaluate: ([timestamp]) => new Date(timestamp as number).getUTCHours(),
});
