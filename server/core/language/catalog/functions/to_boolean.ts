import { parseBoolean } from '../../values/convert.ts';
import { defineFunction } from '../function-definition.ts';

export const toBoolean = defineFunction({
  name: 'to_boolean',
  category: 'conversion',
  summary: 'Reads a text as a boolean.',
  parameters: [
    {
      name: 'text',
      type: 'string',
      acceptsJson: true,
      description: '`true`, `t`, `yes`, `y`, `on`, `1` or `false`, `f`, `no`, `n`, `off`, `0`, in any case.',
    },
  ],
  returns: 'boolean',
  nulls: 'Null when the argument is null or another text.',
  examples: [
    { expression: "to_boolean('true')", value: true },
    { expression: "to_boolean('No')", value: false },
    { expression: "to_boolean('maybe')", null: 'sql' },
  ],
  evaluate: ([text]) => parseBoolean(text as string),
});
