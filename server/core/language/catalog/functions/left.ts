import { sliceCharacters } from '../../values/characters.ts';
import { defineFunction } from '../function-definition.ts';

export const left = defineFunction({
  name: 'left',
  category: 'string',
  summary: 'The first characters of a text.',
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
    { expression: "left('us-east-1', 2)", value: 'us' },
    { expression: "left('us', 10)", value: 'us' },
    { expression: "left('us', -1)", value: '' },
  ],
  evaluate: ([text, count]) => sliceCharacters(text as string, 0, Math.trunc(Number(count))),
});
