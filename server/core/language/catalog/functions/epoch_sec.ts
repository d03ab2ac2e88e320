import { defineFunction } from '../function-definition.ts';
import { oneTimestamp } from '../time-parameters.ts';

export const epochSec = defineFunction({
  name: 'epoch_sec',
  category: 'conversion',
  summary: 'The whole seconds since 1970 (UTC) of a timestamp.',
  parameters: oneTimestamp,
  returns: 'number',
  nulls: 'Null when an argument is null.',
  examples: [{ expression: "epoch_sec('2024-05-01T10:30:00.750Z'::timestamp)", value: 1714559400 }],
  evaluate: ([timestamp]) => Math.floor((timestamp as number) / 1000),
});
