import { secondsToTimestamp } from '../../values/convert.ts';
import { defineFunction } from '../function-definition.ts';

export const secToTimestamp = defineFunction({
  name: 'sec_to_timestamp',
  category: 'conversion',
  summary: 'The timestamp of a number of seconds since 1970 (UTC).',
  parameters: [
    {
      name: 'seconds',
      type: 'number',
      acceptsJson: true,
      description: 'Epoch seconds.',
    },
  ],
  returns: 'timestamp',
  nulls: 'Null when an argument is null.',
  examples: [{ expression: 'sec_to_timestamp(1714559400)', value: '2024-05-01T10:30:00.000Z' }],
  evaluate: ([seconds]) => secondsToTimestamp(seconds as number | bigint),
});
