import { parseTimestamp } from '../../values/timestamps.ts';
import { defineFunction } from '../function-definition.ts';

export const toTimestamp = defineFunction({
  name: 'to_timestamp',
  category: 'conversion',
  summary: 'Reads a text as a timestamp.',
  parameters: [
    {
      name: 'text',
      type: 'string',
      acceptsJson: true,
      description:
        'ISO 8601 (`2024-05-01`, `2024-05-01 12:30:00.250`, `2024-05-01T12:30:00+02:00`; without zone UTC), or epoch digits: 13 for milliseconds, up to 10 for seconds.',
    },
  ],
  returns: 'timestamp',
  nulls: 'Null when the argument is null or not a timestamp.',
  examples: [
    { expression: "to_timestamp('2024-05-01T12:30:00+02:00')", value: '2024-05-01T10:30:00.000Z' },
    { expression: "to_timestamp('1714559400')", value: '2024-05-01T10:30:00.000Z' },
    { expression: "to_timestamp('N/A')", null: 'sql' },
  ],
  evaluate: ([text]) => parseTimestamp(text as string),
});
