import { defineFunction } from '../function-definition.ts';

export const contains = defineFunction({
  name: 'contains',
  category: 'string',
  summary: 'Whether a text holds another. Upper and lower case differ.',
  parameters: [
    {
      name: 'searchIn',
      type: 'string',
      acceptsJson: true,
      description: 'The text to look in.',
    },
    {
      name: 'searchFor',
      type: 'string',
      acceptsJson: true,
      description: 'The text to find.',
    },
  ],
  returns: 'boolean',
  nulls: 'Null when an argument is null.',
  examples: [
    { expression: "contains('arn:aws:s3:::logs', 's3')", value: true },
    { expression: "contains('arn:aws:s3:::logs', 'S3')", value: false },
  ],
  evaluate: ([searchIn, searchFor]) => (searchIn as string).includes(searchFor as string),
});
