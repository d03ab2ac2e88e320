import { defineFunction } from '../function-definition.ts';

export const lower = defineFunction({
  name: 'lower',
  category: 'string',
  summary: 'A text in lower case.',
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
  examples: [{ expression: "lower('ConsoleLogin')", value: 'consolelogin' }],
  evaluate: ([text]) => (text as string).toLowerCase(),
});
