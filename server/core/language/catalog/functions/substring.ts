import { characterCount, sliceCharacters } from '../../values/characters.ts';
import { defineFunction } from '../function-definition.ts';

export const substring = defineFunction({
  name: 'substring',
  category: 'string',
  summary: 'A part of a text, by position and length.',
  parameters: [
    {
      name: 'text',
      type: 'string',
      acceptsJson: true,
      description: 'The text.',
    },
    {
      name: 'start',
      type: 'number',
      acceptsJson: true,
      description:
        'Position of the first character to take: 1 is the first of the text, 0 counts as 1, a negative number counts from the end.',
    },
    {
      name: 'length',
      type: 'number',
      optional: true,
      acceptsJson: true,
      description: 'How many characters; left out, all that follow.',
    },
  ],
  returns: 'string',
  nulls: 'Null when an argument is null.',
  examples: [
    { expression: "substring('us-east-1', 4, 4)", value: 'east' },
    { expression: "substring('us-east-1', 4)", value: 'east-1' },
    { expression: "substring('us-east-1', 0, 2)", value: 'us' },
    { expression: "substring('us-east-1', -1)", value: '1' },
    { expression: "substring('us-east-1', 20)", value: '' },
  ],
  evaluate: ([text, start, length]) => {
    const whole = text as string;
    const position = Math.trunc(Number(start));
    const from = position > 0 ? position - 1 : position < 0 ? Math.max(0, characterCount(whole) + position) : 0;
    const count = length === undefined ? Number.POSITIVE_INFINITY : Math.max(0, Math.trunc(Number(length)));
    return sliceCharacters(whole, from, from + count);
  },
});
