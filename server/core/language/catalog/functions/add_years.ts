import { addUnits } from '../../values/calendar.ts';
import { defineFunction } from '../function-definition.ts';
import { countAndTimestamp } from '../time-parameters.ts';

export const addYears = defineFunction({
  name: 'add_years',
  category: 'time',
  summary:
    'A timestamp moved by a number of years. The day of the month stays, or becomes the last day of a shorter month.',
  parameters: countAndTimestamp('years'),
  returns: 'timestamp',
  nulls: 'Null when an argument is null.',
  examples: [{ expression: "add_years(1, '2024-02-29T00:00:00Z'::timestamp)", value: '2025-02-28T00:00:00.000Z' }],
  evaluate: ([count, timestamp]) => addUnits(timestamp as number, Number(count), 'years'),
});
