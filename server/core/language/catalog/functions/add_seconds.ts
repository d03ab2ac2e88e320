import { addUnits } from '../../values/calendar.ts';
import { defineFunction } from '../function-definition.ts';
import { countAndTimestamp } from '../time-parameters.ts';

export const addSeconds = defineFunction({
  name: 'add_seconds',
  category: 'time',
  summary: 'A timestamp moved by a number of seconds.',
  parameters: countAndTimestamp('seconds'),
  returns: 'timestamp',
  nulls: 'Null when an argument is null.',
  examples: [{ expression: "add_seconds(90, '2024-03-01T06:00:00Z'::timestamp)", value: '2024-03-01T06:01:30.000Z' }],
  evaluate: ([count, timestamp]) => addUnits(timestamp as number, Number(count), 'seconds'),
});
