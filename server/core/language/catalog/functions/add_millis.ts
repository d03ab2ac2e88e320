import { addUnits } from '../../values/calendar.ts';
import { defineFunction } from '../function-definition.ts';
import { countAndTimestamp } from '../time-parameters.ts';

export const addMillis = defineFunction({
  name: 'add_millis',
  category: 'time',
  summary: 'A timestamp moved by a number of milliseconds.',
  parameters: countAndTimestamp('milliseconds'),
  returns: 'timestamp',
  nulls: 'Null when an argument is null.',
  examples: [{ expression: "add_millis(250, '2024-03-01T06:00:00Z'::timestamp)", value: '2024-03-01T06:00:00.250Z' }],
  evaluate: ([count, timestamp]) => addUnits(timestamp as number, Number(count), 'millis'),
});
