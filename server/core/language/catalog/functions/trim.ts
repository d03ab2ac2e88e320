import { characterCount, sliceCharacters } from '../../values/characters.ts';
import { defineFunction } from '../function-definition.ts';

export const trim = defineFunction({
  name: 'trim',
  category: 'string',
  summary: 'A text without the blanks around it, or without a given number of characters on both sides.',
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
      optional: true,
      acceptsJson: true,
      description: 'How many characters of any kind to cut on each side; left out, blanks, tabs and line ends are cut.',
    },
  ],
  returns: 'string',
  nulls: 'Null when an argument is null.',
  examples: [
    { expression: "trim('  a b ')", value: 'a b' },
    { expression: 'trim(\'"quoted"\', 1)', value: 'quoted' },
    { expression: "trim('ab', 5)", value: '' },
  ],
  evaluate: ([text, count]) => {
    if (count === undefined) return (text as string).trim();
    const cut = Math.max(0, Math.trunc(Number(count)));
    return sliceCharacters(text as string, cut, characterCount(text as string) - cut);
  },
});
