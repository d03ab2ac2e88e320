import { diffUnits } from '../../values/calendar.ts';
import { defineFunction } from '../function-definition.ts';

export const diffHours = defineFunction({
  name: 'diff_hours',
  category: 'time',
  summary: 'The hours from one timestamp to another: how many times a new hour begins between them (UTC).',
  parameters: [
    {
      name: 'from',
      type: 'timestamp',
      acceptsJson: true,
      description: 'The earlier timestamp.',
    },
    {
      name: 'to',
      type: 'timestamp',
      acceptsJson: true,
      description: 'The later timestamp; when it is the earlier one, the result is negative.',
    },
  ],
  returns: 'number',
  nulls: 'Null when an argument is null.',
  examples: [
    { expression: "diff_hours('2024-03-01T06:59:00Z'::timestamp, '2024-03-01T08:01:00Z'::timestamp)", value: 2 },
  ],
  evaluate: ([from, to]) => diffUnits(from as number, to as number, 'hours'),
});
