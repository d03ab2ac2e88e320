import { parseNumber } from '../../values/numbers.ts';
import { defineFunction } from '../function-definition.ts';

export const tryToNumber = defineFunction({
  name: 'try_to_number',
  category: 'conversion',
  summary: 'Reads a text as an integer; decimals are rounded to the nearest one.',
  parameters: [
    {
      name: 'text',
      type: 'string',
      acceptsJson: true,
      description: 'The number as text.',
    },
  ],
  returns: 'number',
  nulls: 'Null when the argument is null or not a number.',
  examples: [
    { expression: "try_to_number('443')", value: 443 },
    { expression: "try_to_number('1.4')", value: 1 },
    { expression: "try_to_number('1.8')", value: 2 },
    { expression: "try_to_number('-2.5')", value: -3 },
    { expression: "try_to_number('5644915113269064637')", value: 5644915113269064637n },
    { expression: "try_to_number('https')", null: 'sql' },
  ],
  evaluate: ([text]) => {
    const number = parseNumber(text as string);
    // Halves round away from zero, as decimal arithmetic does; Math.round alone would take -2.5 to -2.
    return typeof number === 'number' ? Math.sign(number) * Math.round(Math.abs(number)) || 0 : number;
  },
});
