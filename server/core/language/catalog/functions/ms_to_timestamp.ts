import { millisecondsToTimestamp } from '../../values/convert.ts';
import { defineFunction } from '../function-definition.ts';

export const msToTimestamp = defineFunction({
  name: 'ms_to_timestamp',
  category: 'conversion',
  summary: 'The timestamp of a number of milliseconds since 1970 (UTC).',
  parameters: [
    {
      name: 'milliseconds',
      type: 'number',
      acceptsJson: true,
      description: 'Epoch milliseconds.',
    },
  ],
  returns: 'timestamp',
  nulls: 'Null when an argument is null.',
  examples: [{ expression: 'ms_to_timestamp(1714559400250)', value: '2024-05-01T10:30:00.250Z' }],
  evaluate: ([milliseconds]) => millisecondsToTimestamp(milliseconds as number | bigint),
});
