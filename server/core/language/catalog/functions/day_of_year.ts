import { dayOfYearAt } from '../../values/calendar.ts';
import { defineFunction } from '../function-definition.ts';
import { oneTimestamp } from '../time-parameters.ts';

export const dayOfYear = defineFunction({
  name: 'day_of_year',
  category: 'time',
  summary: 'The day of the year of a timestamp (UTC), 1 to 366.',
  parameters: oneTimestamp,
  returns: 'number',
  nulls: 'Null when an argument is null.',
  examples: [{ expression: "day_of_year('2024-12-31'::timestamp)", value: 366 }],
  evaluate: ([timestamp]) => dayOfYearAt(timestamp as number),
});
