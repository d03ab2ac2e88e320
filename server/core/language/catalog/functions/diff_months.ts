import { diffUnits } from '../../values/calendar.ts';
import { defineFunction } from '../function-definition.ts';
import { fromAndTo } from '../time-parameters.ts';

export const diffMonths = defineFunction({
  name: 'diff_months',
  category: 'time',
  summary: 'The months from one timestamp to another: how many times a new month begins between them (UTC).',
  parameters: fromAndTo,
  returns: 'number',
  nulls: 'Null when an argument is null.',
  examples: [
    { expression: "diff_months('2024-01-31T00:00:00Z'::timestamp, '2024-03-01T00:00:00Z'::timestamp)", value: 2 },
  ],
  evaluate: ([from, to]) => diffUnits(from as number, to as number, 'months'),
});
