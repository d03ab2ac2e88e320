import { diffUnits } from '../../values/calendar.ts';
import { defineFunction } from '../function-definition.ts';
import { fromAndTo } from '../time-parameters.ts';

export const diffDays = defineFunction({
  name: 'diff_days',
  category: 'time',
  summary: 'The days from one timestamp to another: how many times a new day begins between them (UTC).',
  parameters: fromAndTo,
  returns: 'number',
  nulls: 'Null when an argument is null.',
  examples: [
    { expression: "diff_days('2024-02-28T00:00:00Z'::timestamp, '2024-03-01T00:00:00Z'::timestamp)", value: 2 },
    { expression: "diff_days('2024-03-01T23:00:00Z'::timestamp, '2024-03-02T01:00:00Z'::timestamp)", value: 1 },
  ],
  evaluate: ([from, to]) => diffUnits(from as number, to as number, 'days'),
});
