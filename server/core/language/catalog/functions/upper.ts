import { defineFunction } from '../function-definition.ts';

export const upper = defineFunction({
  name: 'upper',
  category: 'string',
  summary: 'A text in upper case.',
  parameters: [
    {
      name: 'text',
      type: 'string',
      acceptsJson: true,
      description: 'The text.',
    },
  ],
  returns: 'string',
  nulls: 'Null when an argument is null.',
  examples: [{ expression: "upper('prod')", value: 'PROD' }],
  evaluate: ([text]) => (text as string).toUpperCase(),
});
