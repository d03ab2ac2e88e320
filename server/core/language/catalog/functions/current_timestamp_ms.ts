import { defineFunction } from '../function-definition.ts';

export const currentTimestampMs = defineFunction({
  name: 'current_timestamp_ms',
  category: 'time',
  summary: 'The time at which the query runs, in milliseconds since 1970 (UTC): a number, not a timestamp.',
  parameters: [],
  returns: 'number',
  nulls: 'Never null.',
  examples: [{ expression: 'current_timestamp_ms() - current_timestamp_ms()', value: 0 }],
  volatile: true,
  evaluate: (_args, context) => context.now,
});
