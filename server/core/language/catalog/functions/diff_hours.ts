import { diffUnits } from '../../values/calendar.ts';
import { defineFunction } from '../function-definition.ts';
import { fromAndTo } from '../time-parameters.ts';

export const diffHours = defineFunction({
  name: 'diff_hours',
  category: 'time',
  summary: 'The hours from one timestamp to another: how many times a new hour begins between them (UTC).',
  parameters: fromAndTo,
  returns: 'number',
  nulls: 'Null when an argument is null.',
  examples: [
    { expression: "diff_hours('2024-03-01T06:59:00Z'::timestamp, '2024-03-01T08:01:00Z'::timestamp)", value: 2 },
  ],
  evaluate: ([from, to]) => diffUnits(from as number, to as number, 'hours'),
});
