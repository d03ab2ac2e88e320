import { indexOfCharacters } from '../../values/characters.ts';
import { defineFunction } from '../function-definition.ts';

export const charIndex = defineFunction({
  name: 'char_index',
  category: 'string',
  summary: 'The position at which a text first occurs in another, counted from 1; 0 when it does not.',
  parameters: [
    {
      name: 'searchFor',
      type: 'string',
      acceptsJson: true,
      description: 'The text to find.',
    },
    {
      name: 'searchIn',
      type: 'string',
      acceptsJson: true,
      description: 'The text to look in.',
    },
    {
      name: 'start',
      type: 'number',
      optional: true,
      acceptsJson: true,
      description: 'Where to start, 1 being the first character; smaller numbers count as 1.',
    },
  ],
  returns: 'number',
  nulls: 'Null when an argument is null.',
  examples: [
    { expression: "char_index('-', 'us-east-1')", value: 3 },
    { expression: "char_index('-', 'us-east-1', 4)", value: 8 },
    { expression: "char_index('x', 'us-east-1')", value: 0 },
  ],
  evaluate: ([searchFor, searchIn, start]) =>
    indexOfCharacters(searchIn as string, searchFor as string, Math.max(0, Math.trunc(Number(start ?? 1)) - 1)) + 1,
});
