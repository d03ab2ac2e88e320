import { addUnits } from '../../values/calendar.ts';
import { defineFunction } from '../function-definition.ts';

export const addMillis = defineFunction({
  name: 'add_millis',
  category: 'time',
  summary: 'A timestamp moved by a number of milliseconds.',
  parameters: [
    {
      name: 'count',
      type: 'number',
      acceptsJson: true,
      description: 'How many milliseconds to add; negative to go back, fractions are rounded.',
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
  examples: [{ expression: "add_millis(250, '2024-03-01T06:00:00Z'::timestamp)", value: '2024-03-01T06:00:00.250Z' }],
  evaluate: ([count, timestamp]) => addUnits(timestamp as number, Number(count), 'millis'),
});
