import { defineFunction } from '../function-definition.ts';
import { oneTimestamp } from '../time-parameters.ts';

export const secondPart = defineFunction({
  name: 'second_part',
  category: 'time',
  summary: 'The second of a timestamp, 0 to 59, without its fraction.',
  parameters: oneTimestamp,
  returns: 'number',
  nulls: 'Null when an argument is null.',
  examples: [{ expression: "second_part('2024-11-03T14:25:36Z'::timestamp)", value: 36 }],
  evaluate: ([timestamp]) => new Date(timestamp as number).getUTCSeconds(),
});
