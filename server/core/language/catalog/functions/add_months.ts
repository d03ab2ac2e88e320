import { addUnits } from '../../values/calendar.ts';
import { defineFunction } from '../function-definition.ts';
import { countAndTimestamp } from '../time-parameters.ts';

export const addMonths = defineFunction({
  name: 'add_months',
  category: 'time',
  summary:
    'A timestamp moved by a number of months. The day of the month stays, or becomes the last day of a shorter month.',
  parameters: countAndTimestamp('months'),
  returns: 'timestamp',
  nulls: 'Null when an argument is null.',
  examples: [{ expression: "add_months(1, '2024-01-31T00:00:00Z'::timestamp)", value: '2024-02-29T00:00:00.000Z' }],
  evaluate: ([count, timestamp]) => addUnits(timestamp as number, Number(count), 'months'),
});
