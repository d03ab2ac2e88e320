import type { Parameter } from './function-definition.ts';

/** What the functions take that move a timestamp; the unit as people say it, e.g. `days`. */
export function countAndTimestamp(unit: string): readonly Parameter[] {
  return [
    {
      name: 'count',
      type: 'number',
      acceptsJson: true,
      description: `How many ${unit} to add; negative to go back, fractions are rounded.`,
    },
    { name: 'timestamp', type: 'timestamp', acceptsJson: true, description: 'The timestamp to start from.' },
  ];
}

/** What the functions take that count units between two timestamps. */
export const fromAndTo: readonly Parameter[] = [
  { name: 'from', type: 'timestamp', acceptsJson: true, description: 'The earlier timestamp.' },
  {
    name: 'to',
    type: 'timestamp',
    acceptsJson: true,
    description: 'The later timestamp; when it is the earlier one, the result is negative.',
  },
];

/** What the functions take that read a part of a timestamp. */
export const oneTimestamp: readonly Parameter[] = [
  { name: 'timestamp', type: 'timestamp', description: 'The timestamp; JSON needs a cast.' },
];
