import { defineFunction } from '../function-definition.ts';
import { oneTimestamp } from '../time-parameters.ts';

export const quarterPart = defineFunction({
  name: 'quarter_part',
  category: 'time',
  summary: 'The quarter of a timestamp (UTC), 1 to 4.',
  parameters: oneTimestamp,
  returns: 'number',
  nulls: 'Null when an argument is null.',
  examples: [{ expression: "quarter_part('2024-11-03T14:25:36Z'::timestamp)", value: 4 }],
  evaluate: ([timestamp]) => Math.floor(new Date(timestamp as number).getUTCMonth() / 3) + 1,
});
