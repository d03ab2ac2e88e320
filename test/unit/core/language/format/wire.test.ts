import { expect, test } from 'vitest';
import { toWireText } from '../../../../../server/core/language/format/wire.ts';

const wire = (text: string): string => {
  const result = toWireText(text);
  if (result.kind === 'refused') throw new Error(result.diagnostics.map((diagnostic) => diagnostic.message).join(' '));
  return result.text;
};

test.each([
  ['{ source { A }\n  -- why\n  return { X } }', '{ source { A } return { X } }'],
  [
    '{ source { A } filter { X - /* minus */ -1 = 2 } return { X } }',
    '{ source { A } filter { X - -1 = 2 } return { X } }',
  ],
  ['{ source { A } filter { X -/**/- 1 = 2 } return { X } }', '{ source { A } filter { X - - 1 = 2 } return { X } }'],
  ['My_Query {\n  source { A }\n  return { X }\n}\n', '{ source { A } return { X } }'],
  ['-- head\nMy_Query -- name\n{ source { A } return { X } } // end', '{ source { A } return { X } }'],
  [
    "{ source { A } filter { X = '-- no comment' } return { X } }",
    "{ source { A } filter { X = '-- no comment' } return { X } }",
  ],
  [
    "{ source { A } filter { X = 'two\nlines' } return { X } }",
    '{ source { A } filter { X = "two\\nlines" } return { X } }',
  ],
  [
    "{ source { A } filter { X = s'it''s\\\r\n' } return { X } }",
    '{ source { A } filter { X = "it\'s\\\\\\r\\n" } return { X } }',
  ],
  [
    "{ source { A } filter { X = 'C:\\'\n and Y = 'b' } return { X } }",
    "{ source { A } filter { X = s'C:\\' and Y = 'b' } return { X } }",
  ],
  [
    "{ source { A } filter { X like'a\\'\n } return { 'b'c } }",
    "{ source { A } filter { X like s'a\\' } return { 'b' c } }",
  ],
  ['\ufeff{ source { A } return { X } }', '{ source { A } return { X } }'],
])('%j', (text, expected) => {
  expect(wire(text)).toBe(expected);
});

test('a text with syntax errors is refused with what is wrong', () => {
  const refused = toWireText('{ source { A } return { X, } } }');
  expect(refused.kind === 'refused' && refused.diagnostics.map((diagnostic) => diagnostic.code)).toEqual([
    'unexpected-token',
  ]);
});

test('so is a text without a query', () => {
  expect(toWireText('-- nothing').kind).toBe('refused');
  expect(toWireText('').kind).toBe('refused');
});
