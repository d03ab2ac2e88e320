import { dayOfWeekAt } from '../../values/calendar.ts';
import { defineFunction } from '../function-definition.ts';
import { oneTimestamp } from '../time-parameters.ts';

export const dayOfWeek = defineFunction({
  name: 'day_of_week',
  category: 'time',
  summary: 'The day of the week of a timestamp (UTC): 1 for Monday to 7 for Sunday.',
  parameters: oneTimestamp,
  returns: 'number',
  nulls: 'Null when an argument is null.',
  examples: [
    { expression: "day_of_week('2024-11-03T14:25:36Z'::timestamp)", value: 7 },
    { expression: "day_of_week('2024-11-04'::timestamp)", value: 1 },
  ],
  evaluate: ([timestamp]) => dayOfWeekAt(timestamp as number),
});
