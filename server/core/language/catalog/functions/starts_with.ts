import { defineFunction } from '../function-definition.ts';

export const startsWith = defineFunction({
  name: 'starts_with',
  category: 'string',
  summary: 'Whether a text begins with another. Upper and lower case differ.',
  parameters: [
    {
      name: 'text',
      type: 'string',
      acceptsJson: true,
      description: 'The text to test.',
    },
    {
      name: 'prefix',
      type: 'string',
      acceptsJson: true,
      description: 'What it may begin with.',
    },
  ],
  returns: 'boolean',
  nulls: 'Null when an argument is null.',
  examples: [
    { expression: "starts_with('Describe', 'Des')", value: true },
    { expression: "starts_with('Describe', 'des')", value: false },
  ],
  evaluate: ([text, prefix]) => (text as string).startsWith(prefix as string),
});
