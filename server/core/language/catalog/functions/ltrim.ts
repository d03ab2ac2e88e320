import { defineFunction } from '../function-definition.ts';

export const ltrim = defineFunction({
  name: 'ltrim',
  category: 'string',
  summary: 'A text without the blanks, tabs and line ends at its beginning.',
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
  examples: [{ expression: "ltrim('  a b ')", value: 'a b ' }],
  evaluate: ([text]) => (text as string).trimStart(),
});
