import { defineFunction } from '../function-definition.ts';

export const endsWith = defineFunction({
  name: 'ends_with',
  category: 'string',
  summary: 'Whether a text ends with another. Upper and lower case differ.',
  parameters: [
    {
      name: 'text',
      type: 'string',
      acceptsJson: true,
      description: 'The text to test.',
    },
    {
      name: 'suffix',
      type: 'string',
      acceptsJson: true,
      description: 'What it may end with.',
    },
  ],
  returns: 'boolean',
  nulls: 'Null when an argument is null.',
  examples: [
    { expression: "ends_with('setup.exe', 'exe')", value: true },
    { expression: "ends_with('setup.exe', 'EXE')", value: false },
  ],
  evaluate: ([text, suffix]) => (text as string).endsWith(suffix as string),
});
