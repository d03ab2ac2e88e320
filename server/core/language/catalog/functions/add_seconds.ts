import { addUnits } from '../../values/calendar.ts';
import { defineFunction } from '../function-definition.ts';

export const addSeconds = defineFunction({
  name: 'add_seconds',
  category: 'time',
  summary: 'A timestamp moved by a number of seconds.',
  parameters: [
    {
      name: 'count',
      type: 'number',
      acceptsJson: true,
      description: 'How many seconds to add; negative to go back, fractions are rounded.',
    },
    {
      name: 'timestamp',
      type: 'timestamp',
      acceptsJson: true,
      description: 'The timestamp to start from.',
    },
  ],
  returns: 'timestamp',
  nulls: 'Null when an argument is null.',
  examples: [{ expression: "add_seconds(90, '2024-03-01T06:00:00Z'::timestamp)", value: '2024-03-01T06:01:30.000Z' }],
  evaluate: ([count, timestamp]) => addUnits(timestamp as number, Number(count), 'seconds'),
});
