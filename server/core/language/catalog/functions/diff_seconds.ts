import { diffUnits } from '../../values/calendar.ts';
import { defineFunction } from '../function-definition.ts';
import { fromAndTo } from '../time-parameters.ts';

export const diffSeconds = defineFunction({
  name: 'diff_seconds',
  category: 'time',
  summary: 'The seconds from one timestamp to another: how many times a new second begins between them (UTC).',
  parameters: fromAndTo,
  returns: 'number',
  nulls: 'Null when an argument is null.',
  examples: [
    { expression: "diff_seconds('2024-03-01T06:00:00Z'::timestamp, '2024-03-01T06:01:30Z'::timestamp)", value: 90 },
  ],
  evaluate: ([from, to]) => diffUnits(from as number, to as number, 'seconds'),
});
