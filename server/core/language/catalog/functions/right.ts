import { characterCount, sliceCharacters } from '../../values/characters.ts';
import { defineFunction } from '../function-definition.ts';

export const right = defineFunction({
  name: 'right',
  category: 'string',
  summary: 'The last characters of a text.',
  parameters: [
    {
      name: 'text',
      type: 'string',
      acceptsJson: true,
      description: 'The text.',
    },
    {
      name: 'count',
      type: 'number',
      acceptsJson: true,
      description: 'How many characters; more than there are gives the whole text, less than 1 an empty one.',
    },
  ],
  returns: 'string',
  nulls: 'Null when an argument is null.',
  examples: [
    { expression: "right('us-east-1', 1)", value: '1' },
    { expression: "right('us', 10)", value: 'us' },
    { expression: "right('us', 0)", value: '' },
  ],
  evaluate: ([text, count]) => {
    const length = characterCount(text as string);
    return sliceCharacters(text as string, length - Math.max(0, Math.trunc(Number(count))), length);
  },
});
