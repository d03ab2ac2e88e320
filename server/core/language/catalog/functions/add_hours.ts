import { addUnits } from '../../values/calendar.ts';
import { defineFunction } from '../function-definition.ts';

export const addHours = defineFunction({
  name: 'add_hours',
  category: 'time',
  summary: 'A timestamp moved by a number of hours.',
  parameters: [
    {
      name: 'count',
      type: 'number',
      acceptsJson: true,
      description: 'How many hours to add; negative to go back, fractions are rounded.',
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
  examples: [{ expression: "add_hours(36, '2024-03-01T06:00:00Z'::timestamp)", value: '2024-03-02T18:00:00.000Z' }],
  evaluate: ([count, timestamp]) => addUnits(timestamp as number, Number(count), 'hours'),
});
