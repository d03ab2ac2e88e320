import { diffUnits } from '../../values/calendar.ts';
import { defineFunction } from '../function-definition.ts';
import { fromAndTo } from '../time-parameters.ts';

export const diffMillis = defineFunction({
  name: 'diff_millis',
  category: 'time',
  summary: 'The milliseconds from one timestamp to another.',
  parameters: fromAndTo,
  returns: 'number',
  nulls: 'Null when an argument is null.',
  examples: [
    {
      expression: "diff_millis('2024-03-01T06:00:00Z'::timestamp, '2024-03-01T06:00:01.250Z'::timestamp)",
      value: 1250,
    },
  ],
  evaluate: ([from, to]) => diffUnits(from as number, to as number, 'millis'),
});
