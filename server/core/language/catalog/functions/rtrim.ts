import { defineFunction } from '../function-definition.ts';

export const rtrim = defineFunction({
  name: 'rtrim',
  category: 'string',
  summary: 'A text without the blanks, tabs and line ends at its end.',
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
  examples: [{ expression: "rtrim(' a b  ')", value: ' a b' }],
  evaluate: ([text]) => (text as string).trimEnd(),
});
