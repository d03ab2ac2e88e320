import { expect, test } from 'vitest';
import { markRanges, parseMarkers } from '../../harness/markers.ts';

test('takes cursor and ranges out of the text', () => {
  const marked = parseMarkers('a <|b$0c|> <|outer <|inner|>|>$0');
  expect(marked.text).toBe('a bc outer inner');
  expect(marked.cursors).toEqual([3, 16]);
  expect(marked.cursor).toBe(3);
  expect(marked.ranges).toEqual([
    { start: 2, end: 4 },
    { start: 5, end: 16 },
    { start: 11, end: 16 },
  ]);
});

test('refuses unbalanced ranges and a missing cursor', () => {
  expect(() => parseMarkers('<|a')).toThrow('without "|>"');
  expect(() => parseMarkers('a|>')).toThrow('without "<|"');
  expect(() => parseMarkers('a').cursor).toThrow('no cursor');
});

test('marks ranges so that they read back', () => {
  const marked = 'x <|one|> <|<|two|>|> y <||>';
  const { text, ranges } = parseMarkers(marked);
  expect(parseMarkers(markRanges(text, ranges))).toMatchObject({ text, ranges });
});
