import { addUnits } from '../../values/calendar.ts';
import { defineFunction } from '../function-definition.ts';
import { countAndTimestamp } from '../time-parameters.ts';

export const addMinutes = defineFunction({
  name: 'add_minutes',
  category: 'time',
  summary: 'A timestamp moved by a number of minutes.',
  parameters: countAndTimestamp('minutes'),
  returns: 'timestamp',
  nulls: 'Null when an argument is null.',
  examples: [{ expression: "add_minutes(-15, '2024-03-01T06:00:00Z'::timestamp)", value: '2024-03-01T05:45:00.000Z' }],
  evaluate: ([count, timestamp]) => addUnits(timestamp as number, Number(count), 'minutes'),
});
