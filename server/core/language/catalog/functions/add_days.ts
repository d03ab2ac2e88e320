import { addUnits } from '../../values/calendar.ts';
import { defineFunction } from '../function-definition.ts';
import { countAndTimestamp } from '../time-parameters.ts';

export const addDays = defineFunction({
  name: 'add_days',
  category: 'time',
  summary: 'A timestamp moved by a number of days.',
  parameters: countAndTimestamp('days'),
  returns: 'timestamp',
  nulls: 'Null when an argument is null.',
  examples: [{ expression: "add_days(-1, '2024-03-01T06:00:00Z'::timestamp)", value: '2024-02-29T06:00:00.000Z' }],
  evaluate: ([count, timestamp]) => addUnits(timestamp as number, Number(count), 'days'),
});
