import { defineFunction } from '../function-definition.ts';
import { oneTimestamp } from '../time-parameters.ts';

export const epochMs = defineFunction({
  name: 'epoch_ms',
  category: 'conversion',
  summary: 'The milliseconds since 1970 (UTC) of a timestamp.',
  parameters: oneTimestamp,
  returns: 'number',
  nulls: 'Null when an argument is null.',
  examples: [{ expression: "epoch_ms('2024-05-01T10:30:00.250Z'::timestamp)", value: 1714559400250 }],
  evaluate: ([timestamp]) => timestamp,
});
