import { expect, test } from 'vitest';
import { indexOfWord, quotedNames } from '../../../../../client/features/run-query/quoted-names.ts';

test('names in any quotes are found, prose in quotes is not', () => {
  expect(quotedNames(`column 'EVENT_NAM' of "A.B" is \`x\`, not 'two words'`)).toEqual(['EVENT_NAM', 'A.B', 'x']);
});

test('a word is found by itself, not inside a longer one', () => {
  expect(indexOfWord('EVENT_TIME, EVENT', 'EVENT')).toBe(12);
  expect(indexOfWord('MY_EVENT', 'EVENT')).toBe(-1);
});
