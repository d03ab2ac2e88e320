import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  emptyTexts,
  indexTrigrams,
  literalPattern,
  markContaining,
  pushText,
  type TextBlocks,
  textBytes,
} from '../../../../server/core/results/text-blocks.ts';
import { groupsWith } from '../../../../server/core/results/trigrams.ts';
import { finish } from '../../../support/finish.ts';

const rowCount = 2 * 4096 + 100;

function textsOf(textAt: (row: number) => string | undefined): TextBlocks {
  const texts = emptyTexts();
  for (let row = 0; row < rowCount; row++) pushText(texts, textAt(row));
  finish(indexTrigrams(texts));
  return texts;
}

function rowsWith(texts: TextBlocks, needle: string): number[] {
  const hits = new Uint8Array(rowCount);
  finish(markContaining(texts, needle, hits));
  return [...hits.keys()].filter((row) => hits[row] === 1);
}

describe('the trigram index', () => {
  it('leaves out no row that holds the needle, whatever its letters and its place', () => {
    // Few units, so that needles are found; cases of one letter, units that fold to ASCII in other ways, and the borders of rows and groups.
    const unit = fc.constantFrom(
      'a',
      'A',
      'b',
      '-',
      '7',
      'k',
      '\u212a',
      's',
      '\u017f',
      'é',
      'É',
      '😀',
      'İ',
      '\0',
      'z',
      'Z',
      '[',
      '@',
      '`',
      '{',
    );
    const text = fc.array(unit, { maxLength: 6 }).map((units) => units.join(''));
    fc.assert(
      fc.property(
        fc.array(fc.option(text, { nil: undefined }), { minLength: 1, maxLength: 150 }),
        text,
        (some, needle) => {
          const textAt = (row: number): string | undefined =>
            row % 3 === 0 ? some[Math.floor(row / 3) % some.length] : `${row}`;
          const texts = textsOf(textAt);
          const wanted = [needle, needle.toUpperCase(), some[0] ?? '', `${rowCount - 1}`, '4095', '4096', '63'];
          for (const each of wanted.filter((one) => one !== '')) {
            const pattern = literalPattern(each, 'i');
            const rows = Array.from({ length: rowCount }, (_, row) => row);
            const holds = (row: number): boolean => pattern.test(textAt(row) ?? '');
            expect(rowsWith(texts, each)).toEqual(rows.filter(holds));
          }
        },
      ),
      { numRuns: 20 },
    );
  });
  it('leaves few groups to a rare needle, all of them to what stands everywhere, and says nothing of two characters', () => {
    const texts = textsOf((row) => `Access to Object-${row} was denied`);
    const index = texts.trigrams;
    if (!index) throw new Error('There is no index.');
    const count = (needle: string): number | undefined =>
      groupsWith(index, needle)?.reduce((sum, word) => sum + word.toString(2).replaceAll('0', '').length, 0);
    expect(index.groups).toBe(128);
    expect(count('object-4711')).toBeLessThan(12);
    expect(count('OBJECT-4711')).toBe(count('object-4711'));
    expect(count('was denied')).toBe(128);
    expect(count('refused')).toBe(0);
    expect(groupsWith(index, '47')).toBeUndefined();
    expect(groupsWith(index, 'ééé')).toBeUndefined();
    expect(rowsWith(texts, 'object-4711')).toEqual([4711]);
    // In no full block, so in no group.
    expect(rowsWith(texts, `object-${rowCount - 1}`)).toEqual([rowCount - 1]);
  });
  it('counts among the bytes held, and goes with the next text', () => {
    const texts = textsOf((row) => `${row}`);
    const bytes = textBytes(texts);
    expect(texts.trigrams).toBeDefined();
    pushText(texts, 'one more');
    expect(texts.trigrams).toBeUndefined();
    expect(bytes - textBytes(texts)).toBeGreaterThan(60_000);
    const making = indexTrigrams(texts);
    making.next();
    pushText(texts, 'meanwhile');
    finish(making);
    expect(texts.trigrams).toBeUndefined();
  });
});
