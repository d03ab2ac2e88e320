import { defineFunction } from '../function-definition.ts';

export const currentTimestamp = defineFunction({
  name: 'current_timestamp',
  category: 'time',
  summary: 'The time at which the query runs, the same in every row.',
  parameters: [],
  returns: 'timestamp',
  nulls: 'Never null.',
  examples: [{ expression: 'diff_days(current_timestamp(), current_timestamp())', value: 0 }],
  deprecated: 'sec_to_timestamp(current_timestamp_sec())',
  volatile: true,
  evaluate: (_args, context) => context.now,
});
