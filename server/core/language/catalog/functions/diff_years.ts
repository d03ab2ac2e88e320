import { diffUnits } from '../../values/calendar.ts';
import { defineFunction } from '../function-definition.ts';
import { fromAndTo } from '../time-parameters.ts';

export const diffYears = defineFunction({
  name: 'diff_years',
  category: 'time',
  summary: 'The years from one timestamp to another: how many times a new year begins between them (UTC).',
  parameters: fromAndTo,
  returns: 'number',
  nulls: 'Null when an argument is null.',
  examples: [
    { expression: "diff_years('2023-12-31T23:00:00Z'::timestamp, '2024-01-01T01:00:00Z'::timestamp)", value: 1 },
  ],
  evaluate: ([from, to]) => diffUnits(from as number, to as number, 'years'),
});
