import { parseNumber } from '../../values/numbers.ts';
import { defineFunction } from '../function-definition.ts';

export const toDouble = defineFunction({
  name: 'to_double',
  category: 'conversion',
  summary: 'Reads a text as a decimal number of double precision.',
  parameters: [
    {
      name: 'text',
      type: 'string',
      acceptsJson: true,
      description: 'The number as text, e.g. `1.25` or `-3e2`.',
    },
  ],
  returns: 'number',
  nulls: 'Null when the argument is null or not a number.',
  examples: [
    { expression: "to_double('1.25')", value: 1.25 },
    { expression: "to_double('1e3')", value: 1000 },
    { expression: "to_double('n/a')", null: 'sql' },
  ],
  evaluate: ([text]) => {
    const number = parseNumber(text as string);
    return number === undefined ? undefined : Number(number);
  },
});
