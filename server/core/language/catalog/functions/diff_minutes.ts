import { diffUnits } from '../../values/calendar.ts';
import { defineFunction } from '../function-definition.ts';

export const diffMinutes = defineFunction({
  name: 'diff_minutes',
  category: 'time',
  summary: 'The minutes from one timestamp to another: how many times a new minute begins between them (UTC).',
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
    { expression: "diff_minutes('2024-03-01T06:00:00Z'::timestamp, '2024-03-01T05:45:00Z'::timestamp)", value: -15 },
  ],
  evaluate: ([from, to]) => diffUnits(from as number, to as number, 'minutes'),
});
