import { diffUnits } from '../../values/calendar.ts';
import { defineFunction } from '../function-definition.ts';
import { fromAndTo } from '../time-parameters.ts';

export const diffMinutes = defineFunction({
  name: 'diff_minutes',
  category: 'time',
  summary: 'The minutes from one timestamp to another: how many times a new minute begins between them (UTC).',
  parameters: fromAndTo,
  returns: 'number',
  nulls: 'Null when an argument is null.',
  examples: [
    { expression: "diff_minutes('2024-03-01T06:00:00Z'::timestamp, '2024-03-01T05:45:00Z'::timestamp)", value: -15 },
  ],
  evaluate: ([from, to]) => diffUnits(from as number, to as number, 'minutes'),
});
