import { addUnits } from '../../values/calendar.ts';
import { defineFunction } from '../function-definition.ts';
import { countAndTimestamp } from '../time-parameters.ts';

export const addHours = defineFunction({
  name: 'add_hours',
  category: 'time',
  summary: 'A timestamp moved by a number of hours.',
  parameters: countAndTimestamp('hours'),
  returns: 'timestamp',
  nulls: 'Null when an argument is null.',
  examples: [{ expression: "add_hours(36, '2024-03-01T06:00:00Z'::timestamp)", value: '2024-03-02T18:00:00.000Z' }],
  evaluate: ([count, timestamp]) => addUnits(timestamp as number, Number(count), 'hours'),
});
