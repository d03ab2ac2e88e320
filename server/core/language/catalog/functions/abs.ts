import { absolute } from '../../values/numbers.ts';
import { defineFunction } from '../function-definition.ts';

export const abs = defineFunction({
  name: 'abs',
  category: 'number',
  summary: 'A number without its sign.',
  parameters: [
    {
      name: 'number',
      type: 'number',
      acceptsJson: true,
      description: 'The number.',
    },
  ],
  returns: 'number',
  nulls: 'Null when an argument is null.',
  examples: [
    { expression: 'abs(-12)', value: 12 },
    { expression: 'abs(0.5)', value: 0.5 },
  ],
  evaluate: ([number]) => absolute(number as number | bigint),
});
