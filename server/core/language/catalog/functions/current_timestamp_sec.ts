import { defineFunction } from '../function-definition.ts';

export const currentTimestampSec = defineFunction({
  name: 'current_timestamp_sec',
  category: 'time',
  summary: 'The time at which the query runs, in whole seconds since 1970 (UTC): a number, not a timestamp.',
  parameters: [],
  returns: 'number',
  nulls: 'Never null.',
  examples: [{ expression: 'current_timestamp_ms() - current_timestamp_sec() * 1000 < 1000', value: true }],
  volatile: true,
  evaluate: (_args, context) => Math.floor(context.now / 1000),
});
