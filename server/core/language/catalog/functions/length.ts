import { characterCount } from '../../values/characters.ts';
import { defineFunction } from '../function-definition.ts';

export const length = defineFunction({
  name: 'length',
  category: 'string',
  summary: 'The number of characters of a text.',
  parameters: [
    {
      name: 'text',
      type: 'string',
      acceptsJson: true,
      description: 'The text; of a JSON value its compact text.',
    },
  ],
  returns: 'number',
  nulls: 'Null when an argument is null.',
  examples: [
    { expression: "length('bucket')", value: 6 },
    { expression: "length('')", value: 0 },
  ],
  evaluate: ([text]) => characterCount(text as string),
});
